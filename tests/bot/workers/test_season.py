import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.table import Seat
from bot.services.setup import change_settings
from bot.workers.daily import LATE, SeasonPosts
from bot.workers.worker import Clock
from tests.bot.games import GUILD, Club, people, wins
from tests.bot.workers.posting import Channels, run_until

pytestmark = pytest.mark.both_databases

CHANNEL = 5
SPRING = datetime(2026, 4, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Season:
    """A quarter of a server, whose podium goes to a channel."""

    def __init__(self, games: Club) -> None:
        self.games = games
        self.channels = Channels()
        self.title = "The season is over: 1st quarter 2026"

    async def play(self, seats: list[Seat] | None = None, rounds: list[list[int]] | None = None, **more: str) -> None:
        await change_settings(self.games.core, GUILD, season_channel=CHANNEL, **more)
        await self.games.end(seats or people(1, 2, 3), *(rounds or wins(0, 3)))

    async def until(self, moment: datetime) -> list[list[str]]:
        """Let time pass, in a process of its own; the lines of the podiums that were posted so far."""
        worker = SeasonPosts(self.games.core, Clock(self.games.core.now), self.channels)
        await run_until(worker, self.games.core, self.games, moment)
        found = [re.findall(r"'description': [\"'](.*?)[\"'][,}]", post.text) for post in self.channels.posts]
        assert all(self.title in post.text for post in self.channels.posts)
        return [description.split("\\n") for (description,) in found]

    async def list_due(self) -> list[tuple[object, ...]]:
        return await self.games.rows("select post_at from seasons where post_at is not null")


@pytest.fixture
def season(games: Club) -> Season:
    return Season(games)


async def test_the_podium_is_posted_once_when_the_season_is_over(season: Season) -> None:
    await season.play()
    assert await season.until(SPRING - MINUTE) == []
    (lines,) = await season.until(SPRING)
    assert [line.split(" **")[0] for line in lines[1:]] == ["🥇 p1", "🥈 p2", "🥉 p3"]
    assert await season.until(SPRING + timedelta(days=6)) == [lines]
    assert await season.list_due() == []


@pytest.mark.parametrize("late", [timedelta(days=1), LATE + timedelta(days=1)])
async def test_one_that_came_due_while_the_bot_was_down_is_posted_unless_it_is_no_news_any_more(
    season: Season, late: timedelta
) -> None:
    await season.play()
    season.games.now = SPRING + late
    assert len(await season.until(season.games.now)) == (late < LATE)
    assert await season.list_due() == []


async def test_a_podium_to_come_gets_the_new_language_of_its_own_server_only(season: Season) -> None:
    await season.play()
    await season.games.end(people(1, 2), *wins(0), guild_id=GUILD + 1)
    await change_settings(season.games.core, GUILD, language="de")
    found = await season.games.rows("select guild_id, locale from seasons order by guild_id")
    assert found == [(GUILD, "de"), (GUILD + 1, "en")]
