"""SIGKILL at named points, and at random moments, of the whole bot: what was acknowledged is stored and shown, once.

Not collected by pytest yet: it does not hold every time. Rename it to test_named_points.py to work on it.

The bot is a process of its own, as ``highscore-bot run`` starts it; Discord is the fake one, on real sockets.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tests.faults.bots import ARM, Inside
from tests.faults.lives import Seat, seats
from tests.faults.points import Outside, Point, points
from tests.faults.posts import still_owed
from tests.faults.stage import SETTLED, Stage, check_logs, staged

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
KILLS = 100 if LARGE else 1
"""At each point."""
KILLS_OF_A_STAGE = 3
"""At each point, until everything begins anew: looking through everything after each kill takes ever longer."""
RANDOM_KILLS = 300 if LARGE else 5
LONGEST_LIFE = 1.2
"""Seconds after which a bot is killed at the latest, where the moment is by chance."""
AT_THE_START = 0.25
"""How often a bot can be killed from the beginning on, and not only after it has shown what was owed."""
SEVERAL = 4 if LARGE else 1
"""A point is passed up to so many times before the bot is killed there."""
FEW = 0.05


def build(stage: Stage) -> None:
    """Two servers; some play in haste, some with the house."""
    stage.add_guild(("relaxed", 0), ("live", 0))
    stage.add_guild(("relaxed", 1), people=3)


async def test_a_kill_at_a_named_point_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    chance = random.Random(f"points {KILLS}")
    killed: Counter[str] = Counter()
    told: Counter[str] = Counter()
    longest = 0.0
    async with seats() as (seat,):
        for number in range(0, KILLS, KILLS_OF_A_STAGE):
            async with staged(folder_in(tmp_path, number), chance, build) as stage:
                wanted = [point for _kill in range(min(KILLS_OF_A_STAGE, KILLS - number)) for point in points(chance)]
                chance.shuffle(wanted)
                for point in wanted:
                    await kill_at(stage, seat, point)
                    killed[str(point)] += 1
                told += await end(stage, seat)
                longest = max(longest, stage.longest)
    assert killed == {str(point): KILLS for point in points(chance)}
    print(f"\n{killed.total()} kills at {len(killed)} points; {tell(told)}; shown after {longest:.1f} s at most")


async def kill_at(stage: Stage, seat: Seat, point: Point) -> None:
    """One life that ends at a point."""
    fake, chance = stage.fake, stage.chance
    if point.owing is not None:
        async with stage.reading() as core:
            await point.owing(core, chance.choice(stage.places).channel)
    number = 1 if point.owing is not None or point.waiting else chance.randint(1, SEVERAL)
    armed = point.owing is not None or chance.random() < AT_THE_START
    at = point.at
    await seat.begin(stage.life(replace(at, number=number, armed=armed) if isinstance(at, Inside) else None))

    def over() -> bool:
        return not seat.alive

    if isinstance(at, Outside):
        at.number = number
        if armed:
            at.arm(fake, seat)
    await fake.until(lambda: over() or fake.hub.connected, what="connected")
    async with stage.reading() as core:
        if await stage.settled(core, over):
            await stage.press_again()
        if not armed and isinstance(at, Inside):
            seat.signal(ARM)
        elif isinstance(at, Outside) and not armed:
            at.arm(fake, seat)
        try:
            async with asyncio.timeout(SETTLED):
                await stage.play(core, over, waiting=point.waiting)
        except TimeoutError:
            raise AssertionError(f"it did not come to {point}: {stage.life().log}") from None
    if isinstance(at, Outside):
        at.disarm(fake)
    await seat.killed()
    await stage.check()
    check_logs(seat)


async def test_a_kill_at_a_random_moment_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    chance = random.Random(f"moments {RANDOM_KILLS}")
    told: Counter[str] = Counter()
    async with seats() as (seat,):
        left = RANDOM_KILLS
        while left:
            async with staged(folder_in(tmp_path, left), chance, build) as stage:
                for _kill in range(min(left, 100)):
                    await kill_soon(stage, seat)
                    left -= 1
                told += await end(stage, seat)
    print(f"\n{RANDOM_KILLS} kills at random moments; {tell(told)}")


async def kill_soon(stage: Stage, seat: Seat) -> None:
    """A life of random length; a short one ends while the bot starts."""
    await seat.begin(stage.life())
    killing = asyncio.get_running_loop().call_later(stage.chance.uniform(0, LONGEST_LIFE), seat.kill)
    await stage.fake.until(lambda: not seat.alive or stage.fake.hub.connected, what="connected")
    async with stage.reading() as core:
        await stage.play(core, lambda: not seat.alive, waiting=stage.chance.random() < FEW)
    killing.cancel()
    await seat.killed()
    await stage.check()
    check_logs(seat)


async def end(stage: Stage, seat: Seat) -> Counter[str]:
    """Start once more: everything is shown and posted. Then it ends in order. Tells what there was."""
    fake = stage.fake
    await seat.begin(stage.life())
    await fake.until(lambda: fake.hub.connected, what="connected")
    async with stage.reading() as core:
        await stage.settled(core)
        await stage.press_again()
        async with asyncio.timeout(SETTLED):
            while await still_owed(core):  # noqa: ASYNC110 - another process does it
                await asyncio.sleep(FEW)
    ledger = await stage.farewell(seat)
    posts = Counter(message.nonce for message in fake.world.messages() if message.nonce and message.nonce[0] in "sd")
    return Counter(
        moves=ledger.rows,
        games=len(ledger.tables),
        pressed=len(stage.presses),
        acknowledged=ledger.check_presses(stage.presses),
        again=len(stage.again),
        posts=sum("." not in nonce for nonce in posts),
    ) + ledger.check_messages(fake)


def folder_in(folder: Path, number: int) -> Path:
    made = folder / str(number)
    made.mkdir()
    return made


def tell(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counted.most_common())
