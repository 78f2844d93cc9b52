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
from highscore.deck import ROUNDS
from highscore.events import Abandoned, CardRevealed, Decided, Event, LeftOut, Rolled, StartPlayerDrawn
from highscore.game import Game, apply_event, replay_events
from highscore.runs import FinishedTurn
from highscore.track import Placement
from highscore.turn import Choice, Roll, SetAside, Stop, Turn
from highscore.turn_order import TurnOrder


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
        return None if self.seat is None else self.game.find_run(self.seat).turn

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


def list_positions(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> tuple[Position, ...]:
    """Every position of a recorded game, in order; none where nothing was ever turned up.

    Raises IllegalChoice or BadEvent where the events cannot have happened.
    """
    return tuple(_make_positions(Game(players, turn_order), sort_into_rounds(players, turn_order, events)))


def find_next_turn(replay: Sequence[Position], at: int) -> int:
    """The number of the position at which the next turn, or the end of the round, begins; the last one at the end."""
    return next((number for number in range(at + 1, len(replay)) if replay[number].begins), len(replay) - 1)


def sort_into_rounds(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> Sequence[Event]:
    """The events as if everybody had sat at one table: a round after the other, in it the seats in order of play.

    Where the dice are shared that is how they are. In own pace the runs are sorted, which changes no state at the end;
    remarks, and what a seat did that was left out, are not there.
    """
    events = tuple(events)
    if turn_order.shared:
        return events
    game = replay_events(players, turn_order, events)
    place_in = [[turn.seat for turn in ended.turns] for ended in game.finished]
    left_out = [event for event in events if isinstance(event, LeftOut)]
    sorted_events: list[tuple[tuple[int, int], Event]] = [((0, 1), event) for event in left_out]
    game = Game(players, turn_order)
    for event in events:
        before, game = game, apply_event(game, event)
        match event:
            case StartPlayerDrawn():
                sorted_events.append(((0, 0), event))
            case CardRevealed():
                sorted_events.append(((len(before.finished) + len(before.cards) + 1, -1), event))
            case Decided() | Rolled():
                seat = _find_seat(before, event)
                number = before.find_run(seat).round
                if LeftOut(seat) not in left_out:
                    at = place_in[number - 1].index(seat) if number <= len(place_in) else seat
                    sorted_events.append(((number, at), event))
            case Abandoned():
                sorted_events.append(((ROUNDS + 1, 0), event))
    return tuple(event for _, event in sorted(sorted_events, key=lambda keyed: keyed[0]))


def _find_seat(game: Game, event: Decided | Rolled) -> int:
    """Whose decision or dice an event is about, by the state before it."""
    if isinstance(event, Decided):
        return event.seat
    assert game.rolling is not None, "dice are rolled only where they are due"
    return game.rolling.seat


def _make_positions(game: Game, events: Iterable[Event]) -> Iterator[Position]:
    for event in events:
        after = apply_event(game, event)
        match event:
            case CardRevealed():
                yield Position(Moment.CARD, after)
            case Rolled(faces):
                # The state has no turn any more when this roll ended it, but the dice still lie there.
                assert game.rolling is not None
                rolled = replace(game.rolling, turn=turns.roll_dice(game.rolling.turn, faces))
                yield _add_end(Position(Moment.ROLL, replace(game, hands=(rolled,)), rolled.seat), after)
            case Decided(seat, (Stop() | Roll() | SetAside()) as choice, by_house):
                yield _add_end(Position(Moment.CHOICE, game, seat, choice, by_house), after)
            case Abandoned():
                yield Position(Moment.GAME_END, after)
        if len(after.finished) > len(game.finished):
            yield Position(Moment.ROUND_END, after)
            if after.complete:
                yield Position(Moment.GAME_END, after)
        game = after


def _add_end(position: Position, after: Game) -> Position:
    """The position, told what came of its turn where that ended here."""
    assert position.seat is not None
    number = after.count_finished(position.seat)
    if number == position.game.count_finished(position.seat):
        return position
    placed = after.finished[number - 1].placements if number <= len(after.finished) else after.placements
    return replace(
        position,
        ended=after.find_run(position.seat).finished[-1][1],
        placed=next(each for each in placed if each.seat == position.seat),
    )
