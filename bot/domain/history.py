"""Finished games as they are listed, and what one person has done: what the services hand to the pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.badges import Badge
from bot.domain.ledger import CardStanding, PlayerStanding, Result

GAMES_A_LEAF = 8
RECENT_RESULTS = 50
"""Games of a person that are looked at for the rating over time."""


@dataclass(frozen=True, slots=True)
class Player:
    """A seat of a finished game."""

    result: Result
    name: str
    """As it was when they played."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A line of the history."""

    game_id: str
    finished_at: datetime
    players: tuple[Player, ...]
    """The best first."""


@dataclass(frozen=True, slots=True)
class History:
    """A leaf of finished games, the newest first."""

    user_id: int | None
    """Whose games these are; None for all of the server."""
    games: tuple[FinishedGame, ...]
    newer: bool
    """Whether there is a leaf before this one."""
    older: bool


@dataclass(frozen=True, slots=True)
class DaysPlayed:
    """The daily challenges that one person has finished in time on a server."""

    name: str
    number: int
    longest: int
    """The longest streak."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What one person has done on a server."""

    standing: PlayerStanding | None
    """Of all time; None for whoever has finished daily challenges alone."""
    cards: Sequence[CardStanding]
    recent: Sequence[Result]
    """Their newest results, the oldest of them first."""
    badges: Sequence[Badge] = ()
    """In the order in which they were earned, those of the daily challenge last."""
    days: DaysPlayed | None = None
