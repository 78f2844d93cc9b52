"""The plan of a table's times (deadlines, reminders, moves of the house) after a change. All functions are pure."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.calendar import add_awake, count_awake_seconds
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status, Table, waits_only_for_unbegun
from bot.domain.timing import Timing
from highscore.deck import ROUNDS
from highscore.game import Game
from highscore.turn_order import TurnOrder

LOBBY_SECONDS = 24 * 3600
RESERVED_SECONDS = 3600
"""A seat is reserved for an invited person for this long, outside of quiet hours."""
HOUSE_SECONDS = 2.0
"""The pause before each decision of the house, so that people can follow. Half of it if at most one person plays."""
LEAST_AGAIN_SECONDS = 60.0
"""A deadline that passed during an outage is extended by at least this much."""
EARLY_SHARE = 1 / 8
"""In own pace: this share of the game's time (three hours of a day) after the reminder, players who are done may end
the game without those who have not begun."""
ASLEEP_DAYS = 14
"""A table that sleeps is closed after this many days."""
PAUSED_DAYS = 14
"""A table that is paused is closed after this many days."""


def plan_timing(before: Table | None, after: Table, now: datetime, settings: ServerSettings) -> Timing:
    """Return the times of a table after a change. ``before`` is the table before the change, or None if it is new."""
    if not after.status.open:
        return Timing()
    timing = after.timing if after.invited else replace(after.timing, seats_reserved_until=None)
    if after.game is None:
        return timing if timing.deadline else replace(timing, deadline=now + timedelta(seconds=LOBBY_SECONDS))
    if timing.asleep_until is not None:
        return timing
    # A stopped clock shows the time at which it was stopped. `resume_timing` continues from that time.
    now = timing.paused_at or now
    earlier = None if before is None else before.game
    timing = replace(timing, house_plays_at=_plan_house(after, now))
    fresh = before is None or before.deadline_scope != after.deadline_scope
    timing = _plan_hold(_plan_deadline(timing, after, now, settings, fresh=fresh), earlier, after, now, settings)
    stalled = after.turn_order.shared and not (after.awaits_opening or timing.house_plays_at or timing.deadline)
    return fall_asleep(timing, now) if stalled else timing


def _plan_house(table: Table, now: datetime) -> datetime | None:
    """Return when the house makes its next decision; None if it has none to make.

    The pause starts at the planned time of the last decision, not at its real time, so small delays do not add up.
    """
    if find_house_seat(table) is None:
        return None
    pause = timedelta(seconds=HOUSE_SECONDS / (2 if len(table.people) < 2 else 1))
    last = table.timing.house_plays_at
    return (last if last is not None and now - pause / 2 <= last <= now else now) + pause


def fall_asleep(timing: Timing, now: datetime) -> Timing:
    """Return the times of a table that falls asleep, because nobody is waiting for the turn that has to be played."""
    until = now + timedelta(days=ASLEEP_DAYS)
    return replace(timing, deadline=None, hold_deadline=None, remind_at=None, house_plays_at=None, asleep_until=until)


def mark_waiting(table: Table, user_id: int) -> Table:
    """Return the table after a user has pressed a button: awake, and with the note that this player is waiting (R9.3).

    Nothing changes if the user has no seat or has left it, if the game is in own pace, and before and after the game.
    """
    at = table.seat_of(user_id)
    if table.game is None or table.game.over or not table.turn_order.shared or at is None or table.seats[at].left:
        return table
    turns = len(table.game.seats_of_finished_turns)
    if table.timing.asleep_until is None and _turns_at_press(table, at) == turns:
        return table
    marks = tuple(turns if seat == at else _turns_at_press(table, seat) for seat in range(len(table.seats)))
    return replace(table, timing=replace(table.timing, asleep_until=None, turns_at_last_press=marks))


def is_awaited(table: Table, seat: int) -> bool:
    """Return whether another person is waiting for a seat's turn, so that the house may play it (R9.3).

    Always true for a house player's seat, in own pace, and before the game.
    """
    if table.game is None or table.seats[seat].user_id is None or not table.turn_order.shared:
        return True
    # A person is waiting if they have pressed a button at this table since that seat's previous turn ended.
    since = max((at for at, one in enumerate(table.game.seats_of_finished_turns, 1) if one == seat), default=0)
    others = (at for at, sitting in enumerate(table.seats) if sitting.present and at != seat)
    return any(_turns_at_press(table, at) >= since for at in others)


def _turns_at_press(table: Table, seat: int) -> int:
    return table.timing.turns_at_last_press[seat] if seat < len(table.timing.turns_at_last_press) else 0


def seats_waited_for(table: Table) -> tuple[int, ...]:
    """Return the seats of people who have a turn to play themselves.

    In rulebook order this is the player whose turn it is. In open order these are all players who have not played this
    round, in own pace all who have cards left. Empty before the opening is in the channel, and after the game.
    """
    game = table.game
    if game is None or game.over or game.start_seat is None:
        return ()  # The start player is drawn when the opening is in the channel. Nobody's time starts before that.
    match game.turn_order:
        case TurnOrder.CLOCKWISE:
            seats = game.to_play[:1]
        case TurnOrder.OPEN:
            seats = game.to_play
        case TurnOrder.OWN_PACE:
            seats = tuple(seat for seat in game.seats_from_start if game.count_finished(seat) < ROUNDS)
    return tuple(seat for seat in seats if not table.house_plays(seat))


def users_waited_for(table: Table) -> tuple[int, ...]:
    """Return the users in ``seats_waited_for`` who are not away. People who are away get no reminders."""
    people = ((table.seats[seat].user_id, table.seats[seat].away_until) for seat in seats_waited_for(table))
    return tuple(user_id for user_id, away_until in people if user_id is not None and away_until is None)


def has_run_out_of_time(table: Table, seat: int) -> bool:
    """Return whether a player may be skipped or removed, because their time at the table has run out (R9.6).

    True after the house has played a turn for a person or has taken over, until that person comes back. Also true in
    own pace for a player with cards left after the reminder, and at a sleeping table for the player to play next.
    """
    sitting, game = table.seats[seat], table.game
    if game is None or sitting.user_id is None:
        return False
    if sitting.house is not None or sitting.misses:
        return True
    if not table.turn_order.shared:
        return table.timing.reminded and sitting.user_id in users_waited_for(table)
    late = seats_waited_for(table) if game.seat is None else (game.seat,)
    return table.timing.asleep_until is not None and seat in late


def find_house_seat(table: Table) -> int | None:
    """Return the seat for which the house makes the next decision.

    None if the house has nothing to play, if nobody is waiting for its turn (R9.3), or if the table is asleep.
    """
    game = table.game
    if game is None or table.timing.asleep_until is not None:
        return None
    seats = [seat for seat in game.may_act if table.house_plays(seat) and is_awaited(table, seat)]
    if not game.turn_order.shared:  # The house plays a card after all people have played it (R9.5).
        people = [game.count_finished(seat) for seat in game.seats if not table.house_plays(seat)]
        seats = [seat for seat in seats if game.count_finished(seat) < min(people, default=ROUNDS)]
    return seats[0] if seats else None


def _plan_deadline(timing: Timing, table: Table, now: datetime, settings: ServerSettings, *, fresh: bool) -> Timing:
    """Plan the deadline, the reminder and the early end.

    ``fresh`` is true if the time of a new turn, round or game starts now. Otherwise the deadline changes only if the
    house replaces the last person who had to play, or if a person comes back.
    """
    if fresh:
        timing = replace(timing, reminded=False)
    if not seats_waited_for(table):
        return replace(timing, deadline=None, remind_at=None)  # Only the house has turns left to play.
    if fresh or timing.deadline is None:
        # If the time starts again in the middle of a turn or round, nobody is reminded a second time.
        remind_at = None
        if settings.remind_percent and not timing.reminded:
            remind_at = _moment_after(table, now, settings.remind_percent / 100, settings)
        timing = replace(timing, deadline=_moment_after(table, now, 1.0, settings), remind_at=remind_at)
    if timing.early_end_at is None and waits_only_for_unbegun(table):
        if timing.remind_at is None or timing.deadline is None:
            return replace(timing, early_end_at=plan_early_end(table, now, settings))
        # The only reminder is sent now, but not before the missing players have had an eighth of the game's time.
        soonest = timing.deadline - timedelta(seconds=table.options.allowed_seconds * (1 - EARLY_SHARE))
        return replace(timing, remind_at=min(timing.remind_at, add_awake(max(now, soonest), 0, settings.quiet_hours)))
    return timing


def plan_early_end(table: Table, now: datetime, settings: ServerSettings) -> datetime | None:
    """Return when players who are done may end the game, if the reminder is sent now. None if the dice are shared."""
    if table.turn_order.shared:
        return None
    return add_awake(now, table.options.allowed_seconds * EARLY_SHARE, settings.quiet_hours)


def _moment_after(table: Table, now: datetime, share: float, settings: ServerSettings) -> datetime:
    """Return when a share of the allowed time is over.

    In own pace, quiet hours count as well (R9.5), but a time that ends during quiet hours is moved to their end.
    """
    seconds = table.options.allowed_seconds * share
    if table.turn_order.shared:
        return add_awake(now, seconds, settings.quiet_hours)
    return add_awake(now + timedelta(seconds=seconds), 0, settings.quiet_hours)


def _plan_hold(timing: Timing, earlier: Game | None, table: Table, now: datetime, settings: ServerSettings) -> Timing:
    """Set the time until which the player may hold the dice in open order, or None if there is no such limit.

    The limit applies only to a person for whom another person is waiting. It starts when the other person starts to
    wait, and again with each decision.
    """
    game = table.game
    if game is None or game.seat is None or game.turn_order is not TurnOrder.OPEN:
        return replace(timing, hold_deadline=None)
    if table.house_plays(game.seat) or not is_awaited(table, game.seat):
        return replace(timing, hold_deadline=None)
    decided = earlier is None or (earlier.seat, earlier.turn) != (game.seat, game.turn)
    if timing.hold_deadline is not None and not decided:
        return timing
    until = add_awake(now, table.options.hold_seconds, settings.quiet_hours)
    # The turn also ends when the time of the round is over.
    return replace(timing, hold_deadline=until if timing.deadline is None else min(until, timing.deadline))


def visible_times(table: Table) -> tuple[datetime | None, ...]:
    timing = table.timing
    early = timing.early_end_at if waits_only_for_unbegun(table) else None
    return timing.deadline, timing.hold_deadline, timing.seats_reserved_until, timing.asleep_until, early


def is_overdue(table: Table, now: datetime) -> bool:
    """Return whether a visible time, other than the early end, has passed and the bot has not acted on it yet."""
    *changed_by_the_clock, _early = visible_times(table)
    return any(moment is not None and moment <= now for moment in changed_by_the_clock)


def postpone_due(table: Table, now: datetime, settings: ServerSettings) -> Timing:
    """Return the times after an outage. A deadline that has passed is moved to a quarter of its full time from now, at
    least a minute."""
    timing = table.timing

    def again(moment: datetime | None, allowed: int) -> datetime | None:
        if moment is None or moment > now:
            return moment
        return add_awake(now, max(allowed / 4, LEAST_AGAIN_SECONDS), settings.quiet_hours)

    lobby = table.status is Status.LOBBY
    return replace(
        timing,
        deadline=again(timing.deadline, LOBBY_SECONDS if lobby else table.options.allowed_seconds),
        hold_deadline=again(timing.hold_deadline, table.options.hold_seconds),
        seats_reserved_until=again(timing.seats_reserved_until, RESERVED_SECONDS),
    )


def resume_timing(table: Table, now: datetime, settings: ServerSettings) -> Timing:
    """Return the times after a pause. Until each deadline, the reminder and the early end, as much time is left as when
    the clock was stopped.

    A deadline that had passed by then is moved as in ``postpone_due``.
    """
    since = table.timing.paused_at
    if since is None:
        return table.timing
    timing = table.timing

    def move(moment: datetime | None) -> datetime | None:
        if moment is None:
            return None
        left = count_awake_seconds(since, moment, settings.quiet_hours)
        return add_awake(now, left, settings.quiet_hours) if left else now

    running = replace(
        timing,
        paused_at=None,
        retry_at=None,
        pause_warnings=0,
        deadline=move(timing.deadline),
        hold_deadline=move(timing.hold_deadline),
        seats_reserved_until=move(timing.seats_reserved_until),
        remind_at=move(timing.remind_at),
        early_end_at=move(timing.early_end_at),
    )
    return postpone_due(replace(table, timing=running), now, settings)
