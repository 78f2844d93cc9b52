"""Messages to Discord: the answer to an interaction, and what the bot sends to a channel without being asked.

An interaction gets exactly one answer, in time, and visible only to the right people. An answer pings nobody, which is
the client's default. Discord wants it within 3 seconds:
https://discord.com/developers/docs/interactions/receiving-and-responding
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any, Self

import discord

from bot.discord_api.errors import DISCORD_ERRORS
from bot.domain.display import ANSWER, Request
from bot.observing.in_flight import note_answered, note_failed
from bot.observing.metrics import InteractionKind
from bot.ui.message import Rendered

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]

ARRIVED = "arrived"
"""The key in an interaction's extras of the time at which it arrived, by ``time.perf_counter``."""
TakeBack = Callable[[], Awaitable[None]]
"""A function that deletes a private message with its interaction's token. It does nothing after 15 minutes, when the
token has expired and Discord would answer 401: https://github.com/discord/discord-api-docs/pull/5570
"""
PATIENCE = 1.5
"""An interaction that takes longer than this many seconds is acknowledged first and answered later."""
NONCE_KNOWN = timedelta(minutes=2)
"""Discord certainly recognises a nonce for this long. Its documentation says "the past few minutes". If a message got
no answer, it is simply sent again within this time. Later the channel is searched for the message first. For messages
of other processes see ``SHOW_LEASE`` in store.claims and ``OTHER_PROCESS_PATIENCE`` in workers.steps.
"""
LOOKED_BACK = 100
"""A message that may have been sent is searched for among this many messages, because one request returns as many."""
POST_SECONDS = 30.0
"""The time limit for sending a message. It is shorter than the pause before the next try."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An answer to a press or a command, which could take a table's next step."""

    show: Callable[[Rendered | None], Awaitable[int | None]]
    """Edits the pressed message, or sends a message, and returns its id. With None it removes the buttons."""
    request: Request = ANSWER
    positions: tuple[int, ...] = ()
    """The dice that are picked to be kept. They count only in version ``request.picked_in`` of the table."""
    asking: bool = False
    """True if the message asks the player whether the turn should really end with 0 or less."""


class AnswerKind(Enum):
    """The kind of an answer. It must be known before the answer, because an acknowledgement already decides who will
    see the answer.
    """

    PUBLIC = "public"
    """The answer to a command is a message that everybody sees."""
    PRIVATE = "private"
    """The answer to a command is a message that only the user sees."""
    UPDATE = "update"
    """The answer to a press changes the pressed message, or is a message that only the user sees."""
    MODAL = "modal"
    """The press opens a dialog, which is impossible after an acknowledgement."""


ASKED = {
    discord.InteractionType.application_command: InteractionKind.COMMAND,
    discord.InteractionType.component: InteractionKind.BUTTON,
    discord.InteractionType.autocomplete: InteractionKind.AUTOCOMPLETE,
    discord.InteractionType.modal_submit: InteractionKind.MODAL,
}
"""The name in the metrics of each type of interaction that the bot answers."""


class Reply:
    """The one answer to an interaction. In its ``async with`` block, it acknowledges the interaction if the answer
    takes long.
    """

    def __init__(self, interaction: Interaction, kind: AnswerKind) -> None:
        self.interaction = interaction
        self._kind = kind
        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self._thinking = False
        """True while a public acknowledgement shows that the bot is thinking."""
        self.given = False
        """True when Discord has accepted an answer. An acknowledgement is not an answer."""

    async def __aenter__(self) -> Self:
        if self._kind is not AnswerKind.MODAL:
            # This timer is nearly always cancelled. It costs less than running the work in a task with a time limit.
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._begin_deferring)
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self._settle()

    async def defer(self) -> None:
        """Acknowledge the interaction, if that was not done yet. An answer may follow."""
        await self._settle()
        await self._defer()

    async def _defer(self) -> None:
        if self.interaction.response.is_done():
            return
        thinking = self._kind in (AnswerKind.PUBLIC, AnswerKind.PRIVATE)
        try:
            await self.interaction.response.defer(ephemeral=self._kind is AnswerKind.PRIVATE, thinking=thinking)
            self._thinking = self._kind is AnswerKind.PUBLIC
        except DISCORD_ERRORS as error:
            note_failed(error)
            log.info("interaction %s could not be acknowledged: %s", self.interaction.id, error)

    async def show(self, rendered: Rendered | None) -> int | None:
        """Edit the pressed message, or answer a command with a message. None removes the buttons of the pressed
        message.

        Return the id of the message, or None if a dialog was not opened by a button.
        """
        pressed = self._kind in (AnswerKind.UPDATE, AnswerKind.MODAL)
        response = self.interaction.response
        fields: dict[str, Any] = {"view": None}
        if rendered is not None:
            fields = await (rendered.prepare_edit() if pressed or response.is_done() else rendered.prepare_message())
        await self._settle()
        if response.is_done():
            if "files" in fields:
                fields["attachments"] = fields.pop("files")
            message_id: int | None = (await self.interaction.edit_original_response(**fields)).id
        elif pressed:
            await response.edit_message(**fields)
            message_id = None if self.interaction.message is None else self.interaction.message.id
        else:
            message_id = (await response.send_message(**fields, ephemeral=self._kind is AnswerKind.PRIVATE)).message_id
        self._thinking, self.given = False, True
        note_answered()
        return message_id

    async def send_private(self, rendered: Rendered) -> TakeBack:
        """Send a message that only the user sees. Return a function that deletes it."""
        delete: TakeBack = self.interaction.delete_original_response
        fields = {
            name: value for name, value in (await rendered.prepare_message()).items() if value or name == "content"
        }
        await self._settle()
        if not self.interaction.response.is_done():
            await self.interaction.response.send_message(**fields, ephemeral=True)
        else:
            if self._thinking:
                # Otherwise the next message would replace the public acknowledgement, and be public like it.
                await self.interaction.delete_original_response()
                self._thinking = False
            delete = (await self.interaction.followup.send(**fields, ephemeral=True, wait=True)).delete
        self.given = True
        note_answered()

        async def take_back() -> None:
            if not self.interaction.is_expired():
                await delete()

        return take_back

    async def open(self, modal: discord.ui.Modal) -> None:
        await self.interaction.response.send_modal(modal)
        self.given = True
        note_answered()

    def _begin_deferring(self) -> None:
        self._deferring = asyncio.create_task(self._defer(), name="acknowledge")

    async def _settle(self) -> None:
        """Cancel a planned acknowledgement. If it is being sent already, wait for that, because the answer must be sent
        after it.
        """
        if self._timer is not None:
            self._timer.cancel()
        if self._deferring is not None:
            await self._deferring


def mention_users(*user_ids: int) -> discord.AllowedMentions:
    users: list[discord.abc.Snowflake] = [discord.Object(user_id) for user_id in user_ids]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def mention_role(role_id: int) -> discord.AllowedMentions:
    return discord.AllowedMentions(everyone=False, users=False, replied_user=False, roles=[discord.Object(role_id)])


def custom_ids_of(message: discord.Message, kind: int | None = None) -> list[str | None]:
    """Return the custom_ids of a message's components, or only of those of one type. A link has None as its id."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    return [child.custom_id for row in rows for child in row.children if kind in (None, child.type.value)]


async def edit_message(channel: discord.PartialMessageable, message_id: int, rendered: Rendered) -> None:
    """Edit a message by its id, whether or not it is in the cache. Pings nobody."""
    await channel.get_partial_message(message_id).edit(
        **await rendered.prepare_edit(), allowed_mentions=mention_users()
    )


async def post_quietly(channel: discord.abc.Messageable, key: str, *users: int, **content: Any) -> discord.Message:
    """Send a message that pings only these users. Without users it makes no sound, because it may be sent at midnight,
    when a day ends.

    Messages with the same key get the same nonce, so Discord creates only one of them within some minutes.
    """
    nonce = hashlib.sha256(key.encode()).hexdigest()[:25]  # Discord allows 25 characters.
    async with asyncio.timeout(POST_SECONDS):
        return await channel.send(**content, nonce=nonce, silent=not users, allowed_mentions=mention_users(*users))


def looks_like(message: discord.Message, rendered: Rendered) -> bool:
    """Return whether the embeds of a message have the titles and descriptions of those in ``rendered``."""
    sent = [(embed.title, embed.description) for embed in message.embeds]
    return sent == [(embed.title, embed.description) for embed in rendered.embeds]
