"""What was committed is shown, once and in the end always."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import Connection, update

import bot.workers.delivery
import bot.workers.pages
from bot.domain.pages import record_of
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.services import lobby
from bot.services.core import Core, load
from bot.store.claims import SHOW, may_show
from bot.store.models import games
from bot.store.table import Shown, mark_shown
from bot.ui.message import Rendered
from bot.ui.table import render, render_page
from bot.workers.clock import Clock
from bot.workers.delivery import Delivery
from bot.workers.pages import Pages
from highscore.deck import ROUNDS
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, NOW, game_of, seated, started
from tests.bot.played import play_on


class Channel:
    """A channel that remembers its messages, and can be told to fail."""

    def __init__(self) -> None:
        self.messages: dict[int, str] = {}
        self.calls = 0
        self.deleted: list[int] = []
        self.undeletable: list[Exception] = []
        """What the next deletions fail with."""
        self.errors: list[Exception] = []
        """What the next calls fail with, before anything is done."""
        self.lost: list[Exception] = []
        """What the next sends fail with, after the message was sent."""
        self._by_nonce: dict[str, SimpleNamespace] = {}
        self.called = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    async def send(self, **fields: Any) -> SimpleNamespace:
        """Like Discord, answers a repeated send with the message that it has already made."""
        await self._called()
        sent = self._by_nonce.get(fields["nonce"])
        if sent is None:
            rows = [discord.ActionRow(row) for row in fields["view"].to_components()]
            sent = SimpleNamespace(author=None, id=len(self._by_nonce) + 1, components=rows, embeds=fields["embeds"])
            self._by_nonce[fields["nonce"]] = sent
            self.messages[sent.id] = str(fields["embeds"][-1].to_dict())
        if self.lost:
            raise self.lost.pop(0)
        return sent

    async def history(self, *, limit: int) -> AsyncIterator[SimpleNamespace]:
        """The newest messages first."""
        for sent in list(reversed(self._by_nonce.values()))[:limit]:
            if sent.id not in self.deleted:
                yield sent

    def get_partial_message(self, message_id: int) -> SimpleNamespace:
        async def edit(**fields: Any) -> None:
            await self._called()
            self.messages[message_id] = str(fields["embeds"][-1].to_dict())

        async def delete() -> None:
            if self.undeletable:
                raise self.undeletable.pop(0)
            self.deleted.append(message_id)
            self.messages.pop(message_id, None)

        return SimpleNamespace(edit=edit, delete=delete)

    async def _called(self) -> None:
        self.calls += 1
        self.called.set()
        await self.open.wait()
        if self.errors:
            raise self.errors.pop(0)


class Places:
    """A client that knows one channel."""

    user = None

    def __init__(self, channel: Channel) -> None:
        self._channel: Any = channel

    def get_partial_messageable(self, _channel_id: int) -> discord.PartialMessageable:
        found: discord.PartialMessageable = self._channel
        return found

    def may_post(self, _channel_id: int) -> bool:
        return True

    async def reopen(self, _channel_id: int) -> None:
        return None


def deliver(core: Core, channel: Channel) -> Delivery:
    """A delivery whose clock stands still."""
    return Delivery(core, Clock(core.now), Places(channel))


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
async def delivery(core: Core, channel: Channel) -> AsyncIterator[Delivery]:
    made = deliver(core, channel)
    yield made
    channel.open.set()
    await made.close()


async def settled(delivery: Delivery) -> None:
    """Wait until everything is shown, and what is over deleted."""
    await delivery.settled()
    await delivery.tidying.settled()


def _broken() -> discord.HTTPException:
    response: Any = SimpleNamespace(status=503, reason="Service Unavailable", headers={})
    return discord.DiscordServerError(response, {"code": 0, "message": "no"})


async def test_a_table_is_sent_once_and_edited_afterwards(core: Core, channel: Channel, delivery: Delivery) -> None:
    table = await seated(core, 1)
    delivery.request_redraw(table.id)
    await delivery.settled()
    await lobby.join(core, table.id, BEN)
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert list(channel.messages) == [1]
    assert "Ben" in channel.messages[1]
    shown = await load(core, table.id)
    assert (shown.message_id, shown.owed) == (1, False)


async def test_many_wishes_at_once_are_few_calls(core: Core, channel: Channel, delivery: Delivery) -> None:
    table = await seated(core, 1)
    channel.open.clear()
    for _ in range(100):
        delivery.request_redraw(table.id)
    await asyncio.sleep(0)
    for _ in range(100):
        delivery.request_redraw(table.id)
    channel.open.set()
    await delivery.settled()
    assert list(channel.messages) == [1]
    assert channel.calls <= 2


async def test_a_wish_in_the_moment_in_which_a_delivery_ends_is_granted(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await seated(core, 1)
    real = Pages.show

    async def show(self: Pages, given: Table) -> None:
        await real(self, given)
        if channel.calls == 1:
            # Runs after the task has ended and before anybody is told that it has.
            asyncio.get_running_loop().call_soon(delivery.request_redraw, given.id)

    monkeypatch.setattr(Pages, "show", show)
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert channel.calls == 2


async def test_what_was_owed_when_its_process_died_is_shown_by_the_next(core: Core, channel: Channel) -> None:
    tables = [await seated(core, 1, channel_id=CHANNEL + number) for number in range(3)]
    for calls, until in ((0, NOW), (3, NOW + SHOW), (3, NOW + 2 * SHOW)):
        core.now = lambda until=until: until  # type: ignore[misc]
        delivery = deliver(core, channel)
        delivery.wake()
        await delivery.settled()
        assert channel.calls == calls, until
    assert [(await load(core, table.id)).owed for table in tables] == [False] * 3


async def test_a_table_that_cannot_be_drawn_stops_and_delays_no_other(
    core: Core, channel: Channel, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    broken, *others = [await seated(core, 1, channel_id=CHANNEL + number) for number in range(3)]
    real = render_page

    def render(table: Table, page: int) -> Rendered:
        if table.id == broken.id:
            raise ZeroDivisionError
        return real(table, page)

    monkeypatch.setattr(bot.workers.pages, "render_page", render)
    core.now = lambda: NOW + SHOW
    delivery = deliver(core, channel)
    delivery.wake()
    await delivery.settled()
    assert [(await load(core, table.id)).owed for table in (broken, *others)] == [True, False, False]
    assert len(error_log) == 1
    error_log.clear()
    delivery.wake()
    await delivery.settled()
    assert error_log == [], "it is given up, not tried all the time"


async def test_a_call_that_hangs_delays_no_other_table_and_is_broken_off(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.0)
    tables = hanging, other, left = [await seated(core, 1, channel_id=CHANNEL + number) for number in range(3)]
    hung = asyncio.Event()
    real, stuck = channel.send, [hung]

    async def send(**fields: Any) -> SimpleNamespace:
        if stuck:
            await stuck.pop().wait()
        return await real(**fields)

    monkeypatch.setattr(channel, "send", send)
    delivery.request_redraw(hanging.id)
    delivery.request_redraw(other.id)
    await asyncio.wait({delivery._tasks[other.id]})
    assert hanging.id in delivery._tasks
    hung.set()
    await delivery.settled()
    monkeypatch.setattr(bot.workers.delivery, "TRY_SECONDS", 0.5)
    stuck.append(asyncio.Event())
    delivery.request_redraw(left.id)
    await delivery.settled()
    assert stuck == []
    assert [(await load(core, table.id)).owed for table in tables] == [False] * 3


async def test_a_table_that_was_just_changed_here_needs_no_claim(
    core: Core, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await lobby.join(core, (await seated(core, 1)).id, BEN)
    claims: list[str] = []
    real = may_show

    def claim(connection: Connection, table_id: str, *more: Any) -> bool:
        claims.append(table_id)
        return real(connection, table_id, *more)

    monkeypatch.setattr(bot.workers.delivery, "may_show", claim)
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert claims == []
    core.now = lambda: NOW + SHOW
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert claims == [table.id]


async def test_the_notes_of_many_tables_are_written_together(
    core: Core, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    core.tables_per_host = 20
    tables = [await seated(core, 1, channel_id=CHANNEL + number) for number in range(20)]
    written: list[int] = []
    real = mark_shown

    def count(connection: Any, shown: list[Shown], now: datetime) -> bool:
        written.append(len(shown))
        return real(connection, shown, now)

    monkeypatch.setattr("bot.workers.display_state.mark_shown", count)
    for number, table in enumerate(tables, start=1):
        delivery.note(table, number)
    await delivery.settled()
    assert sum(written) == 20
    assert len(written) <= 2
    assert [(await load(core, table.id)).message_id for table in tables] == list(range(1, 21))


async def test_an_older_note_never_replaces_a_newer_one(core: Core, channel: Channel, delivery: Delivery) -> None:
    older = await seated(core, 1)
    newer = await lobby.join(core, older.id, BEN)
    delivery.note(newer, 7)
    await delivery.settled()
    channel.messages[7] = ""
    delivery.note(older, 7)
    await delivery.settled()
    after = await load(core, older.id)
    assert (after.shown_version, after.message_id) == (newer.version, 7)
    assert "Ben" in channel.messages[7]


async def test_an_older_note_of_another_program_never_replaces_a_newer_one(core: Core) -> None:
    table = await seated(core, 3)
    for shown in (Shown(table.id, 2, 0, 22), Shown(table.id, 1, 0, 11)):
        await core.database.write(partial(mark_shown, shown=[shown], now=NOW))
    after = await load(core, table.id)
    assert (after.shown_version, after.message_id) == (2, 22)


async def test_what_this_process_has_shown_counts_before_it_is_written(core: Core, delivery: Delivery) -> None:
    table = await seated(core, 1)
    delivery.note(table, 5)
    assert delivery.current(table).message_id == 5
    assert not delivery.current(table).owed


async def test_it_tries_again_with_longer_and_longer_breaks(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        breaks.append(seconds)
        await real(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 2.0)
    channel.errors = [_broken() for _ in range(10)]
    table = await seated(core, 1)
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert breaks == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert list(channel.messages) == [1]


async def test_a_send_whose_reply_was_lost_is_not_sent_again_and_ends_with_the_newest_picture(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.0)
    real = asyncio.sleep
    table = await seated(core, 1)

    async def join_meanwhile(seconds: float) -> None:
        await lobby.join(core, table.id, BEN)
        await real(seconds)

    monkeypatch.setattr(asyncio, "sleep", join_meanwhile)
    channel.lost = [ConnectionResetError(104, "Connection reset by peer")]
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert list(channel.messages) == [1]
    assert "Ben" in channel.messages[1]
    assert (await load(core, table.id)).message_id == 1


async def test_a_newer_version_is_shown_although_an_older_one_cannot_be(
    core: Core, channel: Channel, delivery: Delivery, error_log: list[logging.LogRecord]
) -> None:
    response: Any = SimpleNamespace(status=400, reason="Bad Request", headers={})
    channel.errors = [discord.HTTPException(response, {"code": 50035, "message": "Invalid Form Body"})]
    channel.open.clear()
    table = await seated(core, 1)
    delivery.request_redraw(table.id)
    await channel.called.wait()
    await lobby.join(core, table.id, BEN)
    delivery.request_redraw(table.id)
    channel.open.set()
    await delivery.settled()
    assert "Ben" in channel.messages[1]
    assert [table.id in record.getMessage() for record in error_log] == [True]
    error_log.clear()


async def test_close_waits_for_what_is_on_its_way(core: Core, channel: Channel, delivery: Delivery) -> None:
    table = await seated(core, 1)
    channel.open.clear()
    delivery.request_redraw(table.id)
    await channel.called.wait()
    closing = asyncio.create_task(delivery.close())
    await asyncio.sleep(0)
    assert not closing.done()
    channel.open.set()
    await closing
    assert not (await load(core, table.id)).owed


@pytest.mark.parametrize("stuck", [True, False], ids=["in a call that hangs", "in a break"])
async def test_close_does_not_wait_for_ever(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch, stuck: bool
) -> None:
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 3600.0)
    table = await seated(core, 1)
    if stuck:
        channel.open.clear()
    else:
        channel.errors = [_broken()]
    delivery.request_redraw(table.id)
    with suppress(TimeoutError):
        await asyncio.wait_for(delivery.settled(), 0.2)
    async with asyncio.timeout(30):
        await delivery.close(0.05 if stuck else 3600.0)
    assert (await load(core, table.id)).owed


async def test_nothing_new_begins_after_close(core: Core, channel: Channel, delivery: Delivery) -> None:
    table = await seated(core, 1)
    await delivery.close()
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert channel.calls == 0
    assert (await load(core, table.id)).owed


async def test_a_note_that_cannot_be_written_costs_no_other(
    core: Core, delivery: Delivery, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    first, second = await seated(core, 1), await seated(core, 1, channel_id=CHANNEL + 1)
    with monkeypatch.context() as full:

        def fail(*_arguments: object) -> None:
            raise OSError("the disk is full")

        full.setattr("bot.workers.display_state.mark_shown", fail)
        delivery.note(first, 1)
        await delivery.settled()
    assert len(error_log) == 1
    error_log.clear()
    delivery.note(second, 2)
    await delivery.settled()
    assert (await load(core, second.id)).message_id == 2
    assert delivery.current(await load(core, first.id)).message_id == 1


async def test_a_table_that_is_gone_is_nothing_to_show(core: Core, channel: Channel, delivery: Delivery) -> None:
    delivery.request_redraw("0" * 12)
    await delivery.settled()
    assert channel.calls == 0


async def test_memory_of_what_was_shown_is_bounded(
    core: Core, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery._state, "_shown", Recent(2))
    tables = [await seated(core, 1, channel_id=CHANNEL + number) for number in range(3)]
    for number, table in enumerate(tables, start=1):
        delivery.note(table, number)
    assert delivery.current(tables[0]).message_id is None
    assert delivery.current(tables[2]).message_id == 3
    await delivery.settled()
    assert (await load(core, tables[0].id)).message_id == 1


async def test_a_message_moves_and_the_old_one_goes(core: Core, channel: Channel, delivery: Delivery) -> None:
    table = await seated(core, 2)
    delivery.note(table, 1)
    await delivery.move(await load(core, table.id), 2)
    await settled(delivery)
    assert channel.deleted == [1]
    assert (await load(core, table.id)).message_id == 2
    await lobby.leave(core, table.id, BEN)
    await lobby.join(core, table.id, CEM)
    delivery.request_redraw(table.id)
    await delivery.settled()
    assert "Cem" in channel.messages[2]
    assert ADA.name in channel.messages[2]


async def played_round(core: Core, delivery: Delivery) -> tuple[Table, int]:
    """A table whose first round has just ended, and the message that shows its last turn."""
    table = await started(core)
    while table.page < record_of(game_of(table), 0) - 1:
        table = await play_on(core, table, 1)
    delivery.request_redraw(table.id)
    await settled(delivery)
    shown = (await load(core, table.id)).message_id
    assert shown is not None
    while not game_of(table).finished:
        table = await play_on(core, table, 1)
    return table, shown


async def test_the_page_of_the_turn_that_ends_a_round_becomes_its_record_and_stays(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    table, message = await played_round(core, delivery)
    delivery.request_redraw(table.id)
    await settled(delivery)
    record = channel.messages[message]
    assert "Round 1 of 7 · " in record
    assert list(channel.messages) == [message, message + 1]
    table = await play_on(core, await load(core, table.id))
    delivery.request_redraw(table.id)
    await settled(delivery)
    after = await load(core, table.id)
    assert channel.messages[message] == record
    assert sorted(channel.messages) == sorted([*after.log, after.message_id or 0])
    assert len(after.log) == ROUNDS


async def test_a_command_that_shows_a_table_before_the_record_of_its_round_does_not_take_its_place(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    table, message = await played_round(core, delivery)
    await delivery.move(delivery.current(await load(core, table.id)), 99)
    await settled(delivery)
    after = await load(core, table.id)
    assert (after.log, after.message_id, channel.deleted) == ((message,), message + 1, [99])
    assert "Round 1 of 7 · " in channel.messages[message]


async def test_a_page_whose_reply_was_lost_goes_where_a_command_has_shown_the_table_meanwhile(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.05)
    table = await started(core)
    channel.lost = [_broken()]
    delivery.request_redraw(table.id)
    await channel.called.wait()
    while channel.lost:  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0)
    (lost,) = channel.messages
    await delivery.move(await load(core, table.id), 99)
    await settled(delivery)
    assert (await load(core, table.id)).message_id == 99
    assert channel.deleted == [lost]


async def test_a_page_whose_reply_was_lost_goes_where_the_table_has_turned_to_the_next_page_meanwhile(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.1)
    table = await started(core)
    channel.lost = [_broken()]
    delivery.request_redraw(table.id)
    await channel.called.wait()
    while channel.lost:  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0)
    (lost,) = channel.messages
    later = await play_on(core, table, 2)
    assert later.page > table.page
    await settled(delivery)
    assert channel.deleted == [lost]
    assert list(channel.messages) == [(await load(core, table.id)).message_id]


async def test_a_page_that_is_sent_anew_while_a_press_makes_the_old_one_a_record_is_not_one_as_well(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    """The page was too old to be edited; an answer to a press can still edit it, and is quicker than what was sent."""
    table = await started(core)
    while table.page < record_of(game_of(table), 0) - 1:
        table = await play_on(core, table, 1)
    delivery.request_redraw(table.id)
    await settled(delivery)
    page = (await load(core, table.id)).message_id
    assert page is not None
    table = await play_on(core, table, 1)
    response: Any = SimpleNamespace(status=400, reason="no", headers={})
    channel.errors = [discord.HTTPException(response, {"code": 30046, "message": "no"})]
    channel.open.clear()
    channel.called.clear()
    delivery.request_redraw(table.id)
    await channel.called.wait()
    ended = table
    while not game_of(ended).finished:
        ended = await play_on(core, ended, 1)
    delivery.note_record(delivery.current(ended), page, record_of(game_of(ended), 0))
    channel.open.set()
    delivery.request_redraw(table.id)
    await settled(delivery)
    after = await load(core, table.id)
    assert after.log == (page,)
    assert set(channel.messages) == {page, after.message_id}


async def test_an_answer_that_was_lost_goes_also_where_a_newer_page_was_sent_before_that_was_known(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    """Discord has taken the answer to `/highscore show`, whose connection then broke."""
    table = await started(core)
    lost = await channel.send(nonce="", **await render(table).sending())
    await play_on(core, table, 2)
    delivery.request_redraw(table.id)
    await settled(delivery)
    known = (await load(core, table.id)).message_id
    assert list(channel.messages) == [lost.id, known]
    delivery.adopt(table.id)
    await settled(delivery)
    assert (channel.deleted, list(channel.messages)) == ([lost.id], [known])


async def test_a_lobby_in_own_pace_that_takes_no_more_edits_is_sent_anew(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    """Only what shows progress may stay as it is."""
    table = await seated(core, 2, TurnOrder.OWN_PACE)
    delivery.request_redraw(table.id)
    await settled(delivery)
    (before,) = channel.messages
    await lobby.join(core, table.id, CEM)
    response: Any = SimpleNamespace(status=400, reason="no", headers={})
    channel.errors = [discord.HTTPException(response, {"code": 30046, "message": "no"})]
    delivery.request_redraw(table.id)
    await settled(delivery)
    assert channel.deleted == [before]
    (after,) = channel.messages
    assert (await load(core, table.id)).message_id == after


@pytest.mark.parametrize("code", [10008, 30046], ids=["gone", "too old"])
async def test_the_record_of_a_round_whose_page_cannot_be_edited_is_a_message_of_its_own(
    core: Core, channel: Channel, delivery: Delivery, code: int
) -> None:
    table, message = await played_round(core, delivery)
    response: Any = SimpleNamespace(status=404 if code == 10008 else 400, reason="no", headers={})
    kind = discord.NotFound if code == 10008 else discord.HTTPException
    channel.errors = [kind(response, {"code": code, "message": "no"})]
    delivery.request_redraw(table.id)
    await settled(delivery)
    assert (await load(core, table.id)).log == (message + 1,)
    assert "Round 1 of 7 · " in channel.messages[message + 1]
    assert list(channel.messages) == [message + 1, message + 2]


async def test_a_record_that_an_older_picture_has_come_over_is_put_back(
    core: Core, channel: Channel, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.01)
    table, message = await played_round(core, delivery)
    delivery.request_redraw(table.id)
    await settled(delivery)
    record, channel.messages[message] = channel.messages[message], "an older picture"
    channel.errors = [_broken(), _broken()]
    delivery.restore(await load(core, table.id), message)
    await settled(delivery)
    assert channel.messages[message] == record


async def test_a_record_that_another_process_notes_late_leaves_the_page_that_follows_it(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    """Somebody has pressed on that page before whoever had sent it could note that."""
    table, message = await played_round(core, delivery)
    delivery.request_redraw(table.id)
    await settled(delivery)
    followed = await load(core, table.id)
    pressed = await play_on(core, followed, 1)
    assert pressed.page == followed.page
    other = deliver(core, channel)
    other.note_record(pressed, message, record_of(game_of(table), 0))
    await settled(other)
    after = await load(core, table.id)
    assert (after.message_id, after.log) == (followed.message_id, (message,))
    assert list(channel.messages) == [message, followed.message_id]


async def test_what_an_earlier_process_has_sent_and_not_noted_is_found_before_anything_follows_it(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    """Killed between a page and its note; the next process hears of the table when it is some pages further."""
    table = await started(core)
    delivery.request_redraw(table.id)
    await settled(delivery)
    known = await load(core, table.id)
    later = await play_on(core, table, 8)
    sent = deliver(core, channel)
    sent.request_redraw(table.id)
    await settled(sent)
    lost = (await load(core, table.id)).message_id
    await core.database.write(_noted_as_before, known)
    channel.deleted.clear()
    last = await play_on(core, later, 8)
    next_process = deliver(core, channel)
    next_process.request_redraw(table.id)
    await settled(next_process)
    after = await load(core, table.id)
    assert last.page > later.page > known.page
    assert lost in channel.deleted
    assert set(channel.messages) == {*after.log, after.message_id}


def _noted_as_before(connection: Connection, known: Table) -> None:
    values = {"message_id": known.message_id, "shown_page": known.shown_page, "shown_version": known.shown_version}
    connection.execute(update(games).where(games.c.id == known.id).values(log="[]", **values))


@pytest.mark.parametrize("status", [403, 503])
async def test_a_page_that_cannot_be_deleted_holds_nothing_up_and_goes_later(
    core: Core, channel: Channel, delivery: Delivery, status: int
) -> None:
    table = await started(core)
    delivery.request_redraw(table.id)
    await settled(delivery)
    table = await play_on(core, table, 2)
    response: Any = SimpleNamespace(status=status, reason="no", headers={})
    channel.undeletable = [discord.HTTPException(response, {"code": 50001 if status == 403 else 0, "message": "no"})]
    delivery.request_redraw(table.id)
    await settled(delivery)
    assert list(channel.messages) == [1, 2]
    core.now = lambda: NOW + timedelta(minutes=2)
    delivery.tidying.wake()
    await settled(delivery)
    assert list(channel.messages) == [2]


async def test_a_page_on_which_somebody_has_pressed_while_it_was_sent_is_not_edited_by_its_sender(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    """The press shows what it has changed. One more edit would put back the dice that were picked on it since."""
    core.committed.append(delivery.committed)
    table = await seated(core, 1)
    channel.open.clear()
    delivery.request_redraw(table.id)
    await channel.called.wait()
    await lobby.join(core, table.id, BEN)
    channel.open.set()
    await delivery.settled()
    assert channel.calls == 1


async def test_a_command_whose_answer_takes_longer_than_a_lease_is_the_only_first_message(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    table = await seated(core, 1)
    other = deliver(replace(core, process="other"), channel)
    with delivery.answering(table.id):
        for leases in (1, 2):
            core.now = other._core.now = lambda leases=leases: NOW + leases * SHOW  # type: ignore[misc]
            for each in (delivery, other):
                each.wake()
                await each.settled()
        assert channel.calls == 0
        await delivery.move(table, 7)
    core.now = lambda: NOW + 4 * SHOW
    delivery.wake()
    await delivery.settled()
    assert (channel.calls, (await load(core, table.id)).message_id) == (0, 7)
    await other.close()


async def test_a_table_that_several_commands_show_at_once_lives_on_the_newest_message(
    core: Core, channel: Channel, delivery: Delivery
) -> None:
    """Each command has read the table before; the answers arrive in any order, and their notes are stored meanwhile."""
    table = await seated(core, 1)
    delivery.request_redraw(table.id)
    await delivery.settled()
    table = await load(core, table.id)
    for answer in (20, 30, 10, 40):
        await delivery.move(table, answer)
        await settled(delivery)
    assert channel.deleted == [1, 20, 10, 30]
    assert (await load(core, table.id)).message_id == 40
