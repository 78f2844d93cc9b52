"""The house at a table: its players, and its play for people who are absent."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.deadlines import find_house_seat
from bot.domain.table import Table
from highscore.dealer import play_event
from highscore.events import Decided, Event
from highscore.game import Game
from highscore.house import Temperament, choose_decision

STAND_IN = Temperament.STEADY
"""The temperament that plays for absent people: sound play, for nobody and against nobody."""


def play_turn(table: Table, game: Game, seat: int) -> tuple[Game, Sequence[Event]]:
    """Play the rest of a seat's turn, with its own temperament if it is a house player's. Raise NotYourTurn."""
    happened: list[Event] = []
    sitting = table.seats[seat]
    temperament = STAND_IN if sitting.house is None else Temperament(sitting.house)
    before = game.count_finished(seat)
    while game.count_finished(seat) == before:
        decision = choose_decision(game, seat, temperament)
        decided = Decided(seat, decision, by_house=sitting.user_id is not None)
        game, events = play_event(game, decided, table.source, table.deck)
        happened += events
    return game, happened


def play_runs(table: Table, game: Game) -> tuple[Game, Sequence[Event]]:
    """Play all turns that the house may play now in own pace: as far as the last person has come (R9.5)."""
    happened: list[Event] = []
    while (seat := find_house_seat(replace(table, game=game))) is not None:
        game, events = play_turn(table, game, seat)
        happened += events
    return game, happened


def play_turns(table: Table, game: Game, seats: Sequence[int]) -> tuple[Game, Sequence[Sequence[Event]]]:
    """Play the turns of these seats, one after the other. Raise NotYourTurn."""
    happened: list[Sequence[Event]] = []
    for seat in seats:
        game, events = play_turn(table, game, seat)
        happened.append(events)
    return game, happened
