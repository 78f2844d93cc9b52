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
    """The thing that a position shows."""

    CARD = "card"
    """The card of a round, before anybody has rolled."""
    ROLL = "roll"
    CHOICE = "choice"
    ROUND_END = "round end"
    GAME_END = "game end"
    """The final standings, or the state in which the game was given up."""


@dataclass(frozen=True, slots=True)
class Position:
    """One state of the table, and the roll or choice that led to it."""

    moment: Moment
    game: Game
    """The state to show: at a choice the one before it; with the dice of a turn that has just ended."""
    seat: int | None = None
    """The seat that rolled or chose."""
    choice: Choice | None = None
    by_house: bool = False
    """True if the house chose for the player (R9.3)."""
    ended: FinishedTurn | None = None
    """The turn that ended with this roll or choice."""
    placed: Placement | None = None
    """The piece of that turn, as it was put on the track."""

    @property
    def turn(self) -> Turn | None:
        """The turn whose dice are shown."""
        return None if self.seat is None else self.game.find_run(self.seat).turn

    @property
    def card(self) -> Card | None:
        """The card that is played; at the end of a round the card of that round."""
        if self.moment is Moment.ROUND_END:
            return self.game.finished[-1].card
        return self.game.card

    @property
    def begins(self) -> bool:
        """True if a turn begins here, or the end of a round or of the game is shown."""
        if self.moment is Moment.ROLL:
            return self.turn is not None and self.turn.rolls == 1
        return self.moment in (Moment.ROUND_END, Moment.GAME_END)


def find_last_rolls(game: Game, events: Iterable[Event]) -> dict[tuple[int, int], Turn]:
    """Return each turn as it was before its last roll, by its seat and the cards that the seat had finished before.

    The rolls are those of the events that follow on ``game``. Raises as ``list_positions``.
    """
    turns_by_run = dict[tuple[int, int], Turn]()
    for event in events:
        if game.rolling is not None:
            turns_by_run[game.rolling.seat, game.count_finished(game.rolling.seat)] = game.rolling.turn
        game = apply_event(game, event)
    return turns_by_run


def list_positions(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> tuple[Position, ...]:
    """Return every position of a recorded game, in order; none if no card was ever turned up.

    Raises IllegalChoice or BadEvent for events that cannot have happened.

    >>> from highscore.notation import parse_event
    >>> log = ["start 0", "card odd: ODD 5 FOUR_FULL", "0 take", "rolled 5531VV2", "0 stop"]
    >>> shown = list_positions(2, TurnOrder.CLOCKWISE, map(parse_event, log))
    >>> [position.moment.value for position in shown]
    ['card', 'roll', 'choice']
    >>> str(shown[-1].turn), shown[-1].placed.space
    ('odd | 5 5 3 1 V V 2 | 1', 24)
    """
    return tuple(_make_positions(Game(players, turn_order), sort_into_rounds(players, turn_order, events)))


def find_next_turn(replay: Sequence[Position], at: int) -> int:
    """Return the number of the position that begins the next turn or the end of the round, or of the last one."""
    return next((number for number in range(at + 1, len(replay)) if replay[number].begins), len(replay) - 1)


def sort_into_rounds(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> Sequence[Event]:
    """Sort events into rounds, each with the seats in order of play, as if all had played at one table.

    Where the dice are shared nothing changes. In own pace the sorted events lead to the same state in the end; remarks
    and the decisions of a seat that was left out are dropped.
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
    """Return the seat of a decision or roll, by the state before it."""
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
                # The state after a roll that ends the turn has no dice any more, but a replay shows them.
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
    """Add the finished turn and its piece to a position that ends a turn."""
    assert position.seat is not None
    number = after.count_finished(position.seat)
    if number == position.game.count_finished(position.seat):
        return position
    placed = after.finished[number - 1].placements if number <= len(after.finished) else after.placements
    return replace(
        position,
        ended=after.find_run(position.seat).finished[-1].turn,
        placed=next(each for each in placed if each.seat == position.seat),
    )
