"""House players (rules R9.2): the solver, playing for one of three goals.

House players see only the state of the game. It contains no seed, no later card and no future roll.
"""

from __future__ import annotations

from enum import Enum
from math import floor

from highscore.errors import NotYourTurn
from highscore.events import Decision, TakeDice
from highscore.game import Game
from highscore.odds.chips import make_chip_utility
from highscore.odds.policy import POINTS, Utility, cap_at, solve_card


class Temperament(Enum):
    """The goal of a house player. The values are stable: custom_ids and the database contain them."""

    CAUTIOUS = "cautious"
    """The highest expected result, if a result above the card's average counts only as the average, rounded down."""
    STEADY = "steady"
    """The highest expected result, regardless of the other players."""
    SHARK = "shark"
    """The most expected chip points, given the track and the players still to play."""

    @property
    def person(self) -> str:
        """The house player's name; the same in every language."""
        return {Temperament.CAUTIOUS: "Pebble", Temperament.STEADY: "Abacus", Temperament.SHARK: "Undertow"}[self]


def choose_goal(game: Game, seat: int, temperament: Temperament) -> Utility:
    """Return the utility that a house player in this seat maximises.

    Raises IllegalChoice if no card is face up for the seat, unless the seat plays alone.
    """
    card = game.find_run(seat).card
    if temperament is Temperament.SHARK or card is None:
        return make_chip_utility(game, seat)
    return POINTS if temperament is Temperament.STEADY else cap_at(floor(solve_card(card, POINTS).start))


def choose_decision(game: Game, seat: int, temperament: Temperament) -> Decision:
    """Choose a house player's decision. The same state always gives the same decision.

    Raises NotYourTurn if the seat may not act now.
    """
    if seat not in game.may_act:
        raise NotYourTurn("This seat has nothing to decide now.")
    turn = game.find_run(seat).turn
    if turn is None:
        return TakeDice()
    return solve_card(turn.card, choose_goal(game, seat, temperament)).find_best(turn).choice
