"""The parts that all cogs share: their context, the request of a user, and the results of handlers."""

import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_api.messages import AnswerKind, Interaction, Offer
from bot.discord_api.permissions import explain_obstacle, may_write
from bot.domain.errors import Refused, Stale
from bot.domain.recent import Recent
from bot.domain.server_settings import Existing, Target
from bot.domain.table import Table
from bot.locales import _, language_for
from bot.services.core import Core, Person, Place, get_server_settings
from bot.store.rows import make_storable
from bot.ui.buttons import Action
from bot.ui.message import Rendered
from bot.ui.setup import CHANNEL_TYPES
from bot.ui.text import is_visible

log = logging.getLogger(__name__)

PEOPLE_REMEMBERED = 1000
"""The latest decision is remembered for this many people."""

Choice = TypeVar("Choice", bound=Enum)
MOST_CHOICES = 25
"""Discord's limit for the choices of an autocompletion."""


class Display(Protocol):
    """Shows tables in their channels, by answers to presses and commands and by the bot's own requests."""

    def current(self, table: Table) -> Table:
        """Return the table with the messages that this process knows of, even if they are not in the database yet."""

    async def show_by_answer(self, table: Table, offer: Offer) -> int | None:
        """Take a table's next step by an answer, and return the id of the message. Raise Discord's errors.

        Return None without answering if no step can be taken in this way, if a newer answer has replaced this one, if
        the table does not exist any more, or if the bot is stopping.
        """

    def is_free(self, table_id: str) -> bool:
        """Return whether no step of the table is running, so that an answer could take the next one immediately."""

    def request_redraw(self, table_id: str) -> None:
        """Show a table soon, if it has unshown changes or if the bot is not sure what one of its messages shows."""

    async def look_at(self, table: Table, message_id: int) -> None:
        """Check a message of a table that may show old content, because an old button on it was pressed."""

    async def forget(self, table: Table) -> None:
        """Stop showing a closed table whose channel nobody can see any more. An open table is not changed."""


@dataclass(frozen=True, slots=True)
class Context:
    core: Core
    display: Display
    wake_at: Callable[[datetime | None], None]
    """Makes the clock wake all workers at this time. Does nothing for None."""
    privacy_url: str | None = None
    terms_url: str | None = None
    decided: Recent[int, Action] = field(default_factory=lambda: Recent(PEOPLE_REMEMBERED))
    """The press of each person's latest decision on a private page. If the next press is equal, it was a double
    click."""


class UserRequest:
    """A press, a command or a dialog of a user, with the context to handle it."""

    def __init__(self, context: Context, interaction: Interaction) -> None:
        self.context = context
        self.core = context.core
        self.display = context.display
        self.interaction = interaction
        self.user_id = interaction.user.id

    @property
    def person(self) -> Person:
        user, may = self.interaction.user, self.interaction.permissions
        roles = [role.id for role in user.roles] if isinstance(user, discord.Member) else []
        rights = {"moderator": may.manage_messages, "manages_server": may.manage_guild}
        return Person(user.id, name_of(user), self.interaction.id, role_ids=roles, **rights)

    @property
    def guild_id(self) -> int:
        """The server on which the user asks. Raises NoPrivateMessage outside of servers."""
        if self.interaction.guild_id is None:
            raise app_commands.NoPrivateMessage
        return self.interaction.guild_id

    @property
    def channel_id(self) -> int:
        """The channel in which the user asks. Raises NoPrivateMessage outside of servers."""
        if self.interaction.guild_id is None or self.interaction.channel_id is None:
            raise app_commands.NoPrivateMessage
        return self.interaction.channel_id

    @property
    def parent_id(self) -> int | None:
        """The parent channel of the thread in which the user asks; None outside of threads."""
        channel = self.interaction.channel
        return channel.parent_id if isinstance(channel, discord.Thread) else None

    @property
    def guild_language(self) -> str:
        return language_for(self.interaction.guild_locale)

    @property
    def is_private(self) -> bool:
        """True for a press on a message that only the user sees."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def picked_values(self) -> list[str]:
        """All values that were picked in a select.

        A forged press can contain any text, so characters that the database cannot store are removed.
        """
        data: dict[str, Any] = dict(self.interaction.data or {})
        return [make_storable(str(value)) for value in data.get("values", ())]

    @property
    def picked_value(self) -> str:
        """The first value that was picked in a select; empty for a button, and for a forged press without a value."""
        return next(iter(self.picked_values), "")

    def pick_number(self, offered: Iterable[int]) -> int | None:
        """Return the number that was picked in a select; None for a button. Raise Refused if it was not offered."""
        picked = self.picked_value
        if picked and picked not in map(str, offered):
            raise Refused(_("Pick one from the list."))
        return int(picked) if picked else None

    def read_typed(self, field: str) -> str:
        """Return what was typed or chosen in a field of a dialog; empty if there is no such field."""
        data: dict[str, Any] = dict(self.interaction.data or {})
        parts = [label.get("component", {}) for label in data.get("components", [])]
        return next((str(part.get("value") or "") for part in parts if part.get("custom_id") == field), "")

    def find_existing(self) -> Existing | None:
        """Return the channels and roles that the server has now; None if the bot does not know them at the moment."""
        guild = self.interaction.guild
        if guild is None or guild.unavailable or not guild.roles:
            return None
        ids = {target: {at.id for at in guild.channels if at.type in types} for target, types in CHANNEL_TYPES.items()}
        return {Target.ROLE: {role.id for role in guild.roles}, **ids}

    async def find_game_place(self) -> Place:
        """Return the place where the user wants to play. Raise Refused if the bot cannot post there, or if the server
        limits play to channels that are all deleted."""
        settings = await get_server_settings(self.core, self.guild_id)
        if settings.channels and not settings.list_existing_ids("channels", self.find_existing()):
            raise Refused(explain_deleted())
        await self.check_may_post()
        return Place(self.guild_id, self.channel_id, self.guild_language, self.parent_id)

    async def check_may_post(self, channel_id: int | None = None) -> None:
        """Raise Refused if the bot cannot post in a channel; None stands for the user's channel."""
        if obstacle := await explain_obstacle(self.interaction, channel_id):
            raise Refused(obstacle)

    async def check_may_share(self) -> None:
        """Raise Refused if the user, or the bot, may not write in the user's channel."""
        if not may_write(self.interaction):
            raise Refused(_("You're not allowed to write in this channel, so I can't post here for you."))
        await self.check_may_post()

    def one_at_a_time(self) -> AbstractAsyncContextManager[None]:
        """Return a context for a request that takes long. The user's second request waits for the first; for a third
        it raises Refused."""
        return self.core.helper.one_at_a_time(self.user_id)

    async def draw_first(self, rendered: Rendered) -> Rendered:
        """Let the helper process draw the picture of a message, and return the message with the finished picture.

        This is for pictures that take longer than a table's. If drawing fails, sentences replace the picture.
        """
        if rendered.picture is None:
            return rendered
        try:
            png = await self.core.helper.run(rendered.picture.draw, *rendered.picture.view)
        except Exception as error:
            return rendered.drop_pictures(rendered.picture, error)
        return replace(rendered, picture=replace(rendered.picture, draw=lambda *_view: png))


def name_of(user: discord.abc.User) -> str:
    """Return a user's name on the server. If it has no visible character, return their user name."""
    return user.display_name if is_visible(user.display_name) else user.name


def choice_of(kind: type[Choice], value: str) -> Choice:
    """Return the member of an Enum with this value. Raise Refused if there is none."""
    try:
        return kind(value)
    except ValueError:
        raise Refused(_("Pick one from the list.")) from None


def explain_deleted() -> str:
    """Return a text which says that a setting names a deleted channel or role, and who can change the setting."""
    return _(
        "The channel or role that was set for this has been deleted. Anybody with the Manage Server"
        " permission can pick another one with `/highscore setup`."
    )


def explain_refusal(refused: Refused) -> str:
    """Return the text of a refusal. It is the same for all presses on buttons of an older version of a table."""
    return _("A moment too late: the table has moved on.") if isinstance(refused, Stale) else str(refused)


@dataclass(frozen=True, slots=True)
class Answer:
    """A message that answers a command, or that replaces the message on which a button was pressed."""

    rendered: Rendered
    notice: Rendered | None = None
    """An additional private message to the user."""
    note_shown: Callable[[int], Awaitable[None]] | None = None
    """Called with the id of the message that shows the answer."""


@dataclass(frozen=True, slots=True)
class Private:
    """A new message that only the user sees."""

    rendered: Rendered
    instead_of: str | None = None
    """A key. If an earlier private message to the user had the same key, it is deleted."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """A table that a press has changed, to be redrawn. ``notice`` is an additional private message to the user."""

    table: Table
    notice: Rendered | None = None


@dataclass(frozen=True, slots=True)
class Picked:
    """Dice that a player has picked to keep. They are stored only in the buttons of the message."""

    table: Table
    positions: tuple[int, ...]
    asking: bool
    """True if the player is asked whether the turn should really end with 0 or less."""


@dataclass(frozen=True, slots=True)
class TableHere:
    """A table to show in the answer to a command. The answer becomes the message in which the table goes on."""

    table: Table
    notice: Rendered | None = None


Result = Answer | Private | Redraw | Picked | TableHere | discord.ui.Modal


AnswerInteraction = Callable[[Interaction, AnswerKind, Awaitable[Result]], Awaitable[object]]


class Feature(commands.Cog):
    context: Context
    answer: AnswerInteraction


P = ParamSpec("P")
Cog = TypeVar("Cog", bound=Feature)
Handler = Callable[Concatenate[Cog, UserRequest, P], Awaitable[Result]]
Command = Callable[Concatenate[Cog, Interaction, P], Coroutine[Any, Any, None]]
Choices = list[tuple[str, str]]
"""The choices of an autocompletion: the text that is shown, and the value."""


def answers(*, public: bool = False) -> Callable[[Handler[Cog, P]], Command[Cog, P]]:
    """Return a decorator that makes a command from a method with a result. Put it below discord.py's decorators.

    Only the user sees the result, or everybody if it is ``public``.
    """

    def decorate(handler: Handler[Cog, P]) -> Command[Cog, P]:
        @wraps(handler)
        async def command(cog: Cog, interaction: Interaction, /, *values: P.args, **options: P.kwargs) -> None:
            kind = AnswerKind.PUBLIC if public else AnswerKind.PRIVATE
            await cog.answer(interaction, kind, handler(cog, UserRequest(cog.context, interaction), *values, **options))

        return command

    return decorate


def suggests(
    handler: Callable[[Cog, UserRequest, str], Awaitable[Choices]],
) -> Callable[[Cog, Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Make an autocompletion from a method that lists all choices.

    Up to 25 choices whose text or value contains the typed text are offered. If the method fails, the error is logged
    and nothing is offered.
    """

    @wraps(handler)
    async def complete(cog: Cog, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        typed = current.casefold().strip()
        try:
            offered = await handler(cog, UserRequest(cog.context, interaction), typed)
            found = [each for each in offered if any(typed in text.casefold() for text in each)]
        except Exception:
            log.exception("interaction %s: the autocompletion failed, so it offers no choices", interaction.id)
            return []
        return [app_commands.Choice(name=name, value=value) for name, value in found[:MOST_CHOICES]]

    return complete
