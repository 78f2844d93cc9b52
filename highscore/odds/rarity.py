"""Rare ways for a turn to end, and in how many turns each comes once, exactly."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from highscore.cards import Card
from highscore.dice import DICE, Face
from highscore.events import Event
from highscore.game import Game
from highscore.odds.lattice import build_lattice
from highscore.odds.policy import POINTS, solve_card
from highscore.odds.results import list_results
from highscore.replaying import find_last_rolls
from highscore.runs import FinishedTurn
from highscore.track import Chip
from highscore.turn import Turn, begin_turn

FOUR = 4
"""The vortices with which gold is rare."""
THIRTY = 30
GLORIOUS = 15
"""The least that dice were worth whose last roll is a glorious bust."""


class Feat(Enum):
    """A rare way for a turn to end."""

    ALIKE = "alike"
    """All dice show the same."""
    THIRTY = "thirty"
    """The result is exactly 30."""
    VORTICES = "vortices"
    """At least four dice show the vortex."""
    REACHED = "reached"
    """The result is at least this one."""
    BUST = "bust"
    """The result is 0 or less, after dice that were worth a lot."""


@dataclass(frozen=True, slots=True)
class RareTurn:
    """A turn that has ended in one of these ways."""

    seat: int
    round: int
    feat: Feat
    one_in: int
    """N if one turn in N ends so, see ``count_turns``."""
    stood: int = 0
    """The worth of the dice before a bust; otherwise 0."""

    @classmethod
    def parse(cls, seat: int, number: int, text: str) -> RareTurn:
        """Return a seat's turn of a round whose other fields are a text: the feat, ``one_in`` and ``stood``.

        >>> str(RareTurn.parse(1, 3, "bust 47 24"))
        'bust 47 24'
        """
        feat, one_in, stood = text.split()
        return cls(seat, number, Feat(feat), int(one_in), int(stood))

    def __str__(self) -> str:
        return f"{self.feat.value} {self.one_in} {self.stood}"


def find_rare_turns(
    before: Game, after: Game, records: Collection[tuple[int, int | None]], events: Iterable[Event]
) -> Iterator[RareTurn]:
    """Yield what is rare about turns that everybody may see ``after``, but not ``before`` (R9.5).

    ``records`` are the seats and rounds of broken records; ``events`` led from one to the other. A bust
    is one of their rolls: to look for it in the whole game would take too long in the transaction of a move.
    """
    for number, card, turn in _list_public_turns(after)[len(_list_public_turns(before)) :]:
        if len(set(turn.dice)) == 1:
            yield _make_rare(Feat.ALIKE, number, card, turn)
        if turn.result == THIRTY:
            yield _make_rare(Feat.THIRTY, number, card, turn)
        if turn.result <= 0:
            rolled = find_last_rolls(before, events).get((turn.seat, number - 1))
            if rolled is not None and rolled.rolls and rolled.score.total >= GLORIOUS:
                yield _make_rare(Feat.BUST, number, card, turn, rolled)
    for number, ended in enumerate(after.finished[len(before.finished) :], len(before.finished) + 1):
        for turn in ended.turns:
            if (turn.seat, number) in records:
                yield _make_rare(Feat.REACHED, number, ended.card, turn)
            if ended.chips.get(turn.seat) is Chip.GOLD and turn.dice.faces.count(Face.VORTEX) >= FOUR:
                yield _make_rare(Feat.VORTICES, number, ended.card, turn)


def _make_rare(feat: Feat, number: int, card: Card, turn: FinishedTurn, before: Turn | None = None) -> RareTurn:
    one_in = count_turns(feat, card, turn.result, before)
    return RareTurn(turn.seat, number, feat, one_in, 0 if before is None else before.score.total)


def _list_public_turns(game: Game) -> list[tuple[int, Card, FinishedTurn]]:
    """Return the turns that everybody may see, with the number and the card of their round (R9.5)."""
    rounds = [(ended.card, ended.turns) for ended in game.finished]
    if game.card is not None and game.turn_order.shared:
        rounds.append((game.card, game.played))
    return [(number, card, turn) for number, (card, turns) in enumerate(rounds, 1) for turn in turns]


def count_turns(feat: Feat, card: Card, result: int, before: Turn | None = None) -> int:
    """Return N if one turn in N ends so when it is played for the most points, to two digits; 0 if none does.

    The turn is played from its start, or from ``before``, whose dice are about to be rolled.

    >>> from highscore.deck import STANDARD_DECK
    >>> count_turns(Feat.ALIKE, STANDARD_DECK.find_card("pairs-minus-zero"), 20)
    1300
    """
    results, counts = list_results(card), build_lattice().counts[build_lattice().find_layer(DICE)]
    ends_so = {
        Feat.ALIKE: (counts == DICE).any(axis=1),
        Feat.THIRTY: results == THIRTY,
        Feat.VORTICES: counts[:, Face.VORTEX - 1] >= FOUR,
        Feat.REACHED: results >= result,
        Feat.BUST: results <= 0,
    }[feat]
    chance = float(solve_card(card, POINTS).compute_rolls(before or begin_turn(card)) @ ends_so)
    turns = round(1 / chance) if chance > 0 else 0
    return round(turns, 2 - len(str(turns)))
