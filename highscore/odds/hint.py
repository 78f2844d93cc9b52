"""Hints: the best choice, what the other choices lose, and the figures that explain it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from highscore.cards import Card
from highscore.dice import DICE, FACES, Face
from highscore.errors import IllegalChoice
from highscore.events import CardRevealed, StartPlayerDrawn
from highscore.game import Game, replay_events
from highscore.odds.chips import compute_chip_chances, make_chip_utility
from highscore.odds.lattice import Floats, build_lattice
from highscore.odds.policy import POINTS, RankedChoice, Utility, solve_card
from highscore.odds.results import LIMIT, list_results
from highscore.track import Chip
from highscore.turn import begin_turn, make_choice
from highscore.turn_order import TurnOrder

MOST_AIMED_FOR = 3
"""A hint names at most this many dice of one face to hope for."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Dice of one face that a player hopes for in the next roll."""

    face: Face
    dice: int
    """The number of dice of that face."""
    points: int
    """The points that these dice add to those of the kept dice."""
    chance: float
    """The chance (0 to 1) that the next roll has at least that many dice of the face."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Figures for and against going on: what happens after the best choice that does not end the turn, under best
    play."""

    now: int
    """The result if the turn ends now."""
    above: float
    """The chance (0 to 1) of a final result above ``now``."""
    below: float
    """The chance (0 to 1) of a final result below ``now``."""
    aim: Aim | None
    """The most useful dice to hope for; None if no dice are kept or rolled, or if no face adds points."""


def find_reason(card: Card, now: int, going_on: RankedChoice, outcome: Floats) -> Reason:
    """Return the figures for ``going_on``, a choice that does not end the turn.

    ``now`` is the result if the turn ends now. ``outcome`` is the chance of each of RESULTS after ``going_on``.
    """
    above, below = float(outcome[LIMIT + now + 1 :].sum()), float(outcome[: LIMIT + now].sum())
    return Reason(now, above, below, _find_aim(card, going_on.kept))


def _find_aim(card: Card, kept: tuple[Face, ...]) -> Aim | None:
    """Return the dice of one face whose points times their chance are highest, or None if none add points."""
    rolled = DICE - len(kept)
    if not kept or not rolled:
        return None
    on = build_lattice()
    start = on.numbers[tuple(map(kept.count, FACES))]
    without = _find_worth(card, start, len(kept))
    best: Aim | None = None
    for face in FACES:
        number = start
        for dice in range(1, min(rolled, MOST_AIMED_FOR) + 1):
            number = int(on.add[FACES.index(face), number])
            aim = Aim(face, dice, _find_worth(card, number, len(kept) + dice) - without, _compute_chance(rolled, dice))
            if aim.points > 0 and (best is None or aim.points * aim.chance > best.points * best.chance):
                best = aim
    return best


def _find_worth(card: Card, number: int, dice: int) -> int:
    return int(list_results(card, dice)[number - build_lattice().first[dice]])


def _compute_chance(rolled: int, dice: int) -> float:
    """Return the chance that at least ``dice`` of the ``rolled`` dice show a certain face."""
    faces = len(FACES)
    fewer = sum(comb(rolled, number) * (faces - 1) ** (rolled - number) for number in range(dice))
    return float(1 - fewer / faces**rolled)


TYPICAL_PLAYERS = 4
"""Outside of a game, the chances of chips on a card are given for this number of players."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What to expect of a turn: the chance of each chip (0 to 1) and the average result."""

    chips: Mapping[Chip, float]
    result: float

    @property
    def points(self) -> float:
        """The expected chip points of the round, 0 to 3."""
        return sum(chip.points * chance for chip, chance in self.chips.items())


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for the player who has to choose now. Values are in the unit of the utility."""

    seat: int
    utility: Utility
    ranked: tuple[RankedChoice, ...]
    """Every different choice, best first."""
    prospect: Prospect
    """The prospect of the best choice, followed by best play."""
    stop: RankedChoice
    """The choice that ends the turn. Every roll type allows it after every roll."""
    stop_prospect: Prospect
    """The prospect of ending the turn."""
    reason: Reason

    @property
    def best(self) -> RankedChoice:
        """The best choice; of equal ones, the one that keeps most dice."""
        return self.ranked[0]


def find_hint(game: Game, seat: int, utility: Utility | None = None) -> Hint:
    """Find the best choice for a seat that has to choose now, using only what the seat may see.

    ``utility`` is the goal, for example ``POINTS`` or ``aim_at_least(20)``. None stands for expected chip points, given
    the track and the players to come. Raises IllegalChoice if no choice of this seat is due.
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
    """Return the prospect of a turn. ``outcome`` is the chance of each of RESULTS, ``chances`` the chance of each chip
    (column) for each of RESULTS (row)."""
    chips = dict(zip(Chip, map(float, outcome @ chances), strict=True))
    return Prospect(chips, float(outcome @ POINTS.values))


@lru_cache(maxsize=256)
def compute_typical_chances(
    card: Card, players: int = TYPICAL_PLAYERS, turn_order: TurnOrder = TurnOrder.CLOCKWISE
) -> Prospect:
    """Compute the prospect of the player who begins a round on a card, if everybody plays best for chips.

    >>> from highscore.deck import STANDARD_DECK
    >>> found = compute_typical_chances(STANDARD_DECK.find_card("odd-five"), players=2)
    >>> {chip.name: round(chance, 2) for chip, chance in found.chips.items()}
    {'GOLD': 0.47, 'SILVER': 0.0, 'BRONZE': 0.53}
    """
    game: Game = replay_events(players, turn_order, [StartPlayerDrawn(0), CardRevealed(card)])
    policy = solve_card(card, make_chip_utility(game, 0))
    return make_prospect(compute_chip_chances(game, 0), policy.compute_outcome(begin_turn(card)))
