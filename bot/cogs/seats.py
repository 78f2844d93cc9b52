"""/highscore leave, cancel, skip, kick: who plays on and who does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import missing_note, moderates, person, place
from bot.cogs.dispatch import Interaction, defer_if_slow, reply_ephemeral
from bot.domain.errors import Refused
from bot.domain.table import Status, Table
from bot.locales import _
from bot.services.absence import kick, skip
from bot.services.core import open_in
from bot.services.lobby import cancel, leave
from bot.ui.buttons import Press, TableButton, Verb, make_view
from bot.ui.names import link_to

if TYPE_CHECKING:
    from bot.app import HighScoreBot


class SeatCommands(commands.Cog):
    """The part of /highscore about seats."""

    bot: HighScoreBot

    @app_commands.command(description="Leave this channel's table; in a running game the house plays on for you")
    async def leave(self, interaction: Interaction) -> None:
        """Leave the lobby at once, a running game after a private confirmation."""
        who = person(interaction)
        table = await self._table(interaction)
        if table.status is Status.LOBBY:
            await defer_if_slow(
                interaction, leave(self.bot.core, table.id, who, interaction_id=interaction.id), private=True
            )
            self.bot.delivery.request_redraw(table.id)
            await reply_ephemeral(interaction, _("You have left the table.") + missing_note(interaction))
            return
        if table.seat_of(who.user_id) is None:
            raise Refused(_("You do not sit at this table."))
        button = TableButton(
            Press(Verb.QUIT, table.id, table.version), _("Leave the game"), style=discord.ButtonStyle.danger
        )
        await reply_ephemeral(
            interaction,
            _("Leave for good? The house plays your seat to the end, and you cannot come back to this game.")
            + missing_note(interaction),
            view=make_view([button]),
        )

    @app_commands.command(description="Give up this channel's game (host or moderators)")
    async def cancel(self, interaction: Interaction) -> None:
        """Cancel the open table."""
        table = await self._table(interaction)
        await defer_if_slow(
            interaction,
            cancel(
                self.bot.core,
                table.id,
                person(interaction),
                moderator=moderates(interaction),
                interaction_id=interaction.id,
            ),
            private=True,
        )
        self.bot.delivery.request_redraw(table.id)
        text = _("The game is cancelled: {link}").format(link=link_to(table))
        await reply_ephemeral(interaction, text + missing_note(interaction))

    @app_commands.command(description="Let the house play the turn everybody waits for (host or moderators)")
    async def skip(self, interaction: Interaction) -> None:
        """Skip one turn."""
        table = await self._table(interaction)
        await defer_if_slow(
            interaction,
            skip(
                self.bot.core,
                table.id,
                person(interaction),
                moderator=moderates(interaction),
                interaction_id=interaction.id,
            ),
            private=True,
        )
        self.bot.delivery.request_redraw(table.id)
        await reply_ephemeral(interaction, _("The house has played that turn.") + missing_note(interaction))

    @app_commands.command(description="Take somebody's seat away (host or moderators)")
    @app_commands.describe(player="Who is to go; in a running game the house plays their seat on")
    async def kick(self, interaction: Interaction, player: discord.User) -> None:
        """Remove a player from the table."""
        table = await self._table(interaction)
        await defer_if_slow(
            interaction,
            kick(
                self.bot.core,
                table.id,
                person(interaction),
                player.id,
                moderator=moderates(interaction),
                interaction_id=interaction.id,
            ),
            private=True,
        )
        self.bot.delivery.request_redraw(table.id)
        await reply_ephemeral(interaction, _("Done. The others see it on the table.") + missing_note(interaction))

    async def _table(self, interaction: Interaction) -> Table:
        return await open_in(
            self.bot.core, place(interaction)[1], seated=interaction.user.id, interaction_id=interaction.id
        )
