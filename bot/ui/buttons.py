"""The buttons of a table. A button's ``custom_id`` says everything, so no table has to be registered anywhere.

``hs:verb:table:version:argument``, for example ``hs:roll:5f0c9a17e2b4:12:37``; with ``hd`` in front, the id is that of
a daily challenge. One DynamicItem class is registered once at start and serves every button of every table, also those
sent before a restart.

Discord documents custom_id as 1 to 100 characters:
https://discord.com/developers/docs/components/reference#anatomy-of-a-component
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, Self

import discord

from bot.discord_api.rate_limit import RateLimited

LARGEST_ID = 2**63 - 1
"""The largest id of Discord's that a database's column takes. No id comes near it this century."""


class Verb(Enum):
    """What a button asks for."""

    JOIN = "join"
    LEAVE = "leave"
    LUCKY_WORD = "word"
    START = "start"
    TAKE = "take"
    TOGGLE = "die"
    STOP = "stop"
    ROLL = "roll"
    SET_ASIDE = "set"
    ADD_HOUSE = "house"
    DROP_HOUSE = "nohouse"
    BACK = "back"
    QUIT = "quit"
    HINT = "hint"
    REPORT = "report"
    REMATCH = "again"
    PROOF = "proof"


class Kind(Enum):
    """What a button belongs to."""

    TABLE = "hs"
    DAILY = "hd"


@dataclass(frozen=True, slots=True)
class Press:
    """What a pressed button says."""

    verb: Verb
    table_id: str
    """Of the table, or of the daily challenge."""
    version: int
    argument: int = 0
    """A set of dice as bits (die 1 is bit 0), for the verbs that have one."""
    kind: Kind = Kind.TABLE

    @property
    def custom_id(self) -> str:
        """The text Discord sends back when the button is pressed."""
        return f"{self.kind.value}:{self.verb.value}:{self.table_id}:{self.version}:{self.argument}"

    @property
    def positions(self) -> tuple[int, ...]:
        """The dice of the argument, as positions 0 to 6."""
        return tuple(at for at in range(7) if self.argument >> at & 1)


def bits(positions: Iterable[int]) -> int:
    """Positions 0 to 6 as the argument of a button."""
    return sum(1 << at for at in positions)


class Presses(Protocol):
    """The client's side of a button."""

    async def press(self, interaction: discord.Interaction[Any], press: Press) -> None:
        """Do what the button says and answer the interaction; never raises."""


class TableButton(
    RateLimited,
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=re.compile(
        rf"(?P<kind>{'|'.join(kind.value for kind in Kind)}):(?P<verb>{'|'.join(verb.value for verb in Verb)})"
        r":(?P<table>[0-9a-f]{12}):(?P<version>[0-9]{1,9}):(?P<argument>[0-9]{1,3})"
    ),
):
    """Any button of any table or daily challenge."""

    def __init__(
        self,
        press: Press,
        label: str | None = None,
        *,
        emoji: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        disabled: bool = False,
        row: int = 0,
    ) -> None:
        super().__init__(
            discord.ui.Button(
                custom_id=press.custom_id, label=label, emoji=emoji, style=style, disabled=disabled, row=row
            )
        )
        self.press = press

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a press; the look of the button no longer matters then."""
        version, argument = int(match["version"]), int(match["argument"])
        return cls(Press(Verb(match["verb"]), match["table"], version, argument, Kind(match["kind"])))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hands the press to the client, which answers whatever happens: discord.py only logs an error from here."""
        client: Presses = interaction.client
        await client.press(interaction, self.press)


def make_view(buttons: Sequence[discord.ui.DynamicItem[Any]]) -> discord.ui.View:
    """A view for one sending of a message.

    Always a fresh one, of DynamicItems only: discord.py keeps views with ordinary items in memory, and stopping one
    that holds a DynamicItem unregisters the class for the whole bot.
    """
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view
