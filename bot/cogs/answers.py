"""What handlers are given and what they return, and the decorators that hand it to the dispatcher."""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.context import Context
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.table import Table
from bot.ui.message import Rendered

log = logging.getLogger(__name__)

MOST_CHOICES = 25
"""Choices Discord takes for one autocompletion."""


@dataclass(frozen=True, slots=True)
class Answer:
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


@dataclass(frozen=True, slots=True)
class OpenModal:
    """A dialog."""

    modal: discord.ui.Modal


Result = Answer | Private | Redraw | Picked | TableHere | OpenModal


def say_privately(text: str) -> Private:
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
Choices = list[tuple[str, str]]
"""What an autocompletion offers: what is shown, and what it stands for."""


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
) -> Callable[[Cog, Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Make an autocompletion of a method: offers its choices in which what was typed occurs, and none if it fails."""

    @wraps(handler)
    async def complete(cog: Cog, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        typed = current.casefold().strip()
        try:
            found = [
                each
                for each in await handler(cog, interaction, typed)
                if any(typed in text.casefold() for text in each)
            ]
        except Exception:
            log.exception("nothing could be offered to interaction %s", interaction.id)
            return []
        return [app_commands.Choice(name=name, value=value) for name, value in found[:MOST_CHOICES]]

    return complete
