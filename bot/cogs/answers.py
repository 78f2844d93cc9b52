"""What handlers are given and what they return, and the decorators that hand it to the dispatcher."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.services.core import Core
from bot.ui.message import Rendered

log = logging.getLogger(__name__)

MOST_CHOICES = 25
"""Choices Discord takes for one autocompletion."""
PEOPLE = 1000
"""Of whom is known that they are opening a table."""


class Display(Protocol):
    """Shows tables in their channels: what could not be the answer to a press, and what nobody pressed for."""

    def current(self, table: Table) -> Table:
        """The table with what is known of its message, which may be newer than the database's note."""

    def request_redraw(self, table_id: str) -> None:
        """Show the newest version of a table soon, also when it was shown before."""

    def adopt(self, table_id: str) -> None:
        """The same for a table that another process may have left owed."""

    def note(self, table: Table, message_id: int) -> None:
        """Note that a table was shown on a message."""

    async def newer(self, table: Table) -> Table | None:
        """The table as it is now, if it has moved on from the version that has just been shown."""

    def answering(self, table_id: str) -> AbstractContextManager[None]:
        """Inside, an answer to a command is on its way that shows a table: nobody sends the table's first message."""

    def note_record(self, table: Table, message_id: int, page: int) -> Table:
        """Note that a message is the record of a round from now on; the table with it. What follows is still owed."""

    def restore(self, table: Table, message_id: int) -> None:
        """Put back a record that an older picture has come over."""

    async def forget(self, table: Table) -> None:
        """A table that is over and that nobody can see any more is owed to nobody."""

    async def move(self, table: Table, message_id: int) -> None:
        """Note that a table is shown on a new message from now on; the old one goes."""

    async def discard(self, table: Table, message_id: int) -> None:
        """Have a message deleted that is not the table's any more."""


@dataclass(frozen=True, slots=True)
class Context:
    """What every cog works with."""

    core: Core
    display: Display
    clicked: Callable[[str, int], None]
    """Notes that at a table a user was there, so that nobody is reminded of what they are looking at."""
    wake_at: Callable[[datetime | None], None]
    """Has the clock wake its workers at a moment, if one is given."""
    privacy_url: str | None = None
    terms_url: str | None = None
    _openings: Recent[int, asyncio.Lock] = field(default_factory=lambda: Recent(PEOPLE))

    def opening(self, user_id: int) -> asyncio.Lock:
        """Held while a person opens a table in a thread: one after the other."""
        if user_id not in self._openings:
            self._openings[user_id] = asyncio.Lock()
        return self._openings[user_id]


@dataclass(frozen=True, slots=True)
class Page:
    """The answer to a command; for a press, what takes the place of the message that was pressed."""

    rendered: Rendered
    note: Rendered | None = None
    """What the one who asked is told in private besides."""
    shown: Callable[[int], Awaitable[None]] | None = None
    """Notes which message shows it."""


@dataclass(frozen=True, slots=True)
class Private:
    """A message of its own that only the one who asked sees."""

    rendered: Rendered
    instead_of: str | None = None
    """Takes the place of the last one that this person was sent for the same."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """A press has changed this table: it is shown anew."""

    table: Table
    note: Rendered | None = None
    """What the one who pressed is told in private besides."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Dice were picked, which only the message that was pressed knows."""

    table: Table
    positions: tuple[int, ...]
    asking: bool
    """Whether the player is asked if they mean to keep what they have."""


@dataclass(frozen=True, slots=True)
class TableHere:
    """The answer to a command is where the table lives from now on."""

    table: Table
    note: Rendered | None = None
    """What the one who asked is told in private besides."""


@dataclass(frozen=True, slots=True)
class OpenModal:
    """A dialog."""

    modal: discord.ui.Modal


Result = Page | Private | Redraw | Picked | TableHere | OpenModal


def say(text: str) -> Private:
    """A sentence for the one who asked."""
    return Private(Rendered(content=text))


class Runs(Protocol):
    """The part of the dispatcher that commands need."""

    async def run(self, interaction: Interaction, kind: AnswerKind, work: Awaitable[Result]) -> BaseException | None:
        """Answer an interaction with what ``work`` returns or raises; never raises."""


class Feature(commands.Cog):
    """The commands of one feature."""

    context: Context
    dispatcher: Runs


P = ParamSpec("P")
Cog = TypeVar("Cog", bound=Feature)
Handler = Callable[Concatenate[Cog, Interaction, P], Awaitable[Result]]
Command = Callable[Concatenate[Cog, Interaction, P], Coroutine[Any, Any, None]]
Choices = list[app_commands.Choice[str]]


def answers(kind: AnswerKind) -> Callable[[Handler[Cog, P]], Command[Cog, P]]:
    """Make a command of a method that returns what is to be shown. To stand below discord.py's decorators."""

    def decorate(handler: Handler[Cog, P]) -> Command[Cog, P]:
        @wraps(handler)
        async def command(cog: Cog, interaction: Interaction, /, *values: P.args, **options: P.kwargs) -> None:
            await cog.dispatcher.run(interaction, kind, handler(cog, interaction, *values, **options))

        return command

    return decorate


def suggests(
    handler: Callable[[Cog, Interaction, str], Awaitable[Choices]],
) -> Callable[[Cog, Interaction, str], Coroutine[Any, Any, Choices]]:
    """Make an autocompletion of a method that is given what was typed, in lower case. Offers nothing if it fails."""

    @wraps(handler)
    async def complete(cog: Cog, interaction: Interaction, current: str) -> Choices:
        try:
            return (await handler(cog, interaction, current.casefold().strip()))[:MOST_CHOICES]
        except Exception:
            log.exception("nothing could be offered to interaction %s", interaction.id)
            return []

    return complete
