"""Hints: the best choice now, its value, and the loss of the other choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from highscore.cards import Card
from highscore.errors import IllegalChoice
from highscore.events import CardRevealed, StartPlayerDrawn
from highscore.game import Game, replay_events
from highscore.odds.chips import compute_chip_chances, make_chip_utility
from highscore.odds.lattice import Floats
from highscore.odds.policy import RankedChoice, solve_card
from highscore.odds.reason import Reason, find_reason
from highscore.odds.results import LIMIT
from highscore.odds.utility import POINTS, Utility
from highscore.track import Chip
from highscore.turn import begin_turn, make_choice
from highscore.turn_order import TurnOrder

TYPICAL_PLAYERS = 4
"""Players of the round that a card's chances of chips are given for, where it is no table's."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a player may expect of the turn: the chance of each chip (0 to 1) and the mean result of the dice."""

    chips: Mapping[Chip, float]
    result: float
    positive: float
    """The chance of a result of 1 or more, which puts the piece on the track (R5.1)."""

    @property
    def points(self) -> float:
        """Expected chip points of the round, 0 to 3."""
        return sum(chip.points * chance for chip, chance in self.chips.items())

    @property
    def nothing(self) -> float:
        """The chance of no chip."""
        return max(0.0, 1.0 - sum(self.chips.values()))


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for the player who has to choose now. Values are in the unit of the utility it was asked for."""

    seat: int
    utility: Utility
    ranked: tuple[RankedChoice, ...]
    """Every different choice, best first."""
    prospect: Prospect
    """After the best choice and best play from there on."""
    stop: RankedChoice
    """Ending the turn with the dice as they lie, which every roll type allows after every roll."""
    stop_prospect: Prospect
    """What ending the turn now gives."""
    reason: Reason
    """Why the one is better than the other."""

    @property
    def best(self) -> RankedChoice:
        """The best choice; among equal ones the one that keeps most dice."""
        return self.ranked[0]


def find_hint(game: Game, seat: int, utility: Utility | None = None) -> Hint:
    """Advice for a seat that has to choose now, knowing only what it may see.

    ``utility`` is the goal: None for expected chip points given the track and who plays after (what the shark plays
    for), or for example ``POINTS`` or ``aim_at_least(20)``. Raises IllegalChoice when the game does not wait for a
    choice of this seat during a turn.
    """
    turn = game.find_run(seat).turn
    if turn is None or seat not in game.may_act:
        raise IllegalChoice("There is nothing to decide now.")
    chances = compute_chip_chances(game, seat)
    goal = make_chip_utility(game, seat) if utility is None else utility
    policy = solve_card(turn.card, goal)
    ranked = policy.rank_choices(turn)
    stop = next(option for option in ranked if option.ends_turn)
    going_on = next(option for option in ranked if not option.ends_turn)
    outcome = policy.compute_outcome(make_choice(turn, going_on.choice))
    stopped = make_prospect(chances, policy.compute_outcome(make_choice(turn, stop.choice)))
    return Hint(
        seat,
        goal,
        ranked,
        stopped if ranked[0].ends_turn else make_prospect(chances, outcome),
        stop,
        stopped,
        find_reason(turn.card, turn.score.total, going_on, outcome),
    )


def make_prospect(chances: Floats, outcome: Floats) -> Prospect:
    """What results with these chances (``Policy.compute_outcome``) mean on the track (``compute_chip_chances``)."""
    chips = dict(zip(Chip, map(float, outcome @ chances), strict=True))
    return Prospect(chips, float(outcome @ POINTS.values), float(outcome[LIMIT + 1 :].sum()))


@lru_cache(maxsize=256)
def compute_typical_chances(
    card: Card, players: int = TYPICAL_PLAYERS, turn_order: TurnOrder = TurnOrder.CLOCKWISE
) -> Prospect:
    """The chances of chips of whoever begins a round on a card, everybody playing for chips at their best."""
    game: Game = replay_events(players, turn_order, [StartPlayerDrawn(0), CardRevealed(card)])
    policy = solve_card(card, make_chip_utility(game, 0))
    return make_prospect(compute_chip_chances(game, 0), policy.compute_outcome(begin_turn(card)))
