"""Selects, whose options say what each of them means."""

from collections.abc import Sequence

import discord

from bot.ui.actions import Action
from bot.ui.buttons import ActionItem


def select(
    action: Action,
    options: Sequence[discord.SelectOption],
    *,
    placeholder: str | None = None,
    row: int | None = None,
) -> ActionItem:
    """A select that asks for an action, of which one option is picked.

    Its ``custom_id`` says what is picked; which option it was is in the interaction: ``bot.cogs.common.picked``.
    """
    look: discord.ui.Select[discord.ui.View] = discord.ui.Select(
        custom_id=action.custom_id, options=list(options), placeholder=placeholder, row=row
    )
    return ActionItem(look)
