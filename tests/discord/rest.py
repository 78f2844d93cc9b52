"""The fake's REST interface, version 10: what each request does to the world, and what it is answered with.

https://discord.com/developers/docs/reference
"""

import re
from collections.abc import Callable
from typing import Any

from tests.discord import errors, payloads
from tests.discord.answering import Answering
from tests.discord.calls import Answer, Call
from tests.discord.gateway import Gateway
from tests.discord.messages import Messages, without_nulls
from tests.discord.state import PUBLIC_THREAD, Channel, Json, World
from tests.discord.validation import ENTRY_POINT, check_commands

Handler = Callable[..., Answer]


class Rest:
    """Acts on requests. Raises Refusal where Discord would refuse."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.world = world
        self.gateway = gateway
        self.messages = Messages(world)
        self.answering = Answering(world, self.messages)
        routes: list[tuple[str, str, Handler]] = [
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/users/@me/guilds", self._my_guilds),
            ("GET", "/gateway/bot", self._gateway),
            ("PUT", "/applications/{}/commands", self._put_commands),
            ("GET", "/applications/{}/commands", self._get_commands),
            ("GET", "/applications/{}/emojis", self._get_emojis),
            ("POST", "/applications/{}/emojis", self._post_emoji),
            ("GET", "/guilds/{}/members/{}", self._get_member),
            ("POST", "/users/@me/channels", self._post_direct),
            ("GET", "/channels/{}", self._get_channel),
            ("POST", "/channels/{}/threads", self._post_thread),
            ("GET", "/channels/{}/messages", self._get_messages),
            ("POST", "/channels/{}/messages", self._post_message),
            ("PATCH", "/channels/{}/messages/{}", self._patch_message),
            ("DELETE", "/channels/{}/messages/{}", self._delete_message),
            ("POST", "/interactions/{}/{}/callback", self.answering.callback),
            ("POST", "/webhooks/{}/{}", self.answering.follow_up),
            ("PATCH", "/webhooks/{}/{}/messages/{}", self.answering.patch),
            ("DELETE", "/webhooks/{}/{}/messages/{}", self.answering.delete),
        ]
        self._routes = [
            (method, re.compile(path.replace("{}", "([^/]+)")), handler) for method, path, handler in routes
        ]

    def act(self, call: Call) -> Answer:
        """Do what a request asks for."""
        for method, pattern, handler in self._routes:
            if method == call.method and (match := pattern.fullmatch(call.path)) is not None:
                return handler(call, *(int(part) if part.isdigit() else part for part in match.groups()))
        raise errors.Refusal(*errors.NO_ROUTE)

    # ------------------------------------------------------------------ the application

    def _me(self, _call: Call) -> Answer:
        return Answer(200, payloads.own_user(self.world.bot))

    def _application(self, _call: Call) -> Answer:
        return Answer(200, payloads.application(self.world))

    def _my_guilds(self, _call: Call) -> Answer:
        return Answer(
            200,
            [payloads.own_guild(guild) for guild in self.world.guilds.values() if self.world.bot.id in guild.members],
        )

    def _gateway(self, _call: Call) -> Answer:
        shards = max(1, len(self.world.guilds) // 1000)
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return Answer(200, {"url": self.gateway.url, "shards": shards, "session_start_limit": limit})

    def _put_commands(self, call: Call, application_id: int) -> Answer:
        known = {(command["type"], command["name"]): command["id"] for command in self.world.commands}
        check_commands(call.body)
        if ENTRY_POINT in {command["type"] for command in self.world.commands} - {each["type"] for each in call.body}:
            raise errors.Refusal(*errors.ENTRY_POINT_MISSING)
        self.world.commands = [
            {
                "default_member_permissions": None,
                "description": "",  # of commands in menus; the others have one
                **without_nulls(command),
                "id": known.get((command["type"], command["name"])) or str(self.world.new_id()),
                "application_id": str(application_id),
                "version": str(self.world.new_id()),
            }
            for command in call.body
        ]
        return Answer(200, self.world.commands)

    def _get_commands(self, call: Call, _application_id: int) -> Answer:
        if call.query.get("with_localizations") == "true":
            return Answer(200, self.world.commands)
        short = [{name: each[name] for name in each if "_localizations" not in name} for each in self.world.commands]
        return Answer(200, short)

    def _get_emojis(self, _call: Call, _application_id: int) -> Answer:
        return Answer(200, {"items": self.world.emojis})

    def _post_emoji(self, call: Call, _application_id: int) -> Answer:
        if any(each["name"] == call.body["name"] for each in self.world.emojis):
            raise errors.invalid_form("In name: An emoji with this name already exists")
        emoji = {"id": str(self.world.new_id()), "name": call.body["name"], "animated": False, "available": True}
        emoji |= {"roles": [], "require_colons": True, "managed": False, "user": payloads.user(self.world.bot)}
        self.world.emojis.append(emoji)
        return Answer(201, emoji)

    # ------------------------------------------------------------------ people and channels

    def _get_member(self, _call: Call, guild_id: int, user_id: int) -> Answer:
        guild = self.world.guilds.get(guild_id)
        if guild is None:
            raise errors.Refusal(*errors.UNKNOWN_GUILD)
        if user_id not in guild.members:
            raise errors.Refusal(*errors.UNKNOWN_MEMBER)
        return Answer(200, payloads.member(guild.members[user_id]))

    def _post_direct(self, call: Call) -> Answer:
        user = self.world.users.get(int(call.body["recipient_id"]))
        if user is None:
            raise errors.Refusal(*errors.INVALID_RECIPIENT)
        return Answer(200, payloads.channel(self.world.direct_channel(user)))

    def _get_channel(self, _call: Call, channel_id: int) -> Answer:
        return Answer(200, payloads.channel(self._channel(channel_id), self.world.bot))

    def _post_thread(self, call: Call, channel_id: int) -> Answer:
        channel = self._channel(channel_id)
        self._permit(channel, "create_public_threads")
        assert channel.guild is not None
        if len(channel.guild.threads) >= channel.guild.most_threads:
            raise errors.Refusal(*errors.TOO_MANY_THREADS)
        if channel.guild.blocks(call.body):
            raise errors.Refusal(*errors.TITLE_BLOCKED_BY_AUTOMOD)
        thread = Channel(self.world.new_id(), PUBLIC_THREAD, call.body["name"], channel.guild, channel)
        self.world.channels[thread.id] = thread
        channel.guild.channels[thread.id] = thread
        self.gateway.tell_channel(thread, "THREAD_CREATE")
        return Answer(201, payloads.channel(thread))

    # ------------------------------------------------------------------ messages

    def _get_messages(self, call: Call, channel_id: int) -> Answer:
        channel = self._channel(channel_id)
        limit = int(call.query.get("limit", 50))
        before = int(call.query.get("before", 2**63))
        after = int(call.query.get("after", 0))
        found = [each for each in channel.shown if after < each.id < before][-limit:]
        return Answer(200, [self._json(message) for message in reversed(found)])

    def _post_message(self, call: Call, channel_id: int) -> Answer:
        channel = self._channel(channel_id)
        if channel.recipient is not None and not channel.recipient.takes_messages:
            raise errors.Refusal(*errors.NO_DIRECT_MESSAGES)
        if channel.recipient is not None and not self.world.shares_guild(channel.recipient):
            raise errors.Refusal(*errors.NO_MUTUAL_GUILDS)
        self._permit(channel, "send_messages_in_threads" if channel.is_thread else "send_messages")
        if channel.locked:
            self._permit(channel, "manage_threads")
        if call.files:
            self._permit(channel, "attach_files")
        if channel.guild is not None and channel.guild.blocks(call.body):
            raise errors.Refusal(*errors.BLOCKED_BY_AUTOMOD)
        return Answer(200, self._json(self.messages.post(channel, call.body, call.files)))

    def _delete_message(self, _call: Call, channel_id: int, message_id: int) -> Answer:
        channel = self._channel(channel_id)
        message = self.messages.find(channel, message_id)
        message.deleted = message.taken_back = True
        return Answer(204)

    def _patch_message(self, call: Call, channel_id: int, message_id: int) -> Answer:
        channel = self._channel(channel_id)
        message = self.messages.find(channel, message_id)
        if message.too_old:
            raise errors.Refusal(*errors.TOO_MANY_OLD_EDITS)
        self.messages.edit(message, call.body, call.files)
        return Answer(200, self._json(message))

    # ------------------------------------------------------------------ looking up

    def _json(self, message: Any) -> Json:
        return payloads.message(message, self.world)

    def _channel(self, channel_id: int) -> Channel:
        """Return a channel that the bot can see."""
        channel = self.world.channel(channel_id)
        if channel is None:
            raise errors.Refusal(*errors.UNKNOWN_CHANNEL)
        if not self.world.sees(channel, self.world.bot):
            raise errors.Refusal(*errors.MISSING_ACCESS)
        return channel

    def _permit(self, channel: Channel, permission: str) -> None:
        if not getattr(self.world.permissions(channel, self.world.bot), permission):
            raise errors.Refusal(*errors.MISSING_PERMISSIONS)
