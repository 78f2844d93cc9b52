"""How long lookups take after a million games: ``python -m benchmarks.leaderboards``.

The benchmark creates a database of 1,000,000 finished games (``--games``) and one of 10,000. It runs everything that
people look up on both, and it measures the last move of a game, which stores the results. Servers and people are chosen
in proportion to their games, so the busy ones are looked up most.

Targets: on the large database, each lookup has a 99th percentile below 15 ms. No lookup, and not the last move either,
has a median more than 1.5 times as large as on the small database.

Times are wall-clock times in milliseconds. They include SQLAlchemy and the database driver's thread. The two databases
take turns, so that other work on the machine slows both down. (tests/bot/store/test_plans.py tests that no query reads
a whole table.) A million games take several minutes and about 3 GB; ``--games 10000 --times 30`` takes about a minute.
"""

import random
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from sqlalchemy import Connection

from benchmarks.community import END, Community, make_community
from benchmarks.databases import open_core
from benchmarks.games import begin_game, make_table, play_moves
from benchmarks.report import FOLDER, Arguments, Report, clock, option, p99, run
from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import Order
from bot.domain.table import Seat, Table
from bot.services import history as archive
from bot.services.core import Change, Core, change_table
from bot.services.leaderboard import THIS_SEASON, find_period, load_hall_of_fame, load_leaderboard, load_past_seasons
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
    """A community's database, and random choices of the people and pages to look up."""

    community: Community
    core: Core
    rng: random.Random
    drawn: list[int] = field(default_factory=list)
    pages: list[tuple[int, int, str]] = field(default_factory=list)
    """The guild, the user and the last game of each page of history that was looked up."""

    def draw_person(self) -> tuple[int, int]:
        """Return the guild and the id of a person, chosen in proportion to their games."""
        if not self.drawn:
            games = self.community.lines[:, 2]
            generator = np.random.default_rng(self.rng.randrange(2**32))
            self.drawn = generator.choice(len(games), 5000, p=games / games.sum()).tolist()
        guild, user, _games = self.community.lines[self.drawn.pop()].tolist()
        return guild, user


Lookup = Callable[[Place], Awaitable[object]]


def _leaderboard(order: Order, period: str, *, deep: bool = False) -> Lookup:
    async def look(place: Place) -> object:
        guild, user = place.draw_person()
        found = await find_period(place.core, guild, period)
        page = place.rng.randrange(100) if deep else 0
        return await load_leaderboard(place.core, guild, found, order, page, user)

    return look


def _of_person(look: Callable[..., Awaitable[object]]) -> Lookup:
    return lambda place: look(place.core, *place.draw_person())


def _of_server(look: Callable[..., Awaitable[object]], *more: object) -> Lookup:
    return lambda place: look(place.core, place.draw_person()[0], *more)


async def _history(place: Place) -> object:
    guild, user = place.draw_person()
    first = await archive.load_history(place.core, guild, user)
    place.pages.append((guild, user, first.games[-1].game_id))
    return first


def _further_page(*, newer: bool) -> Lookup:
    return lambda place: archive.load_history(place.core, *place.rng.choice(place.pages), newer=newer)


def _replay(place: Place) -> Awaitable[object]:
    return archive.load_replay(place.core, *place.rng.choice(place.community.logged))


def _record(place: Place) -> Awaitable[object]:
    guild, _user = place.draw_person()
    return place.core.database.read(load_records, guild, [str(place.rng.choice(STANDARD_DECK.cards))])


LOOKUPS: dict[str, Lookup] = {
    **{f"leaderboard, season, {order.value}": _leaderboard(order, THIS_SEASON) for order in Order},
    "leaderboard, all time, rating": _leaderboard(Order.RATING, ALL_TIME),
    "leaderboard, all time, any page": _leaderboard(Order.RATING, ALL_TIME, deep=True),
    "leaderboard, all time, loss, any page": _leaderboard(Order.LOSS, ALL_TIME, deep=True),
    "hall of fame": _of_server(load_hall_of_fame, 0),
    "past seasons": _of_server(load_past_seasons),
    "stats of a person": _of_person(archive.load_statistics),
    "history of a person": _history,
    "history of a person, further back": _further_page(newer=False),
    "history of a person, forward again": _further_page(newer=True),
    "history of the server": _of_server(archive.load_history, None),
    "recent games, while typing a command": _of_server(archive.load_recent_games),
    "replay": _replay,
    "record of a card, at the end of a round": _record,
}


async def time_last_move(place: Place) -> float:
    """Play the last move of a game of two people and a house player, and return its milliseconds."""
    guild, user = other = place.draw_person()
    while other[1] == user:
        other = place.draw_person()
    seats = (Seat(user, "Ada"), Seat(other[1], "Ben"), Seat(None, "", house="steady"))
    table_id = f"{place.rng.randrange(2**48):012x}"
    table = make_table(table_id, guild, seats, TurnOrder.CLOCKWISE, place.rng.randbytes(32))
    now = place.core.now()
    game, events = begin_game(3, table.turn_order, table.source)
    *earlier, (_decided, happened, ended) = play_moves(game, table.source, place.rng)
    for _decision, following, after in earlier:
        game, events = after, events + following

    def insert(connection: Connection) -> None:
        begun = replace(table, game=game)
        insert_table(connection, begun, now)
        append_events(connection, begun, events, now, user_id=None, interaction_id=None)

    await place.core.database.write(insert)

    def work(current: Table) -> Change:
        return Change(replace(current, game=ended), happened)

    return await time_lookup(lambda place: change_table(place.core, table.id, work), place)


async def time_lookup(lookup: Lookup, place: Place) -> float:
    start = clock()
    await lookup(place)
    return (clock() - start) * 1000


@dataclass(frozen=True, slots=True)
class Row:
    """The milliseconds of a lookup or a last move on both databases."""

    small: Sequence[float]
    large: Sequence[float]
    is_lookup: bool

    @property
    def ratio(self) -> float:
        return median(self.large) / median(self.small)

    @property
    def is_met(self) -> bool:
        return self.ratio <= MOST_RATIO and not (self.is_lookup and p99(self.large) >= MOST_P99_MS)

    def __str__(self) -> str:
        figures = (median(self.small), p99(self.small), median(self.large), p99(self.large), self.ratio)
        return "".join(f"{figure:9.2f}" for figure in figures)


async def measure(small: Place, large: Place, times: int, report: Report) -> None:

    async def add_row(name: str, take: Callable[[Place], Awaitable[float]], times: int, *, is_lookup: bool) -> None:
        taken: tuple[list[float], list[float]] = ([], [])
        for _ in range(WARM_UP + times):
            for into, place in zip(taken, (small, large), strict=True):
                into.append(await take(place))
        found = Row(taken[0][WARM_UP:], taken[1][WARM_UP:], is_lookup)
        limits = f"p99 under {MOST_P99_MS:g}, {MOST_RATIO:g} x" if is_lookup else f"{MOST_RATIO:g} x"
        report.line(name, found, limits, found.is_met)

    for name, lookup in LOOKUPS.items():
        await add_row(name, partial(time_lookup, lookup), times, is_lookup=True)
    await add_row("last move of a game", time_last_move, times // 3, is_lookup=False)


async def compare(communities: Sequence[Community], times: int, report: Report) -> None:
    async with AsyncExitStack() as stack:
        places = []
        for community in communities:
            lines, size = community.lines[:, 0], community.path.stat().st_size / 1e6
            print(
                f"{community.games:,} games, {community.servers:,} servers, {community.people:,} people;"
                f" {np.unique(lines, return_counts=True)[1].max():,} in the largest server; {size:,.0f} MB"
            )
            core = await stack.enter_async_context(open_core(community.path, lambda: END))
            places.append(Place(community, core, random.Random()))
        heads = "".join(f"{head:>9}" for head in ("p50", "p99", "p50", "p99", "ratio"))
        print(f"\n{'milliseconds':53}{heads}")
        small, large = places
        await measure(small, large, times, report)


async def look_up(options: Arguments, report: Report) -> None:
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        paths = {size: Path(name) / f"{size}.sqlite3" for size in ("small", "large")}
        small = await make_community(paths["small"], SMALL)
        large = await make_community(paths["large"], options.games)
        await compare([small, large], options.times, report)


if __name__ == "__main__":
    run(
        __doc__,
        look_up,
        option("--games", type=int, default=1_000_000, help="finished games in the large database"),
        option("--times", type=int, default=1_000, help="how often each lookup runs"),
        FOLDER,
    )
