"""Opening a table, sitting down, getting up, starting and cancelling."""

from __future__ import annotations

import secrets
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import Refused, Stale
from bot.locales import _
from bot.services.core import Change, Core, Person, change
from bot.store import tables as store
from bot.table import MAX_LUCKY_WORD, MAX_SEATS, MIN_PLAYERS, Seat, Status, Table
from highscore.dealer import play
from highscore.fairness import SEED_BYTES
from highscore.game import Abandoned, Game, TurnOrder

MAX_NAME = 100
TABLE_ID_BYTES = 6


class TableTaken(Refused):
    """The channel has as many open tables as it may. Carries one of them, to say where it is."""

    def __init__(self, sentence: str, table: Table) -> None:
        super().__init__(sentence)
        self.table = table


async def open_table(
    core: Core,
    host: Person,
    *,
    guild_id: int,
    channel_id: int,
    locale: str,
    max_seats: int = MAX_SEATS,
    turn_order: TurnOrder = TurnOrder.CLOCKWISE,
) -> Table:
    """Open a table in a channel with its host sitting at it. Raises TableTaken when the channel has enough of them."""
    table = Table(
        id=secrets.token_hex(TABLE_ID_BYTES),
        guild_id=guild_id,
        channel_id=channel_id,
        host_id=host.user_id,
        status=Status.LOBBY,
        version=0,
        locale=locale,
        max_seats=max_seats,
        turn_order=turn_order,
        deck=core.deck,
        seats=(_seat(host),),
        seed=secrets.token_bytes(SEED_BYTES),
        game=None,
    )
    return await _insert(core, table)


async def rematch(core: Core, table_id: str, person: Person) -> Table:
    """Open a new table for the people of a finished one; whoever asks is its host. Only its players may ask."""

    async with core.database.read() as connection:
        old = await store.load_table(connection, table_id)
    if old is None or old.status.open:
        raise Refused(_("A rematch can be asked for when the game is over."))
    if old.seat_of(person.user_id) is None:
        raise Refused(_("Only the players of this game can ask for a rematch. `/highscore new` opens a table for you."))
    table = replace(
        old,
        id=secrets.token_hex(TABLE_ID_BYTES),
        host_id=person.user_id,
        status=Status.LOBBY,
        version=0,
        deck=core.deck,
        seats=tuple(replace(seat, lucky_word="") for seat in old.seats),
        seed=secrets.token_bytes(SEED_BYTES),
        game=None,
        message_id=None,
        shown_version=-1,
        shown_page=-1,
    )
    return await _insert(core, table)


async def _insert(core: Core, table: Table) -> Table:
    async def transaction(connection: AsyncConnection) -> Table:
        there = await store.open_tables(connection, table.channel_id)
        if len(there) >= core.tables_per_channel:
            raise TableTaken(_("There is an open table in this channel already."), there[-1])
        await store.insert_table(connection, table, core.now())
        return table

    return await core.database.write(transaction)


async def join(core: Core, table_id: str, person: Person, *, interaction_id: int | None = None) -> Table:
    """Sit down at a table that has not started."""

    def work(table: Table) -> Change:
        _in_lobby(table)
        if table.seat_of(person.user_id) is not None:
            raise Refused(_("You are sitting at this table already."))
        if len(table.seats) >= table.max_seats:
            raise Refused(_("All seats at this table are taken."))
        return Change(replace(table, seats=(*table.seats, _seat(person))), seats_changed=True)

    return await change(core, table_id, work, user_id=person.user_id, interaction_id=interaction_id)


async def leave(core: Core, table_id: str, person: Person, *, interaction_id: int | None = None) -> Table:
    """Get up before the game starts. A host hands over to the next person; the last one closes the table."""

    def work(table: Table) -> Change:
        _in_lobby(table)
        if table.seat_of(person.user_id) is None:
            raise Refused(_("You are not sitting at this table."))
        left = tuple(seat for seat in table.seats if seat.user_id != person.user_id)
        people = [seat.user_id for seat in left if seat.user_id is not None]
        if not people:
            return Change(replace(table, status=Status.ABANDONED))
        host = table.host_id if table.host_id in people else people[0]
        return Change(replace(table, seats=left, host_id=host), seats_changed=True)

    return await change(core, table_id, work, user_id=person.user_id, interaction_id=interaction_id)


async def set_lucky_word(
    core: Core, table_id: str, person: Person, word: str, *, interaction_id: int | None = None
) -> Table:
    """Add a word of one's own to what the dice are drawn from, or take it back with an empty one."""
    cleaned = " ".join(word.split())
    if len(cleaned) > MAX_LUCKY_WORD:
        raise Refused(_("A lucky word has at most {limit} characters.").format(limit=MAX_LUCKY_WORD))

    def work(table: Table) -> Change:
        at = check_lucky_word(table, person.user_id)
        changed = replace(table.seats[at], lucky_word=cleaned)
        return Change(replace(table, seats=(*table.seats[:at], changed, *table.seats[at + 1 :])), seats_changed=True)

    return await change(core, table_id, work, user_id=person.user_id, interaction_id=interaction_id)


def check_lucky_word(table: Table, user_id: int) -> int:
    """The seat of somebody who may give a lucky word now. Raises Refused for others."""
    _in_lobby(table)
    at = table.seat_of(user_id)
    if at is None:
        raise Refused(_("Sit down first; lucky words are for the players."))
    return at


async def start(core: Core, table_id: str, person: Person, *, interaction_id: int | None = None) -> Table:
    """Begin the game: draw the start player and turn up the first card. Only the host may."""

    def work(table: Table) -> Change:
        _in_lobby(table)
        if person.user_id != table.host_id:
            raise Refused(_("Only the host can start the game."))
        if len(table.seats) < MIN_PLAYERS:
            raise Refused(_("High Score needs at least two players. Wait for somebody to join."))
        game, happened = play(Game(len(table.seats), table.turn_order), None, table.source, table.deck)
        return Change(replace(table, status=Status.PLAYING, game=game), happened)

    return await change(core, table_id, work, user_id=person.user_id, interaction_id=interaction_id)


async def cancel(
    core: Core, table_id: str, person: Person, *, moderator: bool, interaction_id: int | None = None
) -> Table:
    """Give a table up; its seed is revealed. For the host and for moderators (who may manage messages)."""

    def work(table: Table) -> Change:
        if not table.status.open:
            raise Stale(_("This game is over already."), table)
        if person.user_id != table.host_id and not moderator:
            raise Refused(_("Only the host, or somebody who may manage messages here, can cancel the game."))
        closed = replace(table, status=Status.ABANDONED)
        if table.game is None:
            return Change(closed)
        event = Abandoned(f"user {person.user_id}")
        game, happened = play(table.game, event, table.source, table.deck)
        return Change(replace(closed, game=game), happened)

    return await change(core, table_id, work, user_id=person.user_id, interaction_id=interaction_id)


def _seat(person: Person) -> Seat:
    return Seat(person.user_id, person.name[:MAX_NAME])


def _in_lobby(table: Table) -> None:
    match table.status:
        case Status.PLAYING:
            raise Stale(_("This game has started already."), table)
        case Status.FINISHED | Status.ABANDONED:
            raise Stale(_("This table is closed."), table)
        case Status.LOBBY:
            return
