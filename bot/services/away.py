"""Players who are away, leave, are removed or return; skipped turns; and the turns that the house plays.

Users change here, too, whether and how they want to be pinged.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from bot.domain.deadlines import find_house_seat, has_run_out_of_time, mark_waiting
from bot.domain.errors import Refused, Stale
from bot.domain.notify import Notify, Wishes
from bot.domain.table import Status, Table, leaves_unbegun, people_begun
from bot.domain.timing import News, NewsKind
from bot.locales import DEFAULT, _, current_language
from bot.services.core import (
    Change,
    Core,
    Person,
    change_table,
    get_open_tables,
    get_server_settings,
    get_table,
    use_case,
)
from bot.store.away import Absence, end_away, load_away, mark_announced, set_away
from bot.store.reminders import is_reminder_pending
from bot.store.settings import save_wishes
from highscore.events import Abandoned, Decided, Event, LeftOut, Remarked
from highscore.fairness import play_event
from highscore.game import Game, apply_event
from highscore.house import Temperament, choose_decision

STAND_IN = Temperament.STEADY
"""The temperament that plays for absent people. It plays soundly, and neither for nor against anybody."""

MOST_DAYS = 60
_DATES = (
    re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"),
    re.compile(r"(?P<day>[0-9]{1,2})(?P<mark>[./-])\s*(?P<month>[0-9]{1,2})[./-]?\s*(?P<year>[0-9]{4})?"),
)


def play_house_turn(table: Table, game: Game, seat: int, *, whole: bool = True) -> tuple[Game, Sequence[Event]]:
    """Let the house play the rest of a seat's turn, or only the next decision if not ``whole``. Raise NotYourTurn if
    the seat cannot play.

    A house player has its own temperament. For a person, the house plays with STAND_IN.
    """
    happened: list[Event] = []
    sitting = table.seats[seat]
    temperament = STAND_IN if sitting.house is None else Temperament(sitting.house)
    before = game.count_finished(seat)
    while not happened or (whole and game.count_finished(seat) == before):
        decision = choose_decision(game, seat, temperament)
        decided = Decided(seat, decision, by_house=sitting.user_id is not None)
        game, events = play_event(game, decided, table.source, table.deck)
        happened += events
    return game, happened


def play_due_house_turns(table: Table, game: Game) -> tuple[Game, Sequence[Event]]:
    """Play everything that the house plays before the table is shown again.

    This is one decision if several people play, or one turn if at most one does. In own pace it is every turn that the
    house may play (R9.5).
    """
    happened: list[Event] = []
    while (seat := find_house_seat(replace(table, game=game))) is not None:
        game, events = play_house_turn(table, game, seat, whole=not (table.turn_order.shared and len(table.people) > 1))
        happened += events
        if table.turn_order.shared:
            break
    return game, happened


def play_house_turns(table: Table, game: Game, seats: Sequence[int]) -> tuple[Game, Sequence[Sequence[Event]]]:
    """Let the house play one turn of each of these seats, one after the other. Raise NotYourTurn if a seat cannot
    play. Return the events of each seat's turn.
    """
    happened: list[Sequence[Event]] = []
    for seat in seats:
        game, events = play_house_turn(table, game, seat)
        happened.append(events)
    return game, happened


async def begin_absence(core: Core, guild_id: int, user_id: int, *, days: int | None, until: str | None) -> datetime:
    """Store that a user is away until a date, or without a date for some days (by default one). Return when the absence
    ends. A worker then marks the user's seats.

    Raise Refused if the date is not understood or is past, or if the absence is too long.
    """
    now = core.now()
    if until is None:
        back = now + timedelta(days=days or 1)
    else:
        back = parse_day(until, now, ZoneInfo((await get_server_settings(core, guild_id)).zone))
    if not now < back <= now + timedelta(days=MOST_DAYS + 1):
        raise Refused(_("You can be away for at most {number} days.").format(number=MOST_DAYS))
    await core.database.write(set_away, Absence(guild_id, user_id, back), now)
    return back


async def finish_absence(core: Core, guild_id: int, user_id: int) -> None:
    """End an absence. Raise Refused if there is none."""
    if not await core.database.write(end_away, guild_id, user_id, core.now()):
        raise Refused(
            _("You are not away on this server. `/highscore away days:3` announces that you are away for three days.")
        )


async def get_absence_end(core: Core, guild_id: int, user_id: int) -> datetime | None:
    return await core.database.read(load_away, guild_id, user_id, core.now())


async def announce_absence(core: Core, absence: Absence) -> list[Table]:
    """Mark the seats of an absent person at all open tables of the server, or unmark them if they are back. Return the
    tables that changed.
    """
    until = absence.until if absence.until > core.now() else None

    def work(table: Table) -> Change:
        at = table.seat_of(absence.user_id)
        if at is None or not table.status.open or table.seats[at].left or table.seats[at].away_until == until:
            return Change(table)
        return Change(table.with_seat(at, away_until=until))

    changed = []
    for table in await get_open_tables(core, guild_id=absence.guild_id):
        if table.seat_of(absence.user_id) is not None:
            after = await change_table(core, table.id, work)
            changed += [after] if after != table else []
    await core.database.write(mark_announced, absence, core.now())
    return changed


def parse_day(typed: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the beginning of a day that was written like 2026-11-24 or 24.11. Without a year, this is the next such
    day after today. Raise Refused if the text is not understood.

    In English, dates with slashes or hyphens like 24/11 are refused, because some people write the month first.
    """
    today = now.astimezone(zone).date()
    for written in _DATES:
        match = written.fullmatch(typed.strip())
        if match is not None and (current_language() != DEFAULT or match.groupdict().get("mark", ".") == "."):
            year = int(match["year"] or today.year)
            try:
                day = date(year, int(match["month"]), int(match["day"]))
                if match["year"] is None and day <= today:
                    day = day.replace(year=year + 1)
            except ValueError:
                break
            return datetime.combine(day, time(), zone)
    raise Refused(_("Write the day of your return like 2026-11-24, or pick one from the list."))


async def set_wishes(
    core: Core, user_id: int, notify: Notify | None = None, *, invitations: bool | None = None
) -> Wishes:
    """Change whether and how a user wants to be pinged. None leaves a wish as it is. Return all wishes."""
    return await core.database.write(save_wishes, user_id, notify, invitations, core.now())


@use_case
def leave_game(table: Table, person: Person, *, erased: bool = False) -> Change:
    """Leave a running game for good. The house plays for the seat from then on. In own pace, a seat that has not begun
    is left out of the game instead (R9.5).

    ``erased`` is true if the person's data is being deleted. Then nobody is compared with the seat (R9.6).

    If no person is left and nobody had begun, the game is closed. If somebody had begun, the house plays the rest of a
    game in own pace, and a table with shared dice goes to sleep.
    """
    at = _check_present(table, person.user_id)
    return _vacate(table.with_seat(at, erased=erased), at, NewsKind.LEFT, f"seat {at} left")


async def remove_member(core: Core, table_id: str, user_id: int) -> Table:
    """Have a person leave a table because they are no longer a member of the server. Raise Refused if they have no
    seat, or have left it."""

    def work(table: Table) -> Change:
        if table.status is Status.LOBBY:
            return vacate_seat(table, user_id)
        at = _check_present(table, user_id)
        return _vacate(table, at, NewsKind.GONE, f"seat {at} is no longer a member of the server")

    return await change_table(core, table_id, work)


@use_case
def kick_player(table: Table, by: Person, user_id: int) -> Change:
    """Remove another person from a table, as its host or a moderator.

    In a running game, the person's time must have run out, and in own pace their reminder must have been sent. A
    moderator without a seat can always remove them.
    """
    _check_may_moderate(table, by)
    if user_id == by.user_id:
        raise Refused(_("To leave yourself, use `/highscore leave`."))
    if table.status is Status.LOBBY:
        return vacate_seat(table, user_id, f"user {user_id} was removed by user {by.user_id}")
    _check_running(table)
    at = table.seat_of(user_id)
    if at is None or table.seats[at].left:
        raise Refused(_("That person is not sitting at this table."))
    _check_time(table, by, at)

    def check_reminded(connection: Connection, _now: datetime) -> None:
        # The reminder may be sent long after it is due, because the person is active or it is in quiet hours.
        if not _moderates_only(table, by) and is_reminder_pending(connection, table.id, user_id):
            raise _refuse_early()

    vacated = _vacate(table, at, NewsKind.KICKED, f"seat {at} was removed by user {by.user_id}")
    return replace(vacated, check=None if table.turn_order.shared else check_reminded)


@use_case
def take_seat_back(table: Table, person: Person) -> Change:
    at = _check_present(table, person.user_id)
    if not table.house_plays(at):
        raise Stale(table)
    if not table.turn_order.shared:
        raise Refused(_("The time is up, so the house plays the rest of your cards."))
    back = table.with_seat(at, house=None, misses=0, away_until=None)
    return Change(back, [Remarked(f"seat {at} is back")], news=(News(NewsKind.BACK, at),))


@use_case
def wake_table(table: Table, person: Person) -> Change:
    """Note that a player is waiting for the others, and wake the table if it sleeps (R9.3)."""
    _check_present(table, person.user_id)
    return Change(mark_waiting(table, person.user_id))


async def skip_turn(core: Core, table_id: str, by: Person) -> Table:
    """Let the house play the turn that the others are waiting for, as the host or a moderator.

    The player's time must have run out. A moderator without a seat need not wait for that. Raise Refused in own pace,
    where there is no such turn.

    Raise Refused in own pace and before the opening, and Stale if the table changes while the house decides.
    """
    seen = await get_table(core, table_id)
    _check_may_moderate(seen, by)
    game = _check_running(seen)
    if seen.awaits_opening:
        raise Refused(_("The game has not started yet."))
    if not seen.turn_order.shared:
        raise Refused(_("At this table, everybody plays at their own pace, so there is no turn to skip."))
    at = min(game.may_act, key=lambda seat: not has_run_out_of_time(seen, seat))
    if not seen.house_plays(at):
        _check_time(seen, by, at)
    after, happened = await core.helper.run(play_house_turn, seen, game, at)

    def work(table: Table) -> Change:
        if table.version != seen.version:
            raise Stale(table)
        remark = Remarked(f"the turn of seat {at} was skipped by user {by.user_id}")
        return Change(replace(table, game=after), [remark, *happened], news=(News(NewsKind.SKIPPED, at),))

    return await change_table(core, table_id, work, user_id=by.user_id, interaction_id=by.interaction_id)


async def close_table(core: Core, table_id: str, reason: str) -> Table:
    """Close a table without a result. Do nothing if it is closed already."""
    return await change_table(
        core, table_id, lambda table: abandon_table(table, reason) if table.status.open else Change(table)
    )


def abandon_table(table: Table, reason: str, *before: Event) -> Change:
    """Return the change that closes a table without a result. Its seed is public from then on.

    The events ``before`` are put in front of the one that closes the game.
    """
    closed = replace(table, status=Status.ABANDONED)
    if table.game is None:
        # Invited people have not agreed to anything, so their names and ids do not stay in the closed table.
        remark = Remarked(f"the table was closed: {reason}")
        return Change(closed.without_invited(), [remark])
    game, happened = play_event(table.game, Abandoned(reason), table.source, table.deck)
    return Change(replace(closed, game=game), [*before, *happened])


def _vacate(table: Table, at: int, kind: NewsKind, remark: str) -> Change:
    left = table.with_seat(at, left=True, house=table.seats[at].house or STAND_IN.value)
    people = left.people
    if not people and not people_begun(left):
        return abandon_table(left, "everybody left", Remarked(remark))
    happened: list[Event] = [Remarked(remark)]
    game = table.game
    if game is not None and at in game.seats and leaves_unbegun(table, at):
        out = LeftOut(at)
        # The dice depend on the id of the opening, so none can be drawn before that message is sent.
        game, events = (
            (apply_event(game, out), (out,))
            if table.awaits_opening
            else play_event(game, out, table.source, table.deck)
        )
        left, happened = replace(left, game=game), [*happened, *events]
    news = [News(kind, at, left.game.round if left.game else None)]
    if people and table.seats[at].user_id == table.host_id:
        left = replace(left, host_id=people[0])
        news.append(News(NewsKind.NEW_HOST, left.seat_of(people[0]) or 0))
    return Change(left, happened, news=tuple(news))


def vacate_seat(table: Table, user_id: int, remark: str | None = None) -> Change:
    """Return the change that frees a seat before the game starts. Raise Refused if the user has no seat.

    If the host leaves, the next person becomes the host. If no person is left, the table is closed.
    """
    happened = [] if remark is None else [Remarked(remark)]
    at = table.seat_of(user_id)
    if at is None:
        raise Refused(_("That person is not sitting at this table."))
    left = table.without([at])
    if not left.people:
        return Change(replace(table.without_invited(), status=Status.ABANDONED), happened)
    host = table.host_id if table.host_id in left.people else left.people[0]
    return Change(replace(left, host_id=host), happened)


def _check_running(table: Table) -> Game:
    if table.game is None:
        raise Refused(_("The game has not started yet."))
    if table.status is not Status.PLAYING:
        raise Stale(table)
    return table.game


def _check_present(table: Table, user_id: int) -> int:
    _check_running(table)
    return seat_of_player(table, user_id)


def seat_of_player(table: Table, user_id: int) -> int:
    """Return the seat of a person who plays at a table. Raise Refused if they have none, or have left."""
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused(
            _("You are not playing at this table, but enjoy watching! `/highscore new` opens a table of your own.")
        )
    if table.seats[seat].left:
        raise Refused(_("You are no longer in this game."))
    return seat


def _check_may_moderate(table: Table, by: Person) -> None:
    # A player who has left may not decide anything any more, not even as a moderator. Somebody who left as the last
    # person is still stored as the host, and may not, either.
    at = table.seat_of(by.user_id)
    if (at is not None and table.seats[at].left) or not (by.moderator or by.user_id == table.host_id):
        raise Refused(_("Only the host or somebody with the Manage Messages permission can do that."))


def _check_time(table: Table, by: Person, at: int) -> None:
    """Raise Refused if the person at this seat still has time, unless ``by`` is a moderator without a seat (R9.6)."""
    if not has_run_out_of_time(table, at) and not _moderates_only(table, by):
        raise _refuse_early()


def _moderates_only(table: Table, by: Person) -> bool:
    return by.moderator and table.seat_of(by.user_id) is None


def _refuse_early() -> Refused:
    return Refused(
        _("The player still has time left. You can do this later. A moderator who isn't playing can do it now.")
    )
