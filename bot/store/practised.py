"""The scorings and roll types of a person on a server, from their figures on cards and their newest challenges."""

from sqlalchemy import Connection, ScalarSelect, select

from bot.domain.practised import note_cards
from bot.store.models import attempts, card_standings, challenges, games
from bot.store.rows import events_from_lines
from highscore.cards import Card
from highscore.game import replay_events
from highscore.turn_order import TurnOrder

AT_A_TIME = 4
"""The challenges whose cards are noted: the day, a past one, and the legs of two cups."""


def guild_of(table_id: str) -> ScalarSelect[int]:
    """Return the server of a table, to ask with."""
    return select(games.c.guild_id).where(games.c.id == table_id).scalar_subquery()


def load_practised(connection: Connection, guild_id: int | ScalarSelect[int], user_id: int) -> str:
    """Return the scorings and roll types that a person has played on a server, as ``domain.practised`` notes them.

    The cards of a challenge are noted with those that are begun later, so the newest are enough: as many as somebody
    may play by turns.
    """
    theirs = card_standings.c.guild_id == guild_id, card_standings.c.user_id == user_id
    cards = [Card.parse(text) for text in connection.scalars(select(card_standings.c.card).where(*theirs))]
    query = select(attempts.c.practised, attempts.c.events).join(challenges).order_by(attempts.c.updated_at.desc())
    mine = challenges.c.guild_id == guild_id, attempts.c.user_id == user_id
    known = ""
    for practised, log in connection.execute(query.where(*mine).limit(AT_A_TIME)):
        run = replay_events(1, TurnOrder.OWN_PACE, events_from_lines([log])).find_run(0)
        cards += (card for card, _turn in run.finished)
        known += f" {practised}"
    return note_cards(cards, known)
