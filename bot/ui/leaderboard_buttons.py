"""The buttons that turn the pages of a leaderboard or of the hall of fame.

``hb:board:period:page:user``, for example ``hb:rating:2026-Q3:1:80351110224678912``: everything a page needs, so it can
be turned after any restart. ``user`` is who asked for it and whose own line it shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol, Self

import discord

from bot.discord_api.rate_limit import RateLimited
from bot.domain.leaderboard import LAST_PAGE, Order
from bot.domain.season import ALL_TIME
from bot.ui.buttons import LARGEST_ID


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Which page of what."""

    order: Order | None
    """None: the hall of fame."""
    period: str
    page: int
    user_id: int

    @property
    def custom_id(self) -> str:
        """The text Discord sends back when a button to this page is pressed."""
        board = _FAME if self.order is None else self.order.value
        return f"hb:{board}:{self.period}:{self.page}:{self.user_id}"


_FAME = "fame"
_BOARDS = "|".join((_FAME, *(order.value for order in Order)))


class Turns(Protocol):
    """The client's side of a button."""

    async def turn_board(self, interaction: discord.Interaction[Any], page: BoardPage) -> None:
        """Show the page and answer the interaction; never raises."""


class BoardButton(
    RateLimited,
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=re.compile(
        rf"hb:(?P<board>{_BOARDS}):(?P<period>{ALL_TIME}|[0-9]{{4}}(?:-[0-9QH][0-9]?)?)"
        r":(?P<page>[0-9]{1,4}):(?P<user>[0-9]{1,20})"
    ),
):
    """A button to another page."""

    def __init__(self, page: BoardPage, label: str | None = None, *, emoji: str | None = None) -> None:
        super().__init__(discord.ui.Button(custom_id=page.custom_id, label=label, emoji=emoji))
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a press; the look of the button no longer matters then."""
        order = None if match["board"] == _FAME else Order(match["board"])
        user_id = min(int(match["user"]), LARGEST_ID)
        return cls(BoardPage(order, match["period"], min(int(match["page"]), LAST_PAGE), user_id))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hands the press to the client, which answers whatever happens: discord.py only logs an error from here."""
        client: Turns = interaction.client
        await client.turn_board(interaction, self.page)
