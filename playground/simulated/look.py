"""What each user can see on the simulated Discord."""

import copy
from collections.abc import Iterator
from typing import Any

import discord
from simcord.backend import serializers
from simcord.backend.access import channel_accessible, message_accessible
from simcord.backend.models import Message

from playground.simulated.backend import MessageKey, WatchedBackend
from playground.simulated.env import DEFAULT_LOCALE

_EPHEMERAL = 1 << 6
_LOADING = 1 << 7
_KINDS = {0: "text", 1: "dm", 5: "text"}
_THREADS = (10, 11, 12)
_SLASH = 1
#: The types of commands in the menus of users and messages.
_MENUS = {"user": 2, "message": 3}
_SUBCOMMANDS = (1, 2)


class Onlooker:
    """Reads the simulated Discord as one of its users. It changes nothing."""

    def __init__(self, backend: WatchedBackend) -> None:
        self.backend = backend

    @property
    def bot_id(self) -> int:
        return self.backend.bot_user.id

    def user(self, user_id: int) -> dict[str, Any]:
        return dict(serializers.user_payload(self.backend.users[user_id]))

    def is_known(self, user_id: int) -> bool:
        return user_id in self.backend.users

    def guild(self, guild_id: int) -> dict[str, Any]:
        guild = self.backend.guilds[guild_id]
        roles = [{"id": str(one.id), "name": one.name, "color": one.color} for one in guild.roles.values()]
        return {"name": guild.name, "locale": guild.preferred_locale, "roles": roles}

    def channels_for(self, user_id: int) -> dict[int, dict[str, Any]]:
        """Return the channels that this user can read, by id and in the order of the page.

        Each text channel is followed by its threads. The private channel is last.
        """
        found = []
        for channel in self.backend.channels.values():
            kind = "thread" if int(channel.type) in _THREADS else _KINDS.get(int(channel.type))
            if kind is None or not self.can_read(user_id, channel.id):
                continue
            name = self.backend.bot_user.name if kind == "dm" else channel.name or str(channel.id)
            parent = self.backend.channels.get(channel.parent_id or 0) if kind == "thread" else None
            place = (kind == "dm", (parent or channel).position, kind == "thread", channel.id)
            found.append((place, {"name": name, "kind": kind, "topic": channel.topic, "parent": channel.parent_id}))
        return {place[-1]: channel for place, channel in sorted(found, key=lambda pair: pair[0])}

    def can_read(self, user_id: int, channel_id: int) -> bool:
        """Return whether this user can see the channel and its earlier messages."""
        return channel_accessible(self.backend, channel_id, user_id, history=True)

    def message_ids(self, user_id: int, channel_id: int, *, before: int | None = None) -> Iterator[int]:
        """Yield the ids of the messages that this user can see in a channel, the newest first."""
        for message in reversed(self.backend.messages.get(channel_id, {}).values()):
            if before is not None and message.id >= before:
                continue
            if message_accessible(self.backend, channel_id, message, user_id, history=True):
                yield message.id

    def message(self, user_id: int, key: MessageKey) -> dict[str, Any] | None:
        """Return a message as Discord would send it to this user. Return None if it does not exist or is hidden.

        Three keys are added: `ephemeral`, `loading` ("thinking…") and `pings`, the ids of the users who get a
        notification. Discord's `mentions` also has users who are mentioned without one.
        """
        stored = self._stored(key)
        if stored is None or not message_accessible(self.backend, key[0], stored, user_id, history=True):
            return None
        payload = copy.deepcopy(dict(serializers.message_payload(self.backend, stored, for_user=user_id)))
        payload["ephemeral"] = bool(stored.flags & _EPHEMERAL)
        payload["loading"] = bool(stored.flags & _LOADING)
        payload["pings"] = self.list_pings(key)
        return payload

    def is_hidden(self, user_id: int, key: MessageKey) -> bool:
        """Return whether this message exists but this user cannot see it."""
        stored = self._stored(key)
        return stored is not None and not message_accessible(self.backend, key[0], stored, user_id, history=True)

    def list_pings(self, key: MessageKey) -> list[int]:
        """Return the users who get a notification for a message: in a private channel, everybody but the author."""
        stored = self._stored(key)
        if stored is None or stored.flags & _EPHEMERAL:
            return []
        channel = self.backend.get_channel(stored.channel_id)
        if channel.guild_id is None:
            people = list(channel.recipient_ids)
        elif stored.mention_everyone:
            people = list(self.backend.get_guild(channel.guild_id).members)
        else:
            people = list(stored.ping_user_ids)
            for member in self.backend.get_guild(channel.guild_id).members.values():
                if set(member.role_ids) & set(stored.ping_role_ids):
                    people.append(member.user_id)
        return [user_id for user_id in dict.fromkeys(people) if user_id != stored.author_id]

    def author_of(self, key: MessageKey) -> int | None:
        stored = self._stored(key)
        return None if stored is None else stored.author_id

    def has_permission(self, user_id: int, channel_id: int, permission: str) -> bool:
        channel = self.backend.get_channel(channel_id)
        if channel.guild_id is None:
            return False
        granted = self.backend.compute_permissions(channel.guild_id, user_id, channel_id)
        return bool(getattr(discord.Permissions(granted), permission))

    def command_paths(self, user_id: int, channel_id: int) -> list[tuple[str, list[dict[str, Any]]]]:
        """Return the slash commands that this user can use here: the full name, and the definition of each word."""
        found = self.backend.visible_commands(user_id=user_id, channel_id=channel_id, type=_SLASH)
        return [path for command in found for path in _list_subcommands(command)]

    def commands(self, user_id: int, channel_id: int) -> dict[str, dict[str, Any]]:
        """Return the definitions of the slash commands that this user can use here, by their full names."""
        return {name: parts[-1] for name, parts in self.command_paths(user_id, channel_id)}

    def menus(self, user_id: int, channel_id: int) -> dict[str, list[dict[str, Any]]]:
        """Return the commands that this user has here in the menus of users and messages."""
        visible = self.backend.visible_commands
        return {
            kind: list(visible(user_id=user_id, channel_id=channel_id, type=number)) for kind, number in _MENUS.items()
        }

    def content(self, url: str) -> bytes | None:
        return self.backend.content.get(url)

    def _stored(self, key: MessageKey) -> Message | None:
        return self.backend.messages.get(key[0], {}).get(key[1])

    def members(self, guild_id: int) -> list[int]:
        """Return the ids of a server's people, without bots."""
        return [one for one in self.backend.guilds[guild_id].members if not self.backend.users[one].bot]

    @property
    def has_chosen_locale(self) -> bool:
        """True if any user has chosen a language."""
        return bool(self.backend.locales)

    def locale(self, user_id: int) -> str:
        return self.backend.locales.get(user_id, DEFAULT_LOCALE)


def _list_subcommands(command: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the full name of each subcommand (or of a command without any) with the definition of each word in it."""
    stack = [[command]]
    while stack:
        path = stack.pop()
        children = [one for one in path[-1].get("options") or [] if one.get("type") in _SUBCOMMANDS]
        if children:
            stack.extend([*path, child] for child in reversed(children))
        else:
            yield " ".join(str(part["name"]) for part in path), path
