"""The buttons of history and replays.

``ha:step:game:number:user``, for example ``ha:next:5f0c9a17e2b4:37:0``: everything that is needed to show the page, so
that they work after any restart and nothing has to be remembered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, Self

import discord

from bot.discord_api.rate_limit import RateLimited
from bot.ui.buttons import LARGEST_ID


class Step(Enum):
    """Where a button leads."""

    NEWER = "newer"
    OLDER = "older"
    """The page of the history after, or before, a game."""
    OPEN = "open"
    """The replay of a game, as a message of its own."""
    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    TURN = "turn"
    LAST = "last"
    """To a position of a replay. They differ only so that two buttons of a message never have the same id."""
    FILE = "file"
    """The exported game."""

    @property
    def in_replay(self) -> bool:
        """Whether it leads to a position of the replay whose button was pressed."""
        return self in (Step.FIRST, Step.BACK, Step.NEXT, Step.TURN, Step.LAST)


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """What a pressed button says."""

    step: Step
    game_id: str
    number: int = 0
    """The position to show, counted from 0."""
    user_id: int = 0
    """Whose history it is; 0 for that of the server."""

    @property
    def custom_id(self) -> str:
        """The text Discord sends back when the button is pressed."""
        return f"ha:{self.step.value}:{self.game_id}:{self.number}:{self.user_id}"


class Archive(Protocol):
    """The client's side of a button."""

    async def open_page(self, interaction: discord.Interaction[Any], leaf: HistoryPage) -> None:
        """Show what the button leads to and answer the interaction; never raises."""


class ArchiveButton(
    RateLimited,
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=re.compile(
        rf"ha:(?P<step>{'|'.join(step.value for step in Step)}):(?P<game>[0-9a-f]{{12}})"
        r":(?P<number>[0-9]{1,6}):(?P<user>[0-9]{1,20})"
    ),
):
    """A button of a history or of a replay."""

    def __init__(
        self,
        leaf: HistoryPage,
        label: str | None = None,
        *,
        emoji: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        disabled: bool = False,
        row: int = 0,
    ) -> None:
        super().__init__(
            discord.ui.Button(
                custom_id=leaf.custom_id, label=label, emoji=emoji, style=style, disabled=disabled, row=row
            )
        )
        self.leaf = leaf

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a press; the look of the button no longer matters then."""
        return cls(
            HistoryPage(Step(match["step"]), match["game"], int(match["number"]), min(int(match["user"]), LARGEST_ID))
        )

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hands the press to the client, which answers whatever happens: discord.py only logs an error from here."""
        client: Archive = interaction.client
        await client.open_page(interaction, self.leaf)
