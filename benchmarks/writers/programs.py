"""The compared programs: the bot itself, and the plain ORM."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

from sqlalchemy import URL, delete, event
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, relationship, selectinload

from benchmarks.writers.scripts import Script
from bot.app import utc_now
from bot.config import Settings
from bot.domain.deadlines import plan_timing
from bot.domain.errors import Stale
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status
from bot.services.core import Core
from bot.services.turn import decide_turn
from bot.store import models
from bot.store.database import Database
from bot.store.table import _make_changes, _make_table
from highscore.deck import STANDARD_DECK
from highscore.events import Decided, TakeDice
from highscore.fairness import play_event
from highscore.notation import format_event


class Refused(Exception):
    """Another writer has already made this move."""


class Variant(Protocol):
    """One of the compared programs. It commits moves."""

    name: str

    async def open(self, url: URL) -> None:
        """Open a database that has the games."""

    async def move(self, script: Script, at: int, writer: int) -> None:
        """Commit the move with number ``at``. Raise Refused if it is already made."""

    async def close(self) -> None: ...


class Bot:
    """Makes each move with the bot's own code, but without Discord."""

    name = "the bot"

    async def open(self, url: URL) -> None:
        settings = Settings(_env_file=None)  # type: ignore[call-arg]
        self.core = Core(Database(url), utc_now, STANDARD_DECK, settings.tables_per_channel, settings.paces)

    async def move(self, script: Script, at: int, writer: int) -> None:
        move = script.moves[at]
        try:
            await decide_turn(
                self.core,
                script.table.id,
                move.user_id,
                move.decision,
                version=at,
                interaction_id=move.interaction_id(writer),
            )
        except Stale as error:
            raise Refused from error

    async def close(self) -> None:
        await self.core.database.close()


class Base(DeclarativeBase):
    pass


class SeatRow(Base):
    __table__ = models.seats


class GameRow(Base):
    __table__ = models.games
    seats: Mapped[list[SeatRow]] = relationship(order_by=models.seats.c.seat)

    # Makes SQLAlchemy write UPDATE ... WHERE version = (the version that was read), and raise StaleDataError.
    __mapper_args__ = {"version_id_col": models.games.c.version, "version_id_generator": False}  # noqa: RUF012  (SQLAlchemy requires it)


class EventRow(Base):
    __table__ = models.events


class PlainOrm:
    """The bot's transaction as it would be written with SQLAlchemy's ORM and no optimisation.

    It is correct and not careless. Transactions are IMMEDIATE on SQLite and lock the game's row on PostgreSQL. The
    UPDATE checks the version. The seats are loaded in the way that SQLAlchemy recommends, and only changed columns are
    written. It lacks what the bot's measurements led to: a write connection that stays open, statements that are
    created only once, and a SQLite driver that runs a whole transaction in one call of its thread.
    """

    name = "plain ORM"

    async def open(self, url: URL) -> None:
        self._settings = ServerSettings()
        self._engine = _engine(url)
        self._sessions = async_sessionmaker(self._engine, expire_on_commit=False)

    async def move(self, script: Script, at: int, writer: int) -> None:
        move, now = script.moves[at], datetime.now(UTC)
        async with self._sessions.begin() as session:
            row: Any = await session.get_one(
                GameRow, script.table.id, options=[selectinload(GameRow.seats)], with_for_update=True
            )
            before = _make_table(vars(row), [vars(seat) for seat in row.seats])
            seat = before.seat_of(move.user_id)
            if before.version != at or seat is None or before.game is None:
                raise Refused
            game, happened = play_event(before.game, Decided(seat, move.decision), before.source, before.deck)
            wanted = replace(before, game=game, status=Status.FINISHED if game.complete else before.status)
            after = replace(
                wanted,
                version=before.version + 1,
                timing=plan_timing(before, wanted, now, self._settings),
                news=before.news if wanted.screen == before.screen else (),
            )
            for name, value in {
                **_make_changes(after, now),
                "due_until": None,
                "show_by": None,
                "show_until": None,
            }.items():
                setattr(row, name, value)
            session.add(
                EventRow(
                    game_id=row.id,
                    seq=after.version,
                    lines="\n".join(map(format_event, happened)),
                    user_id=move.user_id,
                    interaction_id=move.interaction_id(writer),
                    created_at=now,
                )
            )
            reminders = delete(models.reminders).where(models.reminders.c.game_id == row.id)
            if after.deadline_scope != before.deadline_scope or not after.status.open:
                await session.execute(reminders)
            elif isinstance(move.decision, TakeDice):
                await session.execute(reminders.where(models.reminders.c.user_id == move.user_id))

    async def close(self) -> None:
        await self._engine.dispose()


def _engine(url: URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url)
    # With the default timeout some of the eight writers would give up.
    engine = create_async_engine(url, connect_args={"timeout": 60})

    @event.listens_for(engine.sync_engine, "connect")
    def configure(connection: Any, _entry: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
