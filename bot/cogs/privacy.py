"""/highscore me, and its buttons: what is stored about somebody, as a file, and away with it."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import person
from bot.cogs.dispatch import Interaction, answer_error, defer_if_slow, reply_ephemeral
from bot.discord_api.messages import mentions
from bot.domain.errors import Refused
from bot.locales import _, language_for, speak
from bot.observing.context import nobody
from bot.services import privacy
from bot.ui.buttons import make_view
from bot.ui.privacy import DataButton, DataPress, Wish, about_buttons, about_embed, done_embed, question

if TYPE_CHECKING:
    from bot.app import HighScoreBot

log = logging.getLogger(__name__)


class PrivacyCommands(commands.Cog):
    """The part of /highscore about one's own data."""

    bot: HighScoreBot

    @app_commands.command(description="What is stored about you; have it as a file, or have it deleted")
    async def me(self, interaction: Interaction) -> None:
        """Tell it in numbers."""
        user_id = interaction.user.id
        about = await defer_if_slow(interaction, privacy.about(self.bot.core, user_id), private=True)
        embed = about_embed(about.notify, about.rows, self.bot.settings.privacy_url)
        buttons = about_buttons(user_id, nothing=about.nothing)
        await reply_ephemeral(interaction, "", embed=embed, view=make_view(buttons))


async def press_data(interaction: Interaction, bot: HighScoreBot, press: DataPress) -> None:
    """Do what a button says and answer it. Never raises: discord.py would only log it."""
    speak(language_for(interaction.locale))
    try:
        await _press(interaction, bot, press)
    except Exception as error:
        await answer_error(interaction, error)


async def _press(interaction: Interaction, bot: HighScoreBot, press: DataPress) -> None:
    if press.user_id != interaction.user.id:
        raise Refused(_("These are somebody else's data. `/highscore me` shows yours."))
    match press.wish:
        case Wish.FILE:
            file = await defer_if_slow(interaction, privacy.export(bot.core, press.user_id), private=True)
            text = _("Everything that is stored about you.")
            await reply_ephemeral(interaction, text, file=discord.File(io.BytesIO(file.content), file.name))
        case Wish.DELETE | Wish.SURE:
            await _show(interaction, *question(press.wish, press.user_id))
        case Wish.KEEP:
            await _show(interaction, done_embed(deleted=False))
        case Wish.FOREVER:
            await _forget(interaction, bot)


async def _forget(interaction: Interaction, bot: HighScoreBot) -> None:
    changed = await defer_if_slow(interaction, privacy.forget(bot.core, person(interaction)))
    # Nobody's id: who it was is what was just deleted.
    with nobody():
        log.info("somebody's data was deleted at their wish")
    for table_id in changed:
        bot.delivery.request_redraw(table_id)
    await _show(interaction, done_embed(deleted=True))


async def _show(interaction: Interaction, embed: discord.Embed, buttons: list[DataButton] | None = None) -> None:
    """Show this where the button was pressed."""
    fields: dict[str, Any] = {"embed": embed, "view": make_view(buttons or []), "allowed_mentions": mentions()}
    if interaction.response.is_done():
        await interaction.edit_original_response(**fields)
    else:
        await interaction.response.edit_message(**fields)
