"""Time of lookups when a million games were finished: ``python -m benchmarks.leaderboards [--check]``.

Makes two databases (benchmarks/community.py), one of ``--games`` and one of 10,000 games with a fiftieth as many
servers and a fifth as many people, and asks both in turn for everything that people look up, and ends games in both.
Servers and people are drawn as often as they play, so the busy ones are asked for most.

Times are of the clock, in milliseconds, and include SQLAlchemy and the way to the driver's thread and back. The two
databases are asked alternately, so that whatever else the machine does slows both; the ratio is that of the medians.
``--check`` exits with 1 when a p99 is 15 ms or more on the large database, or when a lookup or a finish takes over
1.5 times as long there. That no query reads a whole table is a test (tests/bot/store/test_plans.py).

A million games take some minutes and about 3 GB.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from sqlalchemy import Connection

from benchmarks.community import END, Community, make
from benchmarks.games import begin, moves, table_of
from benchmarks.report import FOLDER, Arguments, Report, option, p99, run
from bot.cli.common import open_database
from bot.config import Settings
from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import Order
from bot.domain.table import Seat, Table
from bot.services import history as archive
from bot.services.away import continue_table
from bot.services.core import Change, Core, change_table
from bot.services.leaderboard import THIS_SEASON, find_period, load_hall_of_fame, load_leaderboard, load_past_seasons
from bot.store.database import parse_url
from bot.store.results import load_records
from bot.store.table import append_events, insert_table
from highscore.deck import STANDARD_DECK
from highscore.turn_order import TurnOrder

SMALL = 10_000
MOST_P99_MS = 15.0
MOST_RATIO = 1.5
WARM_UP = 30


@dataclass
class Place:
    """A community that is asked."""

    community: Community
    core: Core
    rng: random.Random
    drawn: list[int] = field(default_factory=list)
    pages: list[tuple[int, int, str]] = field(default_factory=list)
    """Guild, user and the last game of pages of history that were looked at."""

    def anybody(self) -> tuple[int, int, int]:
        if not self.drawn:
            games = self.community.lines[:, 2]
            generator = np.random.default_rng(self.rng.randrange(2**32))
            self.drawn = generator.choice(len(games), 5000, p=games / games.sum()).tolist()
        guild, user, games = self.community.lines[self.drawn.pop()].tolist()
        return guild, user, games


Lookup = Callable[[Place], Awaitable[object]]


def _leaderboard(order: Order, period: str, *, deep: bool = False) -> Lookup:
    async def look(place: Place) -> object:
        guild, user, _games = place.anybody()
        found = await find_period(place.core, guild, period)
        page = place.rng.randrange(100) if deep else 0
        return await load_leaderboard(place.core, guild, found, order, page, user)

    return look


def _of_somebody(look: Callable[..., Awaitable[object]]) -> Lookup:
    return lambda place: look(place.core, *place.anybody()[:2])


def _of_a_server(look: Callable[..., Awaitable[object]], *more: object) -> Lookup:
    return lambda place: look(place.core, place.anybody()[0], *more)


async def _history(place: Place) -> object:
    guild, user, _games = place.anybody()
    first = await archive.load_history(place.core, guild, user)
    place.pages.append((guild, user, first.games[-1].game_id))
    return first


def _further(*, newer: bool) -> Lookup:
    return lambda place: archive.load_history(place.core, *place.rng.choice(place.pages), newer=newer)


def _replay(place: Place) -> Awaitable[object]:
    return archive.load_replay(place.core, *place.rng.choice(place.community.logged))


def _record(place: Place) -> Awaitable[object]:
    guild, _user, _games = place.anybody()
    return place.core.database.read(load_records, guild, [str(place.rng.choice(STANDARD_DECK.cards))])


LOOKUPS: dict[str, Lookup] = {
    **{f"leaderboard, season, {order.value}": _leaderboard(order, THIS_SEASON) for order in Order},
    "leaderboard, all time, rating": _leaderboard(Order.RATING, ALL_TIME),
    "leaderboard, all time, any page": _leaderboard(Order.RATING, ALL_TIME, deep=True),
    "leaderboard, all time, loss, any page": _leaderboard(Order.LOSS, ALL_TIME, deep=True),
    "hall of fame": _of_a_server(load_hall_of_fame, 0),
    "past seasons": _of_a_server(load_past_seasons),
    "stats of a person": _of_somebody(archive.load_statistics),
    "history of a person": _history,
    "history of a person, further back": _further(newer=False),
    "history of a person, forward again": _further(newer=True),
    "history of the server": _of_a_server(archive.load_history, None),
    "recent games, while one types": _of_a_server(archive.load_recent_games),
    "replay": _replay,
    "record of a card, at a round's end": _record,
}


async def finish(place: Place) -> float:
    """Return the milliseconds of the transaction that ends a game of three, two of them people."""
    guild, user, _games = place.anybody()
    other = place.anybody()[1]
    while other == user:
        other = place.anybody()[1]
    seats = (Seat(user, "Ada"), Seat(other, "Ben"), Seat(None, "", house="steady"))
    table_id = f"{place.rng.randrange(2**48):012x}"
    table = table_of(table_id, guild, seats, TurnOrder.CLOCKWISE, place.rng.randbytes(32))
    now = place.core.now()
    game, events = begin(3, table.turn_order, table.source)
    *earlier, (_decided, happened, ended) = moves(game, table.source, place.rng)
    for _decision, following, after in earlier:
        game, events = after, events + following

    def insert(connection: Connection) -> None:
        begun = replace(table, game=game)
        insert_table(connection, begun, now)
        append_events(connection, begun, events, now, user_id=None, interaction_id=None)

    await place.core.database.write(insert)

    def work(current: Table) -> Change:
        return Change(continue_table(current, ended), happened)

    start = time.perf_counter()
    await change_table(place.core, table.id, work)
    return (time.perf_counter() - start) * 1000


async def _timed(lookup: Lookup, place: Place) -> float:
    start = time.perf_counter()
    await lookup(place)
    return (time.perf_counter() - start) * 1000


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    small: Sequence[float]
    large: Sequence[float]
    lookup: bool

    @property
    def ratio(self) -> float:
        return median(self.large) / median(self.small)

    @property
    def met(self) -> bool:
        return self.ratio <= MOST_RATIO and not (self.lookup and p99(self.large) >= MOST_P99_MS)

    def __str__(self) -> str:
        figures = (median(self.small), p99(self.small), median(self.large), p99(self.large), self.ratio)
        return "".join(f"{figure:9.2f}" for figure in figures)


async def measure(small: Place, large: Place, times: int, report: Report) -> None:
    """Ask both in turn."""

    async def row(name: str, take: Callable[[Place], Awaitable[float]], times: int, *, lookup: bool) -> None:
        taken: tuple[list[float], list[float]] = ([], [])
        for _ in range(WARM_UP + times):
            for into, place in zip(taken, (small, large), strict=True):
                into.append(await take(place))
        found = Row(taken[0][WARM_UP:], taken[1][WARM_UP:], lookup)
        limits = f"p99 under {MOST_P99_MS:g}, {MOST_RATIO:g} x" if lookup else f"{MOST_RATIO:g} x"
        report.line(name, found, limits, found.met)

    for name, lookup in LOOKUPS.items():
        await row(name, partial(_timed, lookup), times, lookup=True)
    await row("last move of a game, its books written", finish, times // 3, lookup=False)


async def _ask(communities: Sequence[Community], times: int, report: Report) -> None:
    settings = Settings()
    async with AsyncExitStack() as stack:
        places = []
        for community in communities:
            lines, size = community.lines[:, 0], community.path.stat().st_size / 1e6
            print(
                f"{community.games:,} games, {community.servers:,} servers, {community.people:,} people;"
                f" {np.unique(lines, return_counts=True)[1].max():,} in the largest server; {size:,.0f} MB"
            )
            database = await stack.enter_async_context(
                open_database(parse_url(f"sqlite+aiosqlite:///{community.path}"), checkpoints=True)
            )
            core = Core(database, lambda: END, STANDARD_DECK, settings.tables_per_channel, settings.paces)
            places.append(Place(community, core, random.Random(time.time_ns())))
        heads = "".join(f"{head:>9}" for head in ("p50", "p99", "p50", "p99", "ratio"))
        print(f"\n{'milliseconds':38}{heads}")
        small, large = places
        await measure(small, large, times, report)


def _community(folder: Path, games: int) -> Community:
    start = time.perf_counter()
    made = make(folder / f"games-{games}.sqlite3", games)
    print(f"made {games:,} games in {time.perf_counter() - start:.0f} s", flush=True)
    return made


async def look_up(options: Arguments, report: Report) -> None:
    """Make both databases, and ask them."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        # In a thread: it has an event loop of its own.
        communities = [await asyncio.to_thread(_community, Path(folder), games) for games in (SMALL, options.games)]
        await _ask(communities, options.times, report)


if __name__ == "__main__":
    run(
        __doc__,
        look_up,
        option("--games", type=int, default=1_000_000, help="finished games in the large database"),
        option("--times", type=int, default=1_000, help="how often each lookup is asked"),
        FOLDER,
    )
