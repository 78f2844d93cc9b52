"""SIGKILL at named points, and at random moments, of the whole bot: what was acknowledged is stored and shown, once.

The bot is a process of its own, as ``highscore-bot run`` starts it; Discord is the fake one, on real sockets.
"""

import asyncio
import os
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tests.faults import bots, lives, posts
from tests.faults.points import Outside, Point, points
from tests.faults.stage import SETTLED, Stage, check_logs, staged

pytestmark = [pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
KILLS = 54 if LARGE else 1
"""The kills at each point; 2,000 altogether, in half an hour."""
KILLS_OF_A_STAGE = 3
"""At each point, until everything begins anew: looking through everything after each kill takes ever longer."""
KILLS_BY_CHANCE = 5 if LARGE else 2
"""At moments by chance, in between."""
SIDE_BY_SIDE = 2
"""Bots at the same time, each with a Discord and a database of its own: most of the time goes by waiting."""
LONGEST_LIFE = 1.2
"""Seconds after which a bot is killed at the latest, where the moment is by chance."""
AT_THE_START = 0.25
"""The share of kills that are armed from the bot's start, and not when it has shown what was owed."""
SEVERAL = 4 if LARGE else 1
"""A point is passed up to so many times before the bot is killed there."""
FEW = 0.05
BY_CHANCE = "at random moments"


def build(stage: Stage) -> None:
    """Make two servers, with tables that play in haste and tables with the house."""
    stage.add_guild(("relaxed", 0), ("live", 0))
    stage.add_guild(("relaxed", 1), people=3)


@dataclass
class Told:
    killed: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    """Seconds until everything was shown, at most."""

    def __str__(self) -> str:
        counted = ", ".join(f"{count} {what}" for what, count in self.counted.most_common())
        return f"{counted}; shown after {self.longest:.1f} s at most"


async def side_by_side(
    pair: tuple[lives.Seat, ...], folder: Path, kill: Callable[[lives.Seat, int, Path, Told], Coroutine[Any, Any, None]]
) -> Told:
    """Do it with both bots at the same time."""
    told = Told()
    async with asyncio.TaskGroup() as group:
        for part, seat in enumerate(pair):
            group.create_task(kill(seat, part, folder_in(folder, part), told))
    return told


async def test_a_kill_at_a_named_point_or_a_random_moment_loses_nothing_and_doubles_nothing(
    tmp_path: Path, pair: tuple[lives.Seat, ...]
) -> None:
    told = await side_by_side(pair, tmp_path, kill_at_points)
    assert told.killed.pop(BY_CHANCE) >= SIDE_BY_SIDE * KILLS_BY_CHANCE
    assert told.killed == {str(point): KILLS for point in points(random.Random(), every=LARGE)}
    print(f"\n{told.killed.total()} kills at {len(told.killed)} points; {told}")


async def kill_at_points(seat: lives.Seat, part: int, folder: Path, told: Told) -> None:
    """Kill the bot of a seat at its part of the points, so often at each, and at some moments by chance."""
    chance = random.Random(f"points {part} {KILLS}")
    for number in range(0, KILLS, KILLS_OF_A_STAGE):
        async with staged(folder_in(folder, number), chance, build) as stage:
            times = min(KILLS_OF_A_STAGE, KILLS - number)
            wanted: list[Point | None] = [None] * KILLS_BY_CHANCE
            for _time in range(times):
                wanted += points(chance, every=LARGE)[part::SIDE_BY_SIDE]
            chance.shuffle(wanted)
            for point in wanted:
                await (kill_soon(stage, seat) if point is None else kill_at(stage, seat, point))
                told.killed[BY_CHANCE if point is None else str(point)] += 1
            await end(stage, seat, told)


async def kill_at(stage: Stage, seat: lives.Seat, point: Point) -> None:
    fake, chance = stage.fake, stage.chance
    if point.owing is not None:
        async with stage.reading() as core:
            await point.owing(core, chance.choice(stage.places).channel)
    number = 1 if point.owing is not None or point.waiting else chance.randint(1, SEVERAL)
    armed = point.owing is not None or chance.random() < AT_THE_START
    at = point.at
    begun = len(fake.hub.identified)
    await seat.begin(stage.life(replace(at, number=number, armed=armed) if isinstance(at, bots.Inside) else None))

    def over() -> bool:
        return not seat.alive

    if isinstance(at, Outside):
        at.number = number
        if armed:
            at.arm(fake, seat)
    await stage.connected(seat, begun)
    async with stage.reading() as core:
        if await stage.settle(core, over):
            await stage.press_again()
        if not armed and isinstance(at, bots.Inside):
            seat.signal(bots.ARM)
        elif isinstance(at, Outside) and not armed:
            at.arm(fake, seat)
        try:
            async with asyncio.timeout(SETTLED):
                await stage.play(core, over, waiting=point.waiting)
        except TimeoutError:
            raise AssertionError(f"it did not come to {point}: {seat.logs[-1].read_text('utf-8')[-4000:]}") from None
    if isinstance(at, Outside):
        at.disarm(fake)
    await seat.killed()
    await stage.check()
    check_logs(seat)


async def kill_soon(stage: Stage, seat: lives.Seat) -> None:
    """Live for a random time; a short life ends while the bot starts."""
    begun = len(stage.fake.hub.identified)
    await seat.begin(stage.life())
    killing = asyncio.get_running_loop().call_later(stage.chance.uniform(0, LONGEST_LIFE), seat.kill)
    await stage.connected(seat, begun)
    async with stage.reading() as core:
        await stage.play(core, lambda: not seat.alive, waiting=stage.chance.random() < FEW)
    killing.cancel()
    await seat.killed()
    await stage.check()
    check_logs(seat)


async def end(stage: Stage, seat: lives.Seat, told: Told) -> None:
    """Start once more: everything is shown and posted. Then it ends in order."""
    await stage.begin(seat, stage.life())
    async with stage.reading() as core:
        await stage.settle(core)
        (await stage.ledger()).check_logs(stage.fake)
        await stage.press_again()
        async with asyncio.timeout(SETTLED):
            while await posts.still_owed(core):  # noqa: ASYNC110 - another process does it
                await asyncio.sleep(FEW)
    told.counted += await stage.farewell(seat)
    told.longest = max(told.longest, stage.longest)


def folder_in(folder: Path, number: int) -> Path:
    made = folder / str(number)
    made.mkdir()
    return made
