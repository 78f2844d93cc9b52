"""Lets writers make moves, and measures how long that takes."""

import asyncio
import gc
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.report import clock
from benchmarks.writers.databases import Databases, check, fill
from benchmarks.writers.programs import Refused, Variant
from benchmarks.writers.scripts import Script, make_scripts

WARM_UP = 12
"""The moves at each table before the measurement, which open connections and compile statements."""


@dataclass(frozen=True, slots=True)
class Case:
    """How many writers play at how many tables."""

    writers: int
    tables: int

    @property
    def is_contended(self) -> bool:
        return self.tables < self.writers

    def __str__(self) -> str:
        tables = "one table" if self.is_contended else f"{self.tables} tables"
        return "1 writer" if self.writers == 1 else f"{self.writers} writers at {tables}"


@dataclass
class Chunk:
    """The moves of one variant in one round of one case."""

    committed: list[float] = field(default_factory=list)
    """The seconds of each committed move."""
    refused: int = 0
    """The number of moves that another writer had already made."""
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.committed) / self.seconds


class MoveQueue:
    """The moves of some games, in the order in which a group of writers make them. Each game has a table of its own.

    All writers of the group try the same move. When a move is committed, each of them goes on with the next one.
    """

    def __init__(self, games: Sequence[Script]) -> None:
        self._games = games
        self._moves = [(game, at) for game in games for at in range(len(game.moves))]
        self._made = self._until = 0

    def allow(self, more: int) -> None:
        """Let the writers make this many further moves."""
        self._until = self._made + more

    def find_next(self) -> tuple[Script, int] | None:
        """Return the next move, or None if all allowed moves are made."""
        return self._moves[self._made] if self._made < self._until else None

    def count(self, script: Script, at: int) -> None:
        """Count a move as committed."""
        assert self.find_next() == (script, at), "the same move was committed twice"
        self._made += 1

    @property
    def made(self) -> list[tuple[Script, int]]:
        """Each game with the number of its committed moves."""
        made = [game for game, _at in self._moves[: self._made]]
        return [(game, sum(one is game for one in made)) for game in self._games]


def list_games(case: Case, moves: int) -> list[list[Script]]:
    """Return, for each table of a case, games with enough moves to warm up and for its part of ``moves``."""
    return [make_scripts(table, WARM_UP + moves // case.tables) for table in range(case.tables)]


async def play(databases: Databases, variant: Variant, case: Case, moves: int) -> Chunk:
    """Let a variant make this many moves at all tables together, and check that they are stored."""
    url = await databases.make_empty()
    games_by_table = list_games(case, moves)
    queues = [MoveQueue(games) for games in games_by_table]
    await fill(url, [game for games in games_by_table for game in games])
    await variant.open(url)
    chunk = Chunk()
    gc.collect()
    try:
        await _play_together(variant, case, queues, WARM_UP, Chunk())
        began = clock()
        await _play_together(variant, case, queues, moves // case.tables, chunk)
        chunk.seconds = clock() - began
    finally:
        await variant.close()
    await check(url, [one for queue in queues for one in queue.made])
    assert len(chunk.committed) == moves // case.tables * case.tables
    return chunk


async def _play_together(
    variant: Variant, case: Case, queues: Sequence[MoveQueue], moves_per_table: int, chunk: Chunk
) -> None:
    for queue in queues:
        queue.allow(moves_per_table)
    async with asyncio.TaskGroup() as group:
        for writer in range(case.writers):
            group.create_task(_write(variant, queues[writer % case.tables], writer, chunk))


async def _write(variant: Variant, queue: MoveQueue, writer: int, chunk: Chunk) -> None:
    while (move := queue.find_next()) is not None:
        began = clock()
        try:
            await variant.move(*move, writer)
        except Refused:
            chunk.refused += 1
        else:
            chunk.committed.append(clock() - began)
            queue.count(*move)
