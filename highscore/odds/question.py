"""The odds of a position that a user has typed, as text and as JSON, for the commands on the command line and on
Discord."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from highscore.cards import Card, RollType
from highscore.dice import DICE, Dice, Face
from highscore.errors import NotationError
from highscore.odds.policy import POINTS, RankedChoice, Utility, solve_card
from highscore.turn import DieState, Turn, begin_turn, roll_dice

TOP = 10
"""The text lists at most this many choices; JSON has all of them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The value of a position, and every different choice in it."""

    turn: Turn
    utility: Utility
    value: float
    ranked: tuple[RankedChoice, ...]
    """Best first; empty if dice have to be rolled or the turn is over."""

    def format_lines(self, top: int = TOP) -> tuple[str, ...]:
        """Return the answer as lines of text, with at most ``top`` choices."""
        head = [f"{self.turn}", f"value ({self.utility.name}): {self.value:.6f}"]
        if self.turn.over:
            head.append("The turn is over.")
        elif not self.ranked:
            head.append("The dice are to be rolled.")
        listed = [
            f"{place:>3}. {option.value:>10.6f}  {0.0 - option.loss:>+10.6f}  {option.choice!s:<18} "
            + _format_kept(option)
            for place, option in enumerate(self.ranked[:top], start=1)
        ]
        more = len(self.ranked) - len(listed)
        return (*head, *listed, *([f"     and {more} more"] if more else []))

    def encode_json(self) -> dict[str, Any]:
        return {
            "card": str(self.turn.card),
            "turn": str(self.turn),
            "utility": self.utility.name,
            "value": self.value,
            "over": self.turn.over,
            "choices": [
                {
                    "choice": str(option.choice),
                    "keeps": " ".join(map(str, option.kept)),
                    "ends_turn": option.ends_turn,
                    "value": option.value,
                    "loss": option.loss,
                }
                for option in self.ranked
            ],
        }


def _format_kept(option: RankedChoice) -> str:
    return "ends the turn" if option.ends_turn else f"keeps {' '.join(map(str, option.kept)) or 'nothing'}"


def answer_question(
    card: Card, dice: str = "", *, rolls_left: int | None = None, set_aside: str = "", utility: Utility = POINTS
) -> Answer:
    """Return the odds of a position. ``utility`` is the goal; see ``read_position`` for the other arguments and
    errors."""
    turn = read_position(card, dice, rolls_left=rolls_left, set_aside=set_aside)
    policy = solve_card(card, utility, len(turn.faces))
    ranked = () if turn.over or turn.to_roll else policy.rank_choices(turn)
    return Answer(turn, utility, policy.evaluate(turn), ranked)


def read_position(card: Card, dice: str = "", *, rolls_left: int | None = None, set_aside: str = "") -> Turn:
    """Return the position in which these dice have just been rolled. If ``dice`` is empty, return the position before
    the roll.

    On SET_ASIDE cards ``dice`` are the dice of the last roll, and ``set_aside`` those that were set aside or frozen
    before it; the number of rolls left follows from them. On other cards ``dice`` are all dice, and ``rolls_left`` is
    the number of rolls that are left, or None for a position after the first roll. There may be fewer than seven dice,
    to check odds by hand. If the card freezes vortices, each V is frozen. Raises NotationError, which says what is
    wrong.

    >>> from highscore.deck import STANDARD_DECK
    >>> str(read_position(STANDARD_DECK.find_card("odd-frozen"), "5 4 V", set_aside="3 1 5 V"))
    'odd-frozen | (3) (1) (5) [V] 5 4 [V] | 2 froze'
    """
    rolled, aside = Dice.parse(dice), Dice.parse(set_aside)
    sets_aside = card.roll_type is RollType.SET_ASIDE
    if len(rolled) + len(aside) > DICE:
        raise NotationError(f"{len(rolled) + len(aside)} dice are too many; High Score is played with {DICE}")
    if not sets_aside and len(aside):
        raise NotationError(f"no dice are set aside on {card.id} ({card.roll_type.value}); give all of them as DICE")
    if sets_aside and rolls_left is not None:
        raise NotationError(f"on {card.id} (SET_ASIDE) the dice say how many rolls are left; leave --rolls-left out")
    most = card.roll_type.max_rolls - 1
    left = most if rolls_left is None else rolls_left
    if not 0 <= left <= most:
        raise NotationError(f"on {card.id} ({card.roll_type.value}) 0 to {most} rolls can be left, not {left}")
    if not len(rolled) and rolls_left is not None:
        raise NotationError("to say how many rolls are left, give the dice that lie there")
    if not len(rolled):
        return _make_position(card, aside, DICE, 0)
    before = _make_position(card, aside, len(rolled) + len(aside), most - left)
    return roll_dice(before, rolled.faces)


def _make_position(card: Card, aside: Dice, dice: int, rolls: int) -> Turn:
    """Return the position before a roll of all dice that are not set aside."""
    if not len(aside):
        start = begin_turn(card, dice)
        return Turn(card, start.faces, start.states, start.to_roll, rolls)
    frozen = card.vortex.frozen
    states = [DieState.FROZEN if frozen and face is Face.VORTEX else DieState.SET_ASIDE for face in aside]
    waiting = dice - len(aside)
    return Turn(
        card,
        (*aside.faces, *(None,) * waiting),
        (*states, *(DieState.FREE,) * waiting),
        tuple(range(len(aside), dice)),
        rolls=1,
    )
