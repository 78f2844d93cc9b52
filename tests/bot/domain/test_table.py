from dataclasses import replace

from highscore.turn_order import TurnOrder
from tests.bot.domain.tables import after, make_lobby, plan_table, play_whole_turn, start_game, with_timing


def test_a_lobby_tells_something_else_when_its_people_or_times_change_and_nothing_more_once_the_game_has_begun() -> (
    None
):
    table = plan_table(None, make_lobby())
    for other in (
        replace(table, seats=table.seats[:2]),
        replace(table, host_id=101),
        with_timing(table, seats_reserved_until=after(60)),
    ):
        assert other.lobby != table.lobby
    # The time at which an idle lobby closes stands in the private options.
    assert with_timing(replace(table, version=table.version + 1), deadline=after(60)).lobby == table.lobby
    game = start_game(TurnOrder.CLOCKWISE)
    assert game.lobby != table.lobby
    after_a_turn = play_whole_turn(game, now=after(60))
    assert after_a_turn.timing.deadline != game.timing.deadline
    assert after_a_turn.lobby == game.lobby
