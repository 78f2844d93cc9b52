"""Whatever happens between the bot and a channel, in the end that shows what should be there.

Presses, commands, moderators who delete, requests that are refused, lost or answered late, and processes that are
killed between any two of their steps, in an order that Hypothesis draws.
"""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bot.workers.delivery
from bot.discord_api.errors import DISCORD_ERRORS
from bot.domain import errors, screens
from bot.domain.table import Status, Table
from bot.services import lobby
from bot.services.core import Core, get_table
from bot.store.claims import SHOW
from bot.store.table import load_table_to_show
from bot.ui.message import Rendered
from bot.ui.table import render_screen
from highscore.turn_order import TurnOrder
from tests.bot import cores, played
from tests.bot.workers.posting import UNAVAILABLE, refusal
from tests.bot.workers.showing import Channel, Showing

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
GONE = refusal(404, 10008)
GLANCE = 0.002
"""Seconds in which a few steps are taken, and not all."""
DEATH = 2 * SHOW
"""The time after which nobody has a lease any more."""
LONG = timedelta(hours=7)
"""The time after which everything is tried again."""
NUMBERS = itertools.count(1)


class Outcome(Enum):
    DONE = "done"
    REFUSED = "refused"
    LOST = "done, and its answer lost"
    LATE = "done late"
    ANSWERED_LATE = "done, and answered late"


@dataclass
class Message:
    """A message as Discord has it, with what the bot's code reads of one."""

    id: int
    nonce: str
    embeds: list[discord.Embed]
    components: list[discord.ActionRow]
    author: None = None

    def take(self, fields: dict[str, Any]) -> None:
        self.embeds = fields.get("embeds", self.embeds)
        if "view" in fields:
            rows = [] if fields["view"] is None else fields["view"].to_components()
            self.components = [discord.ActionRow(row) for row in rows]


class Weather(Channel):
    """A channel in which each request has the outcome that was drawn for it, as long as there is one."""

    def __init__(self) -> None:
        super().__init__()
        self.there: dict[int, Message] = {}
        self.sent: dict[str, Message] = {}
        self.outcomes: list[Outcome] = []

    async def send(self, **fields: Any) -> Any:
        return await self._with_outcome(partial(self._send, fields))

    def get_partial_message(self, message_id: int) -> SimpleNamespace:
        async def edit(**fields: Any) -> None:
            await self._with_outcome(lambda: self._known(message_id).take(fields))

        async def delete() -> None:
            await self._with_outcome(lambda: self.there.pop(self._known(message_id).id))

        return SimpleNamespace(edit=edit, delete=delete)

    async def history(self, *, limit: int) -> AsyncIterator[Any]:
        for message in await self._with_outcome(lambda: list(reversed(self.there.values()))[:limit]):
            yield message

    def _send(self, fields: dict[str, Any]) -> Message:
        """Make a message, or return the one with this nonce, also if it is gone, as Discord does."""
        sent = self.sent.get(fields["nonce"])
        if sent is None:
            sent = self.sent[fields["nonce"]] = Message(next(NUMBERS), fields["nonce"], [], [])
            sent.take(fields)
            self.there[sent.id] = sent
        return sent

    def _known(self, message_id: int) -> Message:
        if message_id not in self.there:
            raise GONE
        return self.there[message_id]

    async def _with_outcome(self, act: Callable[[], Any]) -> Any:
        outcome = self.outcomes.pop(0) if self.outcomes else Outcome.DONE
        if outcome is Outcome.REFUSED:
            raise UNAVAILABLE
        if outcome is Outcome.LATE:
            await asyncio.sleep(GLANCE)
        done = act()
        if outcome is Outcome.ANSWERED_LATE:
            await asyncio.sleep(GLANCE)
        if outcome is Outcome.LOST:
            raise ConnectionResetError(104, "Connection reset by peer")
        return done


class Game:
    """A table, the processes that show it one after the other, and who presses there."""

    def __init__(self, core: Core, table: Table) -> None:
        self.first, self.table_id = core, table.id
        self.channel, self.offers, self.now = Weather(), set[asyncio.Task[None]](), core.now()
        self.showing = self._process()

    def _process(self) -> Showing:
        core = replace(self.first, now=lambda: self.now, process=f"process {next(NUMBERS)}")
        return Showing(core, self.channel)

    @property
    def core(self) -> Core:
        return self.showing.core

    async def table(self) -> Table:
        return self.showing.delivery.current(await get_table(self.core, self.table_id))

    # ------------------------------------------------------------------------------------------------- what happens

    async def play(self) -> None:
        table = await self.table()
        if table.status is Status.LOBBY:
            after = await lobby.start_game(self.core, table.id, cores.ADA)
        elif table.status is not Status.PLAYING or table.awaits_opening:
            return
        else:
            after = await played.play_on(self.core, table, 1)
        # Where the process that sent the newest message was killed before it noted that, no process knows it yet.
        pressed = max((at for at, message in self.channel.there.items() if message.components), default=None)
        if pressed is None:
            self.showing.delivery.request_redraw(table.id)
        else:
            self._offer(partial(self.showing.press, after, pressed))

    async def command(self) -> None:
        self._offer(partial(self.showing.command, await self.table()))

    async def clock(self) -> None:
        if (table := await self.table()).timing.deadline is not None:
            await cores.retell(self.core, table.id)
            self.showing.delivery.request_redraw(table.id)

    async def late_press(self) -> None:
        if self.channel.there:
            await self.showing.delivery.look_at(await self.table(), max(self.channel.there))

    async def moderator(self) -> None:
        if self.channel.there:
            self.channel.there.pop(max(self.channel.there))

    async def kill(self) -> None:
        workers = self.showing.delivery, self.showing.delivery.tidying
        for worker in workers:
            worker._stopping = True
        while alive := {*self.offers, *(task for worker in workers for task in worker._pending())}:
            for task in alive:
                task.cancel()
            await asyncio.gather(*alive, return_exceptions=True)
        await cores.end_transactions(self.first)
        self.showing = self._process()

    async def wait(self, time: timedelta = DEATH) -> None:
        """Let all leases run out, and look for what is owed."""
        self.now += time
        await self.showing.look()

    async def end(self) -> None:
        """Let Discord serve again, and have everything shown.

        A message that is gone is noticed by its next edit. Discord may even have said that it was sent: by its nonce.
        """
        self.channel.outcomes.clear()
        await asyncio.gather(*self.offers)
        for _time in range(3):
            await self.clock()
            await self.wait(LONG)

    def _offer(self, offer: Callable[[], Coroutine[Any, Any, int | None]]) -> None:
        async def answered() -> None:
            # The worker shows a table whose answer fails.
            with suppress(*DISCORD_ERRORS):
                await offer()

        task = asyncio.create_task(answered())
        self.offers.add(task)
        task.add_done_callback(self.offers.discard)


WHAT_HAPPENS = (
    *[Game.play] * 8,
    *[Game.clock, Game.late_press, Game.command, Game.moderator, Game.kill, Game.wait],
)
STEPS = st.tuples(st.sampled_from(WHAT_HAPPENS), st.sampled_from([0, 0, 1, 2, 5]))
"""The steps of a game, each with a number of glances before the next one."""


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_RETRY", "LAST_RETRY", "LOOK_AGAIN_SECONDS"):
        monkeypatch.setattr(bot.workers.delivery, name, GLANCE)


@pytest.mark.usefixtures("quick_retries")
@settings(
    max_examples=500 if LARGE else min(15, settings().max_examples),
    derandomize=not LARGE,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    order=st.sampled_from(TurnOrder),
    steps=st.lists(STEPS, min_size=5, max_size=60),
    outcomes=st.lists(st.sampled_from([Outcome.DONE, *Outcome]), max_size=80),
)
async def test_in_the_end_the_channel_shows_what_should_be_there(
    core: Core, order: TurnOrder, steps: list[Any], outcomes: list[Outcome]
) -> None:
    core.tables_per_host = 10**6
    game = Game(core, await cores.seated(core, 2, order, channel_id=next(NUMBERS)))
    game.channel.outcomes = list(outcomes)
    for happens, glances in steps:
        with suppress(errors.Refused):  # The table has moved on meanwhile, as where its opening has arrived.
            await happens(game)
        if glances:
            await asyncio.sleep(glances * GLANCE)
    await game.end()
    table = await game.table()
    page = await core.database.read(load_table_to_show, table.id)
    assert page is not None
    assert not table.is_unshown
    assert not table.awaits_opening
    await game.showing.delivery.close()
    shown = {at: text(message.embeds) for at, message in game.channel.there.items()}
    due = {at: screens.record_of(cores.game_of(table), number) for number, at in enumerate(table.log)}
    wanted = {at: text(await embeds(render_screen(table, number))) for at, number in due.items() if at in shown}
    assert table.message_id is not None
    wanted[table.message_id] = text(await embeds(render_screen(table, table.screen)))
    others = {at for at in shown if at not in wanted}
    assert others <= {table.opening_id, *page.calling}
    assert {at: shown[at] for at in wanted} == wanted
    assert not any(game.channel.there[at].components for at in others - {table.opening_id})


def text(embeds: list[discord.Embed]) -> str:
    return str(embeds[-1].to_dict())


async def embeds(rendered: Rendered) -> list[discord.Embed]:
    found: list[discord.Embed] = (await rendered.prepare_message())["embeds"]
    return found
