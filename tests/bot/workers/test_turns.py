"""Presses, commands, losses and kills in any order: in the end the channel is right, and nobody was called twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import bot.workers.delivery
from bot.discord_api.errors import DISCORD_ERRORS
from bot.domain.display import record_page
from bot.domain.table import Status, Table
from bot.services import lobby
from bot.services.core import Core, load
from bot.ui.table import render_page
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, NOW, seated
from tests.bot.played import play_on
from tests.bot.workers.posting import UNAVAILABLE, refusal
from tests.bot.workers.showing import Channel, Showing
from tests.highscore.odds.settings import LARGE

pytestmark = pytest.mark.only_sqlite("requests cross, not transactions")

OUTCOMES = ("done", "done", "done", "refused", "lost", "late", "slow")
ACTIONS = ("press", "press", "press", "old press", "command", "redraw", "lose", "kill")


@dataclass(eq=False)
class Awkward(Channel):
    """Does with the next requests what the script says, in place of doing them."""

    script: list[str] = field(default_factory=list)
    calls_of: Counter[tuple[int, str]] = field(default_factory=Counter)
    """How often somebody was called by messages of the same words."""
    edits_of: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._late: list[Callable[[], Awaitable[Any]]] = []

    async def _arrive(self) -> None:
        """Whatever is late is done before anything that is asked for after it."""
        while self._late:
            with suppress(Exception):
                await self._late.pop(0)()

    async def _request(self, act: Callable[[], Awaitable[Any]]) -> Any:
        await self._arrive()
        match self.script.pop(0) if self.script else "done":
            case "refused":
                raise UNAVAILABLE
            case "lost":
                await act()
                raise ConnectionResetError(104, "Connection reset by peer")
            case "late":
                self._late.append(act)
                raise ConnectionResetError(104, "Connection reset by peer")
            case "slow":
                done = await act()
                await asyncio.sleep(0.01)
                return done
            case _:
                return await act()

    async def history(self, *, limit: int) -> AsyncIterator[SimpleNamespace]:
        await self._arrive()
        async for sent in super().history(limit=limit):
            yield sent

    async def send(self, **fields: Any) -> SimpleNamespace:
        async def act() -> SimpleNamespace:
            before = len(self._by_nonce)
            sent = await Channel.send(self, **fields)
            if len(self._by_nonce) > before and "allowed_mentions" in fields:
                for user in fields["allowed_mentions"].users:
                    self.calls_of[user.id, str(fields["embeds"][-1].title)] += 1
            return sent

        sent: SimpleNamespace = await self._request(act)
        return sent

    def get_partial_message(self, message_id: int) -> SimpleNamespace:
        there = super().get_partial_message(message_id)

        async def edit(**fields: Any) -> None:
            if message_id not in self.messages:
                raise refusal(404, 10008)
            self.edits_of.append(message_id)
            await self._request(lambda: there.edit(**fields))

        return SimpleNamespace(edit=edit, delete=there.delete)


async def kill(showing: Showing) -> Showing:
    """End a process where it stands, and begin the next one: what it has not noted nobody knows."""
    delivery = showing.delivery
    delivery._state._unwritten.clear()
    tasks = [*delivery._tasks.values()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await delivery.tidying.settled()
    while delivery._state.writing:
        await asyncio.wait(delivery._state.writing)
    after = showing.other(process=f"{showing.core.process}+")
    after.core.committed[:] = [after.delivery.committed]
    return after


async def act(action: str, showing: Showing, table: Table, pressing: list[Awaitable[Any]]) -> None:
    """Begin an action."""
    channel, message = showing.channel, showing.delivery.current(table).message_id
    match action:
        case "press" if message in channel.messages and not table.opening and table.status is Status.PLAYING:
            pressing.append(showing.press(await play_on(showing.core, table, 1), message or 0))
        case "old press" if channel.messages:
            pressing.append(showing.press(table, min(channel.messages)))
            pressing.append(showing.delivery.look_at(table, min(channel.messages)))
        case "command":
            pressing.append(showing.command(table))
        case "redraw":
            showing.delivery.request_redraw(table.id)
        case "lose" if (
            message is not None and not table.opening and message not in showing.delivery.current(table).kept
        ):
            channel.messages.pop(message, None)
            channel.deleted.append(message)


@given(
    st.sampled_from([TurnOrder.CLOCKWISE, TurnOrder.OPEN]),
    st.lists(st.tuples(st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=3), st.integers(0, 6)), max_size=12),
    st.lists(st.sampled_from(OUTCOMES), max_size=20),
)
@settings(
    max_examples=1000 if LARGE else 40,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_in_the_end_the_channel_is_right(
    core: Core, order: TurnOrder, actions: list[tuple[list[str], int]], outcomes: list[str]
) -> None:
    core.tables_per_host, core.tables_per_channel, core.now = 10**6, 10**6, lambda: NOW
    channel = Awkward(script=[*outcomes])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.001)
        patch.setattr(bot.workers.delivery, "LAST_RETRY", 0.01)
        showing = Showing(core, channel).other(process="first")
        showing.core.committed[:] = [showing.delivery.committed]
        table = await seated(showing.core, 2, order)
        await lobby.start(showing.core, table.id, ADA)
        showing.delivery.request_redraw(table.id)
        for together, moves in actions:
            table = await play_before(showing.core, table, moves)
            pressing: list[Awaitable[Any]] = []
            for action in together:
                if action == "kill":
                    showing = await kill(showing)
                else:
                    await act(action, showing, table := await load(showing.core, table.id), pressing)
            for result in await asyncio.gather(*pressing, return_exceptions=True):
                assert not isinstance(result, BaseException) or isinstance(result, DISCORD_ERRORS), result
        channel.script.clear()
        showing.core.now = lambda: NOW.replace(hour=20)
        showing.delivery.request_redraw(table.id)
        await showing.look()
        await showing.settled()
        await check(await load(showing.core, table.id), channel)
        await showing.delivery.close()


async def play_before(core: Core, table: Table, moves: int) -> Table:
    """Moves that nobody has shown, as those of the house."""
    table = await load(core, table.id)
    return await play_on(core, table, moves) if moves > 3 and not table.opening else table


async def check(table: Table, channel: Awkward) -> None:
    """The channel has the opening, a record of each complete round, and the table on one message, all as they are."""
    assert table.game is not None
    assert not table.owed
    assert not table.opening
    assert table.opening_id not in channel.edits_of
    assert set(channel.messages) == {*table.kept, table.message_id}, (channel.messages.keys(), table.kept)
    pages = {message: record_page(table, message) for message in table.log} | {table.message_id: table.page}
    for message, page in pages.items():
        fields = await render_page(table, page).editing()
        assert channel.messages[message or 0] == str(fields["embeds"][-1].to_dict())
    assert len(table.log) == len(table.game.finished)
    assert set(channel.calls_of.values()) <= {1}, channel.calls_of
