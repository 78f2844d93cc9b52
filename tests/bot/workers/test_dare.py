"""The message with the dares of a game: how often it is edited, how long it gets, and what happens if it cannot be."""

from dataclasses import dataclass
from datetime import timedelta

import discord
import pytest

from bot.domain.dare import MOST_SHOWN, Dare
from bot.services import dare, privacy
from bot.services.core import Core, Person
from bot.store.dare import find_message
from bot.workers.sharing import SharedMessages
from bot.workers.worker import Clock
from tests.bot.cores import ADA, BEN
from tests.bot.services.test_dare import finish, finish_game, offer
from tests.bot.workers.posting import HOUR, NO_CHANNEL, Channels, refusal, run_until

MESSAGE = 4711
TOO_OLD, ARCHIVED, GONE = refusal(429, 30046), refusal(400, 50083), refusal(404, 10008)


@dataclass
class Shown:
    """A game with a dare of Ada's that is in a channel, and the worker that redraws it."""

    core: Core
    channels: Channels
    offered: Dare

    def __post_init__(self) -> None:
        self.now = self.core.now()
        self.core.now = lambda: self.now
        self.worker = SharedMessages(self.core, Clock(self.core.now), self.channels)

    async def wait(self, **time: float) -> None:
        await run_until(self.worker, self.core, self, self.now + timedelta(**time))

    async def find_message(self) -> int | None:
        return await self.core.database.read(find_message, self.offered.table.id)


@pytest.fixture
async def shown(core: Core) -> Shown:
    offered = await offer(core, await finish_game(core))
    dares, _earlier = await dare.offer_dare(core, offered.table.id, ADA)
    await dare.save_message(core, dares, MESSAGE)
    return Shown(core, Channels(), offered)


async def test_many_results_are_few_edits_and_a_message_that_discord_takes(shown: Shown) -> None:
    await offer(shown.core, shown.offered.table, BEN)
    for number in range(40):
        name = "*_~`|" * 6 if number % 2 else "🎲" * 30
        await finish(shown.core, shown.offered, Person(5000 + number, name))
        await shown.wait(minutes=0.5)
    await shown.wait(minutes=5)
    assert 6 <= len(shown.channels.edits) <= 8
    last = shown.channels.edits[-1]
    assert last.message_id == MESSAGE
    assert last.buttons == ("Against 🔴 p1001", "Against 🔷 p1002")
    assert f"More: {40 - MOST_SHOWN}" in last.text
    assert len(last.text) < 4096


@pytest.mark.parametrize(
    "error", [TOO_OLD, ARCHIVED, GONE, NO_CHANNEL], ids=["too old", "archived", "gone", "no channel"]
)
async def test_a_message_that_cannot_be_edited(shown: Shown, error: discord.HTTPException) -> None:
    channels = shown.channels
    channels.edit_trouble = [error]
    await finish(shown.core, shown.offered, Person(5000, "Cem"))
    await shown.wait(hours=1)
    assert shown.now == shown.offered.ends_at + HOUR
    if error is ARCHIVED:
        assert (channels.reopened, len(channels.edits)) == ([shown.offered.table.channel_id], 1)
        assert await shown.find_message() == MESSAGE
    elif error in (GONE, NO_CHANNEL):
        assert not channels.posts, "somebody may have deleted it on purpose"
        assert await shown.find_message() is None
    else:
        assert channels.deleted == [MESSAGE]
        (post,) = channels.posts
        assert "Cem : 🔴 p1001" in post.text
        assert await shown.find_message() == post.message_id


async def test_the_message_goes_with_the_last_dare(shown: Shown) -> None:
    await privacy.erase_person(shown.core, ADA)
    await shown.wait(hours=1)
    assert shown.channels.deleted == [MESSAGE]
    assert await shown.find_message() is None
