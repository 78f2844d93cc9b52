"""The games that count: of each person some a day, those that begin first (R9.6)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.calendar import day_of, end_of_day
from bot.domain.outcome import count_own_turns
from bot.domain.rating import GAMES_A_DAY, GAMES_OF_A_PAIR, MIN_PEOPLE, is_rated
from bot.domain.table import Status, Table
from bot.store.locks import LockScope, lock_subjects
from bot.store.marks import FORMER, MarkKind, Subject, add_marks, load_marks
from highscore.game import Game


def count_game(connection: Connection, before: Table, after: Table, now: datetime, zone: str) -> Table:
    """Count a game that begins or ends with this change. Return it with the seats for which it does not count."""
    if after.game is None:
        return after
    if before.game is None:
        return _count_beginning(connection, after, now, zone)
    ends = before.status.open and after.status is Status.FINISHED
    return _count_pair(connection, after, after.game, now, zone) if ends else after


def _count_beginning(connection: Connection, table: Table, now: datetime, zone: str) -> Table:
    people = sorted(table.people)
    if len(people) < MIN_PEOPLE:
        return table
    lock_subjects(connection, LockScope.PERSON, *people)
    each, pairs = [(user_id,) for user_id in people], [tuple(people)] if len(people) == MIN_PEOPLE else []
    known = load_marks(connection, MarkKind.GAME, [*each, *pairs], now, guild_id=table.guild_id)
    enough = any(len(known[pair]) >= GAMES_OF_A_PAIR for pair in pairs)
    counting = [one for one in each if len(known[one]) < GAMES_A_DAY and not enough]
    if counting:
        _add_marks(connection, table, [*counting, *pairs], now, zone)
    seats = (replace(seat, counts=seat.user_id is None or (seat.user_id,) in counting) for seat in table.seats)
    return replace(table, seats=tuple(seats))


def _count_pair(connection: Connection, table: Table, game: Game, now: datetime, zone: str) -> Table:
    """Count the game, as one of this day, if it is known only now that of all who sat there just two have played."""
    seats, people = table.seats, [at for at, seat in enumerate(table.seats) if seat.user_id is not None]
    own = {at: number for at in people if (number := count_own_turns(game, at))}
    if len(people) == MIN_PEOPLE or len(own) != MIN_PEOPLE or not is_rated(list(own.values())):
        return table
    pair: Subject = tuple(sorted(max(seats[at].user_id or FORMER, FORMER) for at in own))
    # Booking the game locks its server, too, and people are locked last, all at once, as for storing seats.
    lock_subjects(connection, LockScope.GUILD, table.guild_id)
    lock_subjects(connection, LockScope.PERSON, *(seats[at].user_id or FORMER for at in people))
    if len(load_marks(connection, MarkKind.GAME, [pair], now, guild_id=table.guild_id)[pair]) >= GAMES_OF_A_PAIR:
        uncounted = (replace(seat, counts=seat.counts and at not in own) for at, seat in enumerate(seats))
        return replace(table, seats=tuple(uncounted))
    if any(seats[at].counts for at in own):
        _add_marks(connection, table, [pair], now, zone)
    return table


def _add_marks(connection: Connection, table: Table, subjects: Sequence[Subject], now: datetime, zone: str) -> None:
    ends_at = end_of_day(day_of(now, zone), zone)
    add_marks(connection, MarkKind.GAME, subjects, now, guild_id=table.guild_id, ends_at=ends_at)
