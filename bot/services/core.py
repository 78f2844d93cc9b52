"""The values that every use case is given, and the functions that read and change tables."""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar
from uuid import uuid4

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bot.domain.cancelling import drop_old_answers
from bot.domain.deadlines import mark_waiting, plan_timing, visible_times
from bot.domain.errors import AlreadyHandled, Refused, WrongServer
from bot.domain.highlights import rare_news
from bot.domain.notify import Call, calls_to_answer, calls_to_seats
from bot.domain.recent import Recent
from bot.domain.server_settings import ServerSettings
from bot.domain.shards import Share
from bot.domain.table import Status, Table
from bot.domain.timing import News, Pace, PaceTimes
from bot.locales import _
from bot.observing.in_flight import note_committed
from bot.observing.logs import add_log_fields
from bot.observing.metrics import Metrics
from bot.services import facts as fact
from bot.services.helper import Helper
from bot.services.results import book_round, mark_counting_seats
from bot.store import table as store
from bot.store.away import end_away
from bot.store.claims import SHOW_LEASE, lease_display_later
from bot.store.database import Database, lock_games
from bot.store.marks import call_invited, is_known, note_interaction
from bot.store.reminders import change_calls, save_calls
from bot.store.rows import make_storable
from bot.store.settings import load_server_settings
from bot.store.sharing import follow_lobby
from highscore.deck import Deck
from highscore.events import Decided, Event

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

PLACES_REMEMBERED = 10_000
CLICKS_REMEMBERED = 10_000
TABLES_PER_HOST = 5
"""The most open tables that a person may host on one server. Without this limit, one person could open tables in many
threads, which everybody on the server sees.
"""


@dataclass(slots=True)
class Core:
    database: Database
    now: Callable[[], datetime]
    """The program's only clock, in aware UTC. Tests set it by hand."""
    deck: Deck
    """The deck of new tables, daily challenges and cups."""
    tables_per_channel: int
    paces: Mapping[Pace, PaceTimes]
    facts: fact.Facts = field(default_factory=fact.Facts)
    tables_per_host: int = TABLES_PER_HOST
    guilds: dict[int, ServerSettings] = field(default_factory=dict)
    """The settings that were read or changed before, by server. Cleared often if other processes may change them."""
    places: Recent[str, int] = field(default_factory=lambda: Recent(PLACES_REMEMBERED))
    """The server of each table, challenge or cup whose buttons were pressed, by its id. It never changes."""
    clicks: Recent[tuple[str, int], datetime] = field(default_factory=lambda: Recent(CLICKS_REMEMBERED))
    """When a user last pressed a button at a table, by table and user. Reminders to active users are postponed."""
    share: Share = field(default_factory=Share)
    metrics: Metrics = field(default_factory=Metrics)
    helper: Helper = field(default_factory=Helper)
    """Computes what would delay presses, such as hints, the house's turns and large pictures."""
    process: str = field(default_factory=lambda: uuid4().hex[:16])
    """The name of this process in leases."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user who asks for something, with what Discord says about them."""

    user_id: int
    name: str
    """The user's display name on the server, without characters that cannot be stored. A seat stores only the first 100
    characters.
    """
    interaction_id: int | None = None
    """The interaction with which they ask. Its id is stored with the change, so that nothing is done twice."""
    moderator: bool = False
    """True if they may manage messages in the channel in which they ask."""
    role_ids: Collection[int] = ()
    manages_server: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", make_storable(self.name))


@dataclass(frozen=True, slots=True)
class Place:
    """The channel in which a person wants to play."""

    guild_id: int
    channel_id: int
    locale: str
    """The server's language in Discord."""
    parent_id: int | None = None
    """The channel to which a thread belongs, or None outside of threads."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a change, and what else to store or to send."""

    table: Table
    events: Sequence[Event] = ()
    news: tuple[News, ...] = ()
    """The news that the table shows after the change."""
    remind: tuple[int, ...] = ()
    answered: int | None = None
    """A user who has started to play: the messages that pinged them may be deleted. A reminder that is still to send
    stays.
    """
    calls: tuple[Call, ...] = ()
    """Pings in addition to reminders and to the pings that the table's own message makes."""
    check: Callable[[Connection, datetime], None] | None = None
    """Runs in the transaction. Raises Refused if other tables or the current time forbid the change."""


async def get_server_settings(core: Core, guild_id: int) -> ServerSettings:
    if (known := core.guilds.get(guild_id)) is not None:
        return known
    return await core.database.read(lambda reading: get_settings_within(core, reading, guild_id))


def get_settings_within(core: Core, connection: Connection, guild_id: int) -> ServerSettings:
    if (known := core.guilds.get(guild_id)) is not None:
        return known
    settings = load_server_settings(connection, guild_id)
    # Another task may have stored newer settings in the meantime.
    return core.guilds.setdefault(guild_id, settings)


async def get_table(core: Core, table_id: str) -> Table:
    """Return the table with this id as it was last committed. Raise Refused if there is none."""
    table = await core.database.read(store.load_table, table_id)
    if table is None:
        raise _no_table()
    return table


async def get_closed_table(core: Core, table_id: str) -> Table:
    """Return a table whose game is over, or that was closed before the game. Raise Refused if the table is still open,
    or if there is no such table."""
    table = await get_table(core, table_id)
    if table.status.open:
        raise Refused(_("This is possible when the game is over."))
    return table


async def check_guild(core: Core, item_id: str, guild_id: int | None) -> None:
    """Raise WrongServer if the table, challenge or cup with this id belongs to another server than ``guild_id``. Only a
    forged press can name one of another server. Do nothing if the id is unknown.
    """
    if item_id not in core.places:
        place = await core.database.read(store.guild_of, item_id)
        if place is None:
            return
        core.places[item_id] = place
    if core.places[item_id] != guild_id:
        raise WrongServer(_("This button doesn't work here."))


async def get_latest_table(core: Core, channel_id: int) -> Table:
    """Return the channel's newest open table, or else its newest closed one. Raise Refused if there was never a table
    in the channel.
    """
    table = await core.database.read(store.load_latest_table, channel_id)
    if table is None:
        raise _no_table()
    add_log_fields(game=table.id)
    return table


async def get_open_table(core: Core, channel_id: int, person: Person, named_id: int | None = None) -> Table:
    """Return the newest open table of a channel at which the named user, or else this person, has a seat.

    If neither has a seat, return the newest open table. Raise Refused if no table is open, or AlreadyHandled if this
    interaction was carried out before, because it may have closed the table.
    """
    tables = await core.database.read(store.load_open_tables, channel_id=channel_id)
    if not tables:
        if person.interaction_id is not None and await core.database.read(is_known, person.interaction_id):
            raise AlreadyHandled
        raise _no_table()
    users = (person.user_id,) if named_id is None else (named_id, person.user_id)
    table = max(reversed(tables), key=lambda table: [table.has_seat(user) for user in users])
    add_log_fields(game=table.id)
    return table


async def get_open_tables(core: Core, *, guild_id: int | None = None, channel_id: int | None = None) -> list[Table]:
    return await core.database.read(store.load_open_tables, guild_id=guild_id, channel_id=channel_id)


@dataclass(frozen=True, slots=True)
class Written(Generic[Result]):
    """The result of a transaction, with the facts to publish after the commit."""

    result: Result
    facts: Sequence[fact.Fact] = ()


async def write(core: Core, interaction_id: int | None, transaction: Callable[[Connection], Written[Result]]) -> Result:
    """Run ``transaction`` as a write transaction, publish its facts after the commit, and return its result.

    ``transaction`` must store the interaction's id, with an event or by itself. Raise AlreadyHandled if the id is
    stored already: while one process takes over from another, Discord sends each interaction to both. On PostgreSQL the
    database may run ``transaction`` twice, so it must create its values again and affect nothing but the database.
    """
    try:
        written = await core.database.write(transaction)
    except (Refused, IntegrityError):
        # Another process may have carried out this interaction. Then ours is refused, or its id cannot be stored again.
        if interaction_id is not None and await core.database.read(is_known, interaction_id):
            raise AlreadyHandled from None
        raise
    note_committed()
    core.facts.publish(*written.facts)
    return written.result


async def claim_interaction(core: Core, interaction_id: int) -> None:
    """Store an interaction's id before doing something for it outside of the database. Raise AlreadyHandled if the id
    is stored already.
    """

    def transaction(connection: Connection) -> Written[None]:
        note_interaction(connection, interaction_id, core.now())
        return Written(None)

    await write(core, interaction_id, transaction)


@dataclass(frozen=True, slots=True)
class _TableWrite:
    """What the steps of the transaction in ``change_table`` share."""

    stored: store.Stored
    planned: Change
    settings: ServerSettings
    now: datetime
    process: str
    user_id: int | None
    interaction_id: int | None
    after: Table
    """The table as far as the transaction has changed it."""


async def change_table(
    core: Core,
    table_id: str,
    decide: Callable[[Table], Change],
    *,
    user_id: int | None = None,
    interaction_id: int | None = None,
) -> Table:
    """Change a table in one transaction. Return the table after the change.

    ``decide`` gets the stored table and returns the change, or raises Refused or Stale. It may be called twice. It
    need not set the status of a table whose game is complete. Nothing is stored if the table stays the same and
    ``decide`` returns neither events nor users to remind.
    """

    def transaction(connection: Connection) -> Written[Table]:
        lock_games(connection, table_id)
        stored = store.load_stored(connection, table_id, user_id)
        if stored is None:
            raise _no_table()
        before = stored.table
        planned = decide(before)
        if planned.table == before and not (planned.events or planned.remind):
            return Written(before)
        now = core.now()
        if planned.check is not None:
            planned.check(connection, now)
        settings = get_settings_within(core, connection, before.guild_id)
        after = planned.table
        if after.status is Status.PLAYING and after.game is not None and after.game.complete:
            after = replace(after, status=Status.FINISHED)
        if user_id is not None:
            after = mark_waiting(after, user_id)
        after = drop_old_answers(before, after)
        if before.game is None and after.game is not None:
            after = mark_counting_seats(connection, after, now, settings.zone)
        if invited := [user_id for user_id in after.invited if user_id not in before.invited]:
            after = call_invited(connection, after, invited, now)
        change = _TableWrite(stored, planned, settings, now, core.process, user_id, interaction_id, after)
        change = replace(change, after=_next_version(change, _finish_round(connection, change)))
        _save(connection, change)
        return Written(change.after, _plan_followups(connection, change))

    return await write(core, interaction_id, transaction)


def _finish_round(connection: Connection, change: _TableWrite) -> tuple[News, ...]:
    """Store the results of a round or game if it has just ended. Return all news that the next version shows."""
    before, after = change.stored.table, change.after
    # A new screen drops most of the old news. But the opening shows no news, so the first screen after it shows them.
    keeps = before.awaits_opening or after.screen == before.screen
    news = tuple(one for one in after.news if one.stays or keeps)
    news += tuple(replace(one, at=int(change.now.timestamp())) for one in change.planned.news)
    if after.rounds > before.rounds:
        news += book_round(connection, before, after, change.settings, change.now)
    if change.settings.rare:
        news += rare_news(before.game, after.game, news, change.planned.events)
    return news


def _next_version(change: _TableWrite, news: tuple[News, ...]) -> Table:
    """Return the table with its new times, news, version and content version."""
    before, table = change.stored.table, change.after
    # A change of the times alone must not invalidate the buttons that people are looking at. Neither must most moves in
    # own pace, so there the version changes only with what everybody may see.
    played = table.turn_order.shared and bool(change.planned.events)
    public = played or replace(table, timing=before.timing).seen_by(None) != before.seen_by(None)
    timing = plan_timing(before, table, change.now, change.settings)
    slept = (timing.asleep_until is None) != (before.timing.asleep_until is None)
    visible = public or slept or news != before.news
    version = before.version + visible
    since = version if table.screen != before.screen else before.screen_since
    after = replace(table, version=version, screen_since=since, timing=timing, news=news)
    return replace(
        after, content_version=before.content_version + (visible or visible_times(after) != visible_times(before))
    )


def _save(connection: Connection, change: _TableWrite) -> None:
    """Store the table, its display lease, and its events with the id of the interaction. If there are no events, store
    the id by itself.
    """
    before, after, now = change.stored.table, change.after, change.now
    lease = store.DisplayLease(change.process, now + SHOW_LEASE)
    if after.differs_only_in_progress(before):
        lease = lease_display_later(change.process, now, change.stored.lease if before.is_unshown else None)
    store.update_table(
        connection, after, before.version, now, seats_changed=after.seats != before.seats, shown_by=lease
    )
    if change.planned.events:
        by = {"user_id": change.user_id, "interaction_id": change.interaction_id}
        store.append_events(connection, after, change.planned.events, now, **by)
    else:
        note_interaction(connection, change.interaction_id, now)


def _plan_followups(connection: Connection, change: _TableWrite) -> list[fact.Fact]:
    """Store the pings, deletions and redraws that follow from a change. Return the facts to publish."""
    before, lease, after, planned = change.stored.table, change.stored.lease, change.after, change.planned
    now, user_id = change.now, change.user_id
    other = lease if before.is_unshown and lease.is_of_another(change.process) else None
    facts: list[fact.Fact] = [fact.TableChanged(after, before, planned.events, other)]
    if after.status is Status.FINISHED and before.status.open:
        facts.append(fact.GameFinished())
    pressing = user_id if after.timing.turns_at_last_press != before.timing.turns_at_last_press else None
    if change_calls(connection, before, after, planned.answered, planned.remind, pressing, now):
        facts.append(fact.MessagesReplaced())
    if calls := (*planned.calls, *calls_to_answer(before, after, now), *calls_to_seats(before, after, now)):
        save_calls(connection, calls)
        facts.append(fact.CallsAdded())
    if after.lobby != before.lobby:
        follow_lobby(connection, after.id, now)
        facts.append(fact.MessagesOutdated())
    if change.stored.away and user_id is not None and _ends_absence(before, after, user_id, planned.events):
        end_away(connection, after.guild_id, user_id, now)
        facts.append(fact.CameBack())
    return facts


def use_case(
    work: Callable[Concatenate[Table, Person, Arguments], Change],
) -> Callable[Concatenate[Core, str, Person, Arguments], Coroutine[Any, Any, Table]]:
    """Make a use case from a function that takes a table and returns a person's change of it.

    The use case takes the core and the table's id in place of the table, and calls ``change_table``.
    """

    @wraps(work)
    async def changing(
        core: Core, table_id: str, person: Person, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Table:
        def decide(table: Table) -> Change:
            return work(table, person, *args, **kwargs)

        return await change_table(core, table_id, decide, user_id=person.user_id, interaction_id=person.interaction_id)

    return changing


def _ends_absence(before: Table, after: Table, user_id: int, happened: Sequence[Event]) -> bool:
    """Return whether a change shows that a user is no longer away, because they decided something, took a seat, or took
    their seat back.
    """
    if any(isinstance(event, Decided) and not event.by_house for event in happened):
        # The table may not know of the absence yet.
        return True
    came = not before.sits(user_id) or (before.is_away(user_id) and not after.is_away(user_id))
    return came and after.sits(user_id)


def _no_table() -> Refused:
    return Refused(_("There is no table here. `/highscore new` opens one."))
