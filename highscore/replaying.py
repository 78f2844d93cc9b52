"""Replays of recorded games: the positions of a game one after another.

A position is the state of the table when a card is turned up, after a roll, at a choice, at the end of a round and at
the end of the game. Taking the dice has no position of its own: the first roll follows at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from highscore import turn as turns
from highscore.cards import Card
from highscore.game import Abandoned, CardRevealed, Decided, Event, FinishedTurn, Game, Rolled, TurnOrder, apply
from highscore.track import Placement, place
from highscore.turn import Choice, Roll, SetAside, Stop, Turn


class Moment(Enum):
    """What a position shows."""

    CARD = "card"
    """The card of a round, before anybody has rolled."""
    ROLL = "roll"
    CHOICE = "choice"
    ROUND_END = "round end"
    GAME_END = "game end"
    """The final standings, or where the game was given up."""


@dataclass(frozen=True, slots=True)
class Position:
    """One state of the table, and what led to it."""

    moment: Moment
    game: Game
    """The state to show: at a choice the one before it; with the dice of a turn that has just ended."""
    seat: int | None = None
    """Who rolled or chose."""
    choice: Choice | None = None
    by_house: bool = False
    """Whether the house chose for the player (R9.3)."""
    ended: FinishedTurn | None = None
    """The turn that ended with this roll or choice."""
    placed: Placement | None = None
    """Where its piece was put."""

    @property
    def turn(self) -> Turn | None:
        """The turn whose dice are shown."""
        return self.game.turn

    @property
    def card(self) -> Card | None:
        """The card that is played; at the end of a round the one that was."""
        if self.moment is Moment.ROUND_END:
            return self.game.finished[-1].card
        return self.game.card

    @property
    def picked(self) -> tuple[int, ...]:
        """The dice the choice is about, as positions 0 to 6: those rolled again, or those set aside."""
        return () if self.choice is None or isinstance(self.choice, Stop) else self.choice.positions

    @property
    def begins(self) -> bool:
        """Whether a turn begins here, or the end of a round or of the game is shown."""
        if self.moment is Moment.ROLL:
            return self.turn is not None and self.turn.rolls == 1
        return self.moment in (Moment.ROUND_END, Moment.GAME_END)


def positions(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> tuple[Position, ...]:
    """Every position of a recorded game, in order; none where nothing was ever turned up.

    Raises IllegalChoice or BadEvent where the events cannot have happened.
    """
    return tuple(_positions(Game(players, turn_order), events))


def next_turn(replay: Sequence[Position], at: int) -> int:
    """The number of the position at which the next turn, or the end of the round, begins; the last one at the end."""
    return next((number for number in range(at + 1, len(replay)) if replay[number].begins), len(replay) - 1)


def _positions(game: Game, events: Iterable[Event]) -> Iterator[Position]:
    for event in events:
        after = apply(game, event)
        match event:
            case CardRevealed():
                yield Position(Moment.CARD, after)
            case Rolled(faces) if game.turn is not None:
                # The state has no turn any more when this roll ended it, but the dice still lie there.
                lying = replace(game, turn=turns.roll(game.turn, faces))
                yield _with_end(Position(Moment.ROLL, lying, game.seat), game, after)
            case Decided(seat, (Stop() | Roll() | SetAside()) as choice, by_house):
                yield _with_end(Position(Moment.CHOICE, game, seat, choice, by_house), game, after)
            case Abandoned():
                yield Position(Moment.GAME_END, after)
        if len(after.finished) > len(game.finished):
            yield Position(Moment.ROUND_END, after)
            if after.complete:
                yield Position(Moment.GAME_END, after)
        game = after


def _with_end(position: Position, before: Game, after: Game) -> Position:
    """The position, told what came of its turn where that ended here."""
    if after.turn is not None:
        return position
    played = after.played
    if len(after.finished) > len(before.finished):
        played = after.finished[-1].turns
    return replace(position, ended=played[-1], placed=place((turn.seat, turn.result) for turn in played)[-1])
