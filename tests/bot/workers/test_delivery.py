"""Delivery: each change is shown once, one step at a time, and in the end always.

tests/bot/domain/test_display.py says which step is the next.
"""

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import Connection

import bot.workers.delivery
from bot.domain import display, screens
from bot.domain.notify import CallKind, Notify
from bot.domain.table import Status, Table
from bot.services import away, deadlines, facts, lobby
from bot.services.core import Core, get_table
from bot.store import reminders
from bot.store.claims import SHOW_LEASE, claim_display
from bot.store.table import Shown, TableToShow, mark_shown
from bot.ui.message import Rendered
from bot.ui.table import render_screen, render_table
from bot.workers.delivery import GIVEN_UP, Lanes
from bot.workers.steps import DisplayState, Steps, nonce_of
from bot.workers.worker import as_running
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CHANNEL, NOW, begun, game_of, retell, seated, started
from tests.bot.played import play_on
from tests.bot.ui.tables import table_of
from tests.bot.workers.posting import FORBIDDEN, NO_CHANNEL, UNAVAILABLE, refusal
from tests.bot.workers.showing import Channel, Showing
from tests.bot.workers.turned import rest

GONE, TOO_OLD, ARCHIVED = refusal(404, 10008), refusal(400, 30046), refusal(400, 50083)


async def lobbies(core: Core, number: int) -> list[Table]:
    return [await seated(core, 1, channel_id=CHANNEL + at) for at in range(number)]


async def test_a_table_is_sent_once_and_edited_afterwards(core: Core, channel: Channel, showing: Showing) -> None:
    table = await showing.show(await seated(core, 1))
    shown = await showing.show(await lobby.join_table(core, table.id, BEN))
    assert list(channel.messages) == [1]
    assert "Ben" in channel.messages[1]
    assert (shown.message_id, shown.is_unshown) == (1, False)


async def test_a_wish_in_the_moment_in_which_a_delivery_ends_is_granted(
    core: Core, channel: Channel, showing: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Steps.take_step

    async def take(self: Steps, step: display.Step, to_show: TableToShow) -> None:
        await real(self, step, to_show)
        if channel.calls == 1:
            await retell(core, to_show.table.id)
            # Runs after the task has ended and before its callbacks run.
            asyncio.get_running_loop().call_soon(showing.delivery.request_redraw, to_show.table.id)

    monkeypatch.setattr(Steps, "take_step", take)
    await showing.show(await seated(core, 1))
    assert channel.calls == 2


@pytest.mark.both_databases
async def test_tables_that_were_unshown_when_a_process_died_are_shown_by_the_next(core: Core, channel: Channel) -> None:
    tables = await lobbies(core, 3)
    for calls, until in ((0, NOW), (3, NOW + SHOW_LEASE), (3, NOW + 2 * SHOW_LEASE)):
        core.now = lambda until=until: until  # type: ignore[misc]
        process = Showing(core, channel)
        await process.look()
        assert channel.calls == calls, until
    assert await process.are_unshown(*tables) == [False] * 3


async def test_a_table_that_cannot_be_drawn_stops_and_delays_no_other(
    core: Core, showing: Showing, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    broken, *others = await lobbies(core, 3)

    def render_or_fail(table: Table, screen: int) -> Rendered:
        if table.id == broken.id:
            raise ZeroDivisionError
        return render_screen(table, screen)

    monkeypatch.setattr("bot.workers.steps.render_screen", render_or_fail)
    core.now = lambda: NOW + SHOW_LEASE
    await showing.look()
    assert await showing.are_unshown(broken, *others) == [True, False, False]
    assert len(error_log) == 1
    error_log.clear()
    core.now = lambda: NOW + GIVEN_UP
    await showing.look()
    assert error_log == [], "it is given up, not tried all the time"


async def test_a_call_that_hangs_delays_no_other_table_and_is_broken_off(
    core: Core, channel: Channel, showing: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = hanging, other, left = await lobbies(core, 3)
    hung, delivery = asyncio.Event(), showing.delivery
    real, stuck = channel.send, [hung]

    async def send(**fields: Any) -> SimpleNamespace:
        if stuck:
            await stuck.pop().wait()
        return await real(**fields)

    monkeypatch.setattr(channel, "send", send)
    delivery.request_redraw(hanging.id)
    while stuck:  # noqa: ASYNC110 - no event says so
        await asyncio.sleep(0)
    delivery.request_redraw(other.id)
    await asyncio.wait({delivery._tasks[other.id]})
    assert hanging.id in delivery._tasks
    hung.set()
    await delivery.settle()
    monkeypatch.setattr(bot.workers.delivery, "REQUEST_SECONDS", 0.5)
    stuck.append(asyncio.Event())
    await showing.show(left)
    assert stuck == []
    assert await showing.are_unshown(*tables) == [False] * 3


async def test_a_table_that_was_just_changed_here_needs_no_claim(
    core: Core, showing: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await lobby.join_table(core, (await seated(core, 1)).id, BEN)
    claims: list[str] = []

    def claim(connection: Connection, table_id: str, *more: Any) -> bool:
        claims.append(table_id)
        return claim_display(connection, table_id, *more)

    monkeypatch.setattr(bot.workers.delivery, "claim_display", claim)
    await showing.show(table)
    assert claims == []
    core.now = lambda: NOW + SHOW_LEASE
    await showing.show(table)
    assert claims == [table.id]


async def test_the_notes_of_many_tables_are_written_together(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    core.tables_per_host, state = 20, DisplayState(core)
    tables = await lobbies(core, 20)
    written: list[int] = []

    def count(connection: Any, shown: list[Shown], now: datetime) -> bool:
        written.append(len(shown))
        return mark_shown(connection, shown, now)

    monkeypatch.setattr("bot.workers.steps.mark_shown", count)
    for number, table in enumerate(tables, start=1):
        state.note_shown(table, number, table.screen)
    await asyncio.wait(as_running(state.writing))
    assert sum(written) == 20
    assert len(written) <= 2
    assert [(await get_table(core, table.id)).message_id for table in tables] == list(range(1, 21))


async def test_an_answer_with_an_older_table_never_replaces_a_newer_picture(
    core: Core, channel: Channel, showing: Showing
) -> None:
    older = await showing.show(await seated(core, 1))
    newer = await lobby.join_table(core, older.id, BEN)
    message = older.message_id or 0
    assert [await showing.press(table, message) for table in (newer, older)] == [message, None]
    after = await showing.stored(older)
    assert (after.shown_content_version, channel.calls) == (newer.content_version, 2)
    assert "Ben" in channel.messages[message]


async def test_an_older_note_of_another_program_never_replaces_a_newer_one(core: Core) -> None:
    """Of one picture a record comes after the turn that it takes the place of."""
    table = await seated(core, 3)
    for shown in (Shown(table.id, 2, 4, 22), Shown(table.id, 1, 4, 11), Shown(table.id, 2, 3, 11)):
        await core.database.write(partial(mark_shown, shown=[shown], now=NOW))
    after = await get_table(core, table.id)
    assert (after.shown_content_version, after.shown_screen, after.message_id) == (2, 4, 22)


async def test_a_send_whose_reply_was_lost_is_not_sent_again_and_ends_with_the_newest_picture(
    core: Core, channel: Channel, showing: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = asyncio.sleep
    table = await seated(core, 1)

    async def join_while_it_waits(seconds: float) -> None:
        await lobby.join_table(core, table.id, BEN)
        await real(seconds)

    monkeypatch.setattr(asyncio, "sleep", join_while_it_waits)
    channel.lost = [ConnectionResetError(104, "Connection reset by peer")]
    assert (await showing.show(table)).message_id == 1
    assert list(channel.messages) == [1]
    assert "Ben" in channel.messages[1]


async def test_a_note_that_cannot_be_written_costs_no_other(
    core: Core, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    first, second = await lobbies(core, 2)
    state = DisplayState(core)
    with monkeypatch.context() as full:

        def fail(*_arguments: object) -> None:
            raise OSError("the disk is full")

        full.setattr("bot.workers.steps.mark_shown", fail)
        state.note_shown(first, 1, first.screen)
        await asyncio.wait(as_running(state.writing))
    assert len(error_log) == 1
    error_log.clear()
    state.note_shown(second, 2, second.screen)
    await asyncio.wait(as_running(state.writing))
    assert (await get_table(core, second.id)).message_id == 2
    assert state.current(await get_table(core, first.id)).message_id == 1


async def played_round(showing: Showing) -> tuple[Table, int]:
    """Return a table whose first round has just ended, and the message that shows its last turn."""
    table = await started(showing.core)
    while table.screen < screens.record_of(game_of(table), 0) - 1:
        table = await play_on(showing.core, table, 1)
    message = (await showing.show(table)).message_id
    assert message is not None
    while not game_of(table).finished:
        table = await play_on(showing.core, table, 1)
    return table, message


async def test_an_answer_that_was_lost_takes_the_place_of_the_message_before_it(
    core: Core, channel: Channel, showing: Showing
) -> None:
    table = await showing.show(await started(core))
    _older, lost = [
        await channel.send(nonce=nonce, **await render_table(table).prepare_message()) for nonce in ("one", "two")
    ]
    showing.delivery._state.note_sending(table.id)
    assert (await showing.show(table)).message_id == lost.id
    assert list(channel.messages) == [lost.id]


@pytest.mark.parametrize("error", [GONE, TOO_OLD], ids=["gone", "too old"])
async def test_the_record_of_a_round_whose_page_cannot_be_edited_is_a_message_of_its_own(
    channel: Channel, showing: Showing, error: discord.HTTPException
) -> None:
    table, message = await played_round(showing)
    channel.errors = [error]
    assert (await showing.show(table)).log == (message + 1,)
    assert "Round 1 of 7" in channel.messages[message + 1]
    assert list(channel.messages) == [message + 1, message + 2]


async def test_a_record_that_an_older_picture_has_come_over_is_put_back(channel: Channel, showing: Showing) -> None:
    table, message = await played_round(showing)
    table = await showing.show(table)
    record, channel.messages[message] = channel.messages[message], "an older picture"
    channel.errors = [UNAVAILABLE, UNAVAILABLE]
    await showing.delivery.look_at(table, message)
    await showing.settle()
    assert channel.messages[message] == record


@pytest.mark.both_databases
async def test_a_page_that_another_process_is_sending_is_waited_for_before_another_follows_it(
    core: Core, channel: Channel, showing: Showing
) -> None:
    """The other one has committed before, and sends the first page while somebody ends that turn here."""
    other = showing.other(process="other")
    table = await started(other.core)
    await other.begin(table)
    after = await play_on(core, table, 2)
    assert after.screen > table.screen
    showing.delivery.request_redraw(table.id)
    await asyncio.sleep(0.1)
    assert channel.calls == 1
    channel.open.set()
    await other.settle()
    await showing.settle()
    await other.delivery.close()
    assert (await showing.stored(after)).message_id == 2
    assert list(channel.messages) == [2]


async def test_a_page_of_a_process_that_was_killed_is_looked_for_under_whatever_nonce_it_was_sent(
    core: Core, channel: Channel, showing: Showing
) -> None:
    """It has sent a page, and a second time when that was gone, and has noted neither; no nonce is known any more."""
    other = showing.other(process="other")
    table = await other.show(await started(other.core))
    await showing.show(table)
    page = await play_on(core, table, 2)
    first = await channel.send(nonce=nonce_of(page, page.screen), **await render_table(page).prepare_message())
    channel.messages.pop(first.id)
    channel.deleted.append(first.id)
    second = await channel.send(nonce="another", **await render_table(page).prepare_message())
    channel.forget_nonces()
    core.now = lambda: NOW + 2 * SHOW_LEASE
    await other.delivery.close()
    await showing.look()
    assert list(channel.messages) == [second.id]


@pytest.mark.both_databases
@pytest.mark.parametrize("error", [refusal(403, 50001), UNAVAILABLE], ids=["forbidden", "unavailable"])
async def test_a_page_that_cannot_be_deleted_holds_nothing_up_and_goes_later(
    core: Core, channel: Channel, showing: Showing, error: discord.HTTPException
) -> None:
    table = await showing.show(await started(core))
    channel.undeletable = [error]
    await showing.show(await play_on(core, table, 2))
    assert list(channel.messages) == [1, 2]
    core.now = lambda: NOW + timedelta(minutes=2)
    showing.delivery.tidying.wake()
    await showing.settle()
    assert list(channel.messages) == [2]


async def test_a_command_whose_answer_takes_long_is_the_only_first_message(
    core: Core, channel: Channel, showing: Showing
) -> None:
    table = await seated(core, 1)
    channel.open.clear()
    command = asyncio.create_task(showing.command(table))
    await channel.called.wait()
    core.now = lambda: NOW + 2 * SHOW_LEASE
    showing.delivery.wake()
    await asyncio.sleep(0.1)
    assert channel.calls == 1
    channel.open.set()
    assert await command == 1
    await showing.look()
    assert (channel.calls, (await get_table(core, table.id)).message_id) == (1, 1)


async def test_a_table_that_several_commands_show_at_once_lives_on_the_newest_message(
    core: Core, channel: Channel, showing: Showing
) -> None:
    """Each command has read the table before; the answers arrive in any order, and are stored in between."""
    table = await showing.show(await seated(core, 1))
    assert await asyncio.gather(*(showing.command(table) for _ in range(3))) == [2, 3, 4]
    await showing.settle()
    assert sorted(channel.deleted) == [1, 2, 3]
    assert (await get_table(core, table.id)).message_id == 4


async def test_what_gives_way_to_an_older_answer_on_the_same_message_is_shown_at_once(
    core: Core, channel: Channel, showing: Showing
) -> None:
    """One press ends the turn and is committed first. Another one picks a die. Both wait for the lane."""
    before = await showing.show(await started(core))
    message = before.message_id or 0
    await showing.begin(await retell(core, before.id))
    after = await play_on(core, before, 1)
    while after.screen == before.screen:
        after = await play_on(core, after, 1)
    waiting = [asyncio.create_task(showing.press(table, message)) for table in (after, before)]
    await asyncio.sleep(0)
    channel.open.set()
    assert await asyncio.gather(*waiting) == [None, message]
    assert not (await showing.stored(after)).is_unshown


# -------------------------------------------------------------------------------------------------- steps


@pytest.fixture
def patient(showing: Showing, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have failures rest until the test ends that."""
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 60.0)


async def rests(showing: Showing) -> None:
    """Wait until a try has failed."""
    while not showing.delivery._resting:  # noqa: ASYNC110 - no event says so
        await asyncio.sleep(0)


async def missed_turn(showing: Showing, players: int) -> tuple[Table, int]:
    """Return a table after the house has played the second turn for the person it called, and that turn's message."""
    table = await play_on(showing.core, await started(showing.core, players), 1)
    while len(game_of(table).played) < 1:
        table = await play_on(showing.core, table, 1)
    table = await showing.show(table)
    assert table.message_id is not None
    assert table.timing.deadline is not None
    late = table.timing.deadline
    showing.core.now = lambda: late
    return await deadlines.act_on_due(showing.core, table), table.message_id


async def test_a_record_of_a_process_that_was_killed_is_found_by_its_words(
    core: Core, channel: Channel, showing: Showing
) -> None:
    """Its page was gone, so it was sent as a message of its own, before something else without a button."""
    table, _message = await played_round(showing)
    record = await channel.send(
        nonce="record", **await render_screen(table, screens.record_of(game_of(table), 0)).prepare_message()
    )
    await channel.send(nonce="other", embeds=[discord.Embed(title="other")], view=discord.ui.View())
    channel.errors = [TOO_OLD]
    await showing.delivery.close()
    core.now = lambda: NOW + SHOW_LEASE
    process = showing.other(process="next")
    await process.look()
    assert (await get_table(core, table.id)).log == (record.id,)


@pytest.mark.both_databases
@pytest.mark.parametrize(("errors", "stays"), [([], True), ([ARCHIVED], True), ([TOO_OLD], False)])
async def test_a_page_that_calls_somebody_who_has_not_acted_loses_its_buttons_before_the_next_and_stays(
    channel: Channel, showing: Showing, errors: list[Exception], stays: bool
) -> None:
    """The message goes if it takes no edit."""
    table, message = await missed_turn(showing, 3)
    channel.errors = list(errors)
    after = await showing.show(table)
    assert (channel.closed, list(channel.messages)) == ([message] * stays, [message] * stays + [after.message_id])
    assert after.message_id != message


async def test_the_progress_of_own_pace_stays_as_it_is_where_discord_takes_no_more_edits(
    core: Core, channel: Channel, showing: Showing
) -> None:
    table = await showing.show(await started(core, order=TurnOrder.OWN_PACE))
    channel.errors = [TOO_OLD]
    after = await showing.show(await retell(core, table.id))
    assert (after.is_unshown, after.message_id, channel.calls) == (False, 1, 2)


async def test_a_paused_table_is_drawn_as_it_goes_on_and_its_clock_goes_on_then(
    core: Core, channel: Channel, showing: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drawn page says that the bot may post there."""
    drawn: list[str] = []

    async def resume(core: Core, table_id: str) -> Table:
        drawn.append(channel.messages[1])
        return await deadlines.resume_table(core, table_id)

    monkeypatch.setattr(bot.workers.delivery, "resume_table", resume)
    table = await showing.show(await seated(core, 1))
    after = await showing.show(await deadlines.pause_table(core, table.id))
    assert ["Paused" in each for each in drawn] == [False]
    assert after.timing.paused_at is None


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("lost", [False, True])
async def test_whom_a_page_calls_by_a_message_is_called_also_where_its_reply_was_lost(
    core: Core, channel: Channel, showing: Showing, lost: bool
) -> None:
    """The table has moved on, so the page still has to be edited."""
    published: list[facts.CallsAdded] = []
    core.facts.subscribe(facts.CallsAdded, published.append)
    await away.set_wishes(core, BEN.user_id, Notify.DIRECT)
    table = await showing.show(await seated(core, 2, TurnOrder.OPEN))
    assert published == []
    table = await begun(core, table.id)
    if lost:
        channel.lost = [UNAVAILABLE]
        showing.delivery.request_redraw(table.id)
        await rests(showing)
        await play_on(core, table, 1)
        showing.delivery.end_rest(table.id)
    assert (await showing.show(table)).message_id == 2
    due = await core.database.read(reminders.load_due_calls, table.id, NOW)
    assert [(call.user_id, call.kind) for call in due] == [(BEN.user_id, CallKind.MESSAGE.value)]
    assert published == [facts.CallsAdded()]


async def test_the_opening_of_a_process_that_was_killed_is_found_by_its_lock(
    core: Core, channel: Channel, showing: Showing
) -> None:
    table = await lobby.start_game(core, (await showing.show(await seated(core, 2))).id, ADA)
    for one in (table, replace(table, lock="A" * 32)):
        await channel.send(nonce=one.lock, **await render_table(one).prepare_message())
    core.now = lambda: NOW + SHOW_LEASE
    await showing.other(process="next").look()
    assert (await get_table(core, table.id)).opening_id == 2


@pytest.mark.both_databases
async def test_a_paused_table_whose_message_cannot_be_drawn_anew_is_not_resumed(
    core: Core, channel: Channel, showing: Showing
) -> None:
    table = await showing.show(await seated(core, 1))
    paused = await deadlines.pause_table(core, table.id)
    channel.errors = [FORBIDDEN]
    after = await showing.show(paused)
    assert (after.timing.paused_at, after.version) == (paused.timing.paused_at, paused.version)
    assert channel.calls == 2


async def test_a_table_whose_channel_is_gone_is_closed_and_not_shown_again(
    core: Core, channel: Channel, showing: Showing
) -> None:
    channel.errors = [NO_CHANNEL]
    after = await showing.show(await seated(core, 1))
    assert (after.status, after.is_unshown, channel.calls) == (Status.ABANDONED, False, 1)


# -------------------------------------------------------------------------------------------------- lanes


UPKEEP, MESSAGE, OTHER = None, 50, 60
TABLE = table_of(0, TurnOrder.CLOCKWISE)


def at_content(content_version: int) -> Table:
    return replace(TABLE, content_version=content_version)


class Turns:
    """Tasks that want turns at a table, each until it is ended."""

    def __init__(self) -> None:
        self.lanes = Lanes()
        self.had: list[str] = []
        """The names of the tasks that have had a turn, in order."""
        self.now: dict[str, asyncio.Event] = {}
        """The events that end the present turns, by name."""

    async def ask(self, name: str, offer: int | None = UPKEEP) -> asyncio.Task[bool]:
        """Ask for a turn; the task says whether it was had."""
        task = asyncio.create_task(self._have(name, offer))
        await rest()
        return task

    async def _have(self, name: str, offer: int | None) -> bool:
        async with self.lanes.turn(TABLE.id, offer) as has_turn:
            if has_turn:
                assert not self.now
                self.had.append(name)
                self.now[name] = asyncio.Event()
                try:
                    await self.now[name].wait()
                finally:
                    del self.now[name]
            return has_turn

    async def end(self) -> None:
        for over in self.now.values():
            over.set()
        await rest()

    async def end_all(self) -> None:
        while self.now:
            await self.end()
        assert self.lanes.is_free(TABLE.id)


async def test_one_turn_is_under_way_at_a_time_and_answers_come_before_upkeep() -> None:
    turns = Turns()
    await turns.ask("first")
    for name, offer in (("upkeep", UPKEEP), ("answer", MESSAGE), ("another", OTHER)):
        await turns.ask(name, offer)
    assert (turns.had, turns.lanes.is_free(TABLE.id)) == (["first"], False)
    await turns.end_all()
    assert turns.had == ["first", "answer", "another", "upkeep"]


async def test_a_newer_answer_takes_the_place_of_one_with_the_same_message() -> None:
    turns = Turns()
    await turns.ask("first")
    older, other, newer = [
        await turns.ask(name, offer) for name, offer in (("older", MESSAGE), ("other", OTHER), ("newer", MESSAGE))
    ]
    assert older.result() is False
    await turns.end_all()
    assert turns.had == ["first", "other", "newer"]
    assert [other.result(), newer.result()] == [True, True]


async def test_a_cancelled_waiter_is_passed_over() -> None:
    turns = Turns()
    await turns.ask("first")
    for each in (await turns.ask("answer", MESSAGE), await turns.ask("upkeep")):
        each.cancel()
    await rest()
    await turns.ask("newer", MESSAGE)
    await turns.ask("more upkeep")
    await turns.end_all()
    assert turns.had == ["first", "newer", "more upkeep"]


async def test_a_waiter_that_is_cancelled_as_its_turn_begins_leaves_it_to_the_next() -> None:
    turns = Turns()
    async with turns.lanes.turn(TABLE.id):
        answer = await turns.ask("answer", MESSAGE)
        await turns.ask("upkeep")
    answer.cancel()
    await rest()
    assert answer.cancelled()
    await turns.end_all()
    assert turns.had == ["upkeep"]


async def test_a_waiter_that_is_cancelled_as_another_replaces_it_ends_no_turn() -> None:
    turns = Turns()
    await turns.ask("first")
    older = await turns.ask("older", MESSAGE)
    asyncio.get_running_loop().call_soon(lambda: asyncio.get_running_loop().call_soon(older.cancel))
    await turns.ask("newer", MESSAGE)
    assert (older.cancelled(), turns.had) == (True, ["first"])
    await turns.end_all()
    assert turns.had == ["first", "newer"]


async def test_a_turn_gets_the_newest_table_that_was_committed_while_it_waited() -> None:
    lanes = Lanes()
    lanes.note_committed(at_content(5))
    assert lanes.newest(at_content(3)).content_version == 3, "nobody has a turn, and nothing is kept"
    async with lanes.turn(TABLE.id):
        for content_version, newest in ((5, 5), (4, 5), (6, 6)):
            lanes.note_committed(at_content(content_version))
            assert lanes.newest(at_content(2)).content_version == newest
        assert lanes.newest(at_content(7)).content_version == 7
        waiting = asyncio.create_task(lanes.turn(TABLE.id, MESSAGE, at_content(8)).__aenter__())
        await rest()
        assert lanes.newest(at_content(2)).content_version == 8
        waiting.cancel()
        assert lanes.newest(replace(at_content(1), id="another")).content_version == 1
