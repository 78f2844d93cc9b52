"""The rating of people: openskill's Bradley-Terry model with full pairing, one update a finished game.

Equal places are rated equally; openskill's default model, Plackett-Luce, puts third place above tied winners.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

FORMULA = 3
"""The version of R9.6 and of the model. Raise it with every change: ``highscore-bot rebuild`` then rates all games."""
MIN_PEOPLE = 2
"""The number of people who have to begin a rated game, and for whom it has to count. House players have no rating."""
OWN_TURNS = 4
"""The number of own turns, of seven, from which a person is ranked as in the standings, and their win counts (R9.6)."""
GAMES_A_DAY = 10
"""The number of games, the first to start, that count for one person on one day of a server (R9.6)."""
UNRATED_DAYS = 30
"""The number of days after a deletion of data in which no game on that server counts for the person (R9.6)."""
RANKED_OPPONENTS = 3
"""The number of opponents in rated games that a rank by rating requires, unless fewer people play (R9.6)."""
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
    """Return the ratings after a game, by the ratings before it and the final places. One person alone keeps theirs.

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
