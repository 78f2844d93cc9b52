"""Letting writers make moves, and taking the time."""

import asyncio
import gc
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.report import clock
from benchmarks.writers.databases import Databases, check, fill
from benchmarks.writers.scripts import Script, scripts
from benchmarks.writers.variants import Refused, Variant

WARM_UP = 12
"""Moves at each table before anything is measured: connections are opened, statements compiled."""


@dataclass(frozen=True, slots=True)
class Case:
    """A number of writers, and of tables at which they play."""

    writers: int
    tables: int

    @property
    def contended(self) -> bool:
        return self.tables < self.writers

    def __str__(self) -> str:
        if self.writers == 1:
            return "1 writer"
        where = "one table" if self.tables == 1 else f"{self.tables} tables"
        return f"{self.writers} writers at {where}"


@dataclass
class Chunk:
    """The moves of one variant in one round of one case."""

    committed: list[float] = field(default_factory=list)
    """Seconds of each move that was committed, from asking to the answer."""
    refused: list[float] = field(default_factory=list)
    """Seconds of each that somebody else had made."""
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.committed) / self.seconds


class Place:
    """A table, and the next one when its game is over. Writers at it see what was committed at once."""

    def __init__(self, games: Sequence[Script]) -> None:
        self._games = games
        self._moves = [(game, at) for game in games for at in range(len(game.moves))]
        self._made = self._until = 0

    def go_on(self, moves: int) -> None:
        self._until = self._made + moves

    def next(self) -> tuple[Script, int] | None:
        """Return the move to be made, or None when there were enough."""
        return self._moves[self._made] if self._made < self._until else None

    def done(self, script: Script, at: int) -> None:
        """Count a move as committed."""
        assert self.next() == (script, at), "the same move was committed twice"
        self._made += 1

    @property
    def made(self) -> list[tuple[Script, int]]:
        """Each game with the number of its moves that were committed."""
        made = [game for game, _at in self._moves[: self._made]]
        return [(game, sum(one is game for one in made)) for game in self._games]


def games_for(case: Case, moves: int) -> list[list[Script]]:
    """Return the games of each table of a case when it makes this many moves in all."""
    return [scripts(place, WARM_UP + moves // case.tables) for place in range(case.tables)]


async def play(databases: Databases, variant: Variant, case: Case, moves: int) -> Chunk:
    """Let a variant make this many moves, and see whether they are stored."""
    url = await databases.fresh()
    places = [Place(games) for games in games_for(case, moves)]
    await fill(url, [one for games in games_for(case, moves) for one in games])
    await variant.open(url)
    chunk = Chunk()
    gc.collect()
    try:
        await _together(variant, case, places, WARM_UP, Chunk())
        began = clock()
        await _together(variant, case, places, moves // case.tables, chunk)
        chunk.seconds = clock() - began
    finally:
        await variant.close()
    await check(url, [one for place in places for one in place.made])
    assert len(chunk.committed) == moves // case.tables * case.tables
    return chunk


async def _together(variant: Variant, case: Case, places: Sequence[Place], moves: int, chunk: Chunk) -> None:
    for place in places:
        place.go_on(moves)
    async with asyncio.TaskGroup() as group:
        for writer in range(case.writers):
            group.create_task(_write(variant, places[writer % case.tables], writer, chunk))


async def _write(variant: Variant, place: Place, writer: int, chunk: Chunk) -> None:
    while (todo := place.next()) is not None:
        began = clock()
        try:
            await variant.move(*todo, writer)
        except Refused:
            chunk.refused.append(clock() - began)
        else:
            chunk.committed.append(clock() - began)
            place.done(*todo)
