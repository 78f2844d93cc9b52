"""Own pace: who has begun, and what those who have may do without the others (R9.5). All of it is public."""

from bot.domain.table import Table
from highscore.deck import ROUNDS


def seats_playing_themselves(table: Table) -> tuple[int, ...]:
    """The seats of people who are in the game and for whom the house does not play."""
    seats = () if table.game is None else table.game.seats
    return tuple(seat for seat in seats if table.seats[seat].present and table.seats[seat].house is None)


def seats_begun(table: Table) -> tuple[int, ...]:
    """Those of them who have finished a card."""
    game = table.game
    return () if game is None else tuple(seat for seat in seats_playing_themselves(table) if game.count_finished(seat))


def seats_yet_to_begin(table: Table) -> tuple[int, ...]:
    """Those of them who have not: they are left out when the time is up."""
    game = table.game
    return (
        () if game is None else tuple(seat for seat in seats_playing_themselves(table) if not game.count_finished(seat))
    )


def leaves_nothing(table: Table, seat: int) -> bool:
    """Whether who leaves now is left out, or was: with no finished card."""
    return table.game is not None and not table.turn_order.shared and not table.game.count_finished(seat)


def waits_only_for_who_has_not_begun(table: Table) -> bool:
    """Whether all who have begun are done, and others have not begun."""
    game, there = table.game, seats_begun(table)
    if game is None or game.over or game.turn_order.shared or not there:
        return False
    return all(game.count_finished(seat) == ROUNDS for seat in there) and bool(seats_yet_to_begin(table))
