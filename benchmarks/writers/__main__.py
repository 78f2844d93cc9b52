"""How many moves a second the bot commits: ``python -m benchmarks.writers``.

Two programs commit the same moves of the same random games:

* *the bot*: ``decide_turn``, which does everything that a press does apart from Discord. Unlike the other program, it
  also stores results, ratings and leaderboards at the end of a game;
* *the plain ORM*: an equally correct and durable transaction, written with SQLAlchemy's ORM and no optimisation.

There are three cases: one writer, eight writers with a table each, and eight writers who press the same buttons at one
table. In the last case one writer makes each move and the others are refused. Times are those of committed moves, from
the call to its return. After each run the stored games are compared with the moves, and their events are replayed.

The programs take turns for several rounds, so that other work on the machine slows both down. Rates and ratios are
medians of the rounds, and p50 and p99 are those of the moves of all rounds.

Targets: on SQLite twice the moves of the plain ORM, with one writer and with eight at their own tables; and on both
databases a p99 below ten times the median with eight writers.

``--postgresql URL`` also measures a PostgreSQL server, on which a database is created and dropped. A run takes about
two minutes for each database, ``--moves 40 --rounds 1`` half a minute.
"""

import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.report import FOLDER, Arguments, Report, option, p99, run
from benchmarks.writers.databases import Databases, Files, open_server
from benchmarks.writers.measuring import Case, Chunk, play
from benchmarks.writers.programs import Bot, PlainOrm, Variant

CASES = (Case(1, 1), Case(8, 8), Case(8, 1))
LEAST_OF_ORM = 2.0
MOST_P99 = 10.0
"""The largest 99th percentile with eight writers, as a multiple of the median."""

Chunks = dict[str, list[Chunk]]
"""The chunk of each round, by the name of the variant."""


async def measure(databases: Databases, moves: int, rounds: int) -> dict[Case, Chunks]:
    """Measure both variants in all cases, round by round. The variants take turns in going first."""
    variants: tuple[Variant, ...] = (Bot(), PlainOrm())
    found: dict[Case, Chunks] = {case: {variant.name: [] for variant in variants} for case in CASES}
    for number in range(rounds):
        for case in CASES:
            for variant in variants[:: -1 if number % 2 else 1]:
                found[case][variant.name].append(await play(databases, variant, case, moves))
    return found


def print_table(database: str, found: dict[Case, Chunks], report: Report) -> None:
    heads = ("moves/s", "p50 ms", "p99 ms", "x ORM", "refused")
    for case, chunks in found.items():
        print(f"\n{f'{database}, {case}':34}" + "".join(f"{head:>9}" for head in heads))
        for variant, own in chunks.items():
            times = [seconds * 1000 for chunk in own for seconds in chunk.committed]
            middle, slow, of_orm = median(times), p99(times), ratio(own, chunks[PlainOrm.name])
            rate, refused = median(chunk.rate for chunk in own), sum(chunk.refused for chunk in own) / len(times)
            print(f"{variant:34}" + "".join(f"{figure:9.2f}" for figure in (rate, middle, slow, of_orm, refused)))
            if variant != Bot.name:
                continue
            if database == "SQLite" and not case.is_contended:
                is_met = of_orm >= LEAST_OF_ORM
                report.line(f"{database}, {case}: times the ORM", f"{of_orm:.2f}", f"at least {LEAST_OF_ORM:g}", is_met)
            if case.writers > 1:
                report.check(f"{database}, {case}: p99, times median", slow / middle, MOST_P99)


def ratio(ours: Sequence[Chunk], theirs: Sequence[Chunk]) -> float:
    """Return the median of the rounds' ratios of moves per second."""
    return median(one.rate / other.rate for one, other in zip(ours, theirs, strict=True))


async def write(options: Arguments, report: Report) -> None:
    print(f"Python {platform.python_version()}; {options.rounds} rounds of {options.moves} moves")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        found = await measure(Files(Path(folder)), options.moves, options.rounds)
    print_table("SQLite", found, report)
    if options.postgresql:
        async with open_server(options.postgresql) as server:
            found = await measure(server, options.moves, options.rounds)
        print_table("PostgreSQL", found, report)


if __name__ == "__main__":
    run(
        __doc__,
        write,
        option("--postgresql", metavar="URL", help="a server on which a database may be created"),
        option("--moves", type=int, default=400, help="moves of each program in each case and round"),
        option("--rounds", type=int, default=7),
        FOLDER,
    )
