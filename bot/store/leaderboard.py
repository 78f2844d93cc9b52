"""Queries for leaderboards, records, seasons and a person's figures.

No query sums over games or reads a whole table (tests/bot/store/test_plans.py).
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, ScalarSelect, and_, func, select

from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import LINES_PER_PAGE, Order
from bot.domain.ledger import RANKED_OPPONENTS, CardStanding, PlayerStanding, Record, Result
from bot.domain.table import note_cards
from bot.store.models import attempts, card_standings, challenges, games, records, results, seasons, standings
from bot.store.rows import events_from_lines, find_rows, from_row
from highscore.cards import Card
from highscore.game import replay_events
from highscore.turn_order import TurnOrder

_LOWEST = -1_000_000
"""Lower than any value by which people are ranked. The condition ``value >= _LOWEST`` leaves out NULLs. It can use the
index as a range, but ``IS NOT NULL`` cannot.
"""


class Ranking(NamedTuple):
    """The people of a server who are ranked in a period, by one value."""

    guild_id: int
    period: str
    order: Order
    opponents: int
    """The number of different opponents that a person needs to be ranked (R9.6)."""

    @property
    def is_ranked(self) -> ColumnElement[bool]:
        here = standings.c.guild_id == self.guild_id, standings.c.period == self.period
        return and_(*here, standings.c.opponents >= self.opponents) if self.opponents else and_(*here)

    @property
    def value(self) -> Column[float]:
        return standings.c[self.order.column]

    def is_better(self, value: float) -> ColumnElement[bool]:
        return and_(self.value < value, self.value >= _LOWEST) if self.order.ascending else self.value > value


def find_ranking(connection: Connection, guild_id: int, period: str, order: Order) -> Ranking:
    """Return a ranking with the number of opponents that it requires.

    The rating requires RANKED_OPPONENTS, or all other rated people if the server has fewer. Other orders require none.
    """
    if order is not Order.RATING:
        return Ranking(guild_id, period, order, 0)
    here = standings.c.guild_id == guild_id, standings.c.period == period, standings.c.rating >= _LOWEST
    some = select(standings.c.user_id).where(*here).limit(RANKED_OPPONENTS + 1)
    rated = connection.execute(select(func.count()).select_from(some.subquery())).scalar_one()
    return Ranking(guild_id, period, order, max(0, rated - 1))


def load_page(connection: Connection, ranking: Ranking, page: int) -> list[PlayerStanding]:
    """Return a page of a ranking, best first, and the first line of the next page if there is one."""
    value, user = ranking.value, standings.c.user_id
    best_first = (value, user) if ranking.order.ascending else (value.desc(), user.desc())
    # The inner query reads only the index, so skipped lines cost no lookup of their rows.
    on_page = (
        select(user)
        .where(ranking.is_ranked, value >= _LOWEST)
        .order_by(*best_first)
        .offset(page * LINES_PER_PAGE)
        .limit(LINES_PER_PAGE + 1)
    )
    return find_rows(connection, PlayerStanding, standings, ranking.is_ranked, user.in_(on_page), by=best_first)


def count_ahead(connection: Connection, ranking: Ranking, value: float) -> int:
    """Count the ranked people whose value is better than ``value``."""
    better = select(func.count()).select_from(standings).where(ranking.is_ranked, ranking.is_better(value))
    return connection.execute(better).scalar_one()


def load_next_ahead(connection: Connection, ranking: Ranking, value: float) -> PlayerStanding | None:
    """Return the standing with the nearest value that is better than ``value``, or None if there is none."""
    better, user = (ranking.is_ranked, ranking.is_better(value)), standings.c.user_id
    nearest = (ranking.value.desc(), user.desc()) if ranking.order.ascending else (ranking.value, user)
    return next(iter(find_rows(connection, PlayerStanding, standings, *better, by=nearest, most=1)), None)


def load_standing(connection: Connection, guild_id: int, period: str, user_id: int) -> PlayerStanding | None:
    theirs = standings.c.guild_id == guild_id, standings.c.period == period, standings.c.user_id == user_id
    return next(iter(find_rows(connection, PlayerStanding, standings, *theirs)), None)


def load_cards(connection: Connection, guild_id: int, user_id: int) -> list[CardStanding]:
    theirs = card_standings.c.guild_id == guild_id, card_standings.c.user_id == user_id
    return find_rows(connection, CardStanding, card_standings, *theirs, by=[card_standings.c.card])


def load_best(connection: Connection, guild_id: int, user_id: int, card: Card) -> int | None:
    """Return a person's best result on a card in finished games, or None if they have none."""
    theirs = card_standings.c.guild_id == guild_id, card_standings.c.user_id == user_id
    return connection.scalar(select(card_standings.c.best).where(*theirs, card_standings.c.card == str(card)))


def load_results(connection: Connection, guild_id: int, user_id: int, limit: int) -> list[Result]:
    theirs = results.c.user_id == user_id, results.c.guild_id == guild_id
    return find_rows(connection, Result, results, *theirs, by=[results.c.finished_at.desc()], most=limit)


def load_fame(connection: Connection, guild_id: int) -> list[tuple[Record, str | None]]:
    """Return all records of a server, each with the name of its holder, or None if their name is no longer stored."""
    rows = connection.execute(
        select(records, standings.c.name)
        .outerjoin(
            standings,
            and_(
                standings.c.guild_id == records.c.guild_id,
                standings.c.period == ALL_TIME,
                standings.c.user_id == records.c.user_id,
            ),
        )
        .where(records.c.guild_id == guild_id)
        .order_by(records.c.card)
    )
    return [(from_row(Record, row), row["name"]) for row in rows.mappings()]


def load_seasons(connection: Connection, guild_id: int, limit: int) -> Sequence[str]:
    """Return the seasons of a server in which a game ended, latest first."""
    of_guild = select(seasons.c.season).where(seasons.c.guild_id == guild_id)
    latest_first = of_guild.order_by(seasons.c.ends_at.desc(), seasons.c.season)
    return list(connection.scalars(latest_first.limit(limit)))


ATTEMPTS_READ = 4
"""The number of newest attempts whose cards are read. Few people play more than four challenges at the same time:
today's, a past day's, and the legs of two cups. Cards of other unfinished attempts, such as dares, are left out.
"""


def select_guild_of(table_id: str) -> ScalarSelect[int]:
    return select(games.c.guild_id).where(games.c.id == table_id).scalar_subquery()


def load_practised(connection: Connection, guild_id: int | ScalarSelect[int], user_id: int) -> str:
    """Return the scorings and roll types that a person has played on a server, as text (``note_cards``).

    Each attempt at a challenge stores what the person had played before it, so the newest attempts are enough.
    """
    theirs = card_standings.c.guild_id == guild_id, card_standings.c.user_id == user_id
    cards = [Card.parse(text) for text in connection.scalars(select(card_standings.c.card).where(*theirs))]
    query = select(attempts.c.practised, attempts.c.events).join(challenges).order_by(attempts.c.updated_at.desc())
    mine = challenges.c.guild_id == guild_id, attempts.c.user_id == user_id
    known = ""
    for practised, log in connection.execute(query.where(*mine).limit(ATTEMPTS_READ)):
        run = replay_events(1, TurnOrder.OWN_PACE, events_from_lines([log])).find_run(0)
        cards += (card for card, _turn in run.finished)
        known += f" {practised}"
    return note_cards(cards, known)
