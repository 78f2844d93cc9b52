"""The context of every use case, and the two ways to tables: reading one and changing one."""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import uuid4

from sqlalchemy import Connection

from bot.domain.cancelling import drop_old_answers
from bot.domain.clean_text import make_storable
from bot.domain.deadlines import mark_waiting, plan_timing, told_moments
from bot.domain.errors import Elsewhere, PlayedElsewhere, Refused
from bot.domain.happened import Happened
from bot.domain.highlights import rare_news
from bot.domain.notify import Call, calls_to_answer
from bot.domain.pace import Pace, PaceTimes
from bot.domain.recent import Recent
from bot.domain.server_settings import ServerSettings
from bot.domain.share import Share
from bot.domain.table import Table
from bot.domain.timing import News
from bot.locales import _
from bot.observing.context import add_log_fields
from bot.observing.metrics import Metrics
from bot.services.helper import Helper
from bot.services.interactions import write_once
from bot.services.rating import count_game
from bot.services.results import book_round
from bot.store.away import end_away
from bot.store.claims import lease_display, lease_display_later
from bot.store.database import Database
from bot.store.interactions import is_known, note_interaction
from bot.store.locks import lock_game
from bot.store.reminders import change_calls, save_calls
from bot.store.settings import load_server_settings
from bot.store.sharing import follow_lobby
from bot.store.table import (
    DisplayLease,
    append_events,
    guild_of,
    load_latest_table,
    load_open_tables,
    load_stored,
    load_table,
    update_table,
)
from highscore.deck import Deck
from highscore.events import Decided, Event

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

PLACES_REMEMBERED = 10_000
TABLES_PER_HOST = 5
"""A limit for each server: every table may be in a thread, one more place that everybody there sees."""


@dataclass(slots=True)
class Core:
    """The context of every use case."""

    database: Database
    now: Callable[[], datetime]
    """The one clock of the program: aware UTC. Tests turn it by hand."""
    deck: Deck
    """The deck of new tables."""
    tables_per_channel: int
    paces: Mapping[Pace, PaceTimes]
    committed: list[Callable[[Table], None]] = field(default_factory=list)
    """Listeners that are called with every table that was changed, after the commit."""
    overtook: Callable[[Table, DisplayLease], None] = lambda _before, _lease: None
    """Called after the change of a table that another process may just be showing, with that one's lease."""
    listeners: dict[Happened, Callable[[], None]] = field(default_factory=dict)
    """Callbacks by the event after whose commit they are called; set by the workers."""
    tables_per_host: int = TABLES_PER_HOST
    """The open tables that somebody may host on one server."""
    guilds: dict[int, ServerSettings] = field(default_factory=dict)
    """Settings of servers that were looked up. If other processes may change them, the clock often forgets them."""
    places: Recent[str, int] = field(default_factory=lambda: Recent(PLACES_REMEMBERED))
    """The servers of tables and daily challenges whose buttons were pressed, which never change."""
    share: Share = field(default_factory=Share)
    """The servers this process looks after."""
    metrics: Metrics = field(default_factory=Metrics)
    helper: Helper = field(default_factory=Helper)
    """Computes whatever takes longer than a few milliseconds, which would hold up the clicks."""
    process: str = field(default_factory=lambda: uuid4().hex[:16])
    """The name of this process in leases."""

    def announce(self, what: Happened) -> None:
        """Call the listener to what has just been committed."""
        if what in self.listeners:
            self.listeners[what]()


@dataclass(frozen=True, slots=True)
class Person:
    """A user who asks for something, with what that depends on."""

    user_id: int
    name: str
    """The name shown by the server, without what no database takes; a seat keeps 100 characters of it."""
    interaction_id: int | None = None
    """The interaction by which they ask; changes for it store the id, so that nothing is done twice."""
    moderator: bool = False
    """True if they may manage messages where they ask."""
    role_ids: Collection[int] = ()
    manages_server: bool = False
    """True if they may manage the server."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", make_storable(self.name))


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a change, and what is to be stored besides."""

    table: Table
    events: Sequence[Event] = ()
    news: tuple[News, ...] = ()
    """The news for the next picture."""
    remind: tuple[int, ...] = ()
    """The users to remind of their turn."""
    answered: int | None = None
    """A user whose reminder is no longer needed."""
    calls: tuple[Call, ...] = ()
    """Calls beside those of the table's page and its clock's reminders."""
    check: Callable[[Connection, datetime], None] | None = None
    """Raises Refused if other tables, or the moment, forbid the change."""


async def get_server_settings(core: Core, guild_id: int) -> ServerSettings:
    if (known := core.guilds.get(guild_id)) is not None:
        return known
    return await core.database.read(lambda reading: get_settings_within(core, reading, guild_id))


def get_settings_within(core: Core, connection: Connection, guild_id: int) -> ServerSettings:
    """Return the settings of a server, inside of a transaction."""
    if (known := core.guilds.get(guild_id)) is not None:
        return known
    settings = load_server_settings(connection, guild_id)
    # Another task may have stored newer settings while these were being read.
    return core.guilds.setdefault(guild_id, settings)


async def get_table(core: Core, table_id: str) -> Table:
    """Return the table with this id as it was last committed. Raise Refused if there is none (any more)."""
    return _check_existing(await core.database.read(load_table, table_id))


async def get_closed_table(core: Core, table_id: str) -> Table:
    """Return a table whose game is over, as ``get_table``. Raise Refused before that."""
    table = await get_table(core, table_id)
    if table.status.open:
        raise Refused(_("Shown when the game is over."))
    return table


async def check_guild(core: Core, item_id: str, guild_id: int | None) -> None:
    """Raise Elsewhere for a table or a daily challenge of another server: only a forged press names one."""
    if item_id not in core.places:
        place = await core.database.read(guild_of, item_id)
        if place is None:
            return
        core.places[item_id] = place
    if core.places[item_id] != guild_id:
        raise Elsewhere(_("There is no such button here."))


async def get_latest_table(core: Core, channel_id: int) -> Table:
    """Return the channel's open table, or its last closed one. Raise Refused if there never was one."""
    table = await core.database.read(load_latest_table, channel_id)
    if table is None:
        raise Refused(_("There is no table here. `/highscore new` opens one."))
    add_log_fields(game=table.id)
    return table


async def get_open_table(core: Core, channel_id: int, person: Person, named_id: int | None = None) -> Table:
    """Return the channel's open table; of several, the newest one at which the named user and this person have seats.

    The named user comes first. A seat that somebody has left is none.

    Raise Refused if there is none, PlayedElsewhere if this interaction may have closed it.
    """
    tables = await core.database.read(load_open_tables, channel_id=channel_id)
    if not tables:
        if person.interaction_id is not None and await core.database.read(is_known, person.interaction_id):
            raise PlayedElsewhere
        raise Refused(_("There is no table here. `/highscore new` opens one."))
    users = (person.user_id,) if named_id is None else (named_id, person.user_id)
    table = max(reversed(tables), key=lambda table: [table.has_seat(user) for user in users])
    add_log_fields(game=table.id)
    return table


async def get_open_tables(core: Core, *, guild_id: int | None = None, channel_id: int | None = None) -> list[Table]:
    return await core.database.read(load_open_tables, guild_id=guild_id, channel_id=channel_id)


async def change_table(
    core: Core,
    table_id: str,
    work: Callable[[Table], Change],
    *,
    user_id: int | None = None,
    interaction_id: int | None = None,
) -> Table:
    """Load a table, let ``work`` change it or raise, store it with its version and moments: one transaction."""
    happened: Sequence[Event] = ()
    wakes: list[Callable[[], None]] = []

    def transaction(connection: Connection) -> Table:
        nonlocal happened
        wakes.clear()
        lock_game(connection, table_id)
        stored = _check_existing(load_stored(connection, table_id, user_id))
        before = stored.table
        planned = work(before)
        if planned.table == before and not (planned.events or planned.remind):
            return before
        now = core.now()
        if planned.check is not None:
            planned.check(connection, now)
        if user_id is not None:
            planned = replace(planned, table=mark_waiting(planned.table, user_id))
        after = _make_next_version(core, connection, before, planned, now)
        lease = lease_display(core.process, now)
        if after.only_progress_since(before):
            lease = lease_display_later(core.process, now, stored.lease if before.owed else None)
        update_table(connection, after, before.version, now, seats_changed=after.seats != before.seats, shown_by=lease)
        happened = planned.events
        if happened:
            append_events(connection, after, happened, now, user_id=user_id, interaction_id=interaction_id)
        else:
            note_interaction(connection, interaction_id, now)
        pressing = user_id if after.timing.pressed != before.timing.pressed else None
        if change_calls(connection, before, after, planned.answered, planned.remind, pressing, now):
            wakes.append(partial(core.announce, Happened.MESSAGES_OVER))
        if before.owed and stored.lease.is_of_another(core.process):
            wakes.append(partial(core.overtook, before, stored.lease))
        if calls := (*planned.calls, *calls_to_answer(before, after, now)):
            save_calls(connection, calls)
            wakes.append(partial(core.announce, Happened.CALLED))
        if after.lobby != before.lobby:
            follow_lobby(connection, table_id, now)
            wakes.append(partial(core.announce, Happened.LOBBY_CHANGED))
        if stored.away and user_id is not None and _ends_absence(before, after, user_id, happened):
            end_away(connection, after.guild_id, user_id, now)
            wakes.append(partial(core.announce, Happened.CAME_BACK))
        return after

    after = await write_once(core.database, transaction, interaction_id)
    if happened:
        core.metrics.count_moves(happened, {at for at, seat in enumerate(after.seats) if seat.user_id is None})
    tell_listeners(core, after)
    for wake in wakes:
        wake()
    return after


def tell_listeners(core: Core, table: Table) -> None:
    for listener in core.committed:
        listener(table)


def use_case(
    work: Callable[Concatenate[Table, Person, Arguments], Change],
) -> Callable[Concatenate[Core, str, Person, Arguments], Coroutine[Any, Any, Table]]:
    """Make a use case, one ``change_table``, of a person's change: it takes core and id in place of the table."""

    @wraps(work)
    async def changing(
        core: Core, table_id: str, person: Person, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Table:
        def asked(table: Table) -> Change:
            return work(table, person, *args, **kwargs)

        return await change_table(core, table_id, asked, user_id=person.user_id, interaction_id=person.interaction_id)

    return changing


def _make_next_version(core: Core, connection: Connection, before: Table, planned: Change, now: datetime) -> Table:
    """Return the changed table with its version, moments and news; book the round that has ended with it."""
    table = drop_old_answers(before, planned.table)
    settings = get_settings_within(core, connection, before.guild_id)
    table = count_game(connection, before, table, now, settings.zone)
    turned = table.page != before.page
    # The opening shows no news: the first page after it does.
    news = tuple(one for one in table.news if one.stays or before.awaits_opening or not turned)
    news += tuple(replace(one, at=int(now.timestamp())) for one in planned.news)
    if table.rounds > before.rounds:
        news += book_round(connection, before, table, settings, now)
    if settings.rare:
        news += rare_news(before.game, table.game, news, planned.events)
    # A change that only concerns the clock must not make the buttons stale that people look at. In own pace neither
    # must most moves: a version is of what everybody may see.
    played = table.turn_order.shared and bool(planned.events)
    public = played or replace(table, timing=before.timing).seen_by(None) != before.seen_by(None)
    timing = plan_timing(before, table, now, settings.clock_rules)
    slept = (timing.asleep_until is None) != (before.timing.asleep_until is None)
    visible = public or slept or news != before.news
    version = before.version + visible
    since = version if turned else before.page_since
    after = replace(table, version=version, page_since=since, timing=timing, news=news)
    return replace(after, picture=before.picture + (visible or told_moments(after) != told_moments(before)))


def _ends_absence(before: Table, after: Table, user_id: int, happened: Sequence[Event]) -> bool:
    """Return whether a user has made a decision with a change of a table, has sat down, or is no longer away."""
    if any(isinstance(event, Decided) and not event.by_house for event in happened):
        # An absence may not be known to this table yet.
        return True
    came = not before.sits(user_id) or (before.is_away(user_id) and not after.is_away(user_id))
    return came and after.sits(user_id)


def _check_existing(found: Result | None) -> Result:
    if found is None:
        raise Refused(_("There is no table here. `/highscore new` opens one."))
    return found
