"""PostgreSQL's two asyncio drivers: ``python -m benchmarks.drivers --postgresql URL [--moves N] [--rounds N]``.

The transaction of a move as the bot sends it, through SQLAlchemy and with as many connections as the bot writes with,
but without the rules: hold the game's row, load table and seats, update, append the event, forget the reminder, commit.
Once by asyncpg, which the bot uses, and once by psycopg, with 1 and with 8 writers at tables of their own.

Both take turns, in several rounds; afterwards what is stored is compared with what was played. Rates and the ratio are
the medians of the rounds, p50 and p99 are over all moves; processor is that of this process, without the server's.

psycopg is not among the bot's dependencies; where it is not installed only asyncpg is measured. A database is created
on the server and dropped in the end.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from statistics import median

from sqlalchemy import URL, Connection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from benchmarks.writers.databases import on_server
from benchmarks.writers.measuring import Case, Chunk, load, percentile_99, run
from benchmarks.writers.scripts import Script
from benchmarks.writers.variants import Refused
from bot.services.absence import with_game
from bot.store.locks import lock_game
from bot.store.postgres import WRITERS
from bot.store.reminders import forget
from bot.store.table import append_events, load_table, update_table

CASES = (Case(1, 1), Case(8, 8))


class Driver:
    """The statements of a move, by one driver."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def open(self, url: URL) -> None:
        self._engine = create_async_engine(
            # What is behind the question mark is meant for asyncpg.
            url.set(drivername=f"postgresql+{self.name}", query={}),
            poolclass=AsyncAdaptedQueuePool,
            pool_size=WRITERS,
            max_overflow=0,
            pool_reset_on_return=None,
            isolation_level="READ COMMITTED",
        )

    async def move(self, script: Script, at: int, writer: int) -> None:
        async with self._engine.begin() as connection:
            await connection.run_sync(_move, script, at, writer)

    async def close(self) -> None:
        await self._engine.dispose()


def _move(connection: Connection, script: Script, at: int, writer: int) -> None:
    move, now, table_id = script.moves[at], datetime.now(UTC), script.table.id
    lock_game(connection, table_id)
    before = load_table(connection, table_id)
    if before is None or before.version != at:
        raise Refused
    after = replace(with_game(before, move.after), version=at + 1)
    update_table(connection, after, at, now)
    interaction_id = move.interaction_id(writer)
    append_events(connection, after, move.happened, now, user_id=move.user_id, interaction_id=interaction_id)
    forget(connection, table_id, move.user_id, now)


async def measure(server: str, names: Sequence[str], moves: int, rounds: int) -> dict[Case, dict[str, list[Chunk]]]:
    """All drivers in all cases, round after round; each round another one is first."""
    found: dict[Case, dict[str, list[Chunk]]] = {case: {name: [] for name in names} for case in CASES}
    async with on_server(server) as databases:
        for number in range(rounds):
            for case in CASES:
                for name in names if number % 2 else reversed(names):
                    found[case][name].append(await run(databases, Driver(name), case, moves))
    return found


def report(found: dict[Case, dict[str, list[Chunk]]]) -> None:
    """Print the table."""
    for case, drivers in found.items():
        heads = ("moves/s", "p50 ms", "p99 ms", "CPU ms", "x asyncpg")
        print(f"\n{case!s:26}" + "".join(f"{head:>10}" for head in heads))
        for name, chunks in drivers.items():
            times = [seconds * 1000 for chunk in chunks for seconds in chunk.committed]
            figures = (
                median(chunk.rate for chunk in chunks),
                median(times),
                percentile_99(times),
                sum(chunk.processor for chunk in chunks) / len(times) * 1000,
                median(one.rate / other.rate for one, other in zip(chunks, drivers["asyncpg"], strict=True)),
            )
            print(f"{name:26}{figures[0]:10.0f}" + "".join(f"{figure:10.2f}" for figure in figures[1:]))


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(prog="benchmarks.drivers", description=__doc__.splitlines()[0])
    parser.add_argument("--postgresql", metavar="URL", required=True, help="where a database may be created")
    parser.add_argument("--moves", type=int, default=800, help="of each in each case and round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    names = ["asyncpg"]
    if find_spec("psycopg") is None:
        print("psycopg is not installed, so it is left out; pip install 'psycopg[binary]' brings it")
    else:
        names.append("psycopg")
    print(f"Python {platform.python_version()}; {options.rounds} rounds of {options.moves} moves; {load()} before")
    report(asyncio.run(measure(options.postgresql, names, options.moves, options.rounds)))
    print(f"\n{load()} after")
    return 0


if __name__ == "__main__":
    sys.exit(main())
