"""Deadlines on a real database, worked off by a process that is killed again and again: each is acted on once."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
from collections import Counter
from pathlib import Path

from bot.domain.table import Status
from bot.services import lobby
from bot.services.core import Core, Person
from bot.services.deadlines import MISSES_UNTIL_KEPT
from bot.store import table as store
from bot.store.schema import migrate
from highscore import replay
from highscore.deck import ROUNDS
from highscore.game import Decided, Remarked, TakeDice, TurnOrder
from tests.faults import clockwork
from tests.faults.clockwork import START, Time, core_on

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
DEADLINES = 500 if LARGE else 40
PLAYERS = 2
TABLES = DEADLINES // (PLAYERS * MISSES_UNTIL_KEPT)
LONGEST_LIFE = 0.5
"""Seconds after which a process is killed at the latest, counted from when it begins to work."""
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.faults.clockwork"])


async def _open(core: Core, number: int) -> str:
    people = [Person(1000 * number + at, f"p{at}") for at in range(PLAYERS)]
    order = TurnOrder.OPEN if number % 2 else TurnOrder.CLOCKWISE
    wishes = lobby.NewTable(order=order)
    table = await lobby.open_table(core, people[0], guild_id=1, channel_id=number, locale="en", wishes=wishes)
    await lobby.join(core, table.id, people[1])
    await lobby.start(core, table.id, people[0])
    return table.id


async def _prepare(file: Path) -> list[str]:
    core = core_on(str(file), Time(START))
    try:
        await migrate(core.database)
        return [await _open(core, number) for number in range(TABLES)]
    finally:
        await core.database.close()


def _live(file: Path, seconds: float | None) -> int:
    """Let a process work, for a while or until it is done; returns how it ended."""
    ours, theirs = PROCESSES.Pipe()
    process = PROCESSES.Process(target=clockwork.work, args=(str(file), theirs))
    process.start()
    assert ours.recv() == "ready"
    process.join(seconds)
    process.kill()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


async def test_every_deadline_is_acted_on_once_however_often_the_process_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    tables = await _prepare(file)
    chance = random.Random(DEADLINES)
    endings: Counter[int] = Counter()
    while not endings[0]:
        most = LONGEST_LIFE if LARGE or endings.total() < 5 else None
        ending = await asyncio.to_thread(_live, file, None if most is None else chance.uniform(0, most))
        assert ending in (0, -signal.SIGKILL)
        endings[ending] += 1
    assert endings[-signal.SIGKILL] >= 3
    core = core_on(str(file), Time(START))
    acted = 0
    try:
        for table_id in tables:
            acted += await _check(core, table_id)
    finally:
        await core.database.close()
    assert acted == DEADLINES
    print(f"{acted} deadlines at {len(tables)} tables, {endings[-signal.SIGKILL]} kills")


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
