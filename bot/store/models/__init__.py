"""The database tables, as SQLAlchemy Core sees them. ``migrations/`` creates them.

Core and not the ORM: a move is two reads and two writes, and the ORM's unit of work costs several times that
(see benchmarks/).
"""

from bot.store.models.columns import UtcDateTime, metadata
from bot.store.models.dailies import dailies, daily_events, daily_plays
from bot.store.models.play import IS_OPEN, NAMES_PEOPLE, events, games, reminders, seats
from bot.store.models.processes import chores, interactions
from bot.store.models.results import REVIEW_OWED, card_standings, finished_games, records, results, seasons, standings
from bot.store.models.settings import guild_settings, guilds_left, player_settings

__all__ = [
    "IS_OPEN",
    "NAMES_PEOPLE",
    "REVIEW_OWED",
    "UtcDateTime",
    "card_standings",
    "chores",
    "dailies",
    "daily_events",
    "daily_plays",
    "events",
    "finished_games",
    "games",
    "guild_settings",
    "guilds_left",
    "interactions",
    "metadata",
    "player_settings",
    "records",
    "reminders",
    "results",
    "seasons",
    "seats",
    "standings",
]
