"""The people for whom seats are kept when a table is opened, and the call of the role of players."""

from collections.abc import Sequence

import discord

from bot.cogs.answers import Redraw
from bot.cogs.common import explain_deleted, guild_id_of, name_of, person_of
from bot.cogs.context import Context
from bot.discord_api.permissions import MENTIONING, missing_permissions, permission_names
from bot.discord_api.replies import Interaction
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import Person, get_server_settings, get_table
from bot.services.lobby import call_players, check_may_call
from bot.ui.buttons import TablePress

Named = discord.User | discord.Member


def sort_invited(interaction: Interaction, named: Sequence[Named | None]) -> tuple[tuple[Person, ...], list[int]]:
    """Sort the named people into those for whom a seat is kept and the others: bots, strangers, the host, repeated."""
    people, others = dict[int, Person](), []
    for user in named:
        if user is None:
            continue
        if user.bot or not isinstance(user, discord.Member) or user.id in (interaction.user.id, *people):
            others.append(user.id)
        else:
            people[user.id] = Person(user.id, name_of(user))
    return tuple(people.values()), others


async def call_role(context: Context, interaction: Interaction, press: TablePress) -> Redraw:
    """Call the role of the server's settings, once a table. Raise Refused where the bot may not mention it."""
    check_may_call(await get_table(context.core, press.table_id), person_of(interaction))
    settings, guild = await get_server_settings(context.core, guild_id_of(interaction)), interaction.guild
    role = None if guild is None or settings.player_role is None else guild.get_role(settings.player_role)
    if role is None or role.is_default():
        raise Refused(explain_deleted())
    if not role.mentionable and (missing := missing_permissions(interaction.app_permissions, MENTIONING)):
        text = _("I may not mention {role}. Either anybody may, or I need permissions: {permissions}")
        raise Refused(text.format(role=role.mention, permissions=permission_names(missing)))
    return Redraw(await call_players(context.core, press.table_id, person_of(interaction), role.id))
