"""Two processes on one PostgreSQL, killed again and again: each deadline is acted on exactly once."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
from collections import Counter
from dataclasses import dataclass
from math import inf
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

import pytest

from bot.domain.share import Share
from bot.domain.table import Status
from bot.services import lobby
from bot.services.core import Core, Person
from bot.services.deadlines import MISSES_UNTIL_KEPT
from bot.store import table as store
from bot.store.schema import migrate
from highscore import replay
from highscore.deck import ROUNDS
from highscore.game import Decided, Remarked, TakeDice, TurnOrder
from tests.faults import clockworks
from tests.faults.clockwork import START
from tests.faults.clockworks import SharedTime, core_on

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
DEADLINES = 5_000 if LARGE else 40
PLAYERS = 2
TABLES = DEADLINES // (PLAYERS * MISSES_UNTIL_KEPT)
KILLS = 200 if LARGE else 4
LIFE = 1.5 if LARGE else 0.5
"""Seconds after which a process is killed at the latest, counted from when it begins to work."""
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.faults.clockworks"])
ONE_AT_A_TIME = Lock()
"""Starting a process also looks how all others are, and what one thread has read of that the other one misses."""
SPLIT = (Share(2, frozenset({0})), Share(2, frozenset({1})))
SAME = (Share(), Share())


async def _open(core: Core, number: int) -> str:
    people = [Person(1000 * number + at, f"p{at}") for at in range(PLAYERS)]
    wishes = lobby.NewTable(order=TurnOrder.OPEN if number % 2 else TurnOrder.CLOCKWISE)
    # Every other server is on the other shard.
    guild_id = 1 + ((number // 2) << 22)
    table = await lobby.open_table(core, people[0], guild_id=guild_id, channel_id=number, locale="en", wishes=wishes)
    await lobby.join(core, table.id, people[1])
    await lobby.start(core, table.id, people[0])
    return table.id


@dataclass
class Worker:
    """A place that always has a process, but for moments."""

    url: str
    share: Share
    clock: str

    def live(self, seconds: float) -> int:
        """Let a process work, for a while or until nothing is left; returns how it ended."""
        ours, theirs = PROCESSES.Pipe()
        process = PROCESSES.Process(target=clockworks.work, args=(self.url, self.share, self.clock, theirs))
        with ONE_AT_A_TIME:
            process.start()
        assert ours.recv() == "ready"
        until = monotonic() + seconds
        while not _ended(process) and monotonic() < until:
            sleep(0.005)
        process.kill()
        while not _ended(process):
            sleep(0.005)
        assert process.exitcode is not None
        return process.exitcode


def _ended(process: BaseProcess) -> bool:
    with ONE_AT_A_TIME:
        process.join(0)
        return process.exitcode is not None


async def _until_nothing_is_left(worker: Worker, kills: int, chance: random.Random) -> Counter[int]:
    endings: Counter[int] = Counter()
    while not endings[0]:
        seconds = chance.uniform(0, LIFE) if endings.total() < kills else inf
        ending = await asyncio.to_thread(worker.live, seconds)
        assert ending in (0, -signal.SIGKILL)
        endings[ending] += 1
        # Dead for long enough, now and then, for the others to notice.
        await asyncio.sleep(chance.choice((0, 0, 0.2)))
    return endings


@pytest.mark.parametrize("shares", [SPLIT, SAME], ids=["a shard each", "the same servers"])
async def test_every_deadline_is_acted_on_once_by_whichever_process(
    shares: tuple[Share, ...], postgresql: str, tmp_path: Path
) -> None:
    clock = tmp_path / "clock"
    time = SharedTime.starting(clock, START)
    core = core_on(postgresql, time, Share())
    try:
        await migrate(core.database)
        tables = [await _open(core, number) for number in range(TABLES)]
        workers = [Worker(postgresql, share, str(clock)) for share in shares]
        endings = await asyncio.gather(
            *(
                _until_nothing_is_left(worker, KILLS // len(workers), random.Random(f"{at} {DEADLINES}"))
                for at, worker in enumerate(workers)
            )
        )
        killed = sum(ending[-signal.SIGKILL] for ending in endings)
        acted = sum([await _check(core, table_id) for table_id in tables])
    finally:
        await core.database.close()
        time.close()
    assert acted == DEADLINES
    assert killed >= len(workers)
    print(f"{acted} deadlines at {len(tables)} tables, {killed} kills of {len(workers)} processes")


async def _check(core: Core, table_id: str) -> int:
    """A table was played to its end, each turn once; returns how many deadlines were acted on."""
    async with core.database.read() as connection:
        table = await store.load_table(connection, table_id)
        events = await store.load_events(connection, table_id)
    assert table is not None
    assert table.status is Status.FINISHED
    assert table.timing.wake_at is None
    assert replay(PLAYERS, table.turn_order, events) == table.game
    late = Counter(event.text for event in events if isinstance(event, Remarked))
    assert late == {f"the time of seat {seat} was up": MISSES_UNTIL_KEPT for seat in range(PLAYERS)}
    taken = Counter(event.seat for event in events if isinstance(event, Decided) and event.decision == TakeDice())
    assert taken == dict.fromkeys(range(PLAYERS), ROUNDS)
    return late.total()
