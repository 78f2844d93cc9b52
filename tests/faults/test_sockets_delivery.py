"""Certain accidents on real sockets, one by one: those that the random ones have brought to light."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

import bot.domain.deadlines
import bot.workers.delivery
import bot.workers.pages
import bot.workers.reminders
from bot.services import absence
from bot.services.core import load
from bot.ui.buttons import Verb
from tests.discord import SOON, Person, Seen, fault, give_up_after, shown_in, until_shown
from tests.discord.bots import Tavern, a_tavern
from tests.discord.calls import Call
from tests.discord.tables import presses_in

SEND, LOOK = ("POST", "/channels/*/messages"), ("GET", "/channels/*/messages")


@pytest.fixture
async def tavern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tavern]:
    """The bot with short waits."""
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.05)
    monkeypatch.setattr(bot.workers.delivery, "LAST_RETRY", 0.05)
    async with a_tavern(tmp_path) as tavern:
        yield tavern


async def begun(tavern: Tavern) -> Seen:
    """A game of the first two people, in the rulebook's order, in which the first turn is about to begin."""
    ada, ben, _cem = tavern.people
    await ada.slash(tavern.channel, "highscore new", order="clockwise")
    look = await press(tavern, ben, Verb.JOIN)
    return await press(tavern, ada, Verb.START, look)


async def press(tavern: Tavern, person: Person, verb: Verb, look: Seen | None = None) -> Seen:
    """Press a button of the newest table; what is shown then."""
    look = look or shown_in(tavern.channel)[-1]
    found = look.press(verb)
    assert found is not None
    assert (await person.press(look.message, found.custom_id)).acknowledged
    return await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + 1)


@pytest.mark.parametrize("code", ["10008", "30046"])
@pytest.mark.parametrize("forgotten", [False, True], ids=["nonce known", "nonce forgotten"])
async def test_a_page_whose_send_was_lost_and_whose_message_cannot_be_edited_is_shown_anew(
    code: str, forgotten: bool, tavern: Tavern, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tavern.discord
    if forgotten:
        monkeypatch.setattr(bot.workers.pages, "NONCE_KNOWN", timedelta(0))
        fake.api.messages.nonce_seconds = 0.0
    ada, ben, _cem = tavern.people
    await ada.slash(tavern.channel, "highscore new", order="clockwise")
    lobby = await press(tavern, ben, Verb.JOIN)
    # The first turn's message arrives, but the bot never hears of it; then the turn begins, on that very message.
    fake.faults.next += [(*SEND, fault("reset after acting")), *[(*SEND, fault("503")), (*LOOK, fault("503"))] * 50]
    start = lobby.press(Verb.START)
    assert start is not None
    await ada.press(lobby.message, start.custom_id)
    lost = await until_shown(fake, tavern.channel, lobby.table_id, lobby.version + 1)
    take = lost.press(Verb.TAKE)
    assert take is not None
    for person in (ada, ben):
        await person.press(lost.message, take.custom_id)
    # Discord works again, but the message that it has made cannot be edited any more.
    fake.faults.next = [("PATCH", f"/channels/*/messages/{lost.message.id}", fault(code))]
    shown = await until_shown(fake, tavern.channel, lobby.table_id, lost.version + 1)
    assert shown.message is not lost.message
    assert (len(lost.message.notified), shown.message.notified) == (1, ())
    await tavern.bot.delivery.settled()
    assert [call.fault for call in fake.calls if call.fault == code] == [code]


@pytest.mark.parametrize("thread", [False, True], ids=["channel", "thread"])
async def test_a_table_whose_channel_was_deleted_is_owed_to_nobody(thread: bool, tavern: Tavern) -> None:
    fake, ada = tavern.discord, tavern.people[0]
    await ada.slash(tavern.channel, "highscore new", thread=thread)
    where = (await fake.until(lambda: tavern.guild.threads))[0] if thread else tavern.channel
    (look,) = await fake.until(lambda: shown_in(where))
    fake.remove_channel(where)
    async with asyncio.timeout(SOON):
        while (table := await load(tavern.bot.core, look.table_id)).status.open or table.owed:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


async def test_a_permission_that_has_just_been_taken_is_named(tavern: Tavern) -> None:
    """The bot had it as far as it knew, so Discord is the first to say that it has not."""
    tavern.discord.faults.next.append(("POST", "/channels/*/threads", fault("50001")))
    command = await tavern.people[0].slash(tavern.channel, "highscore new", thread=True)
    assert "Create Public Threads" in await tavern.discord.until(lambda: command.private)
    assert not tavern.guild.threads


async def test_everybody_who_is_late_gets_a_direct_message_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord knows a nonce by its author alone."""
    monkeypatch.setattr(bot.workers.reminders, "PRESENT", timedelta(0))
    async with a_tavern(tmp_path, live_turn_minutes=0.05, live_round_minutes=0.05) as tavern:
        ada, ben, _cem = tavern.people
        for person in (ada, ben):
            await person.slash(tavern.channel, "highscore reminders", way="dm")
        await ada.slash(tavern.channel, "highscore new", order="open", pace="live")
        await press(tavern, ben, Verb.JOIN)
        await press(tavern, ada, Verb.START)
        private = [tavern.discord.world.direct_channel(person.user) for person in (ada, ben)]
        assert await tavern.discord.until(lambda: all(channel.shown for channel in private))


async def test_an_edit_that_overtakes_the_end_of_its_page_does_not_bring_its_buttons_back(tavern: Tavern) -> None:
    fake = tavern.discord
    ada, ben, _cem = tavern.people
    await ada.slash(tavern.channel, "highscore new", order="clockwise")
    lobby = await press(tavern, ben, Verb.JOIN)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_call: Call) -> None:
        begun.set()
        await go_on.wait()

    fake.before("PATCH", f"/channels/*/messages/{lobby.message.id}", wait)
    tavern.bot.delivery.request_redraw(lobby.table_id)
    await begun.wait()
    start = lobby.press(Verb.START)
    assert start is not None
    assert (await ada.press(lobby.message, start.custom_id)).acknowledged
    go_on.set()
    shown = await until_shown(fake, tavern.channel, lobby.table_id, lobby.version + 1)
    await tavern.bot.delivery.settled()
    assert [look.message for look in shown_in(tavern.channel)] == [shown.message]


async def test_an_answer_that_arrives_after_the_next_page_does_not_leave_its_buttons(
    tavern: Tavern, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock ends the turn of somebody the answer to whose press is on its way."""
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", 0.01)
    give_up_after(tavern.bot, SOON)
    fake, core = tavern.discord, tavern.bot.core
    look = await begun(tavern)
    take = look.press(Verb.TAKE)
    assert take is not None
    table = await load(core, look.table_id)
    assert table.game is not None
    first = next(person for person in tavern.people if person.id == table.seats[table.game.may_act[0]].user_id)
    begins, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_call: Call) -> None:
        begins.set()
        await go_on.wait()

    fake.before("POST", "/interactions/*/*/callback", wait)
    answered = asyncio.create_task(first.press(look.message, take.custom_id))
    await begins.wait()
    await absence.gone(core, look.table_id, first.id)
    async with asyncio.timeout(SOON):
        while (table := await load(core, look.table_id)).page == 1 or table.owed:  # noqa: ASYNC110 - the clock does it
            await asyncio.sleep(0.01)
    go_on.set()
    assert (await answered).acknowledged
    await fake.until(lambda: not look.message.custom_ids, what="the page that is over without buttons")
    assert len(shown_in(tavern.channel)) == 1


@pytest.mark.parametrize("sent", [False, True], ids=["the page is being sent", "the page was sent"])
async def test_an_answer_that_arrives_after_the_end_of_its_page_does_not_leave_its_buttons(
    sent: bool, tavern: Tavern
) -> None:
    """Somebody joins, and at the same moment the host begins the game."""
    give_up_after(tavern.bot, SOON)
    fake = tavern.discord
    ada, ben, cem = tavern.people
    await ada.slash(tavern.channel, "highscore new", order="clockwise")
    lobby = await press(tavern, ben, Verb.JOIN)
    join, start = lobby.press(Verb.JOIN), lobby.press(Verb.START)
    assert join is not None
    assert start is not None
    begins, go_on, joined = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def wait(_call: Call) -> None:
        begins.set()
        await go_on.wait()

    async def hold(_call: Call) -> None:
        go_on.set()
        if not sent:
            await joined.wait()

    fake.before("POST", "/interactions/*/*/callback", wait)
    joining = asyncio.create_task(cem.press(lobby.message, join.custom_id))
    await begins.wait()
    (fake.answered if sent else fake.before)("POST", "/channels/*/messages", hold)
    assert (await ada.press(lobby.message, start.custom_id)).acknowledged
    assert (await joining).acknowledged
    joined.set()
    await fake.until(lambda: not lobby.message.custom_ids, what="the lobby without buttons")
    await fake.until(lambda: [look.message for look in shown_in(tavern.channel)] != [], what="the first page")
    await tavern.bot.delivery.settled()
    (look,) = shown_in(tavern.channel)
    assert look.message is not lobby.message


@pytest.mark.parametrize("over", [False, True], ids=["the table's page", "a page that is over"])
async def test_a_press_of_an_older_picture_puts_it_right(over: bool, tavern: Tavern) -> None:
    """As it can be left behind where the bot was killed between two edits that had crossed on their way."""
    ada, ben, _cem = tavern.people
    await ada.slash(tavern.channel, "highscore new", order="clockwise")
    lobby = await press(tavern, ben, Verb.JOIN)
    look = await press(tavern, ada, Verb.START, lobby)
    old = lobby
    if not over:
        take = look.press(Verb.TAKE)
        assert take is not None
        for person in (ada, ben):
            await person.press(look.message, take.custom_id)
        old, look = look, await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + 1)
        assert old.message is look.message
    await tavern.bot.delivery.settled()
    old.message.components = next(
        version.components for version in old.message.before if old.presses == presses_in(version.components)
    )
    assert len(shown_in(tavern.channel)) == 1 + over
    again = await ada.press(old.message, old.presses[0].custom_id)
    assert again.private
    await tavern.discord.until(lambda: shown_in(tavern.channel) == [look], what="the newest picture alone")


@pytest.mark.parametrize("show_first", [False, True], ids=["the move first", "the command first"])
async def test_a_table_that_is_moved_while_somebody_plays_is_on_one_message(show_first: bool, tavern: Tavern) -> None:
    """Somebody asks for the table to be shown, and at the same moment somebody takes the dice."""
    give_up_after(tavern.bot, SOON)
    fake = tavern.discord
    look = await begun(tavern)
    take = look.press(Verb.TAKE)
    assert take is not None
    table = await load(tavern.bot.core, look.table_id)
    assert table.game is not None
    begins, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_call: Call) -> None:
        begins.set()
        await go_on.wait()

    plays = next(person for person in tavern.people if person.id == table.seats[table.game.may_act[0]].user_id)
    actions = [
        partial(plays.press, look.message, take.custom_id),
        partial(tavern.people[-1].slash, tavern.channel, "highscore show"),
    ]
    if show_first:
        actions.reverse()
    fake.acted("POST", "/interactions/*/*/callback", wait)
    waiting = asyncio.create_task(actions[0]())
    await begins.wait()
    assert (await actions[1]()).acknowledged
    # Time for the bot to do what follows; where it has none, this finds less.
    await asyncio.sleep(0.1)
    go_on.set()
    assert (await waiting).acknowledged
    table = await load(tavern.bot.core, look.table_id)
    await fake.until(lambda: [each.version for each in shown_in(tavern.channel)] == [table.version], what="one message")
