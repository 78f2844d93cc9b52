"""Cancelling: whose agreement it takes to end a game without a result (R9.7). One rule for all turn orders."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.quiet_hours import QuietHours, add_awake
from bot.domain.table import Table

SILENCE_SECONDS = 3 * 24 * 3600
"""How long somebody may leave a call unanswered before they count as agreed; quiet hours are not counted."""
COUNTED_EVERY = timedelta(minutes=15)
"""How often the clock looks at silence. A shorter outage may be counted."""


def seats_that_finished(table: Table) -> tuple[int, ...]:
    """The seats of people who have finished a turn, also of those who have left since or had their data deleted."""
    game = table.game
    if game is None:
        return ()
    seats = set(filter(game.count_finished, game.seats))
    if game.turn_order.shared:
        # Their own turns (R9.6); in own pace nobody sits there whose first card is not their own (R9.5).
        turns = (*game.played, *(turn for ended in game.finished for turn in ended.turns))
        seats = {turn.seat for turn in turns if turn.own}
    return tuple(seat for seat in sorted(seats) if table.seats[seat].user_id is not None or table.seats[seat].left)


def cannot_cancel(table: Table) -> bool:
    """Whether the players cannot cancel any more, because somebody has gone who had finished a turn."""
    return any(table.seats[seat].left for seat in seats_that_finished(table))


def seats_asked(table: Table) -> tuple[int, ...]:
    """Whose agreement the host needs: all others who have finished a turn and sit there, or one of all the others.

    Nobody's, until somebody has finished a turn.
    """
    if table.game is None or not (played := seats_that_finished(table)):
        return ()
    others = tuple(seat for seat in _sitting(table) if table.seats[seat].user_id != table.host_id)
    return tuple(seat for seat in others if seat in played) or others


def is_one_enough(table: Table) -> bool:
    """Whether one of those who are asked is enough, as none of them has finished a turn."""
    return not set(seats_asked(table)) & set(seats_that_finished(table))


def seats_yet_to_agree(table: Table) -> tuple[int, ...]:
    """Those of them whose agreement is missing."""
    asked = seats_asked(table)
    missing = tuple(seat for seat in asked if not table.seats[seat].gives_up)
    return () if is_one_enough(table) and len(missing) < len(asked) else missing


def is_cancel_requested(table: Table) -> bool:
    """Whether the host asks for that."""
    at = table.seat_of(table.host_id)
    return table.status.open and at is not None and table.seats[at].gives_up is True


def seats_yet_to_answer(table: Table) -> tuple[int, ...]:
    """Those whose agreement is missing and who have not said that they are against it."""
    if not is_cancel_requested(table):
        return ()
    return tuple(seat for seat in seats_yet_to_agree(table) if table.seats[seat].gives_up is None)


def seats_yet_to_call(table: Table) -> tuple[int, ...]:
    """Those of them who are to be called, once each: not who is away."""
    called = table.timing.agrees_at
    seats = (seat for seat in seats_yet_to_answer(table) if table.seats[seat].away_until is None)
    return tuple(seat for seat in seats if seat >= len(called) or called[seat] is None)


def start_silence(table: Table, users: Collection[int], now: datetime, quiet: QuietHours | None) -> Table:
    """The table after these were called: the silence of those who are asked counts as agreement some days later."""
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
    """The table after a change, without a request that has ended with it, and without what was said to that.

    It ends with a finished round and when anybody goes. A host who takes it back cannot ask again before that, so that
    nobody is called over and over.
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
