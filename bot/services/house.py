"""The house at a table: its players, and its play for people who are absent."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.deadlines import find_house_seat
from bot.domain.table import Table
from highscore.events import Decided, Event
from highscore.fairness import play_event
from highscore.game import Game
from highscore.house import Temperament, choose_decision

STAND_IN = Temperament.STEADY
"""The temperament that plays for absent people: sound play, for nobody and against nobody."""


def play_turn(table: Table, game: Game, seat: int, *, whole: bool = True) -> tuple[Game, Sequence[Event]]:
    """Play the rest of a seat's turn, or one decision, with its own temperament if it has one. Raise NotYourTurn."""
    happened: list[Event] = []
    sitting = table.seats[seat]
    temperament = STAND_IN if sitting.house is None else Temperament(sitting.house)
    before = game.count_finished(seat)
    while not happened or (whole and game.count_finished(seat) == before):
        decision = choose_decision(game, seat, temperament)
        decided = Decided(seat, decision, by_house=sitting.user_id is not None)
        game, events = play_event(game, decided, table.source, table.deck)
        happened += events
    return game, happened


def play_due(table: Table, game: Game) -> tuple[Game, Sequence[Event]]:
    """Play what is shown at once: a decision, a turn where one person plays, or in own pace all there is (R9.5)."""
    happened: list[Event] = []
    while (seat := find_house_seat(replace(table, game=game))) is not None:
        game, events = play_turn(table, game, seat, whole=not (table.turn_order.shared and len(table.people) > 1))
        happened += events
        if table.turn_order.shared:
            break
    return game, happened


def play_turns(table: Table, game: Game, seats: Sequence[int]) -> tuple[Game, Sequence[Sequence[Event]]]:
    """Play the turns of these seats, one after the other. Raise NotYourTurn."""
    happened: list[Sequence[Event]] = []
    for seat in seats:
        game, events = play_turn(table, game, seat)
        happened.append(events)
    return game, happened
