"""Cancelling: the agreement it takes to end a game without a result (R9.7). One rule for all turn orders."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.run import people_begun
from bot.domain.table import Table
from highscore.runs import FinishedTurn, Hand


def has_lost_player(table: Table) -> bool:
    """Return whether somebody who had begun has left or was removed: then the players cannot cancel any more."""
    return any(table.seats[seat].left for seat in people_begun(table))


def seats_asked(table: Table) -> tuple[int, ...]:
    """Return the seats that decide with the host, once a person has taken the dice: others who have begun, or else all
    others."""
    others = [at for at, seat in enumerate(table.seats) if seat.present and seat.user_id != table.host_id]
    begun = people_begun(table)
    if table.game is None or not (begun or _is_played(table)):
        return ()
    # In own pace a seat that has not begun may be left out of the game.
    return tuple(at for at in others if at in begun) or tuple(at for at in others if at in table.game.seats)


def seats_yet_to_agree(table: Table) -> tuple[int, ...]:
    """Return the asked seats whose agreement is missing: of all of them, or of any one."""
    asked = seats_asked(table)
    missing = tuple(seat for seat in asked if not table.seats[seat].gives_up)
    return () if len(missing) < len(asked) and is_one_enough(table, asked) else missing


def is_one_enough(table: Table, asked: Sequence[int]) -> bool:
    """Return whether the agreement of one of the asked seats is enough: none of them has begun."""
    return not set(asked) & set(people_begun(table))


def is_declined(table: Table) -> bool:
    """Return whether somebody has declined in this round, or the host has withdrawn the request."""
    return any(seat.present and seat.gives_up is False for seat in table.seats)


def seats_yet_to_answer(table: Table) -> tuple[int, ...]:
    """Return the seats whose answer the host waits for; none if there is no request to cancel the game."""
    host = table.seat_of(table.host_id)
    asks = table.status.open and host is not None and table.seats[host].gives_up is True
    return () if not asks or is_declined(table) or has_lost_player(table) else seats_yet_to_agree(table)


def seats_to_call(table: Table) -> tuple[int, ...]:
    """Return the seats that are called to answer: not people who are away."""
    return tuple(seat for seat in seats_yet_to_answer(table) if table.seats[seat].away_until is None)


def drop_old_answers(before: Table, after: Table) -> Table:
    """Return the table after a change, without the request and the answers if a round has ended or the host left."""
    if before.rounds == after.rounds and before.host_id == after.host_id:
        return after
    return replace(after, seats=tuple(replace(seat, gives_up=None) for seat in after.seats))


def _is_played(table: Table) -> bool:
    """Return whether a person has taken the dice, perhaps only in a later round."""
    turns: list[Hand | FinishedTurn] = []
    if (game := table.game) is not None:
        turns = [*game.hands, *game.played, *(turn for done in game.finished for turn in done.turns)]
    return any(turn.own and table.seats[turn.seat].user_id is not None for turn in turns)
