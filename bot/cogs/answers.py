"""The results of handlers, and the decorators that hand them to the dispatcher."""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.context import Context
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.table import Table
from bot.ui.message import Rendered

log = logging.getLogger(__name__)

MOST_CHOICES = 25
"""The choices that Discord takes for one autocompletion."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A message that answers a command, or that takes the place of the message that was pressed."""

    rendered: Rendered
    notice: Rendered | None = None
    """A private message besides, to the asking person."""
    note_shown: Callable[[int], Awaitable[None]] | None = None
    """The function that notes the id of the message that shows the answer."""


@dataclass(frozen=True, slots=True)
class Private:
    """A message of its own that only the asking person sees."""

    rendered: Rendered
    instead_of: str | None = None
    """The key of private messages of which a person keeps only the latest."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """A table that a press has changed, to be shown anew."""

    table: Table
    notice: Rendered | None = None


@dataclass(frozen=True, slots=True)
class Picked:
    """The dice that were picked, which only the message that was pressed knows."""

    table: Table
    positions: tuple[int, ...]
    asking: bool
    """True if the player is asked whether they mean to keep so little."""


@dataclass(frozen=True, slots=True)
class TableHere:
    """A table that lives on the answer to a command from now on."""

    table: Table
    notice: Rendered | None = None


Result = Answer | Private | Redraw | Picked | TableHere | discord.ui.Modal


AnswerInteraction = Callable[[Interaction, AnswerKind, Awaitable[Result]], Awaitable[object]]
"""The dispatcher's ``answer``, which commands are handed."""


class Feature(commands.Cog):
    """The commands of one feature."""

    context: Context
    answer: AnswerInteraction


P = ParamSpec("P")
Cog = TypeVar("Cog", bound=Feature)
Handler = Callable[Concatenate[Cog, Interaction, P], Awaitable[Result]]
Command = Callable[Concatenate[Cog, Interaction, P], Coroutine[Any, Any, None]]
Choices = list[tuple[str, str]]
"""The choices of an autocompletion: for each the text that is shown, and its value."""


def answers(kind: AnswerKind) -> Callable[[Handler[Cog, P]], Command[Cog, P]]:
    """Make a command of a method that returns a result. This stands below discord.py's decorators."""

    def decorate(handler: Handler[Cog, P]) -> Command[Cog, P]:
        @wraps(handler)
        async def command(cog: Cog, interaction: Interaction, /, *values: P.args, **options: P.kwargs) -> None:
            await cog.answer(interaction, kind, handler(cog, interaction, *values, **options))

        return command

    return decorate


def suggests(
    handler: Callable[[Cog, Interaction, str], Awaitable[Choices]],
) -> Callable[[Cog, Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Make an autocompletion of a method: it offers the choices that contain the typed text, and none on an error."""

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
