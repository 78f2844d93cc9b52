"""Which seats have begun, are done, or have yet to begin (R9.5, R9.6). Everybody may know this."""

from bot.domain.table import Table
from highscore.deck import ROUNDS


def people_begun(table: Table) -> tuple[int, ...]:
    """Return the seats of people who have begun the game (R9.6), even if they have left or had their data deleted."""
    begun = () if table.game is None else table.game.begun
    return tuple(seat for seat in sorted(begun) if table.seats[seat].user_id is not None)


def seats_playing_themselves(table: Table) -> tuple[int, ...]:
    """Return the seats of people who are in the game and for whom the house has not taken over."""
    seats = () if table.game is None else table.game.seats
    return tuple(seat for seat in seats if table.seats[seat].present and table.seats[seat].house is None)


def seats_begun(table: Table) -> tuple[int, ...]:
    begun = people_begun(table)
    return tuple(seat for seat in seats_playing_themselves(table) if seat in begun)


def seats_yet_to_begin(table: Table) -> tuple[int, ...]:
    """Return the seats in ``seats_playing_themselves`` that have not begun. In own pace they are left out when the
    time is up."""
    begun = people_begun(table)
    return tuple(seat for seat in seats_playing_themselves(table) if seat not in begun)


def seats_done(table: Table) -> tuple[int, ...]:
    game = table.game
    return () if game is None else tuple(seat for seat in game.seats if game.count_finished(seat) == ROUNDS)


def leaves_unbegun(table: Table, seat: int) -> bool:
    """Return whether leaving now means that the game leaves out the seat: in own pace if it has not begun (R9.5).

    Also true for a seat that was left out already.
    """
    return table.game is not None and not table.turn_order.shared and seat not in table.game.begun


def waits_only_for_unbegun(table: Table) -> bool:
    """Return whether a game in own pace waits only for people who have not begun.

    At least one person must have begun, and all people who have begun must be done. People whom the house has replaced
    do not count.
    """
    game, begun = table.game, seats_begun(table)
    if game is None or game.over or game.turn_order.shared or not begun:
        return False
    return all(game.count_finished(seat) == ROUNDS for seat in begun) and bool(seats_yet_to_begin(table))
