"""How long lookups take when a million games were finished: ``python -m benchmarks.leaderboards [--check]``.

Makes two databases (benchmarks/community.py), one of ``--games`` and one of 10,000 games with a fiftieth as many
servers and a fifth as many people, and asks both in turn for everything that people look up, and ends games in both.
Servers and people are drawn as often as they play, so the busy ones are asked for most.

Times are of the clock, in milliseconds, and include SQLAlchemy and the way to the driver's thread and back. The two
databases are asked alternately, so that whatever else the machine does slows both; the ratio is that of the medians.
What is too slow is measured up to six times, because other work on the machine can only add to it.
``--check`` exits with 1 when a p99 is 15 ms or more on the large database, or when a lookup or a finish takes over
1.5 times as long there. That no query reads a whole table is a test (tests/bot/store/test_plans.py).

``--keep FOLDER`` makes the databases there and uses them again the next time: a million games take some minutes and
about 3 GB.
"""

import argparse
import asyncio
import pickle
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.community import END, Community, make
from bot.config import Settings
from bot.domain.leaderboard import Order
from bot.domain.season import ALL_TIME
from bot.domain.table import Options, Seat, Status, Table
from bot.domain.timing import NO_TIMING
from bot.services import history as archive
from bot.services.absence import with_game
from bot.services.core import Change, Core, change
from bot.services.leaderboard import THIS_SEASON, find_period, hall_of_fame, leaderboard, past_seasons
from bot.services.results import round_ended
from bot.store.database import Database, parse_url
from bot.store.results import load_records
from bot.store.table import insert_table
from highscore.dealer import play
from highscore.deck import STANDARD_DECK
from highscore.events import Decided
from highscore.game import Game, legal_decisions
from highscore.turn import Stop
from highscore.turn_order import TurnOrder

SMALL = 10_000
MOST_P99_MS = 15.0
MOST_RATIO = 1.5
WARM_UP = 30
TRIES = 6
"""How often a line is measured until it is quick enough."""


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
        """A guild, a user and their games, drawn as often as they play."""
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
        return await leaderboard(place.core, guild, found, order, page, user)

    return look


async def _stats(place: Place) -> object:
    guild, user, _games = place.anybody()
    return await archive.statistics(place.core, guild, user)


async def _history(place: Place) -> object:
    guild, user, _games = place.anybody()
    first = await archive.history(place.core, guild, user)
    place.pages.append((guild, user, first.games[-1].game_id))
    return first


async def _older(place: Place) -> object:
    return await archive.history(place.core, *place.rng.choice(place.pages))


async def _newer(place: Place) -> object:
    return await archive.history(place.core, *place.rng.choice(place.pages), newer=True)


async def _recent(place: Place) -> object:
    return await archive.recent(place.core, place.anybody()[0])


async def _server_history(place: Place) -> object:
    return await archive.history(place.core, place.anybody()[0], None)


async def _replay(place: Place) -> object:
    return await archive.replay(place.core, *place.rng.choice(place.community.logged))


async def _fame(place: Place) -> object:
    return await hall_of_fame(place.core, place.anybody()[0], 0)


async def _seasons(place: Place) -> object:
    return await past_seasons(place.core, place.anybody()[0])


async def _record(place: Place) -> object:
    guild, _user, _games = place.anybody()
    return await place.core.database.read(load_records, guild, [str(place.rng.choice(STANDARD_DECK.cards))])


LOOKUPS: dict[str, Lookup] = {
    **{f"leaderboard, season, {order.value}": _leaderboard(order, THIS_SEASON) for order in Order},
    "leaderboard, all time, rating": _leaderboard(Order.RATING, ALL_TIME),
    "leaderboard, all time, any page": _leaderboard(Order.RATING, ALL_TIME, deep=True),
    "leaderboard, all time, loss, any page": _leaderboard(Order.LOSS, ALL_TIME, deep=True),
    "hall of fame": _fame,
    "past seasons": _seasons,
    "stats of a person": _stats,
    "history of a person": _history,
    "history of a person, further back": _older,
    "history of a person, forward again": _newer,
    "history of the server": _server_history,
    "recent games, while one types": _recent,
    "replay": _replay,
    "record of a card, at a round's end": _record,
}


async def finish(place: Place) -> float:
    """Milliseconds of the transaction that ends a game of three, two of them people."""
    guild, user, _games = place.anybody()
    other = place.anybody()[1]
    while other == user:
        other = place.anybody()[1]
    seats = (Seat(user, "Ada"), Seat(other, "Ben"), Seat(None, "", house="steady"))
    table = Table(
        id=f"{place.rng.randrange(2**48):012x}",
        guild_id=guild,
        channel_id=1,
        host_id=user,
        status=Status.PLAYING,
        version=1,
        locale="en",
        max_seats=3,
        turn_order=TurnOrder.CLOCKWISE,
        deck=STANDARD_DECK,
        seats=seats,
        seed=place.rng.randbytes(32),
        game=None,
        options=Options(),
        timing=NO_TIMING,
    )
    now = place.core.now()
    game, _events = play(Game(3, table.turn_order), None, table.source, table.deck)
    last, move = game, None
    while not game.complete:
        seat = game.may_act[0]
        options = legal_decisions(game, seat)
        choice = next((option for option in options if isinstance(option, Stop)), options[-1])
        last, move = game, Decided(seat, choice)
        game, happened = play(game, move, table.source, table.deck)
    begun = replace(table, game=last)
    await place.core.database.write(lambda connection: insert_table(connection, begun, now))

    def work(current: Table) -> Change:
        return Change(with_game(current, game), happened)

    start = time.perf_counter()
    await change(place.core, table.id, work)
    return (time.perf_counter() - start) * 1000


async def _timed(lookup: Lookup, place: Place) -> float:
    start = time.perf_counter()
    await lookup(place)
    return (time.perf_counter() - start) * 1000


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    name: str
    small: Sequence[float]
    large: Sequence[float]
    lookup: bool = True

    @property
    def ratio(self) -> float:
        return statistics.median(self.large) / statistics.median(self.small)

    @property
    def wrong(self) -> bool:
        return (self.lookup and p99(self.large) >= MOST_P99_MS) or self.ratio > MOST_RATIO

    def __str__(self) -> str:
        figures = (statistics.median(self.small), p99(self.small), statistics.median(self.large), p99(self.large))
        mark = "  <-- too slow" if self.wrong else ""
        return f"{self.name:40}" + "".join(f"{figure:9.2f}" for figure in figures) + f"{self.ratio:8.2f}{mark}"


def p99(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[98]


async def measure(small: Place, large: Place, times: int) -> list[Row]:
    """Ask both in turn. What is too slow is measured again: other work on the machine only adds."""

    async def row(name: str, take: Callable[[Place], Awaitable[float]], times: int, *, lookup: bool) -> Row:
        taken: tuple[list[float], list[float]] = ([], [])
        for _ in range(WARM_UP + times):
            for into, place in zip(taken, (small, large), strict=True):
                into.append(await take(place))
        return Row(name, taken[0][WARM_UP:], taken[1][WARM_UP:], lookup)

    found = []
    for name, lookup in LOOKUPS.items():
        for _ in range(TRIES):
            found.append(await row(name, partial(_timed, lookup), times, lookup=True))
            if not found[-1].wrong:
                break
        print(found[-1], flush=True)
    for name, hook in (("last move of a game, its books written", round_ended), ("the same, no books", None)):
        small.core.round_ended = large.core.round_ended = hook
        for _ in range(TRIES):
            found.append(await row(name, finish, times // 3, lookup=False))
            if not found[-1].wrong:
                break
        print(found[-1], flush=True)
    large.core.round_ended = round_ended
    return list({line.name: line for line in found}.values())


async def _run(small: Community, large: Community, times: int) -> bool:
    settings = Settings()
    places = []
    for community in (small, large):
        database = Database(parse_url(f"sqlite+aiosqlite:///{community.path}"))
        core = Core(
            database,
            lambda: END,
            STANDARD_DECK,
            settings.tables_per_channel,
            settings.paces,
            round_ended=round_ended,
        )
        places.append(Place(community, core, random.Random(time.time_ns())))
    try:
        for place in places:
            size = place.community.path.stat().st_size / 1e6
            biggest = np.unique(place.community.lines[:, 0], return_counts=True)[1].max()
            print(
                f"{place.community.games:,} games, {place.community.servers:,} servers,"
                f" {place.community.people:,} people; {biggest:,} in the largest server; {size:,.0f} MB"
            )
        print(f"\n{'milliseconds':40}{'p50':>9}{'p99':>9}{'p50':>9}{'p99':>9}{'ratio':>8}")
        rows = await measure(places[0], places[1], times)
    finally:
        for place in places:
            await place.core.database.close()
    return not any(row.wrong for row in rows)


def _community(folder: Path, games: int) -> Community:
    path, notes = folder / f"games-{games}.sqlite3", folder / f"games-{games}.pickle"
    if notes.exists():
        known: Community = pickle.loads(notes.read_bytes())  # noqa: S301  (our own, from the run before)
        return replace(known, path=path)
    path.unlink(missing_ok=True)
    start = time.perf_counter()
    made = make(path, games)
    print(f"made {games:,} games in {time.perf_counter() - start:.0f} s", flush=True)
    notes.write_bytes(pickle.dumps(made))
    return made


def main() -> None:
    """Make, measure, print, check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000, help="finished games in the large database")
    parser.add_argument("--times", type=int, default=1_000, help="how often each lookup is asked")
    parser.add_argument("--keep", type=Path, help="a folder for the databases")
    parser.add_argument("--check", action="store_true", help="exit with 1 when something is too slow")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        small, large = _community(folder, SMALL), _community(folder, arguments.games)
        good = asyncio.run(_run(small, large, arguments.times))
    if arguments.check and not good:
        sys.exit(1)


if __name__ == "__main__":
    main()
