"""The dialog that asks for a lucky word."""

from dataclasses import dataclass
from typing import ClassVar

import discord

from bot.domain.table import MAX_LUCKY_WORD
from bot.locales import _
from bot.ui.actions import Action

WORD_FIELD = "word"

OPEN_SECONDS = 15 * 60
"""The seconds after which a dialog cannot be answered any more: Discord forgets an interaction then."""


@dataclass(frozen=True, slots=True)
class WordDialog(Action):
    """The custom_id of the dialog: ``hs:word:table``."""

    prefix: ClassVar[str] = "hs:word"
    pattern: ClassVar[str] = "hs:word:[0-9a-f]{12}"
    command: ClassVar[str] = "word"

    game_id: str


class WordModal(discord.ui.Modal):
    """The dialog for a lucky word. bot.cogs.dispatch takes what is typed."""

    def __init__(self, table_id: str, current: str) -> None:
        super().__init__(title=_("Your lucky word"), custom_id=WordDialog(table_id).custom_id, timeout=OPEN_SECONDS)
        self.add_item(
            discord.ui.Label(
                text=_("A word that goes into your dice"),
                component=discord.ui.TextInput(
                    placeholder=_("Anything; empty takes it back"),
                    custom_id=WORD_FIELD,
                    default=current or None,
                    required=False,
                    max_length=MAX_LUCKY_WORD,
                ),
            )
        )
