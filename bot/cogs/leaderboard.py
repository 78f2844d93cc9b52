"""/highscore leaderboard and records, and the buttons that turn their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import chosen, place
from bot.cogs.dispatch import Interaction, answer_error, defer_if_slow, reply_ephemeral
from bot.discord_api.messages import mentions
from bot.domain.leaderboard import Order
from bot.domain.season import ALL_TIME
from bot.locales import _, language_for, speak, speaking
from bot.services import leaderboard as boards
from bot.services.core import Core, server_settings
from bot.ui.buttons import make_view
from bot.ui.leaderboard import fame_buttons, fame_embed, leaderboard_buttons, leaderboard_embed, period_name
from bot.ui.leaderboard_buttons import BoardPage

if TYPE_CHECKING:
    from bot.app import HighScoreBot

Shown = tuple[discord.Embed, discord.ui.View]


class BoardCommands(commands.Cog):
    """The part of /highscore about who leads."""

    bot: HighScoreBot

    @app_commands.command(description="Who leads on this server")
    @app_commands.describe(period="This season unless another one is picked", order="What people are ranked by")
    @app_commands.choices(
        order=[
            app_commands.Choice(name="rating", value=Order.RATING.value),
            app_commands.Choice(name="wins", value=Order.WINS.value),
            app_commands.Choice(name="games won, in per cent", value=Order.WIN_RATE.value),
            app_commands.Choice(name="points from chips", value=Order.CHIPS.value),
            app_commands.Choice(name="best result", value=Order.BEST.value),
            app_commands.Choice(name="points lost per decision", value=Order.LOSS.value),
        ]
    )
    async def leaderboard(
        self, interaction: Interaction, period: str = boards.THIS_SEASON, order: str = Order.RATING.value
    ) -> None:
        """Show the first page to everybody."""
        guild_id, _channel_id = place(interaction)
        found = await boards.find_period(self.bot.core, guild_id, period)
        await _answer(interaction, self.bot.core, BoardPage(chosen(Order, order), found, 0, interaction.user.id))

    @leaderboard.autocomplete("period")
    async def complete_period(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """This season, this month, all time, then the seasons before."""
        speak(language_for(interaction.locale))
        guild_id, _channel_id = place(interaction)
        offered = [
            (_("this season"), boards.THIS_SEASON),
            (_("this month"), boards.THIS_MONTH),
            (_("all time"), ALL_TIME),
        ]
        past = await boards.past_seasons(self.bot.core, guild_id)
        offered += [(period_name(season), season) for season in past]
        typed = current.casefold().strip()
        return [
            app_commands.Choice(name=name, value=value)
            for name, value in offered
            if typed in name.casefold() or typed in value.casefold()
        ]

    @app_commands.command(description="The best result ever on each card, on this server")
    async def records(self, interaction: Interaction) -> None:
        """Show the hall of fame to everybody."""
        place(interaction)
        await _answer(interaction, self.bot.core, BoardPage(None, ALL_TIME, 0, interaction.user.id))


async def turn_board(interaction: Interaction, core: Core, page: BoardPage) -> None:
    """Show another page: in the message to who asked for it, to everybody else in a copy of their own. Never raises."""
    speak(language_for(interaction.locale))
    try:
        guild_id, _channel_id = place(interaction)
        await boards.find_period(core, guild_id, page.period)
        if page.user_id == interaction.user.id:
            public = interaction.message is None or not interaction.message.flags.ephemeral
            embed, view = await defer_if_slow(interaction, _page(interaction, core, guild_id, page, public=public))
            await _edit(interaction, embed, view)
        else:
            copy = _page(interaction, core, guild_id, page, public=False)
            embed, view = await defer_if_slow(interaction, copy, private=True)
            await reply_ephemeral(interaction, "", embed=embed, view=view)
    except Exception as error:
        await answer_error(interaction, error)


async def _answer(interaction: Interaction, core: Core, page: BoardPage) -> None:
    guild_id, _channel_id = place(interaction)
    embed, view = await _page(interaction, core, guild_id, page, public=True)
    await interaction.response.send_message(embed=embed, view=view, allowed_mentions=mentions())


async def _edit(interaction: Interaction, embed: discord.Embed, view: discord.ui.View) -> None:
    fields: dict[str, Any] = {"embed": embed, "view": view, "allowed_mentions": mentions()}
    if interaction.response.is_done():
        await interaction.edit_original_response(**fields)
    else:
        await interaction.response.edit_message(**fields)


async def _page(interaction: Interaction, core: Core, guild_id: int, page: BoardPage, *, public: bool) -> Shown:
    """A page for who asks; what everybody sees is in the server's language."""
    user_id = interaction.user.id
    settings = await server_settings(core, guild_id)
    if page.order is None:
        hall = await boards.hall_of_fame(core, guild_id, page.page)
    else:
        board = await boards.leaderboard(core, guild_id, page.period, page.order, page.page, user_id)
    server = settings.language or language_for(interaction.guild_locale)
    with speaking(server if public else language_for(interaction.locale)):
        if page.order is None:
            return fame_embed(hall), make_view(fame_buttons(hall, user_id))
        return leaderboard_embed(board), make_view(leaderboard_buttons(board, user_id))
