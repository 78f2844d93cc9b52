"""One player's turn (rules R3): its choices, and the position of the dice after a choice or a roll.

Until it is over, a turn waits alternately for dice (``to_roll`` is not empty) and for a choice. The caller rolls.

Notation: the card's id, the dice and the number of rolls made, separated by bars. A die is written ``5`` if it is free,
``(5)`` if it is set aside, ``[V]`` if it is frozen, ``*5`` if it is about to be rolled again, and ``*?`` before its
first roll. The end has ``froze`` if the last roll froze a vortex, and ``stopped`` if the player ended the turn.

>>> turn = roll_dice(begin_turn(Card.parse("same-frozen: SAME frozen ANY_THREE")), Dice.parse("5 4 V 2 1 1 5").faces)
>>> str(turn)
'same-frozen | 5 4 [V] 2 1 1 5 | 1 froze'
>>> str(make_choice(turn, parse_choice("roll 2 4")))
'same-frozen | 5 *4 [V] *2 1 1 5 | 1 froze'
>>> can_choose(turn, parse_choice("roll 3")), can_choose(turn, Stop())
(False, True)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations

from highscore.cards import Card, RollType
from highscore.dice import DICE, Dice, Face, parse_face
from highscore.errors import BadEvent, IllegalChoice, NotationError
from highscore.scoring import Score, score_dice


@dataclass(frozen=True, slots=True)
class Stop:
    """End the turn with the dice as they are (FOUR_FULL, ANY_THREE)."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice at these positions (0 to 6, ascending) again (FOUR_FULL, ANY_THREE)."""

    positions: tuple[int, ...]

    def __str__(self) -> str:
        return "roll " + _format_positions(self.positions)


@dataclass(frozen=True, slots=True)
class SetAside:
    """Set the dice at these positions (0 to 6, ascending) aside and roll the other free ones again (SET_ASIDE).

    ``positions`` may be empty only if the last roll froze a vortex (ruling in R3.4).
    """

    positions: tuple[int, ...]

    def __str__(self) -> str:
        return "set " + (_format_positions(self.positions) if self.positions else "-")


def _format_positions(positions: tuple[int, ...]) -> str:
    return " ".join(str(at + 1) for at in positions)


Choice = Stop | Roll | SetAside
"""A decision of a player during a turn."""


def parse_choice(text: str) -> Choice:
    """Read a choice. Dice are counted from 1 and may be in any order. Raises NotationError.

    >>> parse_choice("stop"), parse_choice("roll 4 1"), parse_choice("set 2 3"), parse_choice("set -")
    (Stop(), Roll(positions=(0, 3)), SetAside(positions=(1, 2)), SetAside(positions=()))
    """
    verb, *rest = text.split() or [""]
    if verb == "stop" and not rest:
        return Stop()
    if verb in ("roll", "set") and rest:
        numbers = [] if verb == "set" and rest == ["-"] else rest
        if all(len(number) == 1 and number in "1234567" for number in numbers) and len(set(numbers)) == len(numbers):
            positions = tuple(sorted(int(number) - 1 for number in numbers))
            return Roll(positions) if verb == "roll" else SetAside(positions)
    raise NotationError(f"{text[:60]!r} is no choice; write stop, roll 1 4 or set 2 3, each die once")


class DieState(Enum):
    """The state of a die. Only free dice can be rolled again."""

    FREE = "free"
    SET_ASIDE = "set aside"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of a turn. Immutable; ``begin_turn``, ``roll_dice`` and ``make_choice`` make new ones."""

    card: Card
    faces: tuple[Face | None, ...]
    """The face of each die, by position; None before its first roll."""
    states: tuple[DieState, ...]
    to_roll: tuple[int, ...]
    """The positions of the dice that have to be rolled now; empty if a choice is due or the turn is over."""
    rolls: int = 0
    """The number of rolls made so far, 0 to 7."""
    froze: bool = False
    """True if the last roll froze a vortex, which satisfies "set aside at least one" (R3.4)."""
    stopped: bool = False

    @property
    def dice(self) -> Dice:
        """All dice of the turn. Raises IllegalChoice before the first roll."""
        faces = tuple(face for face in self.faces if face is not None)
        if len(faces) < len(self.faces):
            raise IllegalChoice("The dice have not been rolled yet.")
        return Dice(faces)

    @property
    def free(self) -> tuple[int, ...]:
        """The positions of the dice that are neither set aside nor frozen."""
        return tuple(at for at, state in enumerate(self.states) if state is DieState.FREE)

    @property
    def rolls_left(self) -> int:
        """The most rolls that can still be made, 0 to 7, including one that is due now.

        In SET_ASIDE each further roll costs a die (R3.3), unless the last roll froze a vortex (R3.4).
        """
        if self.over:
            return 0
        if self.card.roll_type is RollType.SET_ASIDE:
            return len(self.free) if self.to_roll or self.froze else len(self.free) - 1
        return self.card.roll_type.max_rolls - self.rolls

    @property
    def over(self) -> bool:
        """True if nothing is left to roll or to choose (R3.5)."""
        return not self.to_roll and (self.stopped or self.rolls >= self.card.roll_type.max_rolls or not self.free)

    @property
    def score(self) -> Score:
        """The score if the turn ended with the dice as they are. Raises IllegalChoice before the first roll."""
        return score_dice(self.card, self.dice)

    def __str__(self) -> str:
        dice = " ".join(self._format_die(at) for at in range(len(self.faces)))
        ended = f"{' froze' if self.froze else ''}{' stopped' if self.stopped else ''}"
        return f"{self.card.id} | {dice} | {self.rolls}{ended}"

    def _format_die(self, at: int) -> str:
        face = self.faces[at]
        text = "?" if face is None else str(face)
        if at in self.to_roll:
            return "*" + text
        return {DieState.FREE: text, DieState.SET_ASIDE: f"({text})", DieState.FROZEN: f"[{text}]"}[self.states[at]]


_DIE = re.compile(r"\*(?P<due>[1-5Vv?])|\((?P<aside>[1-5Vv])\)|\[(?P<frozen>[Vv])\]|(?P<free>[1-5Vv])")
_STATES = {"due": DieState.FREE, "aside": DieState.SET_ASIDE, "frozen": DieState.FROZEN, "free": DieState.FREE}
_TAIL = re.compile(r"(?P<rolls>[0-7])(?P<froze> froze)?(?P<stopped> stopped)?")


def parse_turn(text: str, cards: Iterable[Card]) -> Turn:
    """Read the notation of this module. The card is the one of ``cards`` with the id in the text.

    Raises NotationError, also for a position that no turn on this card can reach.
    """
    parts = [part.strip() for part in text.split("|")]
    tail = _TAIL.fullmatch(parts[-1])
    words = parts[1].split() if len(parts) == 3 else []
    if tail is None or not 1 <= len(words) <= DICE:
        raise NotationError(f"{text[:80]!r} is no turn; write it like 'same-frozen | 5 *4 [V] 2 1 1 5 | 2'")
    card = next((card for card in cards if card.id == parts[0]), None)
    if card is None:
        raise NotationError(f"there is no card {parts[0][:60]!r}")
    faces: list[Face | None] = []
    states: list[DieState] = []
    to_roll: list[int] = []
    for at, word in enumerate(words):
        match = _DIE.fullmatch(word)
        kind = match.lastgroup if match else None
        if match is None or kind is None:
            raise NotationError(f"{word[:20]!r} is no die of a turn; write 5, (5), [V], *5 or *?")
        faces.append(None if match[kind] == "?" else parse_face(match[kind]))
        states.append(_STATES[kind])
        if kind == "due":
            to_roll.append(at)
    froze, stopped = tail["froze"] is not None, tail["stopped"] is not None
    turn = Turn(card, tuple(faces), tuple(states), tuple(to_roll), int(tail["rolls"]), froze, stopped)
    if contradiction := _find_contradiction(turn):
        raise NotationError(f"{text[:80]!r} cannot happen: {contradiction}")
    return turn


def _find_contradiction(turn: Turn) -> str | None:
    """Return the reason why no turn on this card can reach this position, or None if one can."""
    roll_type, due, free = turn.card.roll_type, bool(turn.to_roll), turn.free
    sets_aside, fixed = roll_type is RollType.SET_ASIDE, len(turn.faces) - len(free)
    if turn.rolls == 0 or None in turn.faces:
        begun = begin_turn(turn.card, len(turn.faces))
        return None if turn == begun else "before the first roll, and only then, all dice show nothing"
    if turn.rolls + due > roll_type.max_rolls:
        return f"there are at most {roll_type.max_rolls} rolls"
    for face, state in zip(turn.faces, turn.states, strict=True):
        if (state is DieState.FROZEN) != (turn.card.vortex.frozen and face is Face.VORTEX):
            return "a vortex is frozen exactly where the card freezes it"
    frozen = DieState.FROZEN in turn.states
    if turn.froze > frozen or (turn.rolls == 1 and frozen > turn.froze):
        return "the frozen dice and the last roll do not fit"
    if due and roll_type is not RollType.ANY_THREE and turn.to_roll != free:
        return "all dice that can move are rolled"
    if turn.stopped and (sets_aside or due or not free or turn.rolls == roll_type.max_rolls):
        return "nobody can stop here"
    aside = DieState.SET_ASIDE in turn.states
    if not sets_aside:
        return "no dice are set aside on this card" if aside else None
    choosing = not due and bool(free)
    if fixed < turn.rolls - (choosing and not turn.froze):
        return "each roll sets a die aside"
    if choosing and ((turn.rolls == 1 and aside) or (len(free) == 1 and not turn.froze)):
        return "the dice set aside and the rolls do not fit"
    return None


def begin_turn(card: Card, dice: int = DICE) -> Turn:
    """Begin a turn, with the first roll due. A game has seven ``dice``; with fewer, odds can be checked by hand."""
    return Turn(card, (None,) * dice, (DieState.FREE,) * dice, tuple(range(dice)))


def roll_dice(turn: Turn, faces: Sequence[Face]) -> Turn:
    """Return the turn after the dice at ``to_roll`` have come up with ``faces``, in that order.

    Vortices freeze if the card says so (R3.4). In SET_ASIDE a single free die is set aside, if that is the only choice
    (R3.5). Raises BadEvent if no roll is due or the number of faces is wrong.
    """
    if not turn.to_roll or len(faces) != len(turn.to_roll):
        raise BadEvent(f"{len(faces)} dice were rolled where {len(turn.to_roll)} were due ({turn})")
    showing, states = list(turn.faces), list(turn.states)
    froze = False
    for at, face in zip(turn.to_roll, faces, strict=True):
        showing[at] = face
        if turn.card.vortex.frozen and face is Face.VORTEX:
            states[at] = DieState.FROZEN
            froze = True
    rolled = replace(turn, faces=tuple(showing), states=tuple(states), to_roll=(), rolls=turn.rolls + 1, froze=froze)
    if rolled.card.roll_type is RollType.SET_ASIDE and len(rolled.free) == 1 and not froze:
        return _set_aside(rolled, rolled.free)
    return rolled


def list_choices(turn: Turn) -> tuple[Choice, ...]:
    """Return every legal choice; none if dice have to be rolled first or the turn is over."""
    if turn.to_roll or turn.over:
        return ()
    match turn.card.roll_type:
        case RollType.FOUR_FULL:
            return Stop(), Roll(turn.free)
        case RollType.ANY_THREE:
            return Stop(), *(Roll(positions) for positions in _list_subsets(turn.free, at_least=1))
        case RollType.SET_ASIDE:
            return tuple(SetAside(positions) for positions in _list_subsets(turn.free, at_least=0 if turn.froze else 1))


def verify_choice(turn: Turn, choice: Choice) -> None:
    """Raise IllegalChoice, with a message for the player, unless the choice is legal now."""
    if turn.to_roll:
        raise IllegalChoice("The dice have to be rolled first.")
    if turn.over:
        raise IllegalChoice("This turn is over.")
    roll_type = turn.card.roll_type
    if isinstance(choice, Stop):
        if roll_type is RollType.SET_ASIDE:
            raise IllegalChoice("On this card, you stop by setting all your dice aside.")
        return
    if isinstance(choice, SetAside) != (roll_type is RollType.SET_ASIDE):
        if isinstance(choice, SetAside):
            raise IllegalChoice("On this card, no dice are set aside. Roll again or keep.")
        raise IllegalChoice("On this card, you set dice aside after each roll. The rest is rolled again.")
    _verify_positions(turn, choice.positions)
    if isinstance(choice, SetAside):
        if not choice.positions and not turn.froze:
            raise IllegalChoice("Set aside at least one die of this roll.")
    elif roll_type is RollType.FOUR_FULL and choice.positions != turn.free:
        raise IllegalChoice("On this card, you roll all dice again or none.")
    elif not choice.positions:
        raise IllegalChoice("Pick at least one die to roll again, or keep.")


def _verify_positions(turn: Turn, positions: tuple[int, ...]) -> None:
    if list(positions) != sorted(set(positions)) or not set(positions) <= set(range(len(turn.faces))):
        raise IllegalChoice("Pick from the dice there are, each at most once.")
    for at in positions:
        if turn.states[at] is DieState.FROZEN:
            raise IllegalChoice("A frozen vortex cannot be moved any more.")
        if turn.states[at] is DieState.SET_ASIDE:
            raise IllegalChoice("A die that was set aside stays there.")


def can_choose(turn: Turn, choice: Choice) -> bool:
    try:
        verify_choice(turn, choice)
    except IllegalChoice:
        return False
    return True


def make_choice(turn: Turn, choice: Choice) -> Turn:
    """Return the turn after a choice. It has dice to roll, or it is over. Raises IllegalChoice."""
    verify_choice(turn, choice)
    match choice:
        case Stop():
            return replace(turn, stopped=True)
        case Roll(positions):
            return replace(turn, to_roll=positions)
        case SetAside(positions):
            return _set_aside(turn, positions)


def keep_dice(turn: Turn, kept: Collection[int]) -> Choice:
    """Return the choice that keeps these free dice and rolls the others. The choice may be illegal.

    >>> str(keep_dice(roll_dice(begin_turn(Card.parse("total: TOTAL 0 ANY_THREE"), 3), Dice.parse("1 5 4").faces), {1}))
    'roll 1 3'
    """
    if turn.card.roll_type is RollType.SET_ASIDE:
        return SetAside(tuple(sorted(kept)))
    rolled = tuple(at for at in turn.free if at not in kept)
    return Roll(rolled) if rolled else Stop()


def _set_aside(turn: Turn, positions: tuple[int, ...]) -> Turn:
    states = tuple(DieState.SET_ASIDE if at in positions else state for at, state in enumerate(turn.states))
    rest = tuple(at for at, state in enumerate(states) if state is DieState.FREE)
    return replace(turn, states=states, to_roll=rest)


def _list_subsets(positions: tuple[int, ...], at_least: int) -> list[tuple[int, ...]]:
    return [chosen for size in range(at_least, len(positions) + 1) for chosen in combinations(positions, size)]
