"""How strong somebody is: openskill's Bradley-Terry model with full pairing, one update a finished game.

Its default model, Plackett-Luce, puts third place above tied winners; this one rates equal places equally.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

FORMULA = 2
"""Stored with every game. Raise it with every change of the model or its numbers; ``highscore-bot rebuild`` then rates
all games anew."""
MIN_PEOPLE = 2
"""People with a turn of their own a game needs to be rated. House players do not count: they have no rating."""
OWN_TURNS = 4
"""Turns of their own, of seven, somebody needs to gain by a game (R9.6); one person at least, for it to be rated."""
GAMES_A_DAY = 10
"""Games that count for one person on one day of a server: those that begin first (R9.6)."""
GAMES_OF_A_PAIR = 5
"""Those of them with one and the same single opponent."""
RANKED_OPPONENTS = 3
"""People somebody needs to have had rated games with to be ranked by rating, or all who have any (R9.6)."""
_CAREFUL = 3.0
"""How many standard deviations the shown rating lies below the estimate: nobody leads after one lucky game."""
_START, _SCALE = 1000, 40
"""What a beginner is shown, and shown points for each of the model's."""

_MODEL = BradleyTerryFull(mu=25.0, sigma=25.0 / 3, beta=25.0 / 6, kappa=0.0001, tau=25.0 / 300)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of somebody's strength: the estimate and how uncertain it is."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def careful(self) -> float:
        """What players are ranked by, in the model's points; 0 for a beginner."""
        return self.mu - _CAREFUL * self.sigma


BEGINNER = Rating()


def rate_game(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """The ratings after a game from those before it and the final places; equal places are ties."""
    teams = [[_MODEL.create_rating([one.mu, one.sigma])] for one in before]
    return tuple(
        Rating(float(team[0].mu), float(team[0].sigma)) for team in _MODEL.rate(teams, ranks=[float(p) for p in places])
    )


def is_rated(own_turns: Sequence[int]) -> bool:
    """Whether a game is rated, by how many turns of their own each of its people made (R9.6)."""
    return sum(own > 0 for own in own_turns) >= MIN_PEOPLE and max(own_turns) >= OWN_TURNS


def shown_rating(careful: float) -> int:
    return round(_START + _SCALE * careful)
