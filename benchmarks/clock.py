"""What the clock costs: with ten thousand open games, when nothing is due, and when a thousand things are.

Run ``python -m benchmarks.clock`` from a checkout; ``--check`` exits with 1 when a target is missed, ``--games`` and
``--due`` change the numbers. Discord is left out but for its delay when it is asked
for a member: what is measured is the clock, the rules, the house and the database.
"""

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event

from bot.config import Settings
from bot.domain.deadlines import HOUSE_SECONDS, plan
from bot.domain.pace import Pace
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Options, Seat, Status, Table
from bot.services.core import Core
from bot.store.database import Database, parse_url
from bot.store.schema import migrate
from bot.store.table import insert_table
from bot.workers.clock import Clock
from bot.workers.deadlines import Deadlines
from highscore.dealer import play
from highscore.deck import STANDARD_DECK
from highscore.game import Game
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
"""How long Discord takes to say whether somebody is still a member."""


@dataclass
class Now:
    """The clock the program is given."""

    offset: timedelta = timedelta()

    def __call__(self) -> datetime:
        return NOW + self.offset


@dataclass
class Measured:
    """One line of the table."""

    name: str
    value: str
    target: str = ""
    good: bool = True


def _table(number: int, seconds_left: float) -> Table:
    waiting = Table(
        id=f"{number:012x}",
        guild_id=number % 100,
        channel_id=number,
        host_id=2 * number,
        status=Status.LOBBY,
        version=3,
        locale="en",
        max_seats=5,
        turn_order=TurnOrder.CLOCKWISE,
        deck=STANDARD_DECK,
        seats=(Seat(2 * number, "one"), Seat(2 * number + 1, "two")),
        seed=number.to_bytes(32, "big"),
        game=None,
        options=Options(Pace.DAY, ALLOWED, 900),
    )
    game, _events = play(Game(2, TurnOrder.CLOCKWISE), None, waiting.source, waiting.deck)
    started = replace(waiting, status=Status.PLAYING, game=game)
    begun = NOW - timedelta(seconds=ALLOWED - seconds_left)
    timing = plan(waiting, started, begun, ServerSettings().clock_rules)
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


async def _member(_guild_id: int, _user_id: int) -> bool:
    await asyncio.sleep(ASKING_SECONDS)
    return True


async def _nobody(_table: Table) -> None:
    return None


def _nothing(*_what: object) -> None:
    return None


def _deadlines(core: Core, clock: Clock) -> Deadlines:
    return Deadlines(
        core,
        clock,
        show=_nothing,
        may_post=lambda _channel: True,
        is_member=_member,
        warn=_nobody,
    )


async def _idle(seconds: float) -> float:
    """Processor seconds that this process uses while the loop has nothing to do."""
    before = time.process_time()
    await asyncio.sleep(seconds)
    return time.process_time() - before


async def _measure_idle(core: Core, statements: Statements) -> list[Measured]:
    nothing = await _idle(IDLE_SECONDS)
    clock = Clock(core.now)
    _deadlines(core, clock)
    clock.start()
    await asyncio.sleep(0.5)
    with statements.counted() as asked:
        ticking = await _idle(IDLE_SECONDS)
    clock.close()
    share = (ticking - nothing) / IDLE_SECONDS
    return [
        Measured("idle, without a clock", f"{nothing * 1000:.2f} ms of processor in {IDLE_SECONDS:.0f} s"),
        Measured(
            "idle, with the clock",
            f"{ticking * 1000:.2f} ms of processor in {IDLE_SECONDS:.0f} s, {asked.total()} statements",
            f"{MOST_IDLE_CPU:.1%} more, none",
            share <= MOST_IDLE_CPU and not asked,
        ),
    ]


async def _measure_due(core: Core, now: Now, statements: Statements, due: int) -> list[Measured]:
    done: list[float] = []
    core.committed.append(lambda _table: done.append(time.perf_counter()))
    deadlines = _deadlines(core, Clock(core.now))
    now.offset = timedelta(seconds=61)
    begun, processor = time.perf_counter(), time.process_time()
    with statements.counted() as asked:
        deadlines.wake()
        await deadlines.settled()
    took, used = time.perf_counter() - begun, time.process_time() - processor
    assert len(done) == due
    delays = sorted(each - begun for each in done)
    each, statement_rate = used / due * 1000, asked.total() / due
    lines = [
        Measured(f"{due} due at once, all done after", f"{took:.2f} s ({used:.2f} s of processor)"),
        Measured("processor: each", f"{each:.2f} ms", f"{MOST_DUE_MS} ms", each <= MOST_DUE_MS),
        Measured("from due to done: the median, the last", f"{delays[due // 2]:.2f} s, {delays[-1]:.2f} s"),
        Measured("statements: each", f"{statement_rate:.2f}", f"{MOST_STATEMENTS}", statement_rate <= MOST_STATEMENTS),
    ]
    return [*lines, *(Measured(f"  {count} x", kind[:90]) for kind, count in asked.most_common(12))]


async def run(games: int, due: int, folder: Path) -> list[Measured]:
    """Everything that is measured."""
    now = Now()
    database = Database(parse_url(f"sqlite+aiosqlite:///{folder / 'clock.sqlite3'}"))
    core = Core(database, now, STANDARD_DECK, 1, Settings(_env_file=None).paces)  # type: ignore[call-arg]
    await migrate(database)
    await _fill(core, games, due)
    statements = Statements()
    found = await _measure_idle(core, statements)
    found += await _measure_due(core, now, statements, due)
    await database.close()
    return found


def main() -> None:
    """Measure, print, and perhaps judge."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=10_000)
    arguments.add_argument("--due", type=int, default=1_000)
    arguments.add_argument("--check", action="store_true")
    wanted = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(wanted.games, wanted.due, Path(folder)))
    print(f"{wanted.games} open games; the house waits {HOUSE_SECONDS} s between its moves")
    for line in found:
        target = f"  (target: {line.target}{'' if line.good else ', MISSED'})" if line.target else ""
        print(f"{line.name:44} {line.value}{target}")
    if wanted.check and not all(line.good for line in found):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
