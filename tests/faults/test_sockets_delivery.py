"""Certain accidents on real sockets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.table import Table
from bot.services.core import TABLES_PER_HOST, get_table
from bot.ui.buttons import Verb
from tests.discord import SOON, bots, fault, shown_in
from tests.discord.state import AUTOCOMPLETE, LATER

ANSWER = ("POST", "/interactions/*/*/callback")


@pytest.fixture
async def tavern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[bots.Tavern]:
    """Give a bot with short waits, and without a rate limit."""
    monkeypatch.setattr("bot.workers.delivery.FIRST_RETRY", 0.05)
    monkeypatch.setattr("bot.workers.delivery.LAST_RETRY", 0.05)
    async with bots.a_tavern(tmp_path, press_limit=0, command_limit=0) as tavern:
        yield tavern


async def until_it_is(tavern: bots.Tavern, table_id: str, condition: Callable[[Table], bool]) -> None:
    """Wait until a table is stored like this."""
    async with asyncio.timeout(SOON):
        while not condition(await get_table(tavern.bot.core, table_id)):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("thread", [False, True], ids=["channel", "thread"])
async def test_a_table_whose_channel_was_deleted_is_owed_to_nobody(thread: bool, tavern: bots.Tavern) -> None:
    fake, ada = tavern.discord, tavern.people[0]
    await ada.slash(tavern.channel, "highscore new", thread=thread)
    where = (await fake.until(lambda: tavern.guild.threads))[0] if thread else tavern.channel
    (look,) = await fake.until(lambda: shown_in(where))
    fake.remove_channel(where)
    await until_it_is(tavern, look.table_id, lambda table: not (table.status.open or table.is_unshown))


async def test_everybody_who_is_late_gets_a_direct_message_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord knows a nonce by its author alone."""
    monkeypatch.setattr("bot.workers.reminders.PRESENT", timedelta(0))
    async with bots.a_tavern(tmp_path, live_turn_minutes=0.05, live_round_minutes=0.05) as tavern:
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
    [(0, [], "as many active threads as Discord allows"), (9, ["High Score"], "doesn't let me open a thread here")],
    ids=["too many threads", "AutoMod"],
)
async def test_a_thread_that_discord_refuses_is_explained_and_the_channel_offered(
    most: int, blocked: list[str], why: str, tavern: bots.Tavern
) -> None:
    tavern.guild.most_threads, tavern.guild.blocked_words = most, blocked
    asked = await tavern.people[0].slash(tavern.channel, "highscore new", thread=True)
    assert why in asked.private
    assert "`thread:True`" in asked.private
    assert (await tavern.people[0].slash(tavern.channel, "highscore new")).acknowledged
    assert len(shown_in(tavern.channel)) == 1


async def test_what_is_answered_after_its_token_has_expired_is_no_mistake_of_the_bot(
    tavern: bots.Tavern, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.discord_api.messages.PATIENCE", 0.0)
    tavern.discord.api.answering.token_seconds = 0.0
    asked = await tavern.people[0].slash(tavern.channel, "highscore me")
    await tavern.discord.until(lambda: not tavern.bot.in_flight._all, what="the command done")
    assert [call.code for call in tavern.discord.calls if call.is_like("PATCH", "/webhooks/*/*/messages/*")] == [50027]
    assert (asked.callback, asked.private) == (LATER, "")


async def test_choices_that_come_too_late_are_no_mistake_of_the_bot(tavern: bots.Tavern) -> None:
    named = {"type": 3, "name": "card", "value": "a", "focused": True}
    typed = {"id": "1", "name": "highscore", "type": 1, "options": [{"type": 1, "name": "rules", "options": [named]}]}
    tavern.discord.faults.next.append((*ANSWER, fault("10062")))
    asked = tavern.discord.interact(tavern.people[0].user, tavern.channel, AUTOCOMPLETE, typed)
    await tavern.discord.until(lambda: asked.refused == [10062])
    await tavern.discord.until(lambda: not tavern.bot.in_flight._all)


async def test_somebody_who_opens_tables_in_threads_at_once_leaves_no_empty_thread(tavern: bots.Tavern) -> None:
    ada = tavern.people[0]
    asked = [
        ada.begin_slash(tavern.channel, "highscore new", thread=True, order="clockwise")
        for _command in range(TABLES_PER_HOST + 3)
    ]
    for each in asked:
        assert await tavern.discord.until_answered(each, SOON)
    refusals = ("already have enough open tables", "still working on your last request")
    await tavern.discord.until(lambda: all(each.private for each in asked))
    refused = [each for each in asked if any(refusal in each.private for refusal in refusals)]
    assert len(tavern.guild.threads) == len(asked) - len(refused) <= TABLES_PER_HOST
