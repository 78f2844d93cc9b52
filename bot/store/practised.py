"""The scorings and roll types of a person on a server, from their figures on cards and their newest challenge."""

from sqlalchemy import Connection, ScalarSelect, select

from bot.domain.practised import note_cards
from bot.store.documents import events_from_lines
from bot.store.models import card_standings, dailies, daily_plays, games
from highscore.cards import Card
from highscore.game import replay_events
from highscore.turn_order import TurnOrder


def guild_of(table_id: str) -> ScalarSelect[int]:
    """Return the server of a table, to ask with."""
    return select(games.c.guild_id).where(games.c.id == table_id).scalar_subquery()


def load_practised(connection: Connection, guild_id: int | ScalarSelect[int], user_id: int) -> str:
    """Return the scorings and roll types that a person has played on a server, as ``domain.practised`` notes them.

    The cards of their daily challenges are noted with the next one, so the newest is enough.
    """
    theirs = card_standings.c.guild_id == guild_id, card_standings.c.user_id == user_id
    cards = [Card.parse(text) for text in connection.scalars(select(card_standings.c.card).where(*theirs))]
    query = select(daily_plays.c.practised, daily_plays.c.events).join(dailies).order_by(dailies.c.day.desc())
    newest = connection.execute(
        query.where(dailies.c.guild_id == guild_id, daily_plays.c.user_id == user_id).limit(1)
    ).one_or_none()
    if newest is None:
        return note_cards(cards)
    run = replay_events(1, TurnOrder.OWN_PACE, events_from_lines([newest.events])).find_run(0)
    return note_cards([*cards, *(card for card, _turn in run.finished)], newest.practised)
