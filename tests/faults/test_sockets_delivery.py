"""Certain accidents on real sockets: every fault at every kind of request, and requests that overtake each other."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

import bot.discord_api.replies
import bot.domain.deadlines
import bot.services.deadlines
import bot.workers.delivery
import bot.workers.display_state
import bot.workers.reminders
from bot.domain.table import Table
from bot.services.cancelling import cancel_table
from bot.services.core import TABLES_PER_HOST, get_table
from bot.services.setup import change_settings
from bot.store.models import attempts
from bot.store.rows import events_from_lines
from bot.ui.buttons import Verb
from highscore.events import Decided
from tests.bot.cores import MOD
from tests.bot.decks import only
from tests.discord import SOON, Seen, fault, give_up_after, shown_in, until_shown
from tests.discord.bots import Tavern, a_tavern
from tests.discord.calls import Held
from tests.discord.faults import Fault
from tests.discord.state import AUTOCOMPLETE, LATER

ANSWER, EDIT = ("POST", "/interactions/*/*/callback"), ("PATCH", "/channels/*/messages/*")
SEND = ("POST", "/channels/*/messages")
NONE = Fault("none", happens=lambda *_any: False)
"""For the requests before the one that is to fail."""
ANSWERED = ("10062", "40060")
NOT_DONE, LOST = ("503", "429 Cloudflare", "reset", "timeout"), ("closed after acting", "timeout after acting")
"""One for each error that discord.py hands on; what it tries again by itself tests/discord/test_fake.py has."""


@pytest.fixture
async def tavern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tavern]:
    """Give a bot with short waits, and without a rate limit."""
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.05)
    monkeypatch.setattr(bot.workers.delivery, "LAST_RETRY", 0.05)
    async with a_tavern(tmp_path, press_limit=0, command_limit=0) as tavern:
        yield tavern


async def until_it_is(tavern: Tavern, table_id: str, condition: Callable[[Table], bool]) -> None:
    """Wait until a table is stored like this."""
    async with asyncio.timeout(SOON):
        while not condition(await get_table(tavern.bot.core, table_id)):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


# ------------------------------------------------------------------------------------------------ every fault by itself


@pytest.fixture
async def plain(tavern: Tavern, monkeypatch: pytest.MonkeyPatch) -> Tavern:
    """Play without pictures, with little patience, and with cards on which every result can be kept at once."""
    tavern.bot.core.deck = only("total-frozen")
    give_up_after(tavern.bot, 0.25)
    monkeypatch.setattr(bot.services.deadlines, "RETRY_SECONDS", 0.3)
    await change_settings(tavern.bot.core, tavern.guild.id, pictures=False)
    return tavern


def faults_at(*codes: str) -> list[Fault]:
    """Return the faults of a request, with these of Discord's own errors."""
    return [fault(name) for name in (*NOT_DONE, *LOST, *codes)]


def told_of(failure: Fault) -> int:
    """Return the number of versions of a table that tell of a failure: a permission that is back is told."""
    return int(failure.code in (50001, 50013, 200000))


async def shown_once(tavern: Tavern, look: Seen, versions: int = 1) -> Seen:
    """Check that a table that has moved on by so much is shown on one message alone."""
    shown = await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + versions)
    await until_it_is(tavern, look.table_id, lambda table: not table.owed)
    await tavern.bot.delivery.settle()
    await tavern.bot.delivery.tidying.settle()
    assert (await get_table(tavern.bot.core, look.table_id)).version == look.version + versions
    assert [each.message for each in shown_in(tavern.channel)] == [shown.message]
    assert not tavern.discord.faults.next
    return shown


async def finish(tavern: Tavern, look: Seen) -> None:
    """Make room for another table."""
    tavern.bot.delivery.request_redraw((await cancel_table(tavern.bot.core, look.table_id, MOD)).id)
    await until_it_is(tavern, look.table_id, lambda table: not (table.status.open or table.owed))
    # A press that was refused, and whose answer hung, has its table shown once more.
    await tavern.discord.until(lambda: not tavern.bot.in_flight._all, what="every press done")
    await tavern.bot.delivery.settle()
    for message in tavern.channel.shown:
        message.deleted = True


async def test_a_move_whose_answer_fails_is_shown_by_itself(plain: Tavern) -> None:
    planned = plain.discord.faults.next
    for failure in faults_at(*ANSWERED):
        look = await plain.begin()
        player = await plain.on_turn(look)
        (other,) = {*plain.people[:2]} - {player}
        # To somebody who may not act nothing is shown.
        planned.append((*ANSWER, failure))
        other.begin_press(look.message, look.custom_id(Verb.TAKE))
        await plain.discord.until(lambda: not planned)
        for verbs in ((Verb.TAKE,), (Verb.STOP, Verb.SET_ASIDE)):
            planned.append((*ANSWER, failure))
            player.begin_press(look.message, look.custom_id(*verbs))
            look = await shown_once(plain, look)
        await finish(plain, look)


async def test_a_new_page_that_fails_is_shown_when_discord_works_again_and_calls_once(plain: Tavern) -> None:
    """The opening, or the first turn's page after it."""
    opening = [(failure, ()) for failure in faults_at("50001", "50013", "200000")]
    for failure, before in (*opening, *((fault(name), [(*SEND, NONE)]) for name in ("503", "closed after acting"))):
        look = await plain.lobby_of_two()
        plain.discord.faults.next += [*before, *[(*SEND, failure)] * (2 if failure.code is None else 1)]
        plain.people[0].begin_press(look.message, look.custom_id(Verb.START))
        page = await shown_once(plain, look, versions=2 + told_of(failure))
        assert page.message is not look.message
        opened, first = [each for each in plain.channel.shown if each.nonce is not None]
        assert (len(opened.notified), first.notified) == (2, ()), "the opening calls everybody"
        assert (first, opened.edited) == (page.message, None)
        assert opened.id == (await get_table(plain.bot.core, look.table_id)).opening_id
        await finish(plain, look)


async def test_an_edit_that_fails_is_repeated_or_the_message_replaced(plain: Tavern) -> None:
    for failure in faults_at("50001", "10008", "30046"):
        look = await plain.begin()
        plain.discord.faults.next += [(*ANSWER, fault("10062")), (*EDIT, failure)]
        (await plain.on_turn(look)).begin_press(look.message, look.custom_id(Verb.TAKE))
        if failure.name == "30046":
            await plain.discord.until(
                lambda look=look: any(each.version > look.version for each in shown_in(plain.channel))  # type: ignore[misc]
            )
            look.message.deleted = True
        shown = await shown_once(plain, look, versions=1 + told_of(failure))
        assert (shown.message is look.message) == (failure.name not in ("10008", "30046"))
        await finish(plain, look)


async def test_a_challenge_goes_on_where_an_answer_was_lost(plain: Tavern) -> None:
    """Each press fails at first and is made once more; none counts twice."""
    ada, core, pressed = plain.people[0], plain.bot.core, 0
    for failure in faults_at(*ANSWERED):
        page = (await ada.slash(plain.channel, "highscore daily")).response
        assert page is not None
        moves = [each for each in page.custom_ids if each.split(":")[1] in ("take", "stop", "set")]
        for custom_id in moves[-1:]:
            plain.discord.faults.next.append((*ANSWER, failure))
            ada.begin_press(page, custom_id)
            await plain.discord.until(lambda: not plain.discord.faults.next)
            await ada.press(page, custom_id)
            pressed += 1
    async with core.database.reading() as connection:
        log = (await connection.execute(select(attempts.c.events))).scalar_one()
    assert sum(isinstance(event, Decided) for event in events_from_lines([log])) == pressed >= len(NOT_DONE)


# -------------------------------------------------------------------------------- what the random ones brought to light


async def test_a_game_is_opened_by_the_one_message_that_was_sent_also_when_discord_has_forgotten_its_nonce(
    tavern: Tavern, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake, core = tavern.discord, tavern.bot.core
    monkeypatch.setattr(bot.workers.display_state, "NONCE_KNOWN", timedelta(0))
    fake.api.messages.nonce_seconds = 0.0
    ada, ben, _cem = tavern.people
    await ada.slash(tavern.channel, "highscore new", order="clockwise")
    lobby = await tavern.press(ben, Verb.JOIN)
    before = {message.id for message in fake.world.messages()}
    fake.faults.next += [(*SEND, fault("503"))] * 3 + [(*SEND, fault("reset after acting")), (*SEND, fault("503"))]
    fake.before(*SEND, waiting := Held())
    await ada.press(lobby.message, lobby.custom_id(Verb.START))
    await waiting.begun.wait()
    table = await get_table(core, lobby.table_id)
    assert (table.awaits_opening, table.opening_id, table.game and table.game.card) == (True, None, None)
    command = await ada.slash(tavern.channel, "highscore show")
    assert "just being posted" in await fake.until(lambda: command.private)
    waiting.go_on.set()
    page = await until_shown(fake, tavern.channel, lobby.table_id, lobby.version + 2)
    opened = await get_table(core, lobby.table_id)
    sent = sorted((one for one in fake.world.messages() if one.id not in before), key=lambda one: one.id)
    public = [one for one in sent if not one.ephemeral]
    assert [one.id for one in public] == [opened.opening_id, page.message.id]
    assert opened.seal in public[0].text
    assert str(opened.words_digest) in public[0].text
    assert public[0].edited is None


@pytest.mark.parametrize("thread", [False, True], ids=["channel", "thread"])
async def test_a_table_whose_channel_was_deleted_is_owed_to_nobody(thread: bool, tavern: Tavern) -> None:
    fake, ada = tavern.discord, tavern.people[0]
    await ada.slash(tavern.channel, "highscore new", thread=thread)
    where = (await fake.until(lambda: tavern.guild.threads))[0] if thread else tavern.channel
    (look,) = await fake.until(lambda: shown_in(where))
    fake.remove_channel(where)
    await until_it_is(tavern, look.table_id, lambda table: not (table.status.open or table.owed))


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
            await person.slash(tavern.channel, "highscore me", reminders="dm")
        await ada.slash(tavern.channel, "highscore new", order="open", pace="live")
        await tavern.press(ben, Verb.JOIN)
        await tavern.press(ada, Verb.START)
        private = [tavern.discord.world.direct_channel(person.user) for person in (ada, ben)]
        assert await tavern.discord.until(lambda: all(channel.shown for channel in private))


@pytest.mark.parametrize(
    ("most", "blocked", "why"),
    [(0, [], "as many active threads as Discord allows"), (9, ["High Score"], "does not let me open a thread here")],
    ids=["too many threads", "AutoMod"],
)
async def test_a_thread_that_discord_refuses_is_explained_and_the_channel_offered(
    most: int, blocked: list[str], why: str, tavern: Tavern
) -> None:
    tavern.guild.most_threads, tavern.guild.blocked_words = most, blocked
    asked = await tavern.people[0].slash(tavern.channel, "highscore new", thread=True)
    assert why in asked.private
    assert "`thread:True`" in asked.private
    assert (await tavern.people[0].slash(tavern.channel, "highscore new")).acknowledged
    assert len(shown_in(tavern.channel)) == 1


async def test_what_is_answered_after_its_token_has_expired_is_no_mistake_of_the_bot(
    tavern: Tavern, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.discord_api.replies, "PATIENCE", 0.0)
    tavern.discord.api.answering.token_seconds = 0.0
    asked = await tavern.people[0].slash(tavern.channel, "highscore me")
    await tavern.discord.until(lambda: not tavern.bot.in_flight._all, what="the command done")
    assert [call.code for call in tavern.discord.calls if call.is_like("PATCH", "/webhooks/*/*/messages/*")] == [50027]
    assert (asked.callback, asked.private) == (LATER, "")


async def test_choices_that_come_too_late_are_no_mistake_of_the_bot(tavern: Tavern) -> None:
    named = {"type": 3, "name": "card", "value": "a", "focused": True}
    typed = {"id": "1", "name": "highscore", "type": 1, "options": [{"type": 1, "name": "rules", "options": [named]}]}
    tavern.discord.faults.next.append((*ANSWER, fault("10062")))
    asked = tavern.discord.interact(tavern.people[0].user, tavern.channel, AUTOCOMPLETE, typed)
    await tavern.discord.until(lambda: asked.refused == [10062])
    await tavern.discord.until(lambda: not tavern.bot.in_flight._all)


async def test_somebody_who_opens_tables_in_threads_at_once_leaves_no_empty_thread(tavern: Tavern) -> None:
    ada = tavern.people[0]
    asked = [
        ada.begin_slash(tavern.channel, "highscore new", thread=True, order="clockwise")
        for _command in range(TABLES_PER_HOST + 3)
    ]
    for each in asked:
        assert await tavern.discord.until_answered(each, SOON)
    # Those that are refused are answered when the last thread has its table.
    await tavern.discord.until(lambda: sum("Your open tables" in each.private for each in asked) == 3)
    assert len(tavern.guild.threads) == TABLES_PER_HOST
