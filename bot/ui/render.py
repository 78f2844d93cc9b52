"""From a table to the message that shows it.

A table is shown on pages: the lobby, one message a turn, one for the end (``Table.page``). The current page has
buttons; an earlier one is rendered closed, as a record of what happened.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.table import Status, Table
from bot.ui import lobby_view, results_view, turn_view
from bot.ui.buttons import TableButton, make_view


@dataclass(frozen=True, slots=True)
class Rendered:
    """A message: what to send or to edit it to."""

    embeds: list[discord.Embed]
    content: str | None = None
    buttons: list[TableButton] = field(default_factory=list)
    mention: int | None = None
    """The one user to notify when the message is sent; an edit notifies nobody."""

    def fields(self) -> dict[str, Any]:
        """Keyword arguments for one sending or editing of the message; without buttons the old ones go."""
        return {"content": self.content, "embeds": self.embeds, "view": make_view(self.buttons)}


def render(table: Table, selected: Collection[int] = ()) -> Rendered:
    """The current page of a table. ``selected`` are the dice the player has picked, which only the message knows."""
    if table.game is None:
        return Rendered([lobby_view.embed(table)], buttons=lobby_view.buttons(table))
    if table.status is not Status.PLAYING:
        return Rendered(results_view.final_embeds(table), buttons=results_view.final_buttons(table))
    embeds = [turn_view.embed(table, selected)]
    if table.game.finished and not table.game.played and table.game.turn is None:
        embeds.insert(0, results_view.round_embed(table, table.game.finished[-1]))
    user_id = turn_view.on_turn(table)
    content = None if user_id is None else turn_view.call(user_id)
    return Rendered(embeds, content, turn_view.buttons(table, selected), mention=user_id)


def render_page(table: Table, page: int) -> Rendered:
    """A page of a table: the current one as it is, an earlier one closed and without buttons."""
    if page == table.page:
        return render(table)
    if page <= 0 or table.game is None:
        return Rendered([lobby_view.closed_embed(table)])
    return Rendered([turn_view.finished_embed(table, page - 1)])
