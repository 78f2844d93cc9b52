"""The steps of a table: what Discord's answers mean for the next one, and what is looked for."""

import asyncio
from dataclasses import replace

import discord
import pytest

import bot.workers.delivery
from bot.domain.notify import CallKind, Notify
from bot.domain.screens import record_of
from bot.domain.table import Status, Table
from bot.services import away, deadlines, facts, lobby
from bot.services.core import Core, get_table
from bot.store import claims, reminders
from bot.ui.table import render_screen, render_table
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, NOW, begun, game_of, retell, seated, started
from tests.bot.played import play_on
from tests.bot.workers.posting import FORBIDDEN, NO_CHANNEL, UNAVAILABLE, refusal
from tests.bot.workers.showing import Channel, Showing

TOO_OLD, TOO_LATE, ARCHIVED = refusal(400, 30046), refusal(404, 10062), refusal(400, 50083)
LOST = ConnectionResetError(104, "Connection reset by peer")


@pytest.fixture
def patient(showing: Showing, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have failures rest until the test ends that."""
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 60.0)


async def rests(showing: Showing) -> None:
    """Wait until a try has failed."""
    while not showing.delivery._resting:  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0)


async def missed(showing: Showing, players: int) -> tuple[Table, int]:
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
    table = await showing.show(await last_turn(core))
    while not game_of(table).finished:
        table = await play_on(core, table, 1)
    record = await channel.send(
        nonce="record", **await render_screen(table, record_of(game_of(table), 0)).prepare_message()
    )
    await channel.send(nonce="other", embeds=[discord.Embed(title="other")], view=discord.ui.View())
    channel.errors = [TOO_OLD]
    await showing.delivery.close()
    core.now = lambda: NOW + claims.SHOW
    process = showing.other(process="next")
    await process.look()
    assert (await get_table(core, table.id)).log == (record.id,)


async def last_turn(core: Core) -> Table:
    table = await started(core)
    while table.screen < record_of(game_of(table), 0) - 1:
        table = await play_on(core, table, 1)
    return table


@pytest.mark.both_databases
@pytest.mark.parametrize(("errors", "stays"), [([], True), ([ARCHIVED], True), ([TOO_OLD], False)])
async def test_a_page_that_calls_somebody_who_has_not_acted_loses_its_buttons_before_the_next_and_stays(
    channel: Channel, showing: Showing, errors: list[Exception], stays: bool
) -> None:
    """The message goes if it takes no edit."""
    table, message = await missed(showing, 3)
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
    """The table has moved on meanwhile, so the page still has to be edited."""
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
    for one in (table, replace(table, words_digest="A" * 32)):
        await channel.send(nonce=one.words_digest, **await render_table(one).prepare_message())
    core.now = lambda: NOW + claims.SHOW
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


async def test_a_table_whose_channel_is_gone_is_closed_and_owed_to_nobody(
    core: Core, channel: Channel, showing: Showing
) -> None:
    channel.errors = [NO_CHANNEL]
    after = await showing.show(await seated(core, 1))
    assert (after.status, after.is_unshown, channel.calls) == (Status.ABANDONED, False, 1)
