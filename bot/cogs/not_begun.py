"""Interactions that are not worked on, and the sentence that says why."""

import logging

import discord

from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.replies import AnswerKind, Interaction, Reply
from bot.locales import _
from bot.ui.message import Rendered

log = logging.getLogger(__name__)


async def tell_stopping(interaction: Interaction) -> None:
    """Tell a person that the bot is being stopped."""
    await _tell(interaction, _("I am being restarted just now, so this was not done. Please try again in a minute."))


async def tell_if_not_there(interaction: Interaction) -> bool:
    """Tell a person who has the commands by their own account where the bot is not. Return whether this is so."""
    if not interaction.guild_id or not interaction.is_user_integration() or interaction.is_guild_integration():
        return False
    await _tell(interaction, _("I am not on this server. Somebody who manages it can add me."))
    return True


async def _tell(interaction: Interaction, text: str) -> None:
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await Reply(interaction, AnswerKind.PRIVATE).tell(Rendered(content=text))
    except (*DISCORD_ERRORS, RuntimeError) as error:  # During a stop the connection may be closed: a RuntimeError.
        log.info("interaction %s was not begun, and left without an answer: %s", interaction.id, error)
