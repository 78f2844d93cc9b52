"""Lists of finished games and a person's statistics, as values that services pass to ``bot.ui``."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.badges import Badge
from bot.domain.ledger import CardStanding, PlayerStanding, Result
from highscore.game import Game

GAMES_PER_PAGE = 8
RECENT_RESULTS = 50
"""The picture of the rating over time shows at most this many of a person's newest games."""


@dataclass(frozen=True, slots=True)
class Player:
    result: Result
    name: str
    """The name at the time of the game."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    game_id: str
    finished_at: datetime
    players: tuple[Player, ...]
    """Sorted by place."""


@dataclass(frozen=True, slots=True)
class History:
    """A page of finished games, the newest first."""

    user_id: int | None
    """The user whose games are listed; None for all games of the server."""
    games: tuple[FinishedGame, ...]
    has_newer: bool
    has_older: bool


@dataclass(frozen=True, slots=True)
class DaysPlayed:
    """The daily challenges that one person has finished in time on a server."""

    name: str
    number: int
    longest: int
    """The longest streak, in days."""


@dataclass(frozen=True, slots=True)
class Statistics:
    standing: PlayerStanding | None
    """The standing of all time. None for a person who has begun no turn of a finished game themselves."""
    cards: Sequence[CardStanding]
    recent: Sequence[Result]
    """The person's newest results, oldest first."""
    badges: Sequence[Badge] = ()
    """The rarest first."""
    days: DaysPlayed | None = None
    game: Game | None = None
    """The person's newest game. Its results are drawn in place of the rating graph if fewer than two of the recent
    games are rated. Otherwise None.
    """
    cups: Sequence[str] = ()
    """The names of the cups that the person has won, newest first."""
