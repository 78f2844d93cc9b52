from dataclasses import replace

import pytest

from bot.domain.notify import users_called
from bot.domain.table import Status, Table
from highscore import Decided, TurnOrder, play_event
from tests.bot import cores, played
from tests.bot.domain.tables import after, start_game

SHARED = (TurnOrder.CLOCKWISE, TurnOrder.OPEN)


def play_out(table: Table, last_by_house: bool = False) -> Table:
    game = cores.game_of(table)
    while not game.complete:
        seat = game.may_act[0]
        house = table.seats[seat].user_id is None or (last_by_house and len(game.finished) == 6 and game.turn is None)
        game, _events = play_event(game, Decided(seat, played.early(game), house), table.source, table.deck)
    return replace(table, game=game, status=Status.FINISHED)


@pytest.mark.parametrize("order", SHARED)
@pytest.mark.parametrize("house", [(), (0, 1), (1, 2), (0, 2)])
def test_the_end_of_a_game_calls_all_but_whose_press_it_was(order: TurnOrder, house: tuple[int, ...]) -> None:
    over = play_out(start_game(order, house=house))
    turns = cores.game_of(over).finished[-1].turns
    pressed = [100 + turn.seat for turn in turns if turn.seat not in house]
    assert users_called(over) == tuple(sorted(pressed[:-1])), "also where house players have come after them"


@pytest.mark.parametrize("order", SHARED)
def test_the_end_of_a_game_calls_everybody_who_is_there_where_the_house_has_played_the_last_turn(
    order: TurnOrder,
) -> None:
    over = play_out(start_game(order), last_by_house=True)
    assert users_called(over) == (100, 101, 102)
    assert users_called(over.with_seat(0, left=True).with_seat(1, away_until=after(60))) == (102,)
    assert users_called(replace(over, status=Status.ABANDONED)) == ()


def test_the_end_of_a_cancelled_game_in_own_pace_calls_nobody() -> None:
    table = replace(start_game(TurnOrder.OWN_PACE), opening_id=1)
    assert users_called(table) == (100, 101, 102)
    assert users_called(replace(table, status=Status.ABANDONED)) == ()
