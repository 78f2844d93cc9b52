"""The rating of people: openskill's Bradley-Terry model with full pairing, one update a finished game.

Equal places are rated equally; openskill's default model, Plackett-Luce, puts third place above tied winners.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

FORMULA = 2
"""The version of the model and its numbers. Raise it with every change: ``highscore-bot rebuild`` then rates anew."""
MIN_PEOPLE = 2
"""The people with a turn of their own that a rated game needs. House players have no rating."""
OWN_TURNS = 4
"""The turns of one's own, of seven, it takes to gain by a game (R9.6). A rated game needs one person with as many."""
GAMES_A_DAY = 10
"""The games, the first to begin, that count for one person on one day of a server (R9.6)."""
GAMES_OF_A_PAIR = 5
"""The games of a day that count with one and the same single opponent."""
RANKED_OPPONENTS = 3
"""The opponents in rated games it takes to be ranked by rating, or all people with rated games (R9.6)."""
_CAREFUL = 3.0
"""The standard deviations by which the shown rating lies below the estimate: nobody leads after one lucky game."""
_START, _SCALE = 1000, 40
"""The shown rating of a beginner, and the shown points for each point of the model."""

_MODEL = BradleyTerryFull(mu=25.0, sigma=25.0 / 3, beta=25.0 / 6, kappa=0.0001, tau=25.0 / 300)


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of somebody's strength, and its uncertainty."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def careful(self) -> float:
        """The points of the model by which players are ranked; 0 for a beginner."""
        return self.mu - _CAREFUL * self.sigma


BEGINNER = Rating()


def rate_game(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """Return the ratings after a game, by the ratings before it and the final places.

    >>> [shown_rating(after.careful) for after in rate_game([BEGINNER] * 3, places=[1, 2, 2])]
    [1276, 960, 960]
    """
    teams = [[_MODEL.create_rating([one.mu, one.sigma])] for one in before]
    return tuple(
        Rating(float(team[0].mu), float(team[0].sigma)) for team in _MODEL.rate(teams, ranks=[float(p) for p in places])
    )


def is_rated(own_turns: Sequence[int]) -> bool:
    """Return whether a game is rated, by the number of own turns of each of its people (R9.6).

    >>> is_rated([4, 1]), is_rated([3, 3, 3]), is_rated([7])
    (True, False, False)
    """
    return sum(own > 0 for own in own_turns) >= MIN_PEOPLE and max(own_turns) >= OWN_TURNS


def shown_rating(careful: float) -> int:
    return round(_START + _SCALE * careful)
