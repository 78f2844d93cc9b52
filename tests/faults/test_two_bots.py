"""Two whole bots on one PostgreSQL and one Discord, while one or the other is killed or replaced again and again.

They are processes of their own, as ``highscore-bot run`` starts them, and people play all the time.
"""

import asyncio
import random
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.shards import Share
from bot.services.core import Core
from bot.store.models import games
from tests.bot.cli.process import SOON
from tests.faults.lives import Seat
from tests.faults.posts import OWING, made_in, still_owed
from tests.faults.stage import GLANCE, SETTLED, Stage, check_logs, staged
from tests.sampling import LARGE

pytestmark = pytest.mark.long

KILLS = 1000 if LARGE else 4
"""The kills of both bots together, for each of the two ways to share servers; 1,000 take half an hour."""
REPLACEMENTS = 20 if LARGE else 2
LONGEST_LIFE = 2.0
"""Seconds after which a bot is killed at the latest."""
LATE = 6.0
"""Seconds after which one process takes what another one was to do; a minute and less, otherwise. Much longer than it
takes on a busy machine: a process that is only slow does it, too, and then a page is sent twice."""
WAITS = {
    **{f"bot.store.claims.{name}_LEASE": LATE for name in ("DUE", "SHOW", "SEND", "POST")},
    "bot.store.claims.TAKE_OVER": LATE / 2,
    "bot.app.LOOK_AGAIN": 0.2,
}
TOO_LATE = 3.0
"""Seconds in which Discord takes an answer."""
STAYS_DEAD = 0.3
"""The share of kills after which the other bot takes over before a restart."""
OWED = 0.3
"""The share of starts with something to be posted."""
SPLIT = tuple((Share(2, frozenset({number})), {"SHARD_COUNT": "2", "SHARD_IDS": f"{number}"}) for number in range(2))
SAME = tuple((Share(), dict[str, str]()) for _number in range(2))


def build(stage: Stage) -> None:
    """Build servers on both shards; in each some play in haste, some with the house."""
    shards = set[int]()
    while shards != {0, 1}:
        shards.add(stage.add_guild(("relaxed", 0), ("live", 1)).shard(2))


@dataclass
class Pair:
    stage: Stage
    core: Core
    seats: tuple[Seat, ...]
    ways: tuple[tuple[Share, dict[str, str]], ...]
    due: int = 0
    """The posts that were made due."""

    def begin(self, number: int) -> None:
        self.stage.start(self.seats[number], **self.ways[number][1])

    async def live(self, number: int, kills: int) -> None:
        """Live and be killed so many times."""
        chance, seat = self.stage.chance, self.seats[number]
        for _kill in range(kills):
            if chance.random() < OWED:
                await chance.choice(OWING)(self.core, chance.choice(self.stage.places).channel)
                self.due += 1
            await asyncio.sleep(chance.uniform(0, LONGEST_LIFE))
            seat.kill()
            await seat.killed()
            if chance.random() < STAYS_DEAD and self.seats[1 - number].alive:
                await self.wait_for_the_other(number)
            self.begin(number)

    async def stop(self, number: int) -> None:
        seat = self.seats[number]
        # Only then it is known that it hears the signal.
        await self.until(lambda: "Invite" in seat.logs[-1].read_text("utf-8"), "it has begun")
        seat.signal(signal.SIGTERM)
        await seat.stopped()

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        await self.stage.fake.until(condition, SOON, what=what)

    async def wait_for_the_other(self, number: int) -> None:
        """Wait until one bot has shown what the other has left behind."""
        share, other = self.ways[number][0], self.seats[1 - number]
        life, left = other.process, await self.tables_of(share)
        unshown = {
            key: row.content_version for key, row in left.items() if row.shown_content_version < row.content_version
        }
        async with asyncio.timeout(SETTLED):
            while unshown and other.alive and other.process is life:
                await asyncio.sleep(GLANCE)
                now = await self.tables_of(share)
                unshown = {key: seen for key, seen in unshown.items() if now[key].shown_content_version < seen}

    async def tables_of(self, share: Share) -> dict[str, Any]:
        """Return the tables in a share of the servers, by id."""
        async with self.core.database.reading() as connection:
            found = (await connection.execute(select(games))).all()
        return {row.id: row for row in found if share.includes(row.guild_id)}

    async def settle(self) -> None:
        """Let both live until everything is shown and posted. Stop them and check everything."""
        stage = self.stage
        await stage.settle(self.core)
        async with asyncio.timeout(SETTLED):
            while await still_owed(self.core):  # noqa: ASYNC110 - other processes do it
                await asyncio.sleep(GLANCE)
        for number, seat in enumerate(self.seats):
            if seat.alive:
                await self.stop(number)
        for seat in self.seats:
            check_logs(seat)
        await stage.check()
        posts = made_in(stage.fake.world)
        assert set(posts.values()) <= {1}, posts.most_common(3)
        # At midnight there is a podium more for each server.
        assert len(posts) >= self.due


@pytest.mark.parametrize("ways", [SPLIT, SAME], ids=["a shard each", "the same servers"])
async def test_nothing_is_lost_or_done_twice_when_one_of_two_bots_dies(
    ways: tuple[tuple[Share, dict[str, str]], ...], postgresql: str, tmp_path: Path, pair: tuple[Seat, ...]
) -> None:
    chance = random.Random(f"two bots {KILLS}")
    async with staged(tmp_path, chance, build, postgresql) as stage:
        stage.constants |= WAITS
        async with stage.reading() as core:
            bots = Pair(stage, core, pair, ways)
            bots.begin(0)
            bots.begin(1)
            await bots.until(lambda: len(stage.fake.hub.connected) == 2, "both connected")
            over = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                group.create_task(stage.play(core, over.is_set))
                await bots.until(lambda: any(each.acknowledged for each in stage.presses), "somebody has played")
                await asyncio.gather(*(bots.live(number, KILLS // 2) for number in range(2)))
                over.set()
            await bots.settle()


async def test_every_press_is_answered_in_time_while_a_bot_is_replaced_without_a_gap(
    postgresql: str, tmp_path: Path, pair: tuple[Seat, ...]
) -> None:
    """The next one is connected before the one before it is stopped, so both receive every press in between."""
    async with staged(tmp_path, random.Random("replaced"), build, postgresql) as stage:
        hub = stage.fake.hub
        async with stage.reading() as core:
            bots = Pair(stage, core, pair, SAME)
            bots.begin(0)
            await bots.until(lambda: len(hub.connected) == 1, "connected")
            over = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                group.create_task(stage.play(core, over.is_set))
                for number in range(REPLACEMENTS):
                    bots.begin(1 - number % 2)
                    await bots.until(lambda: len(hub.connected) == 2, "both connected")
                    await asyncio.sleep(LONGEST_LIFE)
                    await bots.stop(number % 2)
                    await bots.until(lambda: len(hub.connected) == 1, "one is gone")
                    await asyncio.sleep(LONGEST_LIFE)
                over.set()
            presses = [each.interaction for each in stage.presses]
            unanswered = [each for each in presses if each.answered_after is None and each.seconds > TOO_LATE]
            assert not unanswered
            await bots.settle()
