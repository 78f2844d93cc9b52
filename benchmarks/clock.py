"""Cost of the clock: with ten thousand open games, when nothing is due, and when a thousand things are.

Run ``python -m benchmarks.clock`` from a checkout; ``--games`` and ``--due`` change the numbers. Discord is left out
but for its delay when it is asked for a member: what is measured is the clock, the rules, the house and the database.
"""

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, event

from benchmarks.day.counting import CountingDiscord
from benchmarks.games import begin, table_of
from benchmarks.report import Arguments, Report, option, run
from bot.cli.common import open_database
from bot.config import Settings
from bot.domain.deadlines import HOUSE_SECONDS, plan_timing
from bot.domain.pace import Pace
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Options, Seat, Table
from bot.services.core import Core
from bot.store.database import parse_url
from bot.store.schema import migrate_database
from bot.store.table import insert_table
from bot.workers.clock import Clock
from bot.workers.deadlines import Deadlines
from highscore.deck import STANDARD_DECK
from highscore.turn_order import TurnOrder

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ALLOWED = 7200
IDLE_SECONDS = 5.0
MOST_IDLE_CPU = 0.002
"""Share of a processor that the clock may use more than nothing, over IDLE_SECONDS: what measuring itself varies by."""
MOST_DUE_MS = 8.0
"""Milliseconds of processor for each thing that is due, so that other work on the machine does not count."""
MOST_STATEMENTS = 12.0
"""Statements for each deadline: two to see whose time is up, so that Discord can be asked about them before the write
begins; then begin, two to read, five to write, commit; and a share of finding them."""
ASKING_SECONDS = 0.05
"""The seconds Discord takes to say whether somebody is still a member."""


@dataclass
class Now:
    """The clock the program is given."""

    offset: timedelta = timedelta()

    def __call__(self) -> datetime:
        return NOW + self.offset


def _table(number: int, seconds_left: float) -> Table:
    seats = (Seat(2 * number, "one"), Seat(2 * number + 1, "two"))
    waiting = table_of(f"{number:012x}", number % 100, seats, TurnOrder.CLOCKWISE, number.to_bytes(32, "big"))
    waiting = replace(waiting, channel_id=number, version=3, options=Options(Pace.DAY, ALLOWED, 900))
    game, _events = begin(2, TurnOrder.CLOCKWISE, waiting.source)
    started = replace(waiting, game=game)
    begun = NOW - timedelta(seconds=ALLOWED - seconds_left)
    timing = plan_timing(waiting, started, begun, ServerSettings().clock_rules)
    return replace(started, timing=replace(timing, remind_at=None))


async def _fill(core: Core, games: int, due: int) -> None:
    """Open games; the first of them are due at the same moment, a minute from now, the others over the next week."""

    def insert(connection: Connection) -> None:
        for number in range(games):
            left = 60.0 if number < due else 3600 + 7 * 24 * 3600 * number / games
            insert_table(connection, _table(number, left), NOW)

    await core.database.write(insert)


class Statements:
    """Counts what the database is asked."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        event.listen(Engine, "before_cursor_execute", self._count)
        event.listen(Engine, "commit", lambda _connection: self._note("COMMIT"))

    def _note(self, kind: str) -> None:
        self.seen[kind] += 1

    def _count(self, _connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        self._note(" ".join(statement.split()))

    @contextmanager
    def counted(self) -> Iterator[Counter[str]]:
        before = self.seen.copy()
        found: Counter[str] = Counter()
        yield found
        found.update(self.seen - before)


class _Slow(CountingDiscord):
    """Takes its time to say who is a member."""

    async def is_member(self, _guild_id: int, _user_id: int) -> bool:
        await asyncio.sleep(ASKING_SECONDS)
        return True


def _nothing(*_what: object) -> None:
    return None


def _deadlines(core: Core, clock: Clock) -> Deadlines:
    return Deadlines(core, clock, _Slow(core.now, core.now()), _nothing)


async def _idle(seconds: float) -> float:
    """Return the processor seconds that this process uses while the loop has nothing to do."""
    before = time.process_time()
    await asyncio.sleep(seconds)
    return time.process_time() - before


async def _measure_idle(core: Core, statements: Statements, report: Report) -> None:
    nothing = await _idle(IDLE_SECONDS)
    clock = Clock(core.now)
    _deadlines(core, clock)
    clock.start()
    await asyncio.sleep(0.5)
    with statements.counted() as asked:
        ticking = await _idle(IDLE_SECONDS)
    clock.close()
    share = (ticking - nothing) / IDLE_SECONDS
    report.line(f"processor in {IDLE_SECONDS:.0f} s, without a clock", f"{nothing * 1000:.2f} ms")
    target, met = f"{MOST_IDLE_CPU:.1%} more, no statement", share <= MOST_IDLE_CPU and not asked
    report.line("the same with the clock", f"{ticking * 1000:.2f} ms, {asked.total()} statements", target, met)


async def _measure_due(core: Core, now: Now, statements: Statements, due: int, report: Report) -> None:
    done: list[float] = []
    core.committed.append(lambda _table: done.append(time.perf_counter()))
    deadlines = _deadlines(core, Clock(core.now))
    now.offset = timedelta(seconds=61)
    begun, processor = time.perf_counter(), time.process_time()
    with statements.counted() as asked:
        deadlines.wake()
        await deadlines.settle()
    took, used = time.perf_counter() - begun, time.process_time() - processor
    assert len(done) == due
    delays = sorted(each - begun for each in done)
    each, rate = used / due * 1000, asked.total() / due
    report.line(f"{due} due at once, all done after", f"{took:.2f} s, {used:.2f} of processor")
    report.line("processor: each", f"{each:.2f} ms", f"{MOST_DUE_MS} ms", each <= MOST_DUE_MS)
    report.line("from due to done: the median, the last", f"{delays[due // 2]:.2f} s, {delays[-1]:.2f} s")
    report.line("statements: each", f"{rate:.2f}", f"{MOST_STATEMENTS}", rate <= MOST_STATEMENTS)
    for kind, count in asked.most_common(12):
        print(f"  {count} x {kind[:90]}")


async def measure(options: Arguments, report: Report) -> None:
    """Measure everything, with a database of its own."""
    print(f"{options.games} open games; the house waits {HOUSE_SECONDS} s between its moves")
    now, statements = Now(), Statements()
    with tempfile.TemporaryDirectory() as folder:
        async with open_database(parse_url(f"sqlite+aiosqlite:///{folder}/clock.sqlite3")) as database:
            core = Core(database, now, STANDARD_DECK, 1, Settings(_env_file=None).paces)  # type: ignore[call-arg]
            await migrate_database(database)
            await _fill(core, options.games, options.due)
            await _measure_idle(core, statements, report)
            await _measure_due(core, now, statements, options.due, report)


if __name__ == "__main__":
    run(__doc__, measure, option("--games", type=int, default=10_000), option("--due", type=int, default=1_000))
