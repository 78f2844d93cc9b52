"""The dialog that asks for a lucky word."""

from dataclasses import dataclass
from typing import ClassVar, Self

import discord

from bot.domain.table import MAX_LUCKY_WORD
from bot.locales import _

WORD_FIELD = "word"

OPEN_SECONDS = 15 * 60
"""Discord forgets an interaction after 15 minutes, so a dialog open for longer can no longer be answered."""


@dataclass(frozen=True, slots=True)
class WordDialog:
    """What the dialog says when it is sent: ``hs:word:table``."""

    pattern: ClassVar[str] = "hs:word:[0-9a-f]{12}"
    command: ClassVar[str] = "word"

    game_id: str

    @property
    def custom_id(self) -> str:
        return f"hs:word:{self.game_id}"

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        return cls(custom_id.split(":")[2])


class WordModal(discord.ui.Modal):
    """Asks for a lucky word. bot.cogs.dispatch takes what is typed."""

    def __init__(self, table_id: str, current: str) -> None:
        super().__init__(title=_("Your lucky word"), custom_id=WordDialog(table_id).custom_id, timeout=OPEN_SECONDS)
        self.add_item(
            discord.ui.TextInput(
                label=_("A word that goes into your dice"),
                placeholder=_("anything; empty takes it back"),
                custom_id=WORD_FIELD,
                default=current or None,
                required=False,
                max_length=MAX_LUCKY_WORD,
            )
        )
