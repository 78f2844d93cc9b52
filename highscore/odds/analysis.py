"""The luck and the skill in a finished game.

The value of a turn changes with each roll by its *luck* (value after minus value before, zero on average), and with
each decision by its *loss* (the best choice's value minus that of the choice made). So, exactly:

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
    """The position of the decision."""
    choice: Choice
    value: float
    best: RankedChoice
    """The best choice, equal to ``choice`` or as good if the loss is zero."""
    loss: float
    """0 or more, in the unit of the goal."""
    margin: float
    """For a best choice the loss of the best choice that keeps other faces; else 0."""
    by_house: bool
    """True if the house decided for the player (R9.3)."""


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One finished turn, step by step."""

    round: int
    seat: int
    card: Card
    result: int
    start: float
    """The value of the turn before its first roll."""
    final: float
    luck: float
    """The value that the dice added, roll by roll, to the expected one."""
    own_luck: float
    """The part of ``luck`` of the rolls that the player decided on, and not the house (R9.6)."""
    decisions: tuple[DecisionReview, ...]

    @property
    def loss(self) -> float:
        return fsum(review.loss for review in self.decisions)


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's game. Decisions that the house made for the player (R9.3) are not counted."""

    seat: int
    luck: float
    """The luck of all turns of the seat, also of rolls that the house decided on."""
    own_luck: float
    decisions: int
    """The number of the player's own decisions."""
    best_decisions: int
    """The number of those that cost nothing."""
    loss: float

    @property
    def per_decision(self) -> float | None:
        """The points lost per decision; None without a decision."""
        return self.loss / self.decisions if self.decisions else None


@dataclass(frozen=True, slots=True)
class Report:
    """The analysis of a game."""

    turns: tuple[TurnReview, ...]
    """All finished turns in the order of play."""
    players: tuple[PlayerReview, ...]
    """By seat."""
    best: DecisionReview | None
    """The best decision of a player: the one with the largest margin among those that cost nothing."""
    costliest: DecisionReview | None
    """The decision of a player with the largest loss; None if nobody lost anything."""

    def find_costliest(self, seat: int, most: int) -> tuple[DecisionReview, ...]:
        """Return the decisions that cost a player something, at most ``most``, the costliest first."""
        made = [made for turn in self.turns if turn.seat == seat for made in turn.decisions]
        lost = [made for made in made if made.loss > NOTHING_LOST and not made.by_house]
        return tuple(sorted(lost, key=lambda made: -made.loss)[:most])

    def compute_kept(self, seat: int) -> float:
        """Return the share, 0 to 1, of the values of a seat's turns at their start that its decisions have left."""
        own = [turn for turn in self.turns if turn.seat == seat]
        expected = fsum(turn.start for turn in own)
        return max(0.0, 1 - fsum(turn.loss for turn in own) / expected) if expected > 0 else 0.0


NOTHING_LOST = 1e-9
"""The loss or margin up to which there is none: a rounding error of floating point numbers."""


def analyse_game(
    players: int, turn_order: TurnOrder, events: Iterable[Event], utility: Utility | None = None
) -> Report:
    """Analyse the finished turns of a game from its events, all of them or the first ones.

    ``utility`` is the goal that turns are judged by: None for expected chip points (``make_chip_utility``), given the
    track at the turn's start and the best replies of the players to come, not their real play. Takes up to half a
    second for five players. Raises IllegalChoice or BadEvent for events that cannot have happened.
    """
    turns = tuple(_review_turns(players, turn_order, events, utility))
    decisions = [decision for turn in turns for decision in turn.decisions if not decision.by_house]
    best = max((made for made in decisions if made.margin > NOTHING_LOST), key=lambda made: made.margin, default=None)
    costly = max((made for made in decisions if made.loss > NOTHING_LOST), key=lambda made: made.loss, default=None)
    reviews = tuple(_review_player(seat, turns) for seat in range(players))
    return Report(turns, reviews, best, costly)


def review_turn(policy: Policy, steps: Iterable[tuple[Face, ...] | Choice]) -> TurnReview:
    """Review one finished turn, of seat 0 in round 1, from its rolls (faces) and choices, in order, by ``policy``.

    Raises IllegalChoice or BadEvent for steps that cannot have happened, ValueError if the steps do not end the turn.
    """
    return _review_steps(policy, ((step, False) for step in steps), 1, 0)


def _review_turns(
    players: int, turn_order: TurnOrder, events: Iterable[Event], utility: Utility | None
) -> Iterator[TurnReview]:
    game = Game(players, turn_order)
    begun: dict[int, tuple[Game, list[tuple[tuple[Face, ...] | Choice, bool]]]] = {}
    # A roll follows its decision at once, so the last decision is the roll's.
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
                assert before.rolling is not None
                seat = before.rolling.seat
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
    luck: list[tuple[float, bool]] = []
    decisions: list[DecisionReview] = []
    for step, by_house in steps:
        if isinstance(step, tuple):
            turn = roll_dice(turn, step)
            before, value = value, policy.evaluate(turn)
            luck.append((value - before, by_house))
        else:
            ranked = policy.rank_choices(turn) if not turn.over and not turn.to_roll else ()
            after = make_choice(turn, step)
            value = policy.evaluate(after)
            loss = max(0.0, ranked[0].value - value)
            margin = value - _value_best_other(ranked, turn, after) if loss <= NOTHING_LOST else 0.0
            decisions.append(
                DecisionReview(round_number, seat, turn, step, value, ranked[0], loss, max(0.0, margin), by_house)
            )
            turn = after
    if not turn.over:
        raise ValueError(f"the turn is not over: {turn}")
    total = fsum(gain for gain, _by_house in luck)
    own_luck = fsum(gain for gain, by_house in luck if not by_house)
    return TurnReview(
        round_number, seat, policy.card, turn.score.total, start, value, total, own_luck, tuple(decisions)
    )


def _value_best_other(ranked: tuple[RankedChoice, ...], turn: Turn, after: Turn) -> float:
    """Return the value of the best choice that keeps other faces than the choice made."""
    kept = tuple(sorted(face for at, face in enumerate(turn.dice) if at not in after.to_roll))
    return max((option.value for option in ranked if option.kept != kept), default=ranked[0].value)


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
