"""/highscore new and show: where a table is."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import PACES, check_permissions, chosen, name_of, parent_of, person, place, roles_of
from bot.cogs.dispatch import Interaction, defer_if_slow, reply_ephemeral
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import mentions
from bot.discord_api.permissions import permission_names
from bot.domain.errors import Refused
from bot.domain.pace import Pace
from bot.domain.table import MAX_SEATS, MIN_PLAYERS, Table
from bot.locales import _, language_for, speaking
from bot.observing.context import also
from bot.observing.in_flight import answered, failed, note_result
from bot.observing.metrics import InteractionResult
from bot.services.core import claim, latest, server_settings
from bot.services.lobby import NewTable, check_may_open, open_table
from bot.ui.table import render
from bot.ui.text import bare
from highscore.game import TurnOrder

if TYPE_CHECKING:
    from bot.app import HighScoreBot

log = logging.getLogger(__name__)


class TableCommands(commands.Cog):
    """The part of /highscore that opens tables and shows them again."""

    bot: HighScoreBot

    @app_commands.command(description="Open a table in this channel")
    @app_commands.describe(
        seats="How many may play, 2 to 5",
        pace="How long a turn or a round may take",
        order="Who may roll when",
        house="House players at the table, 0 to 4",
        hints="Whether players may ask for the odds",
        thread="Play in a thread of its own",
    )
    @app_commands.choices(
        pace=PACES,
        order=[
            app_commands.Choice(name="rulebook: one after the other", value=TurnOrder.CLOCKWISE.value),
            app_commands.Choice(name="open: whoever has time", value=TurnOrder.OPEN.value),
        ],
    )
    async def new(
        self,
        interaction: Interaction,
        seats: app_commands.Range[int, MIN_PLAYERS, MAX_SEATS] = MAX_SEATS,
        pace: str | None = None,
        order: str | None = None,
        house: app_commands.Range[int, 0, MAX_SEATS - 1] = 0,
        hints: bool = True,
        thread: bool = False,
    ) -> None:
        """Open a table and show its lobby as the answer, or in a new thread."""
        guild_id, channel_id = place(interaction)
        check_permissions(interaction)
        wishes = NewTable(
            seats=seats,
            pace=None if pace is None else chosen(Pace, pace),
            order=None if order is None else chosen(TurnOrder, order),
            house=house,
            hints=hints,
        )
        role_ids = roles_of(interaction)
        opened = None
        if thread:
            # Before there is an empty thread that nobody wanted.
            await check_may_open(
                self.bot.core, guild_id=guild_id, channel_id=channel_id, wishes=wishes, role_ids=role_ids
            )
            await claim(self.bot.core, interaction.id)
            opened = await self._open_thread(interaction)
        table = await defer_if_slow(
            interaction,
            open_table(
                self.bot.core,
                person(interaction),
                guild_id=guild_id,
                channel_id=channel_id if opened is None else opened.id,
                locale=language_for(interaction.guild_locale),
                wishes=wishes,
                parent_id=channel_id if opened is not None else parent_of(interaction),
                role_ids=role_ids,
                interaction_id=interaction.id if opened is None else None,
            ),
        )
        also(game=table.id)
        if opened is None:
            await self._show_here(interaction, table)
        else:
            self.bot.delivery.request_redraw(table.id)
            await reply_ephemeral(interaction, _("The table is open in {thread}.").format(thread=opened.mention))

    @app_commands.command(description="Show this channel's table again, at the bottom")
    async def show(self, interaction: Interaction) -> None:
        """Repost the open table, or the last finished one."""
        table = await latest(self.bot.core, place(interaction)[1])
        check_permissions(interaction)
        await self._show_here(interaction, self.bot.delivery.current(table))

    async def _open_thread(self, interaction: Interaction) -> discord.Thread:
        """A thread of this channel for one table."""
        channel = interaction.channel
        if not isinstance(channel, discord.TextChannel):
            raise Refused(_("A thread can be opened only in a text channel. Leave the option out to play right here."))
        needed = ["create_public_threads", "send_messages_in_threads"]
        missing = [name for name in needed if not getattr(interaction.app_permissions, name)]
        if missing:
            raise _lacking_for_threads(missing)
        await interaction.response.defer(ephemeral=True)
        settings = await server_settings(self.bot.core, channel.guild.id)
        with speaking(settings.language or language_for(interaction.guild_locale)):
            name = _("High Score with {player}").format(player=bare(name_of(interaction.user)))
        try:
            return await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
        except discord.Forbidden as error:
            raise _lacking_for_threads(needed) from error

    async def _show_here(self, interaction: Interaction, table: Table) -> None:
        """Answer with the table; from now on it lives on this message."""
        rendered, nobody = render(table), mentions()
        try:
            if interaction.response.is_done():
                shown = await interaction.edit_original_response(**await rendered.editing(), allowed_mentions=nobody)
                message_id: int | None = shown.id
            else:
                answer = await interaction.response.send_message(**await rendered.sending(), allowed_mentions=nobody)
                message_id = answer.message_id
        except DISCORD_ERRORS as error:
            # The table is committed: the delivery shows it, also when this answer came too late.
            note_result(InteractionResult.UNANSWERED)
            failed(error)
            log.info("table %s could not be the answer to interaction %s: %s", table.id, interaction.id, error)
            self.bot.delivery.request_redraw(table.id)
            if trouble(error) is not Trouble.LATE:
                await reply_ephemeral(
                    interaction, _("Discord is not taking this just now. The table will be shown here soon.")
                )
            return
        answered()
        if message_id is not None:
            await self.bot.delivery.move(table, message_id)


def _lacking_for_threads(permissions: Sequence[str]) -> Refused:
    return Refused(
        _("To open a thread I need the permission {permissions} in this channel.").format(
            permissions=permission_names(permissions)
        )
    )
