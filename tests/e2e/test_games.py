"""Whole games on the real bot, with restarts in the middle of turns."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from bot.config import Settings
from bot.domain.table import Table
from highscore import STANDARD_DECK
from highscore.cards import RollType
from highscore.deck import ROUNDS
from highscore.game import TurnOrder
from tests.bot.decks import with_deck_file
from tests.bot.server import Server, serve
from tests.e2e import watcher
from tests.e2e.players import Players

THIRDS = tuple(STANDARD_DECK.cards[at::3] for at in range(3))
"""The standard deck dealt to three games: each of its cards is played in one of them."""


@pytest.mark.parametrize(
    ("players", "order", "third"),
    [
        (2, TurnOrder.CLOCKWISE, 0),
        (3, TurnOrder.OPEN, 1),
        (2, TurnOrder.OPEN, 2),
    ],
)
async def test_a_whole_game_with_restarts_follows_from_its_events(
    settings: Settings, tmp_path: Path, players: int, order: TurnOrder, third: int
) -> None:
    cards = THIRDS[third]
    async with serve(with_deck_file(settings, tmp_path, cards)) as server:
        await server.begin(players, order=order.value)
        chance = random.Random(f"{players} {order} {third}")
        restarts = _Restarts(server, random.Random(players))
        table = await Players(server, chance).play(restarts.now_and_then)

        watcher.check_finished(table)
        state = await watcher.check_replay(server, table)
        assert restarts.during_turns >= 3
        assert {played.card for played in state.finished} == set(cards)
        assert {played.card.roll_type for played in state.finished} == set(RollType)
        watcher.check_results_shown(server, state)
        watcher.check_messages_sent(server, state)
        _check_notified(table, watcher.check_mentions(server))


class _Restarts:
    """Stops the bot now and then, and starts a new one."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self._server = server
        self._chance = chance
        self.during_turns = 0

    async def now_and_then(self, table: Table) -> None:
        assert table.game is not None
        if self._chance.random() < 0.04 or (self.during_turns < 3 and table.game.round > self.during_turns * 2):
            await self._server.restart()
            self.during_turns += table.game.turn is not None
            await watcher.check_replay(self._server, table)


def _check_notified(table: Table, notified: list[int]) -> None:
    """In the rulebook's order everybody is called once a round, in open order only the last one who is left."""
    assert table.game is not None
    turns = [[table.seats[turn.seat].user_id for turn in played.turns] for played in table.game.finished]
    if table.turn_order is TurnOrder.CLOCKWISE:
        assert notified == [user for played in turns for user in played]
        assert set(Counter(notified).values()) == {ROUNDS}
    else:
        assert notified == [played[-1] for played in turns]
