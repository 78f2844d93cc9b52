"""Who has to agree before a game is cancelled, that is, ended without a result (R9.7)."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.table import Table, people_begun
from highscore.runs import FinishedTurn, Hand


def has_lost_player(table: Table) -> bool:
    """Return whether a person who had begun has left or was removed. If so, the players cannot cancel any more."""
    return any(table.seats[seat].left for seat in people_begun(table))


def seats_asked(table: Table) -> tuple[int, ...]:
    """Return the seats whose agreement the host needs.

    These are the other people who have begun or, if none of them has, all other people who are still in the game. Empty
    until a person has taken the dice: before that the host can cancel alone.
    """
    others = [at for at, seat in enumerate(table.seats) if seat.present and seat.user_id != table.host_id]
    begun = people_begun(table)
    if table.game is None or not (begun or _is_played(table)):
        return ()
    # In own pace, a seat that has not begun may be left out of the game. Then it is not asked.
    return tuple(at for at in others if at in begun) or tuple(at for at in others if at in table.game.seats)


def seats_yet_to_agree(table: Table) -> tuple[int, ...]:
    """Return the asked seats that have not agreed. Empty if one agreement is enough and was given."""
    asked = seats_asked(table)
    missing = tuple(seat for seat in asked if not table.seats[seat].gives_up)
    return () if len(missing) < len(asked) and is_one_enough(table, asked) else missing


def is_one_enough(table: Table, asked: Sequence[int]) -> bool:
    """Return whether one of the asked seats is enough, because none of them has begun."""
    return not set(asked) & set(people_begun(table))


def is_declined(table: Table) -> bool:
    """Return whether a player has declined in this round, or the host has withdrawn the request."""
    return any(seat.present and seat.gives_up is False for seat in table.seats)


def seats_yet_to_answer(table: Table) -> tuple[int, ...]:
    """Return the seats whose answer the host is waiting for.

    Empty if there is no request, if it was declined, or if the players cannot cancel any more.
    """
    host = table.seat_of(table.host_id)
    asks = table.status.open and host is not None and table.seats[host].gives_up is True
    return () if not asks or is_declined(table) or has_lost_player(table) else seats_yet_to_agree(table)


def seats_to_call(table: Table) -> tuple[int, ...]:
    """Return the seats to ping for an answer. People who are away are not pinged."""
    return tuple(seat for seat in seats_yet_to_answer(table) if table.seats[seat].away_until is None)


def drop_old_answers(before: Table, after: Table) -> Table:
    """Return ``after``, without the request to cancel and its answers if a round has ended or the host has changed."""
    if before.rounds == after.rounds and before.host_id == after.host_id:
        return after
    return replace(after, seats=tuple(replace(seat, gives_up=None) for seat in after.seats))


def _is_played(table: Table) -> bool:
    """Return whether any person has taken the dice themselves, in any round."""
    turns: list[Hand | FinishedTurn] = []
    if (game := table.game) is not None:
        turns = [*game.hands, *game.played, *(turn for done in game.finished for turn in done.turns)]
    return any(turn.own and table.seats[turn.seat].user_id is not None for turn in turns)
