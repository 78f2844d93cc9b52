"""Committed moves a second: ``python -m benchmarks.writers``.

Whole games are worked out beforehand; then the same moves are made, on a database that has these games and nothing
else, by

* *the bot*: ``bot.services.turn.decide_turn``, everything that happens when a button is pressed but Discord itself. At
  the end of a game it writes its books too (results, ratings, leaderboards), which the other one does not;
* *plain ORM*: the same transaction, as correct and as durable, by somebody who takes SQLAlchemy's ORM as it is.

There are 1 and 8 writers, each at a table of their own, and 8 who press the same buttons at 4 tables and at one: one of
them makes the move, the others are refused and try the next one. Times are from asking to the answer, of moves that
were committed; beside them, how many were refused for each, and the slow end of these. Whoever is fair to eight writers
at one table refuses seven for each move. After every run the games that are stored are compared with what was played,
and their events replayed.

All take turns, in several rounds, so that whatever else the machine does hits all of them. Rates and ratios are the
medians of the rounds, p50 and p99 are over the moves of all rounds. Targets:
on SQLite at least twice the moves of the plain ORM with 1 and with 8 writers at tables of their own, on both databases
a p99 below 10 times the median with 8 writers.

``--postgresql`` takes the URL of a server on which a database may be created (it is dropped in the end).
"""

import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.report import FOLDER, Arguments, Report, option, p99, run
from benchmarks.writers.databases import Databases, Files, on_server
from benchmarks.writers.measuring import Case, Chunk, play
from benchmarks.writers.plain_orm import PlainOrm
from benchmarks.writers.variants import Bot, Variant

CASES = (Case(1, 1), Case(8, 8), Case(8, 4), Case(8, 1))
MOVES = 400
"""The moves of each variant in each case and round."""
ROUNDS = 7
LEAST_OF_ORM = 2.0
MOST_P99 = 10.0
"""Times the median, where 8 write."""

Chunks = dict[str, list[Chunk]]
"""By variant, a chunk each round."""


async def measure(databases: Databases, moves: int, rounds: int) -> dict[Case, Chunks]:
    """Measure both variants in all cases, round after round; they take turns in being first."""
    variants: tuple[Variant, ...] = (Bot(), PlainOrm())
    found: dict[Case, Chunks] = {case: {variant.name: [] for variant in variants} for case in CASES}
    for number in range(rounds):
        for case in CASES:
            for variant in variants[:: -1 if number % 2 else 1]:
                found[case][variant.name].append(await play(databases, variant, case, moves))
    return found


def tell(name: str, found: dict[Case, Chunks], report: Report) -> None:
    """Print the table."""
    heads = ("moves/s", "p50 ms", "p99 ms", "p99/p50", "x ORM", "refused", "p99 ms")
    for case, chunks in found.items():
        print(f"\n{f'{name}, {case}':34}" + "".join(f"{head:>9}" for head in heads))
        for variant, own in chunks.items():
            times = [seconds * 1000 for chunk in own for seconds in chunk.committed]
            middle, slow = median(times), p99(times)
            refusals = [seconds * 1000 for chunk in own for seconds in chunk.refused]
            of_orm = ratio(own, chunks[PlainOrm.name])
            print(
                f"{variant:34}{median(chunk.rate for chunk in own):9.0f}{middle:9.2f}{slow:9.2f}{slow / middle:9.2f}"
                f"{of_orm:9.2f}"
                + (f"{len(refusals) / len(times):9.2f}{p99(refusals):9.2f}" if len(refusals) > 1 else "")
            )
            if variant != Bot.name:
                continue
            if name == "SQLite" and not case.contended:
                target = f"{name}, {case}: {of_orm:.2f} times the plain ORM, target {LEAST_OF_ORM:g}"
                report.expect(target, of_orm >= LEAST_OF_ORM)
            if case.writers > 1:
                target = f"{name}, {case}: p99 is {slow / middle:.1f} times the median, target {MOST_P99:g}"
                report.expect(target, slow < MOST_P99 * middle)


def ratio(ours: Sequence[Chunk], theirs: Sequence[Chunk]) -> float:
    """Return the median ratio of their moves a second over the rounds; both had the same machine in each."""
    return median(one.rate / other.rate for one, other in zip(ours, theirs, strict=True))


async def write(options: Arguments, report: Report) -> None:
    """Measure on SQLite, and on PostgreSQL if one is given."""
    print(f"Python {platform.python_version()}; {options.rounds} rounds of {options.moves} moves")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        found = await measure(Files(Path(folder)), options.moves, options.rounds)
    tell("SQLite", found, report)
    if options.postgresql:
        async with on_server(options.postgresql) as server:
            found = await measure(server, options.moves, options.rounds)
        tell("PostgreSQL", found, report)


if __name__ == "__main__":
    run(
        __doc__,
        write,
        option("--postgresql", metavar="URL", help="a server on which a database may be created"),
        option("--moves", type=int, default=MOVES, help="of each in each case and round"),
        option("--rounds", type=int, default=ROUNDS),
        FOLDER,
    )
