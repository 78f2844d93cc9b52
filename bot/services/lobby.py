"""The lobby: opening a table or a rematch, taking and leaving seats, pinging players, options, and the start."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.calendar import add_awake
from bot.domain.deadlines import RESERVED_SECONDS, plan_timing
from bot.domain.errors import Refused, Stale
from bot.domain.notify import BY_ONE, OF_ROLE, Call, CallKind
from bot.domain.server_settings import ServerSettings
from bot.domain.table import MAX_SEATS, MIN_PLAYERS, Options, Seat, Status, Table
from bot.domain.timing import News, NewsKind, Pace, Timing
from bot.locales import _, format_list
from bot.services.away import seat_of_player, vacate_seat
from bot.services.core import (
    Change,
    Core,
    Person,
    Place,
    Written,
    change_table,
    get_closed_table,
    get_server_settings,
    get_table,
    use_case,
    write,
)
from bot.services.facts import CameBack, MessagesOutdated, TableChanged
from bot.store.away import end_away
from bot.store.claims import SHOW_LEASE
from bot.store.database import LockScope, lock_subjects
from bot.store.leaderboard import load_practised, select_guild_of
from bot.store.marks import call_invited, count_call, forget_old_interactions, note_interaction
from bot.store.rows import make_storable
from bot.store.sharing import mark_lobby_shown
from bot.store.table import DisplayLease, find_channels_hosted, insert_table, load_open_tables
from highscore.events import Remarked
from highscore.fairness import SEED_BYTES, play_event
from highscore.game import Game
from highscore.house import Temperament
from highscore.turn_order import TurnOrder

MAX_NAME = 100
SECONDS_TO_SEE = 10
"""If the host changes the order, the pace or the hints while others have a seat, the game cannot start for this many
seconds.
"""
TABLE_ID_BYTES = 6
HOUSE_PLAYERS = (
    *((each, each.person) for each in (Temperament.STEADY, Temperament.CAUTIOUS, Temperament.SHARK)),
    (Temperament.STEADY, "Metronome"),
)
"""The house players, in the order in which they take seats. No two have the same name. The strongest is the third,
because the first game of most people is one person against two house players.
"""
OPPONENTS = 2
"""The number of house players against a person who plays alone: enough for all three chips."""


class TableTaken(Refused):
    """The channel has as many open tables as it may have. ``table`` is one of them."""

    def __init__(self, sentence: str, table: Table) -> None:
        super().__init__(sentence)
        self.table = table


@dataclass(frozen=True, slots=True)
class NewTable:
    """How the host wants a new table to be, or a table to become. Without an order, it gets the one that fits the
    pace.
    """

    seats: int = MAX_SEATS
    pace: Pace | None = None
    order: TurnOrder | None = None
    house: int = 0
    """The number of house players, 0 to 4."""
    hints: bool = True
    starts_when_full: bool = False
    invited: tuple[Person, ...] = ()
    """The people for whom seats are reserved. A table with too few seats gets more."""

    @property
    def needed(self) -> int:
        """The least number of seats: for the host, the house players and the invited people."""
        return 1 + self.house + len(self.invited)


async def open_table(core: Core, host: Person, place: Place, wishes: NewTable) -> Table:
    """Open a table with its host sitting at it. Without a pace in ``wishes``, it gets the server's. Start it if it is
    full and starts when full.

    Raise Refused if the server does not allow the table or if the host has enough of them, TableTaken if the channel
    has enough of them, and AlreadyHandled if this interaction has opened one already.
    """
    await check_may_open(core, host, place, wishes)
    settings = await get_server_settings(core, place.guild_id)
    practised = await core.database.read(load_practised, place.guild_id, host.user_id)
    pace = wishes.pace or settings.pace
    order = wishes.order or pace.usual_order
    times = core.paces[pace]
    seats = (
        _make_seat(host, practised),
        *(_make_house_seat(number) for number in range(wishes.house)),
        *(_make_seat(person, invited=True) for person in wishes.invited),
    )
    options = Options(
        pace,
        allowed_seconds=times.allowed(order),
        hold_seconds=times.hold,
        hints=wishes.hints,
        pictures=settings.pictures,
        starts_when_full=wishes.starts_when_full,
    )
    reserved_until = add_awake(core.now(), RESERVED_SECONDS, settings.quiet_hours) if wishes.invited else None
    table = await _open(core, host, place, max(wishes.seats, wishes.needed), order, seats, options, reserved_until)
    return await start_game(core, table.id, replace(host, interaction_id=None)) if table.starts_now else table


async def check_may_open(core: Core, host: Person, place: Place, wishes: NewTable) -> None:
    """Raise the errors of ``check_may_open_here``, and Refused if the table would have too many or too few seats."""
    await check_may_open_here(core, host, place)
    fits = MIN_PLAYERS <= wishes.seats <= MAX_SEATS and 0 <= wishes.house < wishes.seats
    if not fits or wishes.needed > MAX_SEATS:
        raise Refused(_("A table has at most five seats. You, each house player and each person you invite take one."))


async def check_may_open_here(core: Core, host: Person, place: Place) -> None:
    """Raise Refused if the server does not allow this person to open tables and cups, or does not allow any in this
    channel.
    """
    settings = await get_server_settings(core, place.guild_id)
    refuse_elsewhere(settings, place)
    if settings.opener_role is not None and settings.opener_role not in host.role_ids:
        raise Refused(_("On this server, only people with a certain role can open tables and cups. Ask one of them."))


async def check_tables_of(core: Core, user_id: int, guild_id: int) -> None:
    """Raise Refused if a person hosts as many tables on a server as they may."""
    _check_hosted(core, await core.database.read(find_channels_hosted, guild_id, user_id))


def _check_hosted(core: Core, channels: Sequence[int]) -> None:
    if len(channels) >= core.tables_per_host:
        text = _("You already have enough open tables on this server: {channels}. Finish or cancel one of them first.")
        raise Refused(text.format(channels=format_list(f"<#{at}>" for at in dict.fromkeys(channels))))


def refuse_elsewhere(settings: ServerSettings, place: Place) -> None:
    """Raise Refused outside of the channels in which a server allows play, and of their threads."""
    if settings.channels and not {place.channel_id, place.parent_id} & set(settings.channels):
        places = format_list(f"<#{allowed}>" for allowed in settings.channels)
        raise Refused(_("On this server, High Score is played in {channels}.").format(channels=places))


async def _open(
    core: Core,
    host: Person,
    place: Place,
    max_seats: int,
    order: TurnOrder,
    seats: tuple[Seat, ...],
    options: Options,
    reserved_until: datetime | None = None,
    old_id: str | None = None,
) -> Table:
    """Store a new table, perhaps as the rematch of ``old_id``.

    Raise TableTaken if the channel has as many open tables as it may have, Refused if the host has, and AlreadyHandled
    if this interaction has opened a table already.
    """
    settings, now = await get_server_settings(core, place.guild_id), core.now()
    opened = Table(
        id=secrets.token_hex(TABLE_ID_BYTES),
        guild_id=place.guild_id,
        channel_id=place.channel_id,
        host_id=host.user_id,
        status=Status.LOBBY,
        version=0,
        locale=settings.language or place.locale,
        max_seats=max_seats,
        turn_order=order,
        deck=core.deck,
        seats=seats,
        seed=secrets.token_bytes(SEED_BYTES),
        game=None,
        options=replace(options, may_call=settings.player_role is not None),
        timing=Timing(seats_reserved_until=reserved_until),
    )
    sealed = replace(opened, seal=opened.source.seal, timing=plan_timing(None, opened, now, settings))
    limit = settings.tables_per_channel or core.tables_per_channel

    def transaction(connection: Connection) -> Written[Table]:
        lock_subjects(connection, LockScope.CHANNEL, sealed.channel_id)
        # Lock all people by one statement. If they were locked one by one, two transactions could deadlock.
        lock_subjects(
            connection, LockScope.PERSON, *(seat.user_id for seat in sealed.seats if seat.user_id is not None)
        )
        there = load_open_tables(connection, channel_id=sealed.channel_id)
        others = [other for other in there if other.counts_towards_limit]
        if len(others) >= limit:
            raise TableTaken(_("There is already an open table in this channel."), others[-1])
        _check_hosted(core, find_channels_hosted(connection, sealed.guild_id, sealed.host_id))
        end_away(connection, sealed.guild_id, sealed.host_id, now)
        invited = sealed.invited
        table = call_invited(connection, sealed, invited, now, old_id) if invited else sealed
        insert_table(connection, table, now, DisplayLease(core.process, now + SHOW_LEASE))
        note_interaction(connection, host.interaction_id, now)
        forget_old_interactions(connection, now)
        return Written(table, [TableChanged(table), CameBack()])

    return await write(core, host.interaction_id, transaction)


@use_case
def add_house_player(table: Table, person: Person) -> Change:
    """Seat a house player. Any player at the table may do this. Start the game if the table is then full and starts
    when full."""
    check_sits(table, person.user_id)
    check_seat_free(table)
    number = sum(seat.user_id is None for seat in table.seats)
    filled = replace(table, seats=(*table.seats, _make_house_seat(number)))
    return _start(filled) if filled.starts_now else Change(filled)


@use_case
def send_house_player_off(table: Table, person: Person) -> Change:
    """Remove the house player that was added last. Any player at the table may do this."""
    check_sits(table, person.user_id)
    house = [at for at, seat in enumerate(table.seats) if seat.user_id is None]
    return Change(table.without(house[-1:]))


async def find_lobby_of(core: Core, channel_id: int, user_id: int) -> Table | None:
    """Return the newest lobby of a channel at which a user has taken a seat, if possible one that they host."""
    tables = await core.database.read(load_open_tables, channel_id=channel_id)
    lobbies = [table for table in tables if table.status is Status.LOBBY and table.sits(user_id)]
    return max(reversed(lobbies), key=lambda table: table.host_id == user_id, default=None)


async def invite_person(core: Core, table: Table, host: Person, guest: Person) -> Table:
    """Reserve a seat in a lobby for another person. Only the host may do this.

    Raise Refused if the other person has a seat already, or if no seat is free.
    """
    quiet = (await get_server_settings(core, table.guild_id)).quiet_hours
    until = add_awake(core.now(), RESERVED_SECONDS, quiet)

    def work(table: Table) -> Change:
        check_hosts(table, host.user_id)
        if table.has_seat(guest.user_id):
            text = _("{player} already has a seat at this table, or one is reserved for them.")
            raise Refused(text.format(player=f"<@{guest.user_id}>"))
        check_seat_free(table)
        # At a rematch, all reserved seats stay reserved until it starts.
        timing = table.timing if table.begins_when_all_join else replace(table.timing, seats_reserved_until=until)
        return Change(replace(table, seats=(*table.seats, _make_seat(guest, invited=True)), timing=timing))

    return await change_table(core, table.id, work, user_id=host.user_id, interaction_id=host.interaction_id)


async def join_table(core: Core, table_id: str, person: Person) -> Table:
    """Take a seat in a lobby: the one that is reserved for this person, or a free one.

    Start the game if the table is then full and starts when full, or if it is a rematch and no reserved seat is left.
    Raise Refused if the person has taken a seat already, or if no seat is free.
    """
    practised = await core.database.read(load_practised, select_guild_of(table_id), person.user_id)

    def work(table: Table) -> Change:
        check_in_lobby(table)
        if table.sits(person.user_id):
            raise Refused(_("You already have a seat. The game starts when the host presses **Start**."))
        seat = _make_seat(person, practised)
        if (at := table.seat_of(person.user_id)) is None:
            check_seat_free(table)
            seated = replace(table, seats=(*table.seats, seat))
        else:
            seated = replace(table, seats=(*table.seats[:at], seat, *table.seats[at + 1 :]))
        # A rematch starts when the last person for whom a seat is reserved has taken it.
        starts = seated.starts_now or (table.begins_when_all_join and not seated.invited)
        return _start(seated) if starts else Change(seated)

    return await change_table(core, table_id, work, user_id=person.user_id, interaction_id=person.interaction_id)


@use_case
def leave_lobby(table: Table, person: Person) -> Change:
    """Leave a table before the game starts. If the host leaves, the next person becomes the host. If no person is left,
    the table is closed.
    """
    check_in_lobby(table)
    seat_of_player(table, person.user_id)
    return vacate_seat(table, person.user_id)


@use_case
def start_game(table: Table, person: Person) -> Change:
    """Start the game. The lucky words are fixed from then on. Only the host may do this.

    Raise Refused if fewer than two seats are taken, or if the options were changed a few seconds ago.
    """
    check_hosts(table, person.user_id)
    if len(table.taken_seats) < MIN_PLAYERS:
        raise Refused(_("High Score needs at least two players. Wait for somebody to join."))
    return _start(table)


async def start_alone(core: Core, table_id: str, person: Person) -> Table:
    """Start a game against the house for a host who is alone and has invited nobody.

    It is played in rulebook order: no other person has to wait, and the player can watch each turn of the house.
    Raise Stale if another seat has been taken or reserved.
    """

    def work(table: Table) -> Change:
        check_hosts(table, person.user_id)
        if len(table.taken_seats) >= MIN_PLAYERS or table.invited:
            raise Stale(table)
        house = map(_make_house_seat, range(min(OPPONENTS, table.max_seats - 1)))
        ordered = _set_play(core, table, table.options.pace, TurnOrder.CLOCKWISE)
        return _start(replace(ordered, seats=(*table.seats, *house)))

    return await change_table(core, table_id, work, user_id=person.user_id, interaction_id=person.interaction_id)


def _start(table: Table) -> Change:
    """Return the change that starts the game. People who have not taken their reserved seats are left out."""
    there = table.without_invited()
    game = Game(len(there.seats), there.turn_order)
    started = replace(there, status=Status.PLAYING, game=game, lock=there.make_lock())

    def check_change_seen(_connection: Connection, now: datetime) -> None:
        # ``<=``, because ``changed_at`` has no fractions of a second.
        if table.changed_at is not None and int(now.timestamp()) - table.changed_at <= SECONDS_TO_SEE:
            text = _("The options of this table have just changed. Give everybody a few seconds to see that.")
            raise Refused(text)

    return Change(started, [Remarked("the game was started")], check=check_change_seen)


async def begin_game(core: Core, table_id: str, opening_id: int) -> Table:
    """Begin a game after its opening was sent as the message ``opening_id``: draw the start player and reveal the first
    card. Change nothing if the table is not waiting for its opening.
    """

    def work(table: Table) -> Change:
        if not table.awaits_opening or table.game is None:
            return Change(table)
        opened = replace(table, opening_id=opening_id)
        game, happened = play_event(table.game, None, opened.source, table.deck)
        return Change(replace(opened, game=game), happened)

    return await change_table(core, table_id, work)


def _make_seat(person: Person, practised: str = "", *, invited: bool = False) -> Seat:
    return Seat(person.user_id, person.name[:MAX_NAME], practised=practised, invited=invited)


def _make_house_seat(number: int) -> Seat:
    temperament, name = HOUSE_PLAYERS[number % len(HOUSE_PLAYERS)]
    return Seat(None, name, house=temperament.value)


def check_in_lobby(table: Table) -> None:
    """Raise Stale if the game has started or the table is closed."""
    if table.status is not Status.LOBBY:
        raise Stale(table)


def check_hosts(table: Table, user_id: int) -> None:
    """Raise Stale if a table is not in its lobby any more, and Refused if this user is not its host."""
    check_in_lobby(table)
    if user_id != table.host_id:
        raise Refused(_("Only the host can do that."))


def check_sits(table: Table, user_id: int) -> int:
    """Return the seat that a user has taken in a lobby. Raise Refused if they have none, Stale if the table is not in
    its lobby any more.
    """
    check_in_lobby(table)
    at = table.seat_of(user_id)
    if at is None or table.seats[at].invited:
        raise Refused(_("Take a seat first."))
    return at


def check_seat_free(table: Table) -> None:
    """Raise Refused if no seat is free. If seats are reserved, the message says until when."""
    if table.free_seats > 0:
        return
    until = table.timing.seats_reserved_until
    if until is None:
        raise Refused(_("All seats at this table are taken."))
    text = _("Until {when}, the remaining seats are reserved for invited players. After that, anybody can join.")
    raise Refused(text.format(when=f"<t:{int(until.timestamp())}:t>"))


async def change_options(core: Core, table_id: str, host: Person, wishes: NewTable) -> Table:
    """Change how a game will be played. Only the host may do this. House players and invited people stay as they are.

    Without a pace in ``wishes``, the pace stays as it is. Without a turn order, the table gets the one that fits the
    pace. The number of seats is never less than those that are taken or reserved. Start the game if the table is then
    full and starts when full, unless the change has to be announced to others first.
    """

    def work(table: Table) -> Change:
        check_hosts(table, host.user_id)
        pace = wishes.pace or table.options.pace
        changed = _set_play(core, table, pace, wishes.order or pace.usual_order)
        changed = replace(changed, options=replace(changed.options, hints=wishes.hints))
        options = replace(changed.options, starts_when_full=wishes.starts_when_full)
        after = replace(changed, max_seats=max(wishes.seats, len(table.seats)), options=options)
        if changed == table or len(table.people) < 2:
            return _start(after) if after.starts_now else Change(after)
        # Earlier changes are not announced any more, so that this one stands out.
        others = tuple(news for news in table.news if news.kind is not NewsKind.CHANGED)
        announced = News(NewsKind.CHANGED, table.seat_of(host.user_id) or 0)
        return Change(replace(after, news=others), news=(announced,))

    return await change_table(core, table_id, work, user_id=host.user_id, interaction_id=host.interaction_id)


def _set_play(core: Core, table: Table, pace: Pace, order: TurnOrder) -> Table:
    times = core.paces[pace]
    options = replace(table.options, pace=pace, allowed_seconds=times.allowed(order), hold_seconds=times.hold)
    return replace(table, turn_order=order, options=options)


@use_case
def set_lucky_word(table: Table, person: Person, word: str) -> Change:
    """Store a player's lucky word, which is part of the source of the dice. An empty word removes it."""
    cleaned = " ".join(make_storable(word).split())
    return Change(table.with_seat(check_sits(table, person.user_id), lucky_word=cleaned))


async def start_rematch(
    core: Core, table_id: str, person: Person, *, parent_id: int | None = None, locale: str | None = None
) -> Table:
    """Open a table with the house players of a game that is over. The other people who stayed until its end get
    reserved seats; ``person`` has a seat at once.

    Raise Refused if the game is not over, or if the person did not stay in it until its end. Raise also the errors of
    ``open_table``.
    """
    old = await get_closed_table(core, table_id)
    seat_of_player(old, person.user_id)
    place = Place(old.guild_id, old.channel_id, locale or old.locale, parent_id)
    await check_may_open_here(core, person, place)
    practised = await core.database.read(load_practised, old.guild_id, person.user_id)
    seats = [_reserve_seat(seat, person, practised) for seat in old.seats if seat.present or seat.user_id is None]
    return await _open(core, person, place, old.max_seats, old.turn_order, tuple(seats), old.options, old_id=old.id)


def _reserve_seat(seat: Seat, host: Person, practised: str) -> Seat:
    """Return the seat of the same player at the rematch. People have to press *Join* themselves."""
    if seat.user_id is None:
        return Seat(None, seat.name, house=seat.house)
    if seat.user_id == host.user_id:
        return Seat(seat.user_id, seat.name, practised=practised)
    return Seat(seat.user_id, seat.name, invited=True)


async def call_players(core: Core, table_id: str, person: Person, role_id: int) -> Table:
    """Ping the role ``role_id`` for a lobby with free seats, once per table. Any player at the table may do this.

    Raise Refused in quiet hours, and if the limits per server and per person are reached. Raise also the errors of
    ``check_may_call``.
    """
    now = core.now()
    guild_id = (await get_table(core, table_id)).guild_id
    quiet = (await get_server_settings(core, guild_id)).quiet_hours

    def not_too_often(connection: Connection, _now: datetime) -> None:
        lock_subjects(connection, LockScope.GUILD, guild_id)
        limits = {(guild_id,): OF_ROLE, (person.user_id, guild_id): BY_ONE}
        if (since := count_call(connection, limits, now)) > now:
            text = _("Players have been pinged often enough on this server for now. Try again: {when}")
            raise Refused(text.format(when=f"<t:{int(since.timestamp())}:R>"))

    def work(table: Table) -> Change:
        check_may_call(table, person)
        if quiet is not None and quiet.contains(now):
            raise Refused(_("Nobody is pinged during this server's quiet hours."))
        call = Call(role_id, table.id, CallKind.PLAYERS.value, table.deadline_scope, now)
        called = replace(table, options=replace(table.options, may_call=False))
        return Change(called, calls=(call,), check=not_too_often)

    return await change_table(core, table_id, work, user_id=person.user_id, interaction_id=person.interaction_id)


def check_may_call(table: Table, person: Person) -> None:
    """Raise Refused or Stale unless this person may ping the player role for this table."""
    check_sits(table, person.user_id)
    if not table.options.may_call:
        raise Stale(table)
    check_seat_free(table)


async def save_lobby_copy(core: Core, table: Table, channel_id: int, message_id: int) -> None:
    """Store which message shows a thread's lobby in the parent channel, so that it is redrawn with the table."""
    await core.database.write(mark_lobby_shown, message_id, channel_id, table, core.now())
    core.facts.publish(MessagesOutdated())
