"""Finding players: who may be called to a table with free seats. Invitations are made as the table is opened."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.errors import Refused, Stale
from bot.domain.invitations import BY_ONE, OF_ROLE
from bot.domain.notify import Call, CallKind
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Change, Core, Person, change_table, get_server_settings, get_table
from bot.services.lobby import check_seat_free, check_sits
from bot.store.locks import LockScope, lock_subjects
from bot.store.marks import count_call


async def call_players(core: Core, table_id: str, person: Person, role_id: int) -> Table:
    """Owe the call of a role to a lobby with free seats, once a table and so often on a server.

    Anybody who sits at the table may call. Raise Refused, with the moment from which it is possible.
    """
    now = core.now()
    guild_id = (await get_table(core, table_id)).guild_id
    quiet = (await get_server_settings(core, guild_id)).clock_rules.quiet

    def not_too_often(connection: Connection, _now: datetime) -> None:
        lock_subjects(connection, LockScope.GUILD, guild_id)
        limits = {(guild_id,): OF_ROLE, (person.user_id, guild_id): BY_ONE}
        if (since := count_call(connection, limits, now)) > now:
            text = _("That is enough calls for players on this server for now. You can call them {when}.")
            raise Refused(text.format(when=f"<t:{int(since.timestamp())}:R>"))

    def work(table: Table) -> Change:
        check_may_call(table, person)
        if quiet is not None and quiet.holds(now):
            raise Refused(_("These are the server's quiet hours, in which nobody is called."))
        call = Call(role_id, table.id, CallKind.PLAYERS.value, table.span, now)
        called = replace(table, options=replace(table.options, may_call=False))
        return Change(called, calls=(call,), check=not_too_often)

    return await change_table(core, table_id, work, user_id=person.user_id, interaction_id=person.interaction_id)


def check_may_call(table: Table, person: Person) -> None:
    """Raise Refused unless this person may call players to this table."""
    check_sits(table, person.user_id)
    if not table.options.may_call:
        raise Stale(table)
    check_seat_free(table)
