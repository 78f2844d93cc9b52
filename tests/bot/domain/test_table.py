"""What is said of one table."""

from dataclasses import replace

from highscore.turn_order import TurnOrder
from tests.bot.domain.tables import after, lobby, planned, started, turn_played, with_timing


def test_a_lobby_tells_something_else_when_its_people_or_times_change_and_nothing_more_once_the_game_has_begun() -> (
    None
):
    table = planned(None, lobby())
    for other in (
        replace(table, seats=table.seats[:2]),
        replace(table, host_id=101),
        with_timing(table, deadline=after(60)),
        with_timing(table, kept_until=after(60)),
    ):
        assert other.lobby != table.lobby
    assert replace(table, version=table.version + 1).lobby == table.lobby
    game = started(TurnOrder.CLOCKWISE)
    assert game.lobby != table.lobby
    after_a_turn = turn_played(game, now=after(60))
    assert after_a_turn.timing.deadline != game.timing.deadline
    assert after_a_turn.lobby == game.lobby
