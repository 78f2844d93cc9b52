"""State of the fake: people, servers, channels, messages, interactions. Nothing here talks to anybody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.discord_api.permissions import PERMISSIONS

Json = dict[str, Any]

TEXT, DIRECT, VOICE, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 1, 2, 11, 12, 15
"""https://discord.com/developers/docs/resources/channel#channel-object-channel-types"""
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
BUTTON = 2
"""https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-type"""
MESSAGE, LATER, UPDATE_LATER, UPDATE = 4, 5, 6, 7
"""https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type"""
ANSWER_SECONDS = 3.0
TOKEN_SECONDS = 15 * 60.0
"""The seconds in which an interaction has to be answered, and its token can be used."""
EPHEMERAL = 64
OBFUSCATED = 1 << 17
"""The flag of a channel that the bot cannot see: https://docs.discord.com/developers/resources/channel"""

_EPOCH = 1_420_070_400_000


class Named:
    """An object that is printed by kind and id, as everything here leads to everything else."""

    id: int

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


_everybody = discord.Permissions(PERMISSIONS.value)
_everybody.update(use_application_commands=True, create_public_threads=True)
EVERYBODY = _everybody.value
"""The permissions on a new server: all that the bot needs, and to open threads."""


class Snowflakes:
    """Ids that rise with time, as Discord's do; those of servers spread over the shards."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self) -> int:
        self._last = max(self._last + 1, (int(time.time() * 1000) - _EPOCH) << 22)
        return self._last

    def of_server(self) -> int:
        """Return an id on the next shard: a server's is its id's upper bits modulo the number of shards."""
        self._last = ((self._last >> 22) + 1) << 22
        return max(self._last, self())


@dataclass(eq=False, repr=False)
class User(Named):
    id: int
    name: str
    display: str
    is_bot: bool = False
    takes_messages: bool = True
    """True if the bot may write to them directly."""
    locale: str = "en-US"


@dataclass
class Overwrite:
    target: int
    of_member: bool
    allow: int = 0
    deny: int = 0


@dataclass(eq=False, repr=False)
class Message(Named):
    id: int
    channel: Channel
    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    heard: bool = True
    """True if its sender has been told that it is there."""
    notified: tuple[int, ...] = ()
    """The users it called by name, as far as ``allowed_mentions`` let it."""
    created: float = field(default_factory=time.time)
    edited: float | None = None
    deleted: bool = False
    taken_back: bool = False
    """True if its author deleted it."""
    loading: bool = False
    """An answer that was only promised: "is thinking"."""
    too_old: bool = False
    """True if its edits are refused with 30046."""
    by_interaction: Interaction | None = None
    reader: User | None = None
    """The one person who sees it; None: everybody."""
    looks: list[list[Json]] = field(default_factory=list)
    """The components it has had, the newest last."""

    @property
    def ephemeral(self) -> bool:
        return self.reader is not None

    @property
    def buttons(self) -> list[Json]:
        inner = (child for row in self.components for child in row.get("components", ()))
        buttons = (child for child in inner if child.get("type") == BUTTON and "custom_id" in child)
        return [button for button in buttons if not button["disabled"]]

    @property
    def custom_ids(self) -> list[str]:
        return [str(button["custom_id"]) for button in self.buttons]

    @property
    def text(self) -> str:
        return f"{self.content} {self.embeds}"


@dataclass(eq=False, repr=False)
class Channel(Named):
    id: int
    kind: int
    name: str
    guild: Guild | None = None
    parent: Channel | None = None
    recipient: User | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    """Also those that are deleted or that only one person sees; the oldest first."""
    joined: set[int] = field(default_factory=set)
    """The users in a private thread: nobody else sees it, whatever permissions are computed for them."""
    locked: bool = False
    """True if a thread takes messages of moderators alone."""

    @property
    def is_thread(self) -> bool:
        return self.kind in (PUBLIC_THREAD, PRIVATE_THREAD)

    @property
    def shown(self) -> list[Message]:
        return [message for message in self.messages.values() if not (message.deleted or message.ephemeral)]


@dataclass(eq=False, repr=False)
class Guild(Named):
    id: int
    name: str
    owner: User
    locale: str = "en-US"
    everybody: int = EVERYBODY
    """Permissions of the role everybody has; it has the server's id."""
    members: dict[int, User] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    blocked_words: list[str] = field(default_factory=list)
    """The words that AutoMod blocks; an empty one blocks every message."""
    most_threads: int = 1000

    def blocks(self, said: Json) -> bool:
        """Return whether AutoMod blocks a message, or a thread, of which this is the JSON."""
        return any(word in str(said) for word in self.blocked_words)

    @property
    def threads(self) -> list[Channel]:
        return [channel for channel in self.channels.values() if channel.is_thread]

    def shard(self, shards: int) -> int:
        """Return the shard: https://discord.com/developers/docs/events/gateway#sharding"""
        return (self.id >> 22) % shards


@dataclass(eq=False, repr=False)
class Interaction(Named):
    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    data: Json
    message: Message | None = None
    """The message whose button was pressed."""
    created: float = field(default_factory=time.time)
    callback: int | None = None
    """The type of the answer; None: it was not answered yet."""
    answered_after: float | None = None
    """Seconds until it was."""
    response: Message | None = None
    """The message with which it was answered, or the one that was edited."""
    followups: list[Message] = field(default_factory=list)
    edits: int = 0
    """The number of later edits with its token, of the answer or the message whose button was pressed."""
    modal: Json | None = None
    refused: list[int] = field(default_factory=list)
    """Codes with which attempts to answer it were refused."""
    expired: bool = False
    """True if its token is refused from now on."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def custom_id(self) -> str:
        return str(self.data.get("custom_id", ""))

    @property
    def acknowledged(self) -> bool:
        """True if the person saw that the bot had noticed."""
        return self.callback is not None

    @property
    def private(self) -> str:
        """The messages that only the person who asked sees."""
        told = [message for message in (self.response, *self.followups) if message is not None and message.ephemeral]
        return "\n".join(message.text for message in told if not message.loading)

    @property
    def seconds(self) -> float:
        return time.time() - self.created


class World:
    """Everything together. The state outlives the bot's processes."""

    def __init__(self, token: str, application_id: int) -> None:
        self.token = token
        self.new_id = Snowflakes()
        self.application_id = application_id
        self.bot = User(self.application_id, "high-score", "High Score", is_bot=True)
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.interactions: dict[int, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self.commands: list[Json] = []
        self.emojis: list[Json] = []
        self.interactions_endpoint_url: str | None = None
        self.installs = ["0"]
        """The ways in which the application can be added: "0" to a server, "1" to a user's account."""

    def add_user(self, name: str) -> User:
        user = User(self.new_id(), name.lower(), name)
        self.users[user.id] = user
        return user

    def channel(self, channel_id: int) -> Channel | None:
        return self.channels.get(channel_id)

    def shares_guild(self, user: User) -> bool:
        """Return whether somebody is in a server of the bot's."""
        return any(user.id in guild.members for guild in self.guilds.values())

    def direct_channel(self, user: User) -> Channel:
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.new_id(), DIRECT, user.name, recipient=user)
        self.channels[channel.id] = channel
        return channel

    def messages(self) -> Iterable[Message]:
        return (message for channel in self.channels.values() for message in channel.messages.values())

    def permissions(self, channel: Channel, user: User) -> discord.Permissions:
        """Return the permissions: https://discord.com/developers/docs/topics/permissions#permission-overwrites"""
        if channel.guild is None:
            return discord.Permissions.all()
        given = channel.guild.everybody
        place = channel.parent or channel
        for target in (channel.guild.id, user.id):
            overwrite = place.overwrites.get(target)
            if overwrite is not None:
                given = given & ~overwrite.deny | overwrite.allow
        return discord.Permissions(given)

    def sees(self, channel: Channel, user: User) -> bool:
        if channel.guild is not None and user.id not in channel.guild.members:
            return False
        given = self.permissions(channel, user)
        there = channel.kind != PRIVATE_THREAD or user.id in channel.joined or given.manage_threads
        return given.view_channel and there
