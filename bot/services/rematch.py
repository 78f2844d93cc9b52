"""Another game of the same people: their seats are reserved."""

import secrets
from dataclasses import replace

from bot.domain.errors import Refused
from bot.domain.table import Seat, Status, Table
from bot.locales import _
from bot.services.absence import seat_of_player
from bot.services.core import Core, Person, get_server_settings
from bot.services.lobby import TABLE_ID_BYTES, NewTable, check_may_open, insert_opened
from bot.store.leaderboard import load_practised
from bot.store.table import load_table
from highscore.fairness import SEED_BYTES


async def start_rematch(
    core: Core, table_id: str, person: Person, *, parent_id: int | None = None, locale: str | None = None
) -> Table:
    """Open a table with reserved seats for the people of a finished game, for one who played to its end."""
    old = await core.database.read(load_table, table_id)
    if old is None or old.status.open:
        raise Refused(_("Shown when the game is over."))
    seat_of_player(old, person.user_id)
    wishes = NewTable(seats=old.max_seats)
    await check_may_open(core, person, wishes, guild_id=old.guild_id, channel_id=old.channel_id, parent_id=parent_id)
    settings = await get_server_settings(core, old.guild_id)
    practised = await core.database.read(load_practised, old.guild_id, person.user_id)
    table = Table(
        id=secrets.token_hex(TABLE_ID_BYTES),
        guild_id=old.guild_id,
        channel_id=old.channel_id,
        host_id=person.user_id,
        status=Status.LOBBY,
        version=0,
        locale=settings.language or locale or old.locale,
        max_seats=old.max_seats,
        turn_order=old.turn_order,
        deck=core.deck,
        seats=tuple(
            _reserve_seat(seat, person, practised) for seat in old.seats if seat.present or seat.user_id is None
        ),
        seed=secrets.token_bytes(SEED_BYTES),
        game=None,
        options=replace(old.options, may_call=settings.player_role is not None),
    )
    return await insert_opened(core, table, settings, person.interaction_id, old.id)


def _reserve_seat(seat: Seat, host: Person, practised: str) -> Seat:
    """Return a seat at the rematch: the same player, nothing else kept. Nobody is seated without pressing *Join*."""
    if seat.user_id is None:
        return Seat(None, seat.name, house=seat.house)
    if seat.user_id == host.user_id:
        return Seat(seat.user_id, seat.name, practised=practised)
    return Seat(seat.user_id, seat.name, invited=True)
