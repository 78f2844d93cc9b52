"""The dialog that asks for a lucky word."""

from __future__ import annotations

import re

import discord

from bot.domain.table import MAX_LUCKY_WORD
from bot.locales import _

WORD_FIELD = "word"

_CUSTOM_ID = re.compile(r"hs:word:(?P<table>[0-9a-f]{12})")
_OPEN_SECONDS = 15 * 60
"""Discord forgets an interaction after 15 minutes, so a dialog open for longer can no longer be answered."""


class WordModal(discord.ui.Modal):
    """Asks for a lucky word. What is typed is taken by the bot's on_interaction, which survives a restart."""

    def __init__(self, table_id: str, current: str) -> None:
        super().__init__(title=_("Your lucky word"), custom_id=f"hs:word:{table_id}", timeout=_OPEN_SECONDS)
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


def table_of_word_modal(custom_id: str) -> str | None:
    """The table a submitted dialog belongs to, or None when it is another dialog."""
    match = _CUSTOM_ID.fullmatch(custom_id)
    return None if match is None else match["table"]
