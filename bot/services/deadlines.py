"""What happens at a table when a time comes: deadlines, reminders, turns of the house, sleep, and the ends of pauses.

Acting twice is harmless, because everything is decided from the stored times.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain import deadlines as clock
from bot.domain.calendar import add_awake
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.services.away import STAND_IN, abandon_table, play_due_house_turns, play_house_turns
from bot.services.core import Change, Core, change_table, get_server_settings, get_table
from bot.services.run import end_runs
from bot.store.table import find_unshown_ends
from highscore.events import Event, Remarked
from highscore.game import Game
from highscore.turn_order import TurnOrder

OUTAGE_SECONDS = 120
"""If a deadline is overdue by more than this, it counts as passed in an outage: the bot could not act, for example
because the database was down.
"""
MISSES_UNTIL_STAND_IN = 2
"""After this many turns in a row that the house played for a person, it keeps playing for them until they return."""
RETRY_SECONDS = 10 * 60
LAST_RETRY_SECONDS = 6 * 3600
"""The longest time between two checks whether the bot may post again. It is reached after a day."""
WARNED_DAYS = 12
"""When a table has been paused for this many days, the host is warned that it will be closed."""


async def act_on_due(core: Core, table: Table, reachable_since: datetime | None = None) -> Table:
    """Do one thing that is due at a table. Return the table, unchanged if nothing is due.

    ``reachable_since`` is the end of the last outage, in which the bot was down or could not reach Discord. None means
    that there was no outage.
    """
    now = core.now()
    if _is_past(table.timing.house_plays_at, now) and table.timing.paused_at is None:
        return await _let_house_play(core, table)
    settings = await get_server_settings(core, table.guild_id)
    # The helper computes the house's turns before the transaction. If the table has changed by then, they are dropped.
    played: tuple[Game, Sequence[Sequence[Event]]] | None = None
    late = _find_late_seats(table, now, reachable_since)
    if late and not table.turn_order.shared:
        return await change_table(
            core, table.id, lambda current: end_runs(current, _find_late_seats(current, now, reachable_since))
        )
    if table.game is not None and late:
        played = await core.helper.run(play_house_turns, table, table.game, late)

    def work(current: Table) -> Change:
        still_late = _find_late_seats(current, now, reachable_since)
        if not still_late:
            return _do_due(current, now, settings, reachable_since)
        if played is None or current.version != table.version or still_late != late:
            return Change(current)
        return _play_late(current, late, *played)

    return await change_table(core, table.id, work)


async def pause_table(core: Core, table_id: str) -> Table:
    """Stop the clock of an open table because the bot may not post there. The first check whether it may is due now,
    together with a warning to the host.
    """
    now = core.now()

    def work(table: Table) -> Change:
        timing = table.timing
        if timing.paused_at is not None or not table.status.open:
            return Change(table)
        paused = replace(timing, paused_at=now, retry_at=now, pause_warnings=0)
        return Change(replace(table, timing=paused))

    return await change_table(core, table_id, work)


async def find_ended_unseen(core: Core, *, guild_id: int | None = None, channel_id: int | None = None) -> list[str]:
    """Return the ids of the closed tables of a server or channel whose end the bot has not shown."""
    return await core.database.read(find_unshown_ends, guild_id=guild_id, channel_id=channel_id)


def count_warnings_due(table: Table, now: datetime) -> int:
    """Return how many warnings the host of a paused table should have got by now: one, or two after WARNED_DAYS.

    Return the number of warnings already sent if no more are due: at a table that is not paused, is closed, or will be
    closed now.
    """
    since = table.timing.paused_at
    if since is None or not table.status.open or now - since >= timedelta(days=clock.PAUSED_DAYS):
        return table.timing.pause_warnings
    return 2 if now - since >= timedelta(days=WARNED_DAYS) else 1


async def resume_table(core: Core, table_id: str) -> Table:
    """End the pause of a table, if it is paused. The clock continues with the time that was left, and the table shows
    that as news.
    """
    now = core.now()
    settings = await get_server_settings(core, (await get_table(core, table_id)).guild_id)

    def work(table: Table) -> Change:
        if table.timing.paused_at is None:
            return Change(table)
        timing = clock.resume_timing(table, now, settings)
        return Change(replace(table, timing=timing), news=(News(NewsKind.RESUMED, 0),))

    return await change_table(core, table_id, work)


def has_run_out(table: Table, now: datetime) -> bool:
    """Return whether any deadline of a table has passed: of its lobby, a reserved seat, a player, or held dice. False
    during a pause.
    """
    return table.timing.paused_at is None and any(limit <= now for limit in table.timing.deadlines)


def is_expiring(table: Table, now: datetime) -> bool:
    """Return whether the time of a lobby or of a player is up. False during a pause."""
    return table.timing.paused_at is None and (
        _is_past(table.timing.deadline, now) or _is_past(table.timing.hold_deadline, now)
    )


async def _let_house_play(core: Core, table: Table) -> Table:
    """Play the turns of the house that are due. If the table has changed while they were computed, change nothing."""
    if table.game is None:
        return table
    game, happened = await core.helper.run(play_due_house_turns, table, table.game)

    def work(current: Table) -> Change:
        same = current.version == table.version and current.game == table.game
        return Change(replace(current, game=game), happened) if same else Change(current)

    return await change_table(core, table.id, work)


def _do_due(table: Table, now: datetime, settings: ServerSettings, reachable_since: datetime | None) -> Change:
    timing = table.timing
    if not table.status.open:
        return Change(table)
    if timing.paused_at is not None:
        return _stay_paused(table, timing.paused_at, now)
    if has_run_out(table, now) and _has_ended_in_outage(table, now, reachable_since):
        return Change(replace(table, timing=clock.postpone_due(table, now, settings)))
    if is_expiring(table, now):
        if table.status is Status.LOBBY:
            return abandon_table(table, "nobody started")
        return Change(replace(table, timing=clock.fall_asleep(timing, now)))
    if _is_past(timing.seats_reserved_until, now):
        return Change(table.without_invited())
    if _is_past(timing.asleep_until, now):
        return abandon_table(table, "nobody came back")
    if _is_past(timing.remind_at, now):
        quiet = settings.quiet_hours
        if quiet is not None and quiet.contains(now):
            return Change(replace(table, timing=replace(timing, remind_at=add_awake(now, 0, quiet))))
        if not settings.remind_percent:
            return Change(replace(table, timing=replace(timing, remind_at=None)))
        early_end_at = clock.plan_early_end(table, now, settings)
        reminded = replace(timing, remind_at=None, reminded=True, early_end_at=early_end_at)
        return Change(replace(table, timing=reminded), remind=clock.users_waited_for(table))
    return Change(table)


def _has_ended_in_outage(table: Table, now: datetime, reachable_since: datetime | None) -> bool:
    """Return whether the earliest deadline that has passed did so in an outage, or too soon after one for the player to
    act.
    """
    ended = min(end for end in table.timing.deadlines if end <= now)
    usable_from = None if reachable_since is None else reachable_since + timedelta(seconds=clock.LEAST_AGAIN_SECONDS)
    return now - ended > timedelta(seconds=OUTAGE_SECONDS) or (usable_from is not None and ended < usable_from)


def _find_late_seats(table: Table, now: datetime, reachable_since: datetime | None) -> tuple[int, ...]:
    """Return the seats for which the house plays now, because their time is up. Empty if it ended in an outage.

    In own pace, these are the seats of all people with cards left. If the dice are shared, it is at most one seat, or
    at the end of a round in open order all who have not played, and only if another person is waiting for them.
    """
    game = table.game
    if game is None or game.over or not is_expiring(table, now) or _has_ended_in_outage(table, now, reachable_since):
        return ()
    late = clock.seats_waited_for(table)
    if not game.turn_order.shared:
        return late
    if game.seat is not None:
        # The seat that holds the dice finishes its turn first, because only one turn runs at a time (R9.1).
        late = (game.seat, *(seat for seat in late if seat != game.seat))
        if not clock.is_awaited(table, game.seat):
            return ()
    if game.turn_order is not TurnOrder.OPEN or not _is_past(table.timing.deadline, now):
        late = late[:1]
    return tuple(seat for seat in late if clock.is_awaited(table, seat))


def _play_late(table: Table, late: Sequence[int], game: Game, turns: Sequence[Sequence[Event]]) -> Change:
    """Return the change after the house has played these turns for people whose time was up."""
    happened: list[Event] = []
    news: list[News] = []
    for seat, events in zip(late, turns, strict=True):
        if table.house_plays(seat):
            happened += events
            continue
        happened += [Remarked(f"the time of seat {seat} was up"), *events]
        misses = table.seats[seat].misses + 1
        table = table.with_seat(seat, misses=misses, house=STAND_IN.value if misses >= MISSES_UNTIL_STAND_IN else None)
        news.append(News(NewsKind.PLAYED, seat))
    return Change(replace(table, game=game), happened, news=tuple(news))


def _stay_paused(table: Table, since: datetime, now: datetime) -> Change:
    if now - since >= timedelta(days=clock.PAUSED_DAYS):
        return abandon_table(table, "paused for too long")
    seconds = min(max((now - since).total_seconds() / 4, RETRY_SECONDS), LAST_RETRY_SECONDS)
    again = replace(
        table.timing, retry_at=now + timedelta(seconds=seconds), pause_warnings=count_warnings_due(table, now)
    )
    return Change(replace(table, timing=again))


def _is_past(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now
