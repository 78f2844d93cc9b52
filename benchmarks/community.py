"""A database of many finished games in many servers, made directly: no dice are rolled.

As in real communities, few servers play most of the games and in each of them few people most of its: both fall off as
one over the rank (Zipf). A tenth of the people play in a second server. What the rows say is believable and adds up
per person and period; results are not those of real dice.
"""

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from benchmarks.games import begin, moves, table_of
from bot.domain.calendar import end_of
from bot.domain.ledger import RANKED_DECISIONS, RANKED_GAMES
from bot.domain.rating import FORMULA
from bot.domain.season import SeasonLength, last_day, month_of, season_of
from bot.domain.table import Seat, Status
from bot.store.database import Database, parse_url
from bot.store.models import metadata
from bot.store.schema import migrate
from bot.store.table import append_events, insert_table
from highscore.deck import STANDARD_DECK
from highscore.events import Event
from highscore.fairness import Source
from highscore.game import Game
from highscore.turn_order import TurnOrder

Ints = NDArray[np.int64]

END = datetime(2026, 6, 15, tzinfo=UTC)
DAYS = 730
SIZES = np.array([0.35, 0.35, 0.2, 0.1])
"""How many games have two, three, four and five seats."""
HOUSE = 0.12
"""How many seats are a house player's; the first never is."""
LOGGED = 2_000
"""Games that have an event log; all logs of a million games would be some 10 GB."""
FIRST_GUILD, FIRST_USER = 10**17, 2 * 10**17


@dataclass(frozen=True, slots=True)
class Community:
    """Who plays where, and how often: what lookups are drawn from."""

    path: Path
    games: int
    servers: int
    people: int
    lines: Ints
    """Guild, user and games of all time, a row each."""
    logged: tuple[tuple[int, str], ...]
    """Guild and game of those that have an event log."""


def make(path: Path, games: int, seed: int = 1) -> Community:
    asyncio.run(_write(path, migrate))
    maker = _Maker(path, games, np.random.default_rng(seed))
    community = maker.make()
    asyncio.run(_write(path, maker.log))
    return community


async def _write(path: Path, work: Callable[[Database], Awaitable[object]]) -> None:
    database = Database(parse_url(f"sqlite+aiosqlite:///{path}"))
    try:
        await work(database)
    finally:
        await database.close()


@lru_cache
def _played(players: int, number: int) -> tuple[Game, tuple[Event, ...]]:
    """A game in which everybody decides by chance."""
    rng = random.Random(f"{players} {number}")
    source = Source(rng.randbytes(32), "0123456789ab", ("",) * players)
    game, events = begin(players, TurnOrder.OPEN, source)
    for _decided, happened, after in moves(game, source, rng):
        game, events = after, events + happened
    return game, events


class _Maker:
    def __init__(self, path: Path, games: int, rng: np.random.Generator) -> None:
        self.path, self.games, self.rng = path, games, rng
        self.servers, self.people = max(games // 50, 2), max(games // 5, 20)

    def make(self) -> Community:
        self._play()
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("PRAGMA cache_size=-400000")
            indexes = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN"
                " ('games', 'seats', 'finished_games', 'results', 'standings', 'card_standings', 'records', 'seasons')"
            ).fetchall()
            for name, _sql in indexes:
                connection.execute(f"DROP INDEX {name}")
            self._games(connection)
            self._results(connection)
            lines = self._standings(connection)
            self._cards(connection, lines)
            self._records(connection)
            self._seasons(connection)
            for _name, sql in indexes:
                connection.execute(sql)
            connection.commit()
            connection.execute("PRAGMA journal_mode=WAL")
        logged = tuple((FIRST_GUILD + int(self.guild[at]), self.ids[at]) for at in self.logged)
        return Community(self.path, self.games, self.servers, self.people, lines, logged)

    async def log(self, database: Database) -> None:
        """Games that can be gone through roll by roll."""

        def insert(connection: Connection) -> None:
            for at in self.logged:
                guild = FIRST_GUILD + int(self.guild[at])
                players = int(self.seats[at])
                game, events = _played(players, int(at) % 5)
                users = [(None if house else int(user)) for user, house in self._sitting(at)]
                seats = [Seat(user, "Player", house=None if user else "steady") for user in users]
                table = table_of(self.ids[at], guild, seats, TurnOrder.OPEN, bytes(32), game=game, shown_version=1)
                table = replace(table, status=Status.FINISHED, version=1)
                insert_table(connection, table, END)
                # As in a real log: a row for each move of some events.
                for first in range(0, len(events), 3):
                    row = replace(table, version=first)
                    append_events(connection, row, events[first : first + 3], END, user_id=1, interaction_id=None)

        await database.write(insert)

    def _sitting(self, at: int) -> Iterator[tuple[int, bool]]:
        first, last = np.searchsorted(self.game, [at, at + 1])
        yield from zip(self.user[first:last].tolist(), self.house[first:last].tolist(), strict=True)

    def _play(self) -> None:
        """Who sat at which game."""
        rng = self.rng
        weights = 1 / np.arange(1, self.servers + 1)
        self.guild = rng.choice(self.servers, self.games, p=weights / weights.sum())
        # Servers have people in proportion to a power of their games: a crowd plays less each.
        share = weights**0.7
        members = np.maximum((share / share.sum() * self.people * 1.1).astype(np.int64), 6)
        start = np.concatenate([[0], np.cumsum(members)])
        seconds = np.sort(rng.integers(0, DAYS * 86400 * 10**6, self.games))
        self.at = seconds + np.arange(self.games)  # no two at the same moment
        sizes = rng.choice([2, 3, 4, 5], self.games, p=SIZES)
        self.game = np.repeat(np.arange(self.games), sizes)
        self.seat = np.arange(len(self.game)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        self.seats = sizes
        size = members[self.guild][self.game]
        # One over the rank, by inversion: the logarithm is uniform.
        rank = (np.exp(rng.random(len(self.game)) * np.log(size + 1)) - 1).astype(np.int64)
        local = start[self.guild[self.game]] + np.minimum(rank, size - 1)
        self.user = FIRST_USER + local * 7919 % self.people
        house = (rng.random(len(self.game)) < HOUSE) & (self.seat > 0)
        order = np.lexsort((self.user, self.game))
        twice = np.zeros(len(order), dtype=bool)
        twice[1:] = (self.user[order][1:] == self.user[order][:-1]) & (self.game[order][1:] == self.game[order][:-1])
        house[order] |= twice
        self.house = house
        keys = rng.random(len(self.game))
        by_luck = np.lexsort((keys, self.game))
        self.place = np.empty(len(self.game), dtype=np.int64)
        self.place[by_luck] = self.seat + 1
        self.points = np.maximum(0, 17 - 4 * self.place + rng.integers(-2, 3, len(self.game)))
        self.best = rng.integers(24, 64, len(self.game))
        self.decisions = rng.integers(12, 24, len(self.game))
        self.loss = (rng.gamma(2.0, 0.012, len(self.game)) * self.decisions * 10**6).astype(np.int64)
        self.luck = rng.normal(0, 2.5e6, len(self.game)).astype(np.int64)
        multiplier = 0x5DEECE66D
        self.ids = [f"{number * multiplier % 2**48:012x}" for number in range(self.games)]
        self.moments = [_stored(END - timedelta(days=DAYS) + timedelta(microseconds=int(at))) for at in self.at]
        days = [moment[:10] for moment in self.moments]
        names = {day: datetime.fromisoformat(day).date() for day in set(days)}
        self.season = [season_of(names[day], SeasonLength.QUARTER) for day in days]
        self.month = [month_of(names[day]) for day in days]

    def _games(self, connection: sqlite3.Connection) -> None:
        people = np.bincount(self.game, weights=~self.house, minlength=self.games).astype(np.int64)
        in_order = np.argsort(np.array(self.ids))
        every = max(self.games // LOGGED, 1)
        self.logged = list(range(0, self.games, every))
        logged = set(self.logged)

        def games() -> Iterator[tuple[Any, ...]]:
            for at in in_order.tolist():
                if at in logged:
                    continue
                moment = self.moments[at]
                guild = FIRST_GUILD + int(self.guild[at])
                yield self.ids[at], guild, guild, 1, 60, int(self.seats[at]), b"", moment, moment

        def finished() -> Iterator[tuple[Any, ...]]:
            for at in in_order:
                formula = FORMULA if people[at] > 1 else None
                guild = FIRST_GUILD + int(self.guild[at])
                yield (
                    self.ids[at], guild, self.moments[at], self.season[at], self.month[at],
                    int(self.seats[at]), int(people[at]), formula, False,
                )  # fmt: skip

        connection.executemany(
            "INSERT INTO games (id, guild_id, channel_id, host_id, status, version, locale, max_seats, turn_order,"
            " deck, seed, seal, options, timing, news, shown_version, shown_page, page_since, log,"
            " created_at, updated_at)"
            " VALUES (?, ?, ?, ?, 'finished', ?, 'en', ?, 'open', '{}', ?, '', '{}', '{}', '[]', 60, 30, 60, '[]',"
            " ?, ?)",
            games(),
        )
        _insert(connection, "finished_games", 9, finished())

    def _results(self, connection: sqlite3.Connection) -> None:
        ids = np.array(self.ids)
        in_order = np.lexsort((self.seat, ids[self.game]))
        mu = 25 + self.rng.normal(0, 4, len(self.game))

        logged = set(self.logged)

        def seats() -> Iterator[tuple[Any, ...]]:
            for at in in_order:
                game, house = int(self.game[at]), bool(self.house[at])
                if game not in logged:
                    user = None if house else int(self.user[at])
                    yield (
                        self.ids[game],
                        int(self.seat[at]),
                        user,
                        "steady" if house else None,
                        "Player",
                        "",
                        *(0, 0, 0, 0, 0),
                    )

        connection.executemany(
            'INSERT INTO seats (game_id, seat, user_id, house, name, lucky_word, "left", misses, hints, invited,'
            " gives_up) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            seats(),
        )

        def rows() -> Iterator[tuple[Any, ...]]:
            for at in in_order:
                game, house = self.game[at], bool(self.house[at])
                rating = (None, None, None, None) if house else (mu[at], 3.0, mu[at] + 0.1, 2.99)
                yield (
                    self.ids[game], int(self.seat[at]), FIRST_GUILD + int(self.guild[game]),
                    None if house else int(self.user[at]), "steady" if house else None, int(self.place[at]),
                    int(self.points[at]), int(self.points[at]) // 4, 1, 1, int(self.best[at]), 0, 0,
                    self.moments[game], *rating, int(self.luck[at]), int(self.loss[at]), int(self.decisions[at]),
                )  # fmt: skip

        _insert(connection, "results", 21, rows())

    def _standings(self, connection: sqlite3.Connection) -> Ints:
        person = ~self.house
        everything: Ints = np.zeros(0, dtype=np.int64)
        rows: list[tuple[Any, ...]] = []
        for names in ([""] * self.games, self.season, self.month):
            periods = sorted(set(names))
            of_game = np.searchsorted(periods, names)
            key = (self.guild[self.game] * len(periods) + of_game[self.game]) * self.people + self.user - FIRST_USER
            lines, inverse = np.unique(key[person], return_inverse=True)
            total = {
                name: np.bincount(inverse, weights=values[person], minlength=len(lines)).astype(np.int64)
                for name, values in (
                    ("games", np.ones(len(self.game))), ("wins", self.place == 1), ("points", self.points),
                    ("luck", self.luck), ("loss", self.loss), ("decisions", self.decisions),
                )
            }  # fmt: skip
            best = np.zeros(len(lines), dtype=np.int64)
            np.maximum.at(best, inverse, self.best[person])
            user, rest = FIRST_USER + lines % self.people, lines // self.people
            guild, period = FIRST_GUILD + rest // len(periods), rest % len(periods)
            sigma = np.maximum(25 / 3 * 0.97 ** total["games"], 1.5)
            mu = 25 + self.rng.normal(0, 4, len(lines))
            for at in range(len(lines)):
                games, decisions = int(total["games"][at]), int(total["decisions"][at])
                wins, points = int(total["wins"][at]), int(total["points"][at])
                rows.append((
                    int(guild[at]), periods[period[at]] or "all", int(user[at]), f"Player {user[at] - FIRST_USER}",
                    self.moments[-1], games, wins, points, points // 4, games, games, int(best[at]), games,
                    mu[at], sigma[at], mu[at] - 3 * sigma[at], -1, 1, 0, 0, games, int(total["luck"][at]),
                    int(total["loss"][at]), decisions, wins / games if games >= RANKED_GAMES else None,
                    total["loss"][at] / 10**6 / decisions if decisions >= RANKED_DECISIONS else None,
                ))  # fmt: skip
            if not everything.size:
                everything = np.column_stack([guild, user, total["games"]])
        rows.sort(key=lambda row: row[:3])
        _insert(connection, "standings", 26, rows)
        return everything

    def _cards(self, connection: sqlite3.Connection, lines: Ints) -> None:
        cards = sorted(map(str, STANDARD_DECK))

        def rows() -> Iterator[tuple[Any, ...]]:
            for guild, user, games in lines[np.lexsort((lines[:, 1], lines[:, 0]))].tolist():
                played = min(7 * games, len(cards))
                turns = max(1, 7 * games // len(cards))
                for card in sorted(self.rng.choice(len(cards), played, replace=False)):
                    yield guild, user, cards[card], 40, 2, turns, 21 * turns, turns // 3, turns // 4, turns // 5

        _insert(connection, "card_standings", 10, rows())

    def _records(self, connection: sqlite3.Connection) -> None:
        _guilds, first = np.unique(self.guild[self.game], return_index=True)

        def rows() -> Iterator[tuple[Any, ...]]:
            for at in first:
                game = self.game[at]
                for card in sorted(map(str, STANDARD_DECK)):
                    guild, user = FIRST_GUILD + int(self.guild[game]), int(self.user[at])
                    yield guild, card, 30, user, self.ids[game], 0, 1, self.moments[game]

        _insert(connection, "records", 8, rows())

    def _seasons(self, connection: sqlite3.Connection) -> None:
        found = sorted(
            {(FIRST_GUILD + int(guild), season) for guild, season in zip(self.guild, self.season, strict=True)}
        )
        current = season_of(END.date(), SeasonLength.QUARTER)
        rows = []
        for guild, season in found:
            ends = _stored(end_of(last_day(season), "UTC"))
            rows.append((guild, season, "en", ends, ends if season == current else None, 0))
        _insert(connection, "seasons", 6, rows)


def _insert(connection: sqlite3.Connection, table: str, columns: int, rows: Iterable[tuple[Any, ...]]) -> None:
    # The first ones; what stays NULL stands behind them.
    names = ", ".join(f'"{column.name}"' for column in list(metadata.tables[table].columns)[:columns])
    marks = ", ".join("?" * columns)
    connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608  (our own names)


def _stored(moment: datetime) -> str:
    """A moment as SQLAlchemy writes it into SQLite."""
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}"
