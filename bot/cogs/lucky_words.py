"""Lucky words: what was typed into the dialog that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import discord
from discord.ext import commands

from bot.cogs.common import person
from bot.cogs.dispatch import Interaction, answer_error, defer_if_slow, show_change, start_interaction
from bot.locales import language_for, speak
from bot.services.core import check_guild
from bot.services.lobby import set_lucky_word
from bot.ui.buttons import Verb
from bot.ui.lucky_words import WORD_FIELD, table_of_word_modal

if TYPE_CHECKING:
    from bot.app import HighScoreBot


class LuckyWords(commands.Cog):
    """Takes the dialogs. Not by the dialog's own callback, which a restart of the bot would forget."""

    def __init__(self, bot: HighScoreBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Called for every interaction there is."""
        data: dict[str, Any] = dict(interaction.data or {})
        table_id = table_of_word_modal(str(data.get("custom_id", "")))
        if interaction.type is not discord.InteractionType.modal_submit or table_id is None:
            return
        speak(language_for(interaction.locale))
        if not await self.bot.flood.admits(interaction):
            return
        if not await start_interaction(interaction, self.bot.flights, Verb.LUCKY_WORD.value, game=table_id):
            return
        try:
            await check_guild(self.bot.core, table_id, interaction.guild_id)
            word = next(_typed(data.get("components", [])), "")
            work = set_lucky_word(self.bot.core, table_id, person(interaction), word, interaction_id=interaction.id)
            await show_change(interaction, self.bot.delivery, await defer_if_slow(interaction, work))
        except Exception as error:
            await answer_error(interaction, error)


def _typed(components: list[dict[str, Any]]) -> Iterator[str]:
    """The values of the field for the word, wherever Discord nests it (rows or labels)."""
    for component in components:
        if component.get("custom_id") == WORD_FIELD:
            yield str(component.get("value") or "")
        inner = component.get("component")
        yield from _typed([*component.get("components", []), *([inner] if inner else [])])
