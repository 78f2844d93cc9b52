"""The button in the options of a lobby for a lucky word, and its dialog."""

import asyncio
from contextlib import suppress

import discord

from bot.cogs.answers import Redraw
from bot.cogs.common import person_of, typed_text
from bot.cogs.context import Context
from bot.discord_api.replies import PATIENCE, Interaction
from bot.services.core import get_table
from bot.services.lobby import check_sits
from bot.services.lucky_words import set_lucky_word
from bot.ui.buttons import Press
from bot.ui.lobby import WORD_FIELD, WordDialog, WordModal


async def ask_word(context: Context, interaction: Interaction, press: Press) -> discord.ui.Modal:
    """Open the dialog with the present word, or empty where the look-up is slow: a dialog cannot be put off."""
    word = ""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            table = await get_table(context.core, press.table_id)
            word = table.seats[check_sits(table, interaction.user.id)].lucky_word
    return WordModal(press.table_id, word)


async def take_word(context: Context, interaction: Interaction, dialog: WordDialog) -> Redraw:
    word = typed_text(interaction, WORD_FIELD)
    return Redraw(await set_lucky_word(context.core, dialog.game_id, person_of(interaction), word))
