"""The same transaction as somebody would write it who takes SQLAlchemy's ORM as it is.

Correct and not careless: transactions begin IMMEDIATE on SQLite and hold the game's row on PostgreSQL, the version is
checked by the UPDATE, the seats come by the loading that SQLAlchemy recommends for collections, only changed columns
are written. What it does not have is what the bot has found out by measuring: one write connection that stays open,
statements made once, and a driver that spares the way to a thread.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import URL, BigInteger, ForeignKey, LargeBinary, SmallInteger, String, Text, delete, event
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship, selectinload

from benchmarks.writers.scripts import Script
from benchmarks.writers.variants import Refused
from bot.domain.deadlines import plan
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Seat, Status, Table
from bot.services.absence import with_game
from bot.store.columns import UtcDateTime
from bot.store.documents import NEWS, OPTIONS, TIMING, deck_from_text
from highscore.dealer import play
from highscore.events import Decided, TakeDice
from highscore.notation import format_event, game_from_json, game_to_json
from highscore.turn_order import TurnOrder


class Base(DeclarativeBase):
    """What is mapped."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: UtcDateTime, int: BigInteger, str: Text}


class GameRow(Base):
    """A game."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    guild_id: Mapped[int]
    channel_id: Mapped[int]
    host_id: Mapped[int]
    status: Mapped[str]
    version: Mapped[int] = mapped_column()
    locale: Mapped[str]
    max_seats: Mapped[int]
    turn_order: Mapped[str]
    deck: Mapped[str]
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    seal: Mapped[str]
    words_digest: Mapped[str | None]
    state: Mapped[str]
    options: Mapped[str]
    timing: Mapped[str]
    news: Mapped[str]
    wake_at: Mapped[datetime | None]
    message_id: Mapped[int | None]
    shown_version: Mapped[int]
    shown_page: Mapped[int]
    due_until: Mapped[datetime | None]
    show_by: Mapped[str | None]
    show_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    seats: Mapped[list[SeatRow]] = relationship(order_by="SeatRow.seat")

    # UPDATE ... WHERE version = (as it was read); anything else raises StaleDataError.
    __mapper_args__ = {"version_id_col": version, "version_id_generator": False}  # noqa: RUF012  (so SQLAlchemy wants it)


class SeatRow(Base):
    """Somebody at a table."""

    __tablename__ = "seats"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    user_id: Mapped[int | None]
    house: Mapped[str | None]
    name: Mapped[str]
    lucky_word: Mapped[str]
    left: Mapped[bool]
    misses: Mapped[int]
    hints: Mapped[int]


class EventRow(Base):
    """A committed change."""

    __tablename__ = "events"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    lines: Mapped[str]
    user_id: Mapped[int | None]
    interaction_id: Mapped[int | None]
    created_at: Mapped[datetime]


class ReminderRow(Base):
    """Somebody who was, or is to be, reminded."""

    __tablename__ = "reminders"

    user_id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))


class PlainOrm:
    """A session, a game, its seats; change it, add an event, commit."""

    name = "plain ORM"

    async def open(self, url: URL) -> None:
        self._rules = ServerSettings().clock_rules
        self._engine = _engine(url)
        self._sessions = async_sessionmaker(self._engine, expire_on_commit=False)

    async def move(self, script: Script, at: int, writer: int) -> None:
        move, now = script.moves[at], datetime.now(UTC)
        async with self._sessions.begin() as session:
            row = await session.get_one(
                GameRow, script.table.id, options=[selectinload(GameRow.seats)], with_for_update=True
            )
            before = _table(row)
            seat = before.seat_of(move.user_id)
            if before.version != at or seat is None or before.game is None:
                raise Refused
            game, happened = play(before.game, Decided(seat, move.decision), before.source, before.deck)
            wanted = with_game(before, game)
            after = replace(
                wanted,
                version=before.version + 1,
                timing=plan(before, wanted, now, self._rules),
                news=before.news if wanted.page == before.page else (),
            )
            row.status = after.status.value
            row.version = after.version
            row.state = json.dumps(game_to_json(game), separators=(",", ":"))
            row.timing = TIMING.write(after.timing)
            row.news = NEWS.write(after.news)
            row.wake_at = after.timing.wake_at
            row.updated_at = now
            row.due_until = row.show_by = row.show_until = None
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
            reminders = delete(ReminderRow).where(ReminderRow.game_id == row.id)
            if after.span != before.span or not after.status.open:
                await session.execute(reminders)
            elif isinstance(move.decision, TakeDice):
                await session.execute(reminders.where(ReminderRow.user_id == move.user_id))

    async def close(self) -> None:
        await self._engine.dispose()


def _engine(url: URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url)
    # Without the timeout some of eight writers would give up waiting for the others.
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


def _table(row: GameRow) -> Table:
    return Table(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        host_id=row.host_id,
        status=Status(row.status),
        version=row.version,
        locale=row.locale,
        max_seats=row.max_seats,
        turn_order=TurnOrder(row.turn_order),
        deck=deck_from_text(row.deck),
        seats=tuple(
            Seat(one.user_id, one.name, one.lucky_word, one.house, one.left, one.misses, one.hints) for one in row.seats
        ),
        seed=row.seed,
        words_digest=row.words_digest,
        game=game_from_json(json.loads(row.state)),
        message_id=row.message_id,
        shown_version=row.shown_version,
        shown_page=row.shown_page,
        options=OPTIONS.read(row.options),
        timing=TIMING.read(row.timing),
        news=NEWS.read(row.news),
    )
