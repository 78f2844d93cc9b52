"""/highscore new and show: where a table is."""

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands

from bot.cogs.answers import Feature, Page, TableHere, answers
from bot.cogs.common import PACES, check_permissions, chosen, name_of, parent_of, person, place
from bot.discord_api.permissions import FOR_THREADS, SENDING, lacking, permission_names
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.pace import Pace
from bot.domain.table import MAX_SEATS, MIN_PLAYERS
from bot.locales import _, language_for, speaking
from bot.observing.context import also
from bot.services.core import claim, latest, server_settings
from bot.services.lobby import NewTable, check_may_open, check_tables_of, open_table
from bot.ui.lobby import invitation, seal_note
from bot.ui.message import Rendered
from bot.ui.text import bare
from highscore.turn_order import TurnOrder


class TableCommands(Feature):
    """The part of /highscore that opens tables and shows them again."""

    @app_commands.command(description="Open a table in this channel")
    @app_commands.describe(
        seats="How many may play, 2 to 5",
        pace="How long a turn or a round may take",
        order="Who may roll when",
        house="House players at the table, 0 to 4",
        hints="Whether players may ask for the odds",
        autostart="Start by itself when all seats are taken",
        thread="Play in a thread of its own",
    )
    @app_commands.choices(
        pace=PACES,
        order=[
            app_commands.Choice(name="rulebook: one after the other", value=TurnOrder.CLOCKWISE.value),
            app_commands.Choice(name="open: whoever has time", value=TurnOrder.OPEN.value),
            app_commands.Choice(name="own pace: everybody in private", value=TurnOrder.OWN_PACE.value),
        ],
    )
    @answers(AnswerKind.PUBLIC)
    async def new(
        self,
        interaction: Interaction,
        seats: app_commands.Range[int, MIN_PLAYERS, MAX_SEATS] = MAX_SEATS,
        pace: str | None = None,
        order: str | None = None,
        house: app_commands.Range[int, 0, MAX_SEATS - 1] = 0,
        hints: bool = True,
        autostart: bool = False,
        thread: bool = False,
    ) -> TableHere | Page:
        """Open a table and show its lobby as the answer, or in a new thread, to which the answer leads."""
        core = self.context.core
        guild_id, channel_id = place(interaction)
        check_permissions(interaction)
        wishes = NewTable(
            seats=seats,
            pace=None if pace is None else chosen(Pace, pace),
            order=None if order is None else chosen(TurnOrder, order),
            house=house,
            hints=hints,
            starts_when_full=autostart,
        )
        host = person(interaction)
        opened = None
        if thread:
            await claim(core, interaction.id)
            # Before there is an empty thread that nobody wanted.
            await check_may_open(core, host, wishes, guild_id=guild_id, channel_id=channel_id)
            await check_tables_of(core, host.user_id, guild_id)
            host = replace(host, interaction_id=None)
            opened = await self._open_thread(interaction)
        table = await open_table(
            core,
            host,
            guild_id=guild_id,
            channel_id=channel_id if opened is None else opened.id,
            locale=language_for(interaction.guild_locale),
            wishes=wishes,
            parent_id=channel_id if opened is not None else parent_of(interaction),
        )
        also(game=table.id)
        if opened is None:
            return TableHere(table, Rendered(content=seal_note(table)))
        self.context.display.request_redraw(table.id)
        return Page(invitation(table), Rendered(content=seal_note(table)))

    @app_commands.command(description="Show this channel's table again, at the bottom")
    @answers(AnswerKind.PUBLIC)
    async def show(self, interaction: Interaction) -> TableHere:
        """Repost the open table, or the last finished one."""
        table = await latest(self.context.core, place(interaction)[1])
        check_permissions(interaction)
        if table.opening:
            self.context.display.request_redraw(table.id)
            raise Refused(_("The game begins as soon as Discord has taken the message that opens it."))
        return TableHere(self.context.display.current(table))

    async def _open_thread(self, interaction: Interaction) -> discord.Thread:
        """A thread of this channel for one table, for somebody who could open it themselves.

        Announcement channels have threads of their own type:
        https://discord.com/developers/docs/topics/threads#public--private-threads
        """
        channel = interaction.channel
        if not isinstance(channel, discord.TextChannel):
            raise Refused(_("A thread can be opened only in a text channel. Leave the option out to play right here."))
        if missing := lacking(interaction.permissions, FOR_THREADS | SENDING):
            text = _("To open a thread you need the permission {permissions} in this channel.")
            raise Refused(text.format(permissions=permission_names(missing)))
        if missing := lacking(interaction.app_permissions, FOR_THREADS):
            raise _lacking_for_threads(missing)
        settings = await server_settings(self.context.core, channel.guild.id)
        with speaking(settings.language or language_for(interaction.guild_locale)):
            name = _("High Score with {player}").format(player=bare(name_of(interaction.user)))
        kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
        try:
            return await channel.create_thread(name=name, type=kind)
        except discord.Forbidden as error:
            raise _lacking_for_threads(lacking(discord.Permissions.none(), FOR_THREADS)) from error


def _lacking_for_threads(permissions: Sequence[str]) -> Refused:
    text = _("To open a thread I need the permission {permissions} in this channel.")
    return Refused(text.format(permissions=permission_names(permissions)))
