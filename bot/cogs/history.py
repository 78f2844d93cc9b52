"""/highscore history, replay and stats, and the buttons that go through finished games."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import name_of, place
from bot.cogs.dispatch import Interaction, answer_error, defer_if_slow, reply_ephemeral
from bot.discord_api.messages import mentions
from bot.domain.errors import Refused
from bot.locales import _, language_for, speak
from bot.services import history as archive
from bot.services.core import Core
from bot.ui import history as history_view
from bot.ui import replay as replay_view
from bot.ui.buttons import make_view
from bot.ui.history_buttons import HistoryPage, Step
from bot.ui.replay import ReplayPage
from bot.ui.stats import stats_embed, stats_picture

if TYPE_CHECKING:
    from bot.app import HighScoreBot

MOST_CHOICES = 25
"""Choices Discord takes for one autocompletion."""


class ArchiveCommands(commands.Cog):
    """The part of /highscore that looks back."""

    bot: HighScoreBot

    @app_commands.command(description="The finished games of this server, or of one player")
    @app_commands.describe(player="Whose games; everybody's unless somebody is named")
    async def history(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Show the newest games to the one who asks."""
        guild_id, _channel_id = place(interaction)
        user_id = None if player is None else player.id
        found = await defer_if_slow(interaction, archive.history(self.bot.core, guild_id, user_id), private=True)
        embed = history_view.embed(found, None if player is None else name_of(player))
        await reply_ephemeral(interaction, "", embed=embed, view=make_view(history_view.buttons(found)))

    @app_commands.command(description="Go through a finished game again, roll by roll")
    @app_commands.describe(game="A finished game of this server; pick one or write its id")
    async def replay(self, interaction: Interaction, game: str) -> None:
        """Show the game's first position to the one who asks."""
        guild_id, _channel_id = place(interaction)
        await _open(interaction, self.bot.core, guild_id, game.strip().casefold())

    @replay.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Recent games in which what was typed so far occurs: in a name, the date or the id."""
        speak(language_for(interaction.locale))
        guild_id, _channel_id = place(interaction)
        typed = current.casefold().strip()
        offered = [(history_view.choice_name(game), game) for game in await archive.recent(self.bot.core, guild_id)]
        found = [
            app_commands.Choice(name=name, value=game.game_id)
            for name, game in offered
            if typed in name.casefold() or game.game_id.startswith(typed)
        ]
        return found[:MOST_CHOICES]

    @app_commands.command(description="What somebody has done on this server")
    @app_commands.describe(player="Who; you unless somebody is named")
    async def stats(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Show the figures to the one who asks."""
        guild_id, _channel_id = place(interaction)
        who = interaction.user if player is None else player
        found = await defer_if_slow(interaction, archive.statistics(self.bot.core, guild_id, who.id), private=True)
        if found is None:
            raise Refused(
                _("You have not finished a game on this server yet.")
                if who.id == interaction.user.id
                else _("That person has not finished a game on this server yet.")
            )
        await reply_ephemeral(interaction, "", embed=stats_embed(found), picture=stats_picture(found))


async def open_page(interaction: Interaction, core: Core, leaf: HistoryPage) -> None:
    """Do what a button of a history or a replay says and answer it. Never raises: discord.py would only log it."""
    speak(language_for(interaction.locale))
    try:
        guild_id, _channel_id = place(interaction)
        if leaf.step in (Step.NEWER, Step.OLDER):
            await _turn_history(interaction, core, guild_id, leaf)
        elif leaf.step is Step.OPEN:
            await _open(interaction, core, guild_id, leaf.game_id)
        elif leaf.step is Step.FILE:
            text = await defer_if_slow(interaction, archive.document(core, guild_id, leaf.game_id), private=True)
            file = discord.File(io.BytesIO(text.encode()), f"highscore-{leaf.game_id}.json")
            check = _("Check it yourself: `highscore-bot verify FILE` with the file below.")
            await reply_ephemeral(interaction, check, file=file)
        else:
            table, found = await defer_if_slow(interaction, archive.replay(core, guild_id, leaf.game_id))
            await _edit(interaction, replay_view.page(table, found, leaf.number))
    except Exception as error:
        await answer_error(interaction, error)


async def _turn_history(interaction: Interaction, core: Core, guild_id: int, leaf: HistoryPage) -> None:
    user_id = leaf.user_id or None
    newer = leaf.step is Step.NEWER
    found = await defer_if_slow(interaction, archive.history(core, guild_id, user_id, leaf.game_id, newer=newer))
    embed = history_view.embed(found, history_view.name_of(found))
    await _edit(interaction, ReplayPage(embed, None, history_view.buttons(found)))


async def _open(interaction: Interaction, core: Core, guild_id: int, game_id: str) -> None:
    table, found = await defer_if_slow(interaction, archive.replay(core, guild_id, game_id), private=True)
    page = replay_view.page(table, found, 0)
    await reply_ephemeral(interaction, "", embed=page.embed, picture=page.picture, view=make_view(page.buttons))


async def _edit(interaction: Interaction, page: ReplayPage) -> None:
    """Show a page where another one was. Only the one who asked for it has it."""
    files = [] if page.picture is None else [await page.picture.attach(page.embed)]
    fields: dict[str, Any] = {"embed": page.embed, "attachments": files, "view": make_view(page.buttons)}
    if interaction.response.is_done():
        await interaction.edit_original_response(**fields, allowed_mentions=mentions())
    else:
        await interaction.response.edit_message(**fields, allowed_mentions=mentions())
