"""Posts about the daily challenge in the channel: each thing once, through faults, kills and restarts."""

import logging
from datetime import UTC, datetime, time, timedelta

import discord
import pytest

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, may_share
from bot.services import daily, setup
from bot.services.core import Core, Person
from bot.services.daily import share_attempt
from bot.store.daily import load_running
from bot.ui.words import card_name
from bot.workers.daily import DayPodiums, SharedLines
from bot.workers.worker import Clock
from highscore.fairness import format_code
from tests.bot.cores import ADA, BEN, CHANNEL, GUILD
from tests.bot.services.days import Days
from tests.bot.workers.posting import FORBIDDEN, HOUR, NO_CHANNEL, Channels, Post, refusal, run, run_until, texts

ELSEWHERE = CHANNEL + 1


class Posted:
    def __init__(self, core: Core) -> None:
        self.days = Days(core)
        self.channels = Channels()
        self.core = core
        self.restart()

    def restart(self) -> None:
        self.workers: list[SharedLines | DayPodiums] = [
            worker(self.core, Clock(self.core.now), self.channels) for worker in (SharedLines, DayPodiums)
        ]

    async def run(self) -> None:
        for worker in self.workers:
            await run(worker)

    async def until(self, moment: datetime) -> None:
        before = self.days.now
        for worker in self.workers:
            self.days.now = before
            await run_until(worker, self.core, self.days, moment)

    async def after(self, attempt: Attempt[Daily], time: timedelta = timedelta()) -> None:
        await self.until(attempt.challenge.ends_at + time)

    async def share(self, attempt: Attempt[Daily]) -> Attempt[Daily]:
        return await share_attempt(self.core, attempt.challenge.id, Person(attempt.user_id, attempt.name), CHANNEL)

    async def finish(self, person: Person = ADA) -> Attempt[Daily]:
        return await self.share(await self.days.finish(person))

    @property
    def lines(self) -> list[Post]:
        return texts(self.channels.posts, ", par ")

    @property
    def podiums(self) -> list[Post]:
        return [post for post in self.channels.posts if "Proof" in post.buttons]

    async def count_due(self) -> int:
        return await self.days.count("dailies where post_at is not null")


@pytest.fixture
def posted(core: Core) -> Posted:
    return Posted(core)


@pytest.mark.both_databases
async def test_a_shared_result_is_posted_at_once_and_the_podium_when_the_day_ends_each_once(posted: Posted) -> None:
    ada = await posted.days.finish(ADA)
    await posted.days.play(await posted.days.begin(BEN), cards=3)
    await posted.run()
    assert posted.channels.posts == []
    await posted.share(ada)
    await posted.run()
    (line,) = posted.channels.posts
    assert f": {ada.run.total} point" in line.text
    await posted.after(ada, -timedelta(seconds=1))
    assert posted.podiums == []
    await posted.after(ada)
    (podium,) = posted.podiums
    assert f"1. Ada: {ada.run.total}" in podium.text
    assert "Ben" not in podium.text
    assert line.silent
    assert podium.silent
    for days in (1, 2):
        posted.restart()
        await posted.after(ada, timedelta(days=days))
    assert posted.channels.posts == [line, podium]


async def test_in_the_morning_yesterdays_podium_and_todays_challenge_come_where_and_when_the_server_chose(
    posted: Posted,
) -> None:
    await setup.change_settings(posted.core, GUILD, daily_channel=ELSEWHERE, daily_at=time(7, 30), zone="Europe/Berlin")
    assert await posted.days.count("dailies") == 1, "opened, so that there is a post tomorrow"
    for day in range(2):
        await posted.days.finish(ADA)
        due = datetime(2026, 1, 2 + day, 6, 30, tzinfo=UTC)
        await posted.until(due - timedelta(seconds=1))
        assert len(posted.podiums) == day
        await posted.until(due)
        podium = posted.podiums[day]
        assert podium.channel_id == ELSEWHERE
        assert f"High Score #{1 + day}: Par" in podium.text
        assert f"#{2 + day}** is open" in podium.text
        today = await posted.core.database.read(load_running, GUILD, posted.days.now)
        assert today is not None
        assert all(card_name(card) in podium.text for card in today.cards)
        assert format_code(today.lock) in podium.text
        assert today.seed.hex() not in podium.text
    await setup.change_settings(posted.core, GUILD, daily_channel=None)
    await posted.after(await posted.days.finish(BEN))
    assert "is open" not in posted.podiums[2].text
    assert posted.podiums[2].channel_id == CHANNEL


async def test_a_server_where_nobody_plays_gets_no_post_after_a_week_and_one_again_when_somebody_does(
    posted: Posted,
) -> None:
    await setup.change_settings(posted.core, GUILD, daily_channel=ELSEWHERE)
    ada = await posted.days.finish()
    await posted.after(ada, 20 * 24 * HOUR)
    assert len(posted.podiums) == 1 + daily.QUIET_DAYS
    assert await posted.count_due() == 0
    await posted.after(await posted.days.finish(), 12 * HOUR)
    assert len(posted.podiums) == 2 + daily.QUIET_DAYS


@pytest.mark.parametrize("trouble", [FORBIDDEN, NO_CHANNEL, refusal(403, 50001)], ids=["50013", "10003", "50001"])
async def test_a_line_that_could_not_be_posted_can_be_shared_again_and_its_sharer_gets_a_message(
    posted: Posted, trouble: discord.HTTPException
) -> None:
    posted.channels.trouble[CHANNEL] = [trouble]
    ada = await posted.finish()
    await posted.run()
    assert (posted.lines, posted.channels.direct) == ([], [ada.user_id])
    assert "Check my permissions" in posted.channels.direct_texts[0]
    assert may_share(await posted.share(ada), posted.days.now) is False
    await posted.run()
    assert len(posted.lines) == 1
    assert posted.channels.direct == [ada.user_id]


async def test_a_message_that_discord_refuses_is_logged_and_not_repeated(
    posted: Posted, error_log: list[logging.LogRecord]
) -> None:
    posted.channels.trouble[CHANNEL] = [refusal(400, 50035)]
    await posted.after(await posted.finish(), -HOUR)
    assert posted.lines == []
    assert len(posted.channels.tries) == 1
    assert "Discord refuses the message" in error_log.pop().getMessage()
