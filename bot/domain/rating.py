"""The rating of people: openskill's Bradley-Terry model with full pairing, updated once per finished game.

openskill's default model, Plackett-Luce, is not used: if two players share the win, it can rate the third above them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

FORMULA = 3
"""The version of R9.6 and of the model. Raise it with every change, so that ``highscore-bot rebuild`` rates all games
again."""
MIN_PEOPLE = 2
"""A game is rated only if at least this many people for whom it counts have begun it (R9.6)."""
OWN_TURNS = 4
"""A person with at least this many own turns, of seven, is ranked as in the standings (R9.6)."""
GAMES_A_DAY = 10
"""For each person, the first games of a server's day count, at most this many (R9.6)."""
UNRATED_DAYS = 30
"""After a person's data was deleted, no game on that server counts for them for this many days (R9.6)."""
RANKED_OPPONENTS = 3
"""Ranking by rating requires rated games with this many other people, or with all if fewer play on the server
(R9.6)."""
_CAREFUL = 3.0
"""The shown rating is this many standard deviations below the estimate. So nobody leads after one lucky game."""
_START, _SCALE = 1000, 40
"""The shown rating of a beginner, and how many shown points are one point of the model."""

_MODEL = BradleyTerryFull(mu=25.0, sigma=25.0 / 3, beta=25.0 / 6, kappa=0.0001, tau=25.0 / 300)


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength (``mu``), and its standard deviation (``sigma``)."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def careful(self) -> float:
        """The value by which players are ranked, in points of the model; 0 for a beginner."""
        return self.mu - _CAREFUL * self.sigma


BEGINNER = Rating()


def rate_game(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """Return the ratings after a game, given the ratings before it and the places. With fewer than two people, they do
    not change.

    >>> [shown_rating(after.careful) for after in rate_game([BEGINNER] * 3, places=[1, 2, 2])]
    [1276, 960, 960]
    """
    if len(before) < MIN_PEOPLE:
        return tuple(before)
    teams = [[_MODEL.create_rating([one.mu, one.sigma])] for one in before]
    return tuple(
        Rating(float(team[0].mu), float(team[0].sigma)) for team in _MODEL.rate(teams, ranks=[float(p) for p in places])
    )


def shown_rating(careful: float) -> int:
    return round(_START + _SCALE * careful)
