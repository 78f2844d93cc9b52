"""Games that are played at random, quickly, through the transaction that every move takes."""

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, text

from bot.config import Settings
from bot.domain import ledger, timing
from bot.domain.table import Options, Seat, Status, Table
from bot.services.core import Change, Core, change_table
from bot.store import table as store
from bot.store.database import Database
from bot.store.models import standings
from highscore import Card, Game, Stop, TurnOrder, deck, list_decisions, play_event, runs
from highscore.dice import DICE, Dice, Face
from highscore.events import Decided, Event
from highscore.fairness import Source
from highscore.house import Temperament
from tests.bot.cores import opened
from tests.bot.databases import as_sqlite
from tests.bot.ui.tables import ORDERS

GUILD = 7
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
SEASON = "2026-Q1"
"""The season in which simcord's time begins."""
_DICE = Dice((Face.ONE,) * DICE)
BOOKS = ("finished_games", "results", "standings", "card_standings", "records", "seasons", "badges")
"""Everything that is derived from games."""


@dataclass
class Club:
    """A server's people, and a database in which their games end."""

    core: Core
    now: datetime = NOW
    games: int = 0
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def after(self, **time: float) -> None:
        self.now += timedelta(**time)

    async def open(self, seats: Sequence[Seat], guild_id: int = GUILD, order: TurnOrder | None = None) -> Table:
        self.games += 1
        table = Table(
            id=f"{self.games:012x}",
            guild_id=guild_id,
            channel_id=5,
            host_id=next((seat.user_id for seat in seats if seat.user_id is not None), 0),
            status=Status.PLAYING,
            version=1,
            locale="en",
            max_seats=5,
            turn_order=order or self.rng.choice(ORDERS),
            deck=deck.STANDARD_DECK,
            seats=tuple(seats),
            seed=self.rng.randbytes(32),
            game=None,
            options=Options(),
            timing=timing.NO_TIMING,
        )
        opened = replace(table, seal=Source(table.seed, table.id).seal)
        opened = replace(opened, lock=opened.make_lock(), opening_id=self.games)
        game, events = play_event(Game(len(seats), table.turn_order), None, opened.source, table.deck)
        begun = replace(opened, game=game)

        def insert(connection: Any) -> None:
            store.insert_table(connection, begun, self.now)
            store.append_events(connection, begun, events, self.now, user_id=None, interaction_id=None)

        await self.core.database.write(insert)
        return begun

    async def finish(
        self, seats: Sequence[Seat], guild_id: int = GUILD, by_house: Mapping[int, int] | None = None
    ) -> Table:
        """Play a game to the end by chance; of some seats the house plays so many of the last turns."""
        return await self.play_on(await self.open(seats, guild_id), by_house=by_house)

    async def end(self, seats: Sequence[Seat], *rounds: Sequence[int], guild_id: int = GUILD, **more: Any) -> Table:
        """End a game with these results, a row a round."""
        table = await self.open(seats, guild_id)
        game = scored(*rounds, **more)
        return await change_table(self.core, table.id, lambda current: Change(replace(current, game=game)))

    async def play_on(self, table: Table, rounds: int = 7, by_house: Mapping[int, int] | None = None) -> Table:
        """Play until so many rounds are over; the last move ends the game."""
        game, events = self._played(table, rounds, by_house or {})
        return await change_table(self.core, table.id, lambda current: Change(replace(current, game=game), events))

    def _played(self, table: Table, rounds: int, by_house: Mapping[int, int]) -> tuple[Game, list[Event]]:
        assert table.game is not None
        game, events = table.game, list[Event]()
        while len(game.finished) < rounds:
            seat = self.rng.choice(game.may_act)
            options = list_decisions(game, seat)
            ends = [option for option in options if isinstance(option, Stop)]
            chosen = self.rng.choice(ends if ends and self.rng.random() < 0.7 else options)
            gone = table.seats[seat].house is not None or len(game.finished) + by_house.get(seat, 0) >= deck.ROUNDS
            away = table.seats[seat].user_id is not None and gone
            game, happened = play_event(game, Decided(seat, chosen, by_house=away), table.source, table.deck)
            events += happened
        return game, events

    async def rows(self, sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        async with self.core.database.reading() as connection:
            return [tuple(map(as_sqlite, row)) for row in await connection.execute(text(sql), parameters)]

    async def write(self, sql: str, **parameters: Any) -> None:
        await self.core.database.write(Connection.execute, text(sql), parameters)

    async def books(self) -> dict[str, list[tuple[Any, ...]]]:
        """Read everything that is derived from the games, in a fixed order."""
        return {name: sorted(await self.rows(f"select * from {name}"), key=repr) for name in BOOKS}  # noqa: S608

    async def standing(self, user_id: int, period: str = "all", guild_id: int = GUILD) -> dict[str, Any]:
        async with self.core.database.reading() as connection:
            found = await connection.execute(
                text("select * from standings where guild_id = :guild and period = :period and user_id = :user"),
                {"guild": guild_id, "period": period, "user": user_id},
            )
            return dict(found.mappings().one())


@asynccontextmanager
async def club(settings: Settings) -> AsyncIterator[Club]:
    """Open a club on the settings' migrated database; its clock stands still until it is turned."""
    async with opened(settings) as core:
        made = Club(core, rng=random.Random("1"))
        core.now = lambda: made.now
        yield made


def person(user_id: int, **more: Any) -> Seat:
    return Seat(user_id, more.pop("name", f"p{user_id}"), **more)


def people(*user_ids: int) -> list[Seat]:
    return [person(user_id) for user_id in user_ids]


def house(temperament: Temperament = Temperament.STEADY) -> Seat:
    return Seat(None, temperament.person, house=temperament.value)


def random_seats(rng: random.Random, users: Sequence[int]) -> list[Seat]:
    """Draw two to five seats: people, some of whom are away or have left, and house players."""
    number = rng.randint(2, 5)
    humans = rng.sample(users, min(rng.randint(1, number), len(users)))
    seats = [
        person(
            user,
            name=f"p{user} {rng.randint(1, 3)}",
            hints=rng.randint(0, 3),
            left=rng.random() < 0.1,
            counts=rng.random() < 0.8,
            house=Temperament.STEADY.value if rng.random() < 0.2 else None,
        )
        for user in humans
    ]
    seats += [house(rng.choice(list(Temperament))) for _ in range(number - len(seats))]
    rng.shuffle(seats)
    return seats


def wins(seat: int, players: int = 2) -> list[list[int]]:
    """Make seven rounds in which one seat always has the best result and the others follow in seat order."""
    return [[20 if at == seat else 9 - at for at in range(players)]] * 7


def tied(players: int = 2) -> list[list[int]]:
    """Make seven rounds after which the first two seats are equal, with everybody else behind."""
    behind = [1] * (players - 2)
    return [*[[9, 5, *behind]] * 3, *[[5, 9, *behind]] * 3, [0] * players]


def scored(
    *rounds: Sequence[int], cards: Sequence[Card] = deck.STANDARD_DECK.cards, by_house: Mapping[int, int] | None = None
) -> Game:
    """Make a finished game with these results: one row a round, in seat order, which is the order of play.

    ``by_house`` says how many of a seat's last turns the house has played for it.
    """
    players, away = len(rounds[0]), by_house or {}
    done = tuple(
        runs.FinishedRound(
            card,
            tuple(
                runs.FinishedTurn(seat, _DICE, value, 1, gone := number + away.get(seat, 0) >= len(rounds), not gone)
                for seat, value in enumerate(row)
            ),
        )
        for number, (card, row) in enumerate(zip(cards, rounds, strict=False))
    )
    return Game(players, TurnOrder.CLOCKWISE, start_seat=0, finished=done)


def standing(guild_id: int, user_id: int, name: str, period: str = SEASON, **figures: Any) -> ledger.PlayerStanding:
    return ledger.PlayerStanding(guild_id, period, user_id, name, **figures)


async def add(database: Database, lines: Sequence[ledger.PlayerStanding]) -> None:
    await database.write(Connection.execute, insert(standings), [asdict(line) for line in lines])
