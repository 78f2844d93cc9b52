"""Replays of recorded games, as a list of positions.

There is a position for each card that is turned up, each roll, each choice, the end of each round and the end of the
game. Taking the dice has no position of its own, because the first roll follows immediately.
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
    """What a position of a replay shows."""

    CARD = "card"
    """The card of a round, before anybody has rolled."""
    ROLL = "roll"
    CHOICE = "choice"
    ROUND_END = "round end"
    GAME_END = "game end"
    """The final standings, or the state after the game was given up."""


@dataclass(frozen=True, slots=True)
class Position:
    """One state of the table, and the roll or choice that it shows."""

    moment: Moment
    game: Game
    """The state to show. For a choice, this is the state before the choice, so that the dice are still there.

    After a roll that ended the turn, the state still contains the dice of that turn.
    """
    seat: int | None = None
    """The seat that rolled or chose; None for a card and the end of a round or of the game."""
    choice: Choice | None = None
    by_house: bool = False
    """True if the house made the choice for a person (R9.3)."""
    ended: FinishedTurn | None = None
    """The turn that ended with this roll or choice, or None."""
    placed: Placement | None = None
    """The piece of the turn that ended, or None."""

    @property
    def turn(self) -> Turn | None:
        """The turn whose dice are shown, or None."""
        return None if self.seat is None else self.game.find_run(self.seat).turn

    @property
    def card(self) -> Card | None:
        """The card of the round that this position belongs to. None at the end of a complete game."""
        if self.moment is Moment.ROUND_END:
            return self.game.finished[-1].card
        return self.game.card

    @property
    def starts_section(self) -> bool:
        """True for the first roll of a turn, the end of a round and the end of the game."""
        if self.moment is Moment.ROLL:
            return self.turn is not None and self.turn.rolls == 1
        return self.moment in (Moment.ROUND_END, Moment.GAME_END)


def find_last_rolls(game: Game, events: Iterable[Event]) -> dict[tuple[int, int], Turn]:
    """Return the state of each turn just before its last roll in ``events``.

    Turns without a roll in ``events`` are left out. The keys are the seat and the number of cards that the seat had
    finished before the turn. ``game`` is the state before ``events``. Raises IllegalChoice or BadEvent for events that
    cannot have happened.
    """
    turns_by_run = dict[tuple[int, int], Turn]()
    for event in events:
        if game.hand_to_roll is not None:
            turns_by_run[game.hand_to_roll.seat, game.count_finished(game.hand_to_roll.seat)] = game.hand_to_roll.turn
        game = apply_event(game, event)
    return turns_by_run


def list_positions(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> tuple[Position, ...]:
    """Return every position of a recorded game, in order.

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
    """Return the index of the next position after ``at`` that starts a section, or of the last position."""
    return next((number for number in range(at + 1, len(replay)) if replay[number].starts_section), len(replay) - 1)


def sort_into_rounds(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> Sequence[Event]:
    """Sort the events of a game in own pace by round and seat, as if everybody had played at one table.

    Within a scored round the seats are in order of play. The sorted events lead to the same final state. They do not
    include remarks, nor the decisions and dice of a seat that was left out. If the dice are shared, the events are
    returned unchanged. Raises IllegalChoice or BadEvent for events that cannot have happened.
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
    """Return the seat that decided or rolled. ``game`` is the state before the event."""
    if isinstance(event, Decided):
        return event.seat
    assert game.hand_to_roll is not None, "dice are rolled only when they are due"
    return game.hand_to_roll.seat


def _make_positions(game: Game, events: Iterable[Event]) -> Iterator[Position]:
    for event in events:
        after = apply_event(game, event)
        match event:
            case CardRevealed():
                yield Position(Moment.CARD, after)
            case Rolled(faces):
                # A roll that ends the turn removes the hand from the state, but the replay shows these dice.
                assert game.hand_to_roll is not None
                rolled = replace(game.hand_to_roll, turn=turns.roll_dice(game.hand_to_roll.turn, faces))
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
    """Return the position with the finished turn and its piece, or unchanged if no turn ended."""
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
