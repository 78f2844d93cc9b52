"""House players (rules R9.2): the solver, playing for one of three goals.

They decide from the state of the game alone, which holds what everybody at the table sees: no seed, no later card and
no future roll.
"""

from __future__ import annotations

from enum import Enum
from math import floor

from highscore.cards import Card
from highscore.errors import NotYourTurn
from highscore.game import Decision, Game, TakeDice
from highscore.odds.chips import chip_utility
from highscore.odds.policy import solve
from highscore.odds.utility import POINTS, Utility, up_to


class Temperament(Enum):
    """What a house player plays for. The value is a stable id for custom ids and the database."""

    CAUTIOUS = "cautious"
    """Plays for the card's average: each point below it counts the same, points above it count nothing."""
    STEADY = "steady"
    """Plays for the highest expected result, whatever the others have."""
    SHARK = "shark"
    """Plays for the most expected chip points, given the track and who plays after."""

    @property
    def person(self) -> str:
        """The house player's name; the same in every language."""
        return {Temperament.CAUTIOUS: "Pebble", Temperament.STEADY: "Abacus", Temperament.SHARK: "Undertow"}[self]

    @property
    def line(self) -> str:
        """One English line of character, for the user interface to translate."""
        return {
            Temperament.CAUTIOUS: "Takes what is good enough and sleeps well.",
            Temperament.STEADY: "Counts, rolls, and counts again.",
            Temperament.SHARK: "Does not want many points, only more than you.",
        }[self]


def goal(game: Game, temperament: Temperament) -> Utility:
    """What a result is worth to the house player whose turn it is.

    Raises IllegalChoice when no round is being played.
    """
    if temperament is Temperament.SHARK or game.card is None:
        return chip_utility(game)
    return POINTS if temperament is Temperament.STEADY else modest(game.card)


def modest(card: Card) -> Utility:
    """The cautious player's goal: the result, up to the card's average under best play, rounded down."""
    return up_to(floor(solve(card, POINTS).start))


def decide(game: Game, temperament: Temperament) -> Decision:
    """What a house player decides in this state: to take the dice, or a choice during a turn.

    The same state always gives the same decision. Raises NotYourTurn when the game does not wait for a player.
    """
    if not game.may_act:
        raise NotYourTurn("Nobody has to decide anything now.")
    if game.turn is None:
        return TakeDice()
    return solve(game.turn.card, goal(game, temperament)).best(game.turn).choice
