"""/highscore new, show, leave, cancel: the life of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.answers import Interaction, in_time, link_to, privately
from bot.delivery import mention
from bot.errors import Refused
from bot.locales import _, language_for
from bot.permissions import lacking_here, permission_names
from bot.services import lobby
from bot.services.core import Person, latest, open_in
from bot.table import MAX_SEATS, MIN_PLAYERS, Table
from bot.ui.render import render
from highscore.game import TurnOrder

if TYPE_CHECKING:
    from bot.client import HighScoreBot


def person(interaction: Interaction) -> Person:
    """Who asks."""
    return Person(interaction.user.id, interaction.user.display_name)


class TableCommands(commands.Cog):
    """The part of /highscore that opens and closes tables."""

    bot: HighScoreBot

    @app_commands.command(description="Open a table in this channel")
    @app_commands.describe(seats="How many may play, 2 to 5", order="Who may roll when")
    @app_commands.choices(
        order=[
            app_commands.Choice(name="rulebook: one after the other", value=TurnOrder.CLOCKWISE.value),
            app_commands.Choice(name="open: whoever has time", value=TurnOrder.OPEN.value),
        ]
    )
    async def new(
        self,
        interaction: Interaction,
        seats: app_commands.Range[int, MIN_PLAYERS, MAX_SEATS] = MAX_SEATS,
        order: str = TurnOrder.CLOCKWISE.value,
    ) -> None:
        """Open a table and show its lobby as the answer."""
        guild_id, channel_id = _place(interaction)
        _check_permissions(interaction)
        table = await in_time(
            interaction,
            lobby.open_table(
                self.bot.core,
                person(interaction),
                guild_id=guild_id,
                channel_id=channel_id,
                locale=language_for(interaction.guild_locale),
                max_seats=seats,
                turn_order=TurnOrder(order),
            ),
        )
        await self._show_here(interaction, table)

    @app_commands.command(description="Show this channel's table again, at the bottom")
    async def show(self, interaction: Interaction) -> None:
        """Repost the open table, or the last finished one."""
        table = await latest(self.bot.core, _place(interaction)[1])
        _check_permissions(interaction)
        await self._show_here(interaction, table)

    @app_commands.command(description="Get up from a table that has not started")
    async def leave(self, interaction: Interaction) -> None:
        """Leave the lobby of this channel."""
        who = person(interaction)
        table = await open_in(self.bot.core, _place(interaction)[1], seated=who.user_id)
        await in_time(interaction, lobby.leave(self.bot.core, table.id, who, interaction_id=interaction.id))
        self.bot.delivery.owe(table.id)
        await privately(interaction, _("You have left the table."))

    @app_commands.command(description="Give up this channel's game (host or moderators)")
    async def cancel(self, interaction: Interaction) -> None:
        """Cancel the open table."""
        who = person(interaction)
        table = await open_in(self.bot.core, _place(interaction)[1], seated=who.user_id)
        moderator = interaction.permissions.manage_messages
        await in_time(
            interaction,
            lobby.cancel(self.bot.core, table.id, who, moderator=moderator, interaction_id=interaction.id),
        )
        self.bot.delivery.owe(table.id)
        await privately(interaction, _("The game is cancelled: {link}").format(link=link_to(table)))

    async def _show_here(self, interaction: Interaction, table: Table) -> None:
        """Answer with the table; from now on it lives on this message."""
        fields = {**render(table).fields(), "allowed_mentions": mention(None)}
        if interaction.response.is_done():
            message_id: int | None = (await interaction.edit_original_response(**fields)).id
        else:
            message_id = (await interaction.response.send_message(**fields)).message_id
        if message_id is not None:
            await self.bot.delivery.move(table, message_id)


def _place(interaction: Interaction) -> tuple[int, int]:
    if interaction.guild_id is None or interaction.channel_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id, interaction.channel_id


def _check_permissions(interaction: Interaction) -> None:
    """Refuse to play where the next turn could not be shown."""
    missing = lacking_here(interaction)
    if missing:
        raise Refused(
            _("I cannot play here: I need the permission {permissions} in this channel.").format(
                permissions=permission_names(missing)
            )
        )
