"""The games that count, and for whom: of each person the first games of a day (R9.6)."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.calendar import day_of, end_of_day
from bot.domain.rating import GAMES_A_DAY, MIN_PEOPLE
from bot.domain.table import Table
from bot.store.locks import LockScope, lock_subjects
from bot.store.marks import MarkKind, load_marks
from bot.store.table import count_games_of_day


def count_game(connection: Connection, before: Table, after: Table, now: datetime, zone: str) -> Table:
    """Return the table with the seats for which the game counts, if this change starts it."""
    people = after.people
    if before.game is not None or after.game is None or len(people) < MIN_PEOPLE:
        return after
    lock_subjects(connection, LockScope.PERSON, *people)
    erased = load_marks(connection, MarkKind.ERASED, [(user_id,) for user_id in people], now, guild_id=after.guild_id)
    games = count_games_of_day(connection, after.guild_id, people, now)
    counting = {one for one in people if games[one] < GAMES_A_DAY and not erased[one,]}
    enough = len(counting) >= MIN_PEOPLE
    counted = counting if enough else set()
    seats = tuple(replace(seat, counts=seat.user_id is None or seat.user_id in counted) for seat in after.seats)
    return replace(after, seats=seats, day_ends_at=end_of_day(day_of(now, zone), zone) if enough else None)
