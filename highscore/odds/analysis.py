"""Luck and skill in a finished game.

The *luck* of a roll is the value of the turn after it minus the value before it; on average it is zero. The *loss* of a
decision is the value of the best choice minus that of the choice made. So, exactly:

    final - start = sum of luck - sum of losses

>>> from highscore import STANDARD_DECK, Dice
>>> from highscore.odds import POINTS
>>> card = STANDARD_DECK.find_card("odd-five")
>>> review = review_turn(solve_card(card, POINTS), [Dice.parse("5 5 3 1 2 2 4").faces, Stop()])
>>> [round(each, 2) for each in (review.start, review.luck, review.loss, review.final)]
[20.85, -0.92, 5.94, 14.0]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import fsum

from highscore.cards import Card
from highscore.default_choice import find_default_choice
from highscore.dice import Face
from highscore.events import Decided, Event, Rolled, TakeDice
from highscore.game import Game, apply_event
from highscore.odds.chips import make_chip_utility
from highscore.odds.policy import Policy, RankedChoice, Utility, solve_card
from highscore.replaying import sort_into_rounds
from highscore.turn import Choice, Roll, SetAside, Stop, Turn, begin_turn, make_choice, roll_dice
from highscore.turn_order import TurnOrder


@dataclass(frozen=True, slots=True)
class DecisionReview:
    """One decision of a turn and its loss."""

    round: int
    """1 to 7."""
    seat: int
    turn: Turn
    """The position in which the decision was made."""
    choice: Choice
    value: float
    """The value of the choice made."""
    best: RankedChoice
    """The best choice. If the loss is zero, ``choice`` is this one or an equally good one."""
    loss: float
    """0 or more, in the unit of the utility."""
    margin: float
    """For a decision without loss: how much the default choice would have lost. Otherwise 0."""
    by_house: bool
    """True if the house decided for a person (R9.3)."""


@dataclass(frozen=True, slots=True)
class RollReview:
    """One roll of a turn and its luck."""

    round: int
    """1 to 7."""
    seat: int
    faces: tuple[Face, ...]
    """The faces of the dice that were rolled, without the dice that stayed."""
    luck: float
    by_house: bool
    """True if the roll follows from a decision of the house for a person (R9.3)."""


@dataclass(frozen=True, slots=True)
class TurnReview:
    round: int
    seat: int
    card: Card
    result: int
    start: float
    """The value of the turn before its first roll."""
    final: float
    rolls: tuple[RollReview, ...]
    decisions: tuple[DecisionReview, ...]

    @property
    def luck(self) -> float:
        """The sum of the luck of all rolls."""
        return fsum(roll.luck for roll in self.rolls)

    @property
    def own_luck(self) -> float:
        """The luck of the rolls that the player caused, including the first one by taking the dice.

        Rolls caused by a decision of the house are left out (R9.6).
        """
        return fsum(roll.luck for roll in self.rolls if not roll.by_house)

    @property
    def loss(self) -> float:
        return fsum(review.loss for review in self.decisions)


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's game. The decisions of the house for this player (R9.3) are counted only in ``luck``."""

    seat: int
    luck: float
    """The luck of all rolls of the seat, including those after decisions of the house."""
    own_luck: float
    """The luck of the rolls that the player caused, including first rolls by taking the dice."""
    decisions: int
    """The number of the player's own decisions."""
    best_decisions: int
    """The number of the player's own decisions without loss."""
    loss: float

    @property
    def per_decision(self) -> float | None:
        """The loss per own decision; None if there was no own decision."""
        return self.loss / self.decisions if self.decisions else None


@dataclass(frozen=True, slots=True)
class Report:
    turns: tuple[TurnReview, ...]
    """All finished turns in the order of play."""
    players: tuple[PlayerReview, ...]
    """By seat."""
    luckiest: RollReview | None
    """The roll with the most luck. None if no roll had positive luck. Rolls after decisions of the house are left
    out."""
    best: DecisionReview | None
    """The decision with the largest margin. None if no decision has one; decisions of the house are left out."""
    costliest: DecisionReview | None
    """The decision with the largest loss. None if nobody lost anything; decisions of the house are left out."""

    def find_costliest(self, seat: int, most: int) -> tuple[DecisionReview, ...]:
        """Return up to ``most`` of the player's own decisions with a loss, the costliest first."""
        made = [made for turn in self.turns if turn.seat == seat for made in turn.decisions]
        lost = [made for made in made if made.loss > NOTHING_LOST and not made.by_house]
        return tuple(sorted(lost, key=lambda made: -made.loss)[:most])

    def compute_kept(self, seat: int) -> float:
        """Return how much of its expected points a seat did not lose by its decisions, as a share from 0 to 1.

        The expected points are the sum of the values of its turns before their first rolls. Decisions of the house are
        included. 0 if the expected points are not positive, for example if the seat has finished no turn.
        """
        own = [turn for turn in self.turns if turn.seat == seat]
        expected = fsum(turn.start for turn in own)
        return max(0.0, 1 - fsum(turn.loss for turn in own) / expected) if expected > 0 else 0.0


NOTHING_LOST = 1e-9
"""Losses and margins up to this count as zero: they are rounding errors of floating point numbers."""


def analyse_game(
    players: int, turn_order: TurnOrder, events: Iterable[Event], utility: Utility | None = None
) -> Report:
    """Analyse the finished turns of a game. ``events`` are its log, or the first part of it.

    ``utility`` is the goal by which turns are judged. None stands for expected chip points (``make_chip_utility``).
    These depend on the track at the start of the turn. They assume that the later players play best, however they
    really played. The analysis takes up to half a second for five players. Raises IllegalChoice or BadEvent for events
    that cannot have happened.
    """
    turns = tuple(_review_turns(players, turn_order, events, utility))
    decisions = [decision for turn in turns for decision in turn.decisions if not decision.by_house]
    rolls = (roll for turn in turns for roll in turn.rolls if not roll.by_house and roll.luck > NOTHING_LOST)
    luckiest = max(rolls, key=lambda roll: roll.luck, default=None)
    best = max((made for made in decisions if made.margin > NOTHING_LOST), key=lambda made: made.margin, default=None)
    costly = max((made for made in decisions if made.loss > NOTHING_LOST), key=lambda made: made.loss, default=None)
    reviews = tuple(_review_player(seat, turns) for seat in range(players))
    return Report(turns, reviews, luckiest, best, costly)


def review_turn(policy: Policy, steps: Iterable[tuple[Face, ...] | Choice]) -> TurnReview:
    """Review one finished turn. ``steps`` are its rolls (faces) and choices, in order; ``policy`` is the best play.

    In the returned review the seat is always 0 and the round 1. Raises IllegalChoice or BadEvent for steps that cannot
    have happened, and ValueError if the steps do not end the turn.
    """
    return _review_steps(policy, ((step, False) for step in steps), 1, 0)


def _review_turns(
    players: int, turn_order: TurnOrder, events: Iterable[Event], utility: Utility | None
) -> Iterator[TurnReview]:
    game = Game(players, turn_order)
    begun: dict[int, tuple[Game, list[tuple[tuple[Face, ...] | Choice, bool]]]] = {}
    # Each roll directly follows the decision to roll. So the last decision has caused the roll.
    rolls_for_house = False
    for event in sort_into_rounds(players, turn_order, events):
        before, game = game, apply_event(game, event)
        match event:
            case Decided(seat, TakeDice(), by_house):
                begun[seat], rolls_for_house = (before, []), by_house
            case Decided(seat, (Stop() | Roll() | SetAside()) as choice, by_house):
                begun[seat][1].append((choice, by_house))
                rolls_for_house = by_house
            case Rolled(faces):
                assert before.hand_to_roll is not None
                seat = before.hand_to_roll.seat
                begun[seat][1].append((faces, rolls_for_house))
            case _:
                continue
        if game.count_finished(seat) > before.count_finished(seat):
            start, steps = begun.pop(seat)
            run = start.find_run(seat)
            assert run.card is not None
            goal = make_chip_utility(start, seat) if utility is None else utility
            yield _review_steps(solve_card(run.card, goal), steps, run.round, seat)


def _review_steps(
    policy: Policy, steps: Iterable[tuple[tuple[Face, ...] | Choice, bool]], round_number: int, seat: int
) -> TurnReview:
    turn = begin_turn(policy.card, policy.dice)
    start = value = policy.evaluate(turn)
    rolls: list[RollReview] = []
    decisions: list[DecisionReview] = []
    for step, by_house in steps:
        if isinstance(step, tuple):
            turn = roll_dice(turn, step)
            before, value = value, policy.evaluate(turn)
            rolls.append(RollReview(round_number, seat, step, value - before, by_house))
        else:
            ranked = policy.rank_choices(turn) if not turn.over and not turn.to_roll else ()
            after = make_choice(turn, step)
            value = policy.evaluate(after)
            loss = max(0.0, ranked[0].value - value)
            margin = 0.0
            if loss <= NOTHING_LOST:
                default = make_choice(turn, find_default_choice(turn).choice)
                margin = max(0.0, value - policy.evaluate(default))
            decisions.append(DecisionReview(round_number, seat, turn, step, value, ranked[0], loss, margin, by_house))
            turn = after
    if not turn.over:
        raise ValueError(f"the turn is not over: {turn}")
    return TurnReview(round_number, seat, policy.card, turn.score.total, start, value, tuple(rolls), tuple(decisions))


def _review_player(seat: int, turns: tuple[TurnReview, ...]) -> PlayerReview:
    own = [turn for turn in turns if turn.seat == seat]
    made = [decision for turn in own for decision in turn.decisions if not decision.by_house]
    return PlayerReview(
        seat,
        fsum(turn.luck for turn in own),
        fsum(turn.own_luck for turn in own),
        len(made),
        sum(decision.loss <= NOTHING_LOST for decision in made),
        fsum(decision.loss for decision in made),
    )
