"""Results, leaderboards, ratings and records, which are stored when a game ends. Abandoned games store nothing.

Luck and skill (stored as ``loss``) take up to half a second to compute, too long for the transaction, so
workers.reviews adds them later (``review_owed``). docs/leaderboards.md says which games count.
"""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.badges import HALFWAY, has_come_back, points_behind
from bot.domain.calendar import day_of, end_of_day, last_day, month_of, season_of
from bot.domain.highlights import find_last_roll_winner
from bot.domain.outcome import GAMES_A_DAY, MIN_PEOPLE, Finish, card_text, outcome_of
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.store import results as store
from bot.store.database import LockScope, lock_subjects
from bot.store.marks import MarkKind, load_marks
from bot.store.results import GameToSave
from bot.store.table import count_games_of_day, load_events
from highscore.runs import FinishedRound


def mark_counting_seats(connection: Connection, table: Table, now: datetime, zone: str) -> Table:
    """Decide for which people a game that starts now is rated (R9.6). Return the table with marked seats, and with the
    end of the day in which the game counts towards their limits.

    A game that would be rated for only one person is rated for nobody. A table with fewer than two people is returned
    unchanged.
    """
    people = table.people
    if len(people) < MIN_PEOPLE:
        return table
    lock_subjects(connection, LockScope.PERSON, *people)
    erased = load_marks(connection, MarkKind.ERASED, [(user_id,) for user_id in people], now, guild_id=table.guild_id)
    games = count_games_of_day(connection, table.guild_id, people, now)
    counting = {one for one in people if games[one] < GAMES_A_DAY and not erased[one,]}
    if len(counting) < MIN_PEOPLE:
        counting.clear()
    seats = tuple(replace(seat, counts=seat.user_id is None or seat.user_id in counting) for seat in table.seats)
    return replace(table, seats=seats, day_ends_at=end_of_day(day_of(now, zone), zone) if counting else None)


def book_round(
    connection: Connection, before: Table, after: Table, settings: ServerSettings, now: datetime
) -> tuple[News, ...]:
    """Return the news of the rounds that a change has ended. If the game has been played to its end, store its results
    and return their news as well.
    """
    known = 0 if before.game is None else len(before.game.finished)
    ended = () if after.game is None else after.game.finished[known:]
    news = _find_broken(connection, after, ended, known + 1)
    if after.status is Status.FINISHED and after.game is not None:
        lock_subjects(connection, LockScope.GUILD, after.guild_id)
        moment = store.next_finish_after(connection, after.guild_id, now)
        day = day_of(moment, settings.zone)
        finish = Finish(after.id, after.guild_id, moment, season_of(day, settings.season), month_of(day))
        outcome = outcome_of(finish, after.seats, after.game)
        ledger = store.load_ledger(connection, outcome)
        news += tuple(News(NewsKind.FIRST_WIN, seat) for seat in store.find_first_wins(connection, outcome))
        store.save_games(connection, [GameToSave(outcome, review_pending=True)], ledger.add(outcome), ledger)
        store.save_season(connection, finish, after.locale, end_of_day(last_day(finish.season), settings.zone))
        if before.game is not None:
            last = find_last_roll_winner(before.game, after.game, lambda: load_events(connection, after.id))
            news += () if last is None else (News(NewsKind.LAST_ROLL, last),)
        for seat in (one for one in outcome.seats if has_come_back(one, outcome)):
            news += (News(NewsKind.COMEBACK, seat.seat, detail=f"{points_behind(seat, outcome, HALFWAY)} {HALFWAY}"),)
        news += tuple(News(NewsKind.BADGE, at, detail=earned.badge) for at, earned in ledger.earned)
    return news


def _find_broken(
    connection: Connection, table: Table, ended: tuple[FinishedRound, ...], first: int
) -> tuple[News, ...]:
    """Return the news of broken records in these rounds. Their numbers start with ``first``. The first result
    ever with a card breaks no record.
    """
    best = {
        card_text(played.card): max(
            (turn for turn in played.turns if not turn.by_house and table.seats[turn.seat].user_id is not None),
            key=lambda turn: turn.result,
            default=None,
        )
        for played in ended
    }
    records = store.load_records(connection, table.guild_id, list(best))
    return tuple(
        News(NewsKind.RECORD, turn.seat, number)
        for number, (card, turn) in enumerate(best.items(), first)
        if turn is not None and card in records and turn.result > records[card].result
    )
