"""SIGTERM while people play: the bot ends by itself within ten seconds, and leaves nothing half done.

Discord takes its time with every answer then; now and then one of them hangs until long after the stop.
"""

import asyncio
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

import bot.shutdown
from tests.bot.cli.process import SOON
from tests.discord.calls import Call
from tests.discord.faults import fault
from tests.discord.ledger import MOVES, Ledger
from tests.discord.tables import shown_in
from tests.faults.lives import Seat
from tests.faults.stage import Stage, check_logs, staged

pytestmark = [pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
STOPS = 50 if LARGE else 3
EARLY_STOPS = 200 if LARGE else 4
"""The number of stops of bots that have just been started."""
STARTED = 0.3
"""Seconds after which those are stopped at the latest; a start takes about a fifth of that until it is connected."""
HASTE = 1.0 if LARGE else 0.2
"""The phases of a stop take this part of their time."""
HANGING_EVERY = 5 if LARGE else 3
PHASES = {
    f"bot.shutdown.{name}": HASTE * getattr(bot.shutdown, name)
    for name in ("FINISHED_BY", "SHOWN_BY", "LEFT_BY", "CLOSED_BY")
} | {"bot.shutdown.KILLED_AFTER": bot.shutdown.KILLED_AFTER if LARGE else 60.0}
"""A bot that hangs ends itself with exit code 1; a busy machine has more time until then."""
ANSWER = ("POST", "/interactions/*/*/callback")
DELAYS = 0.05, 0.3
"""Seconds that Discord takes for an answer."""
PLAYED = 0.3, 1.2
"""Seconds that people play before the stop."""


def build(stage: Stage) -> None:
    """Build six tables, so that several people press at the same time."""
    stage.constants |= PHASES
    stage.add_guild(("relaxed", 0), ("live", 0), ("relaxed", 0))
    stage.add_guild(("relaxed", 1), ("relaxed", 0), ("relaxed", 0), people=3)


async def test_a_stop_finishes_what_is_in_flight_within_ten_seconds(tmp_path: Path, seat: Seat) -> None:
    chance = random.Random(f"stops {STOPS}")
    told: Counter[str] = Counter()
    longest = 0.0
    async with staged(tmp_path, chance, build) as stage:

        async def delay(_call: Call) -> None:
            await asyncio.sleep(chance.uniform(*DELAYS))

        for number in range(STOPS):
            await stage.begin(seat, stage.life())
            async with stage.reading() as core:
                await stage.settle(core)
                hooks = [add(*ANSWER, delay, times=None) for add in (stage.fake.before, stage.fake.acted)]
                hangs = number % HANGING_EVERY == HANGING_EVERY - 1
                stopping = asyncio.create_task(stop(stage, seat, told, hangs=hangs))
                await stage.play(core, lambda: not seat.alive)
                longest = max(longest, await stopping)
            for hook in hooks:
                stage.fake.hooks.remove(hook)
            stage.fake.faults.next.clear()
            check_logs(seat)
            told += unanswered(stage, await stage.check())
        await stage.begin(seat, stage.life())
        async with stage.reading() as core:
            await stage.settle(core)
        told += await stage.farewell(seat)
    assert told["in flight"]
    print(
        f"\n{STOPS} stops, {longest:.1f} s at most; {', '.join(f'{count} {what}' for what, count in told.items())};"
        f" shown after {stage.longest:.1f} s at most"
    )


async def test_a_stop_ends_a_bot_that_is_starting(tmp_path: Path, seat: Seat) -> None:
    chance = random.Random(f"early stops {EARLY_STOPS}")
    ended: Counter[str] = Counter()
    longest = 0.0
    async with staged(tmp_path, chance, build) as stage:
        for _number in range(EARLY_STOPS):
            await seat.begin(stage.life())
            await asyncio.sleep(chance.uniform(0, STARTED))
            began = time.monotonic()
            seat.signal(signal.SIGTERM)
            status = await asyncio.wait_for(asyncio.shield(seat.ended), SOON)
            took = time.monotonic() - began
            log = seat.logs[-1].read_text("utf-8")
            # Until the program has begun to listen, the system ends it.
            assert status == 0 or (status == -signal.SIGTERM and not log), (status, log[-4000:])
            longest = max(longest, took)
            ended["before it listened" if status else "while it started" if "Invite" not in log else "later"] += 1
            # A thread of aiosqlite that was just opening the file may say that the loop is gone: not looked for here.
            seat.logs.clear()
    told = ", ".join(f"{count} {what}" for what, count in ended.items())
    print(f"\n{EARLY_STOPS} stops of a start, {longest:.1f} s at most; {told}")


async def stop(stage: Stage, seat: Seat, told: Counter[str], *, hangs: bool) -> float:
    """Tell the bot to stop in the middle of it all; the seconds it took."""
    await asyncio.sleep(stage.chance.uniform(*PLAYED))
    if hangs:
        kind = stage.chance.choice(("timeout", "timeout after acting"))
        before = stage.fake.faults.total
        stage.fake.faults.next.append((*ANSWER, fault(kind)))
        await stage.fake.until(lambda: stage.fake.faults.total > before, what="an answer that hangs")
        told["hanging"] += 1
    told["in flight"] += sum(not each.interaction.acknowledged for each in stage.presses[-len(stage.places) :])
    began = time.monotonic()
    seat.signal(signal.SIGTERM)
    await seat.stopped()
    return time.monotonic() - began


def unanswered(stage: Stage, ledger: Ledger) -> Counter[str]:
    """Check that unanswered moves are owed or shown. Return their number."""
    found: Counter[str] = Counter()
    for each in stage.presses:
        if each.press.verb not in MOVES or each.interaction.acknowledged or each.interaction.id not in ledger.moves:
            continue
        found["committed but not answered"] += 1
        table = ledger.tables[each.press.table_id]
        channel = stage.fake.world.channels[table.channel_id]
        # Where it is the house's turn there are no buttons to tell the version by. What is still to be deleted has been
        # followed by a page that was shown.
        looks = [look for look in shown_in(channel, table.id) if look.message.id not in ledger.old]
        old = any(look.version < table.version and not look.own_pace for look in looks)
        assert not old or table.is_unshown, "neither answered nor shown nor owed"
    return found
