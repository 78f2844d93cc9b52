"""People who play by pressing the buttons they see."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

from simcord import MemberActor

from bot.domain.table import Table
from bot.ui.buttons import Verb
from tests.bot.server import Server

DECISIONS = (Verb.STOP, Verb.ROLL, Verb.SET_ASIDE)


class Players:
    """Everybody at the table, played by chance."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self.server = server
        self.chance = chance
        self.presses = 0

    async def play(self, interrupt: Callable[[Table], Awaitable[None]]) -> Table:
        """Play until the game is over. ``interrupt`` is called before every press, with the table."""
        table = await self.server.table()
        while table.status.open:
            await interrupt(table)
            await self._act(table)
            table = await self.server.table()
        return table

    async def _act(self, table: Table) -> None:
        assert table.game is not None
        self.presses += 1
        player = self._player(table)
        if table.game.turn is None:
            assert Verb.TAKE in self.server.verbs()
            await self.server.press(player, Verb.TAKE)
        elif self.server.buttons(Verb.TOGGLE) and self.chance.random() < 0.55:
            await self._pick(player)
        else:
            offered = [button for verb in DECISIONS for button in self.server.buttons(verb)]
            chosen = self.chance.choice(offered)
            assert chosen.custom_id is not None
            result = await player.click(self.server.shown, custom_id=chosen.custom_id)
            assert result.acknowledged
            assert (await self.server.table()).version == table.version + 1

    async def _pick(self, player: MemberActor) -> None:
        dice = self.server.buttons(Verb.TOGGLE)
        await self.server.press(player, Verb.TOGGLE, nth=self.chance.randrange(len(dice)))

    def _player(self, table: Table) -> MemberActor:
        assert table.game is not None
        seat = self.chance.choice(table.game.may_act)
        return self.server.member(table.seats[seat].user_id)
