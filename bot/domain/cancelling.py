"""Cancelling: the agreement it takes to end a game without a result (R9.7). One rule for all turn orders."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.quiet_hours import QuietHours, add_awake
from bot.domain.table import Table

SILENCE_SECONDS = 3 * 24 * 3600
"""The seconds, outside of quiet hours, after which a player who does not answer counts as agreeing."""
COUNTED_EVERY = timedelta(minutes=15)
"""The time between two looks of the clock at silence. A shorter outage of the bot may count as silence."""


def seats_that_finished(table: Table) -> tuple[int, ...]:
    """Return the seats of people who have finished a turn, also if they have left since or had their data deleted."""
    game = table.game
    if game is None:
        return ()
    seats = set(filter(game.count_finished, game.seats))
    if game.turn_order.shared:
        # Only turns of one's own count (R9.6). In own pace the first card always is the player's own (R9.5).
        turns = (*game.played, *(turn for ended in game.finished for turn in ended.turns))
        seats = {turn.seat for turn in turns if turn.own}
    return tuple(seat for seat in sorted(seats) if table.seats[seat].user_id is not None or table.seats[seat].left)


def cannot_cancel(table: Table) -> bool:
    """Return whether the players cannot cancel any more: somebody has left who had finished a turn."""
    return any(table.seats[seat].left for seat in seats_that_finished(table))


def seats_asked(table: Table) -> tuple[int, ...]:
    """Return the seats whose agreement the host needs: all others that have finished a turn, or else all others."""
    if table.game is None or not (played := seats_that_finished(table)):
        return ()
    others = tuple(seat for seat in _sitting(table) if table.seats[seat].user_id != table.host_id)
    return tuple(seat for seat in others if seat in played) or others


def seats_yet_to_agree(table: Table) -> tuple[int, ...]:
    """Return the asked seats whose agreement is missing. One is enough where none of them has finished a turn."""
    asked = seats_asked(table)
    missing = tuple(seat for seat in asked if not table.seats[seat].gives_up)
    return () if len(missing) < len(asked) and not set(asked) & set(seats_that_finished(table)) else missing


def is_cancel_requested(table: Table) -> bool:
    """Return whether the host asks to cancel the game."""
    at = table.seat_of(table.host_id)
    return table.status.open and at is not None and table.seats[at].gives_up is True


def seats_yet_to_answer(table: Table) -> tuple[int, ...]:
    """Return the seats whose agreement is missing and that have not refused."""
    if not is_cancel_requested(table):
        return ()
    return tuple(seat for seat in seats_yet_to_agree(table) if table.seats[seat].gives_up is None)


def seats_yet_to_call(table: Table) -> tuple[int, ...]:
    """Return the seats that have to answer and were not called yet, without people who are away."""
    called = table.timing.agrees_at
    seats = (seat for seat in seats_yet_to_answer(table) if table.seats[seat].away_until is None)
    return tuple(seat for seat in seats if seat >= len(called) or called[seat] is None)


def start_silence(table: Table, users: Collection[int], now: datetime, quiet: QuietHours | None) -> Table:
    """Return the table after users were called to answer: their silence counts as agreement some days later."""
    called = dict(enumerate(table.timing.agrees_at))
    called |= {
        at: add_awake(now, SILENCE_SECONDS, quiet)
        for at in seats_yet_to_call(table)
        if table.seats[at].user_id in users
    }
    moments = tuple(called.get(seat) for seat in range(len(table.seats)))
    silence_at = table.timing.silence_at or now + COUNTED_EVERY
    return replace(table, timing=replace(table.timing, agrees_at=moments, silence_at=silence_at))


def drop_ended_request(before: Table, after: Table) -> Table:
    """Return the table after a change, without a request to cancel that has ended, and without the answers to it.

    A request ends with the round, or when anybody leaves. A host who takes it back cannot ask again before that.
    """
    if all(seat.gives_up is None for seat in after.seats):
        return after
    host = after.seat_of(after.host_id)
    changed = before.host_id != after.host_id or _sitting(before) != _sitting(after)
    ended = changed or before.rounds != after.rounds or not after.status.open
    if is_cancel_requested(after) and not ended:
        return after
    seats = (seat if at == host and not ended else replace(seat, gives_up=None) for at, seat in enumerate(after.seats))
    return replace(after, seats=tuple(seats))


def _sitting(table: Table) -> tuple[int, ...]:
    return () if table.game is None else tuple(seat for seat in table.game.seats if table.seats[seat].present)
