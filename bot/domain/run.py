"""Own pace: who has begun, and what those who have may do without the others (R9.5). All of it is public."""

from dataclasses import replace

from bot.domain.table import Table
from highscore.deck import ROUNDS


def playing_themselves(table: Table) -> tuple[int, ...]:
    """The seats of people who are in the game and for whom the house does not play."""
    seats = () if table.game is None else table.game.seats
    return tuple(seat for seat in seats if table.seats[seat].present and table.seats[seat].house is None)


def begun(table: Table) -> tuple[int, ...]:
    """Those of them who have finished a card."""
    game = table.game
    return () if game is None else tuple(seat for seat in playing_themselves(table) if game.progress(seat))


def yet_to_begin(table: Table) -> tuple[int, ...]:
    """Those of them who have not: they are left out when the time is up."""
    game = table.game
    return () if game is None else tuple(seat for seat in playing_themselves(table) if not game.progress(seat))


def has_begun(table: Table) -> bool:
    """Whether anybody has finished a card in own pace, perhaps somebody who has left: that counts to the end (R9.5)."""
    game = table.game
    if game is None or game.turn_order.shared:
        return False
    return any(table.seats[seat].user_id is not None and game.progress(seat) for seat in game.seats)


def leaves_nothing(table: Table, seat: int) -> bool:
    """Whether who leaves now is left out, or was: with no finished card."""
    return table.game is not None and not table.turn_order.shared and not table.game.progress(seat)


def waits_only_for_who_has_not_begun(table: Table) -> bool:
    """Whether all who have begun are done, and others have not begun."""
    game, there = table.game, begun(table)
    if game is None or game.over or game.turn_order.shared or not there:
        return False
    return all(game.progress(seat) == ROUNDS for seat in there) and bool(yet_to_begin(table))


def cancelling(table: Table) -> bool:
    """Whether the host has asked those who have begun to agree that the game is cancelled."""
    at = table.seat_of(table.host_id)
    return at is not None and table.seats[at].gives_up


def cancelled_by_all(table: Table) -> bool:
    """Whether nobody is left who has to agree to what the host has asked for."""
    return cancelling(table) and not yet_to_agree(table)


def without_agreements(table: Table) -> Table:
    """The table, where its host no longer asks for that: whoever had agreed is asked anew the next time."""
    if cancelling(table) or not any(seat.gives_up for seat in table.seats):
        return table
    return replace(table, seats=tuple(replace(seat, gives_up=False) for seat in table.seats))


def yet_to_agree(table: Table) -> tuple[int, ...]:
    """Who has to agree to that and has not: once a round is complete, all who have begun."""
    if table.game is None or table.turn_order.shared or not table.game.finished:
        return ()
    return tuple(seat for seat in begun(table) if not table.seats[seat].gives_up)
