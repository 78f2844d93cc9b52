"""A database with many finished games on many servers, written without playing the games.

As in real communities, a few servers play most of the games, and a few people play most of a server's games: the number
of games is inversely proportional to the rank (Zipf). A tenth of the people play on a second server. The rows are
plausible and add up for each person and period, but the results are random numbers and do not follow from dice. Some
games have an event log. It is the log of another game, which was really played.
"""

import random
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from benchmarks.databases import open_core
from benchmarks.games import begin_game, make_table, play_moves
from bot.domain.calendar import SeasonLength, end_of_day, last_day, month_of, season_of
from bot.domain.ledger import FORMULA, RANKED_DECISIONS, RANKED_GAMES
from bot.domain.table import Seat, Status
from bot.store.models import metadata
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
"""The shares of the games that have two, three, four and five seats."""
HOUSE = 0.12
"""The share of seats that house players have. The first seat is always a person's."""
LOGGED = 2_000
"""About this number of games have an event log. The logs of a million games would take about 10 GB."""
FIRST_GUILD, FIRST_USER = 10**17, 2 * 10**17


@dataclass(frozen=True, slots=True)
class Community:
    """The database, and the values from which the servers, people and games of lookups are chosen."""

    path: Path
    games: int
    servers: int
    people: int
    lines: Ints
    """An array with a row for each person on each server: guild, user, number of games."""
    logged: tuple[tuple[int, str], ...]
    """The guild and the id of each game that has an event log."""


async def make_community(path: Path, games: int) -> Community:
    """Create a database with this many finished games."""
    maker = _Maker(path, games, np.random.default_rng(1))
    async with open_core(path):
        pass  # creates the tables
    community = maker.make()
    async with open_core(path) as core:
        await core.database.write(maker.insert_logs)
    return community


@lru_cache
def _play_game(players: int, number: int) -> tuple[Game, tuple[Event, ...]]:
    rng = random.Random(f"{players} {number}")
    source = Source(rng.randbytes(32), "0123456789ab")
    game, events = begin_game(players, TurnOrder.OPEN, source)
    for _decided, happened, after in play_moves(game, source, rng):
        game, events = after, events + happened
    return game, events


class _Maker:
    def __init__(self, path: Path, games: int, rng: np.random.Generator) -> None:
        self.path, self.games, self.rng = path, games, rng
        self.servers, self.people = max(games // 50, 2), max(games // 5, 20)

    def make(self) -> Community:
        self._draw_games()
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
            self._insert_results(connection)
            self._insert_derived(connection)
            everything = "SELECT guild_id, user_id, games FROM standings WHERE period = 'all'"
            lines = np.array(connection.execute(everything).fetchall())
            for _name, sql in indexes:
                connection.execute(sql)
            connection.commit()
            connection.execute("PRAGMA journal_mode=WAL")
        logged = tuple((FIRST_GUILD + int(self.guild[at]), self.ids[at]) for at in self.logged)
        return Community(self.path, self.games, self.servers, self.people, lines, logged)

    def insert_logs(self, connection: Connection) -> None:
        """Insert the games that have an event log, so that they can be replayed roll by roll."""
        for at in self.logged:
            first, last = np.searchsorted(self.game, [at, at + 1])
            game, events = _play_game(int(self.seats[at]), int(at) % 5)
            seats = [
                Seat(None, "Player", house="steady") if house else Seat(int(user), "Player")
                for user, house in zip(self.user[first:last], self.house[first:last], strict=True)
            ]
            guild = FIRST_GUILD + int(self.guild[at])
            table = make_table(self.ids[at], guild, seats, TurnOrder.OPEN, bytes(32), game=game)
            table = replace(table, status=Status.FINISHED, version=1, content_version=1, shown_content_version=1)
            insert_table(connection, table, END)
            # A row of a real log has the few events of one move.
            for number in range(0, len(events), 3):
                row = replace(table, version=number)
                append_events(connection, row, events[number : number + 3], END, user_id=1, interaction_id=None)

    def _draw_games(self) -> None:
        """Choose the server, the time, the people and the results of each game at random."""
        rng = self.rng
        weights = 1 / np.arange(1, self.servers + 1)
        self.guild = rng.choice(self.servers, self.games, p=weights / weights.sum())
        # On a large server each person plays less, so the number of people grows more slowly than that of games.
        share = weights**0.7
        members = np.maximum((share / share.sum() * self.people * 1.1).astype(np.int64), 6)
        start = np.concatenate([[0], np.cumsum(members)])
        seconds = np.sort(rng.integers(0, DAYS * 86400 * 10**6, self.games))
        self.at = seconds + np.arange(self.games)  # no two at the same time
        sizes = rng.choice([2, 3, 4, 5], self.games, p=SIZES)
        self.game = np.repeat(np.arange(self.games), sizes)
        self.seat = np.arange(len(self.game)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        self.seats = sizes
        size = members[self.guild][self.game]
        # The member of rank r is chosen with a probability proportional to 1/r, so log(r) is uniform.
        rank = (np.exp(rng.random(len(self.game)) * np.log(size + 1)) - 1).astype(np.int64)
        local = start[self.guild[self.game]] + np.minimum(rank, size - 1)
        self.user = FIRST_USER + local * 7919 % self.people
        house = (rng.random(len(self.game)) < HOUSE) & (self.seat > 0)
        order = np.lexsort((self.user, self.game))
        # If a person is chosen twice for a game, a house player gets the second seat.
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
        self.times = [_format(END - timedelta(days=DAYS) + timedelta(microseconds=int(at))) for at in self.at]
        days = [time[:10] for time in self.times]
        names = {day: datetime.fromisoformat(day).date() for day in set(days)}
        self.season = [season_of(names[day], SeasonLength.QUARTER) for day in days]
        self.month = [month_of(names[day]) for day in days]
        self.logged = list(range(0, self.games, max(self.games // LOGGED, 1)))

    def _insert_results(self, connection: sqlite3.Connection) -> None:
        ids = np.array(self.ids)
        people = np.bincount(self.game, weights=~self.house, minlength=self.games).astype(np.int64)
        mu = 25 + self.rng.normal(0, 4, len(self.game))

        def finished() -> Iterator[tuple[Any, ...]]:
            for at in np.argsort(ids):
                formula = FORMULA if people[at] > 1 else None
                yield (
                    self.ids[at], FIRST_GUILD + int(self.guild[at]), self.times[at], self.season[at], self.month[at],
                    int(self.seats[at]), int(people[at]), formula, False,
                )  # fmt: skip

        def rows() -> Iterator[tuple[Any, ...]]:
            for at in np.lexsort((self.seat, ids[self.game])):
                game, house = self.game[at], bool(self.house[at])
                rating = (None, None) if house else (mu[at] + 0.1, 2.99)
                yield (
                    self.ids[game], int(self.seat[at]), FIRST_GUILD + int(self.guild[game]),
                    None if house else int(self.user[at]), "steady" if house else None, int(self.place[at]),
                    int(self.points[at]), int(self.points[at]) // 4, 1, 1, int(self.best[at]), 0, 0,
                    self.times[game], *rating, int(self.luck[at]), int(self.loss[at]), int(self.decisions[at]),
                )  # fmt: skip

        _insert(connection, "finished_games", 9, finished())
        _insert(connection, "results", 19, rows())

    def _insert_derived(self, connection: sqlite3.Connection) -> None:
        """Insert all rows that are derived from results. The games with an event log are left to ``insert_logs``."""
        logged = [(self.ids[at],) for at in self.logged]
        given = {"first": FIRST_USER, "games": RANKED_GAMES, "decisions": RANKED_DECISIONS}
        for statement in DERIVED:
            connection.execute(statement, given)
        connection.executemany("DELETE FROM games WHERE id = ?", logged)
        connection.executemany("DELETE FROM seats WHERE game_id = ?", logged)
        cards = list(enumerate(sorted(map(str, STANDARD_DECK))))
        connection.executemany(CARD_STANDINGS, cards)
        connection.executemany(RECORDS, cards)
        current = season_of(END.date(), SeasonLength.QUARTER)
        for guild, season in connection.execute("SELECT DISTINCT guild_id, season FROM finished_games").fetchall():
            ends = _format(end_of_day(last_day(season), "UTC"))
            _insert(connection, "seasons", 6, [(guild, season, "en", ends, ends if season == current else None, 0)])


DERIVED = (
    """
    INSERT INTO games (id, guild_id, channel_id, host_id, status, version, locale, max_seats, turn_order, deck, seed,
        seal, options, timing, news, content_version, shown_content_version, shown_screen, screen_since, log,
        created_at, updated_at)
    SELECT game_id, guild_id, guild_id, 1, 'finished', 60, 'en', players, 'open', '{}', x'',
        '', '{}', '{}', '[]', 60, 60, 30, 60, '[]', finished_at, finished_at FROM finished_games
    """,
    """
    INSERT INTO seats
        (game_id, seat, user_id, house, name, lucky_word, practised, "left", misses, hints, invited, uncalled, gives_up,
        counts)
    SELECT game_id, seat, user_id, house, 'Player', '', '', 0, 0, 0, 0, 0, 0, 1 FROM results
    """,
    """
    WITH played AS (
        SELECT game_id, 'all' AS period FROM finished_games
        UNION ALL SELECT game_id, season FROM finished_games UNION ALL SELECT game_id, month FROM finished_games
    ), line AS (
        SELECT guild_id, period, user_id, count(*) AS games, sum(place = 1) AS wins, sum(points) AS points,
            max(best) AS best, sum(luck) AS luck, sum(loss) AS loss, sum(decisions) AS decisions,
            25 + random() % 1000000 / 2e5 AS mu, max(25 / 3.0 * pow(0.97, count(*)), 1.5) AS sigma
        FROM played JOIN results USING (game_id) WHERE user_id IS NOT NULL GROUP BY guild_id, period, user_id
    )
    INSERT INTO standings (guild_id, period, user_id, name, games, wins, points, gold, silver, bronze, best,
        rated, mu, sigma, rating, opponents, streak, longest, hints, house_turns, reviewed, luck, loss, decisions,
        win_rate, loss_rate)
    SELECT guild_id, period, user_id, 'Player ' || (user_id - :first), games, wins, points, points / 4, games,
        games, best, games, mu, sigma, mu - 3 * sigma, min(games, 3), -1, 1, 0, 0, games, luck, loss, decisions,
        CASE WHEN games >= :games THEN 1.0 * wins / games END,
        CASE WHEN decisions >= :decisions THEN loss / 1e6 / decisions END FROM line
    """,
)
CARD_STANDINGS = """
    WITH line AS (
        SELECT *, max(1, 7 * games / 21) AS turns FROM standings
        WHERE period = 'all' AND (user_id + ?1) % 21 < 7 * games
    )
    INSERT INTO card_standings (guild_id, user_id, card, best, worst, turns, total, gold, silver, bronze)
    SELECT guild_id, user_id, ?2, 40, 2, turns, 21 * turns, turns / 3, turns / 4, turns / 5 FROM line
"""
RECORDS = """
    INSERT INTO records (guild_id, card, result, user_id, game_id, seat, round, at)
    SELECT guild_id, ?2, 30, user_id, min(game_id), seat, ?1 % 7 + 1, finished_at FROM results
    WHERE user_id IS NOT NULL GROUP BY guild_id
"""


def _insert(connection: sqlite3.Connection, table: str, columns: int, rows: Iterable[tuple[Any, ...]]) -> None:
    # The rows have the first columns of the table. The other columns stay NULL.
    names = ", ".join(f'"{column.name}"' for column in list(metadata.tables[table].columns)[:columns])
    marks = ", ".join("?" * columns)
    connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608  (our own names)


def _format(time: datetime) -> str:
    """Format a time in the way that SQLAlchemy stores it in SQLite."""
    return f"{time:%Y-%m-%d %H:%M:%S.%f}"
