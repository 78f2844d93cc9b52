"""One bot on one simulated Discord: everything that people do there, addressed by ids."""

import asyncio
import copy
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import discord
from simcord import (
    BackendError,
    ChannelHandle,
    GuildHandle,
    InteractionResult,
    MemberActor,
    ResponseMessage,
    RoleHandle,
    SetupError,
    UserHandle,
)
from simcord._clock import Clock
from simcord.backend.models import Channel, Interaction

from playground.errors import RefusedError
from playground.simulated.backend import MessageKey, WatchedBackend
from playground.simulated.env import PatientEnv, patch_interactions
from playground.simulated.look import Onlooker
from playground.simulated.world_json import Record, dump_commands, dump_message, dump_world, restore

log = logging.getLogger(__name__)

#: The most seconds that an action waits for the bot to become idle before the page can act again.
_PATIENCE = 0.5
#: Discord's limit for the first answer to an interaction, in seconds.
_ANSWER_WITHIN = 3.0
_CLOSE_WITHIN = 10.0
_MOST_MODALS = 50


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The bot's answer to an interaction."""

    interaction: int
    answered: bool
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """The messages, commands and files that have changed since the last ``take_changes``.

    The rest of the world is in ``world_records``; the caller compares these with the last ones.
    """

    messages: set[MessageKey]
    commands: Record | None
    added: dict[str, bytes]
    dropped: set[str]


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn simcord's errors into messages for the person who clicked."""
    try:
        yield
    except BackendError as error:
        raise RefusedError("Discord would reject that: {reason}.", status=error.status, reason=error.message) from error
    except SetupError as error:
        # The text after the dash is advice for authors of tests.
        said = str(error).split(" — ")[0].rstrip(".")
        raise RefusedError("That is not possible: {reason}.", status=409, reason=said) from error


class Engine(Onlooker):
    """The interface to simcord. The caller must not start an action before the last one has returned."""

    def __init__(self, start: datetime) -> None:
        clock = Clock()
        clock._epoch = start
        super().__init__(WatchedBackend(clock))
        self._env: PatientEnv | None = None
        self._patches = ExitStack()
        self._modals: dict[int, Interaction] = {}
        self._changed = asyncio.Event()
        self.on_change: Callable[[], None] = lambda: None
        self.backend.on_change = self._report_change

    def _report_change(self) -> None:
        self._changed.set()
        self.on_change()

    # ------------------------------------------------------------ life and time

    @property
    def env(self) -> PatientEnv:
        if self._env is None:
            raise RefusedError("The bot is not running.", status=503)
        return self._env

    async def start(self, bot: discord.Client) -> None:
        """Log the bot in and wait until it is ready."""
        shards = 1 if isinstance(bot, discord.AutoShardedClient) else None
        env = PatientEnv(bot, shard_count=shards, check_errors=False, settle_timeout=_PATIENCE)
        env.backend = self.backend
        self._patches.enter_context(patch_interactions())
        try:
            await env.start()
        except BaseException:
            self._patches.close()
            raise
        self._env = env

    async def stop(self) -> None:
        """Close the bot, then remove it from the simulated Discord."""
        env, self._env = self._env, None
        if env is None:
            return
        try:
            if not env.bot.is_closed():
                with env._bot_scope():
                    closing = asyncio.create_task(env.bot.close())
                # Outside of the scope, because simcord's clock, and with it every timer of the bot, may stand still.
                await asyncio.wait_for(closing, _CLOSE_WITHIN)
        except TimeoutError:
            log.warning("The bot did not close within %.0f s; it is stopped anyway", _CLOSE_WITHIN)
        except Exception:
            log.exception("The bot could not close itself; it is stopped anyway")
        try:
            await env.shutdown()
        except TimeoutError as error:
            log.warning("%s", error)
        finally:
            self._patches.close()

    def now(self) -> datetime:
        """Return the time of the simulated Discord, which is also that of discord.py."""
        return self.backend.clock.now()

    async def advance_to(self, time: datetime) -> None:
        """Move the clock to this time. It stops earlier if the bot does not become idle on the way."""
        ahead = (time - self.now()).total_seconds()
        if ahead <= 0:
            return
        try:
            await self.env.advance_time(ahead)
        except TimeoutError:
            log.debug("The clock has moved to %s on its way to %s", self.now(), time)
        self.env.forget_errors()

    # ----------------------------------------------------------------- acting

    def _channel(self, channel_id: int) -> Channel:
        with _refusals():
            return self.backend.get_channel(channel_id)

    def _actor(self, user_id: int, channel_id: int) -> MemberActor | UserHandle:
        user = UserHandle(self.env, self.backend.users[user_id])
        guild_id = self._channel(channel_id).guild_id
        if guild_id is None:
            return user
        return MemberActor(self.env, GuildHandle(self.env, self.backend.guilds[guild_id]), user)

    def _channel_handle(self, channel_id: int) -> ChannelHandle:
        channel = self._channel(channel_id)
        guild = self.backend.guilds.get(channel.guild_id or 0)
        return ChannelHandle(self.env, None if guild is None else GuildHandle(self.env, guild), channel)

    def _message_handle(self, key: MessageKey) -> ResponseMessage:
        with _refusals():
            return ResponseMessage(self.env, self.backend.get_message(*key))

    def entity(self, kind: str, entity_id: int, channel_id: int) -> Any:
        """Return the simcord object for a user, role or channel in a command option or a select menu."""
        guild_id = self._channel(channel_id).guild_id
        guild = None if guild_id is None else GuildHandle(self.env, self.backend.guilds[guild_id])
        if kind in ("user", "mentionable") and entity_id in self.backend.users:
            return self._actor(entity_id, channel_id)
        if kind in ("role", "mentionable") and guild is not None and entity_id in guild._guild.roles:
            return RoleHandle(self.env, guild, guild._guild.roles[entity_id])
        if kind == "channel" and entity_id in self.backend.channels:
            return self._channel_handle(entity_id)
        raise RefusedError("There is no such {kind} here. Choose one from the list.", kind=kind)

    async def say(self, user_id: int, channel_id: int, text: str) -> int:
        """Post a message as a person, and return its id."""
        actor = self._actor(user_id, channel_id)
        with _refusals():
            if isinstance(actor, UserHandle):
                return (await actor.send_dm(text)).id
            return (await actor.send(self._channel_handle(channel_id), text)).id

    async def delete(self, user_id: int, key: MessageKey) -> None:
        with _refusals():
            await self._actor(user_id, key[0]).delete(self._message_handle(key))

    async def react(self, user_id: int, key: MessageKey, emoji: str, *, reacted: bool) -> None:
        with _refusals():
            await self._actor(user_id, key[0]).set_reaction(self._message_handle(key), emoji, reacted=reacted)

    async def click(self, user_id: int, key: MessageKey, custom_id: str) -> Interaction:
        handle = self._message_handle(key)
        return await self._dispatch(lambda: self._actor(user_id, key[0]).click(handle, custom_id=custom_id))

    async def select(self, user_id: int, key: MessageKey, custom_id: str, values: Sequence[Any]) -> Interaction:
        handle = self._message_handle(key)
        return await self._dispatch(lambda: self._actor(user_id, key[0]).select(handle, values, custom_id=custom_id))

    async def slash(self, user_id: int, channel_id: int, command: str, options: dict[str, Any]) -> Interaction:
        call = self._command_method(user_id, channel_id, "slash")
        return await self._dispatch(lambda: call(command, **options))

    async def user_menu(self, user_id: int, channel_id: int, target: Any, command: str) -> Interaction:
        call = self._command_method(user_id, channel_id, "context_menu")
        return await self._dispatch(lambda: call(command, target))

    async def message_menu(self, user_id: int, key: MessageKey, command: str) -> Interaction:
        return await self.user_menu(user_id, key[0], self._message_handle(key), command)

    async def autocomplete(
        self, user_id: int, channel_id: int, command: str, option: str, typed: Any, filled: dict[str, Any]
    ) -> Interaction:
        call = self._command_method(user_id, channel_id, "autocomplete")
        return await self._dispatch(lambda: call(command, option, typed, **filled))

    def _command_method(self, user_id: int, channel_id: int, action: str) -> Callable[..., Awaitable[Any]]:
        actor = self._actor(user_id, channel_id)
        call: Callable[..., Awaitable[Any]] = getattr(actor, action)
        return call if isinstance(actor, UserHandle) else partial(call, self._channel_handle(channel_id))

    async def submit(self, user_id: int, modal: int, values: dict[str, Any]) -> Interaction:
        """Submit a modal that the bot has shown to this user."""
        record = self._modals.get(modal)
        if record is None or record.user_id != user_id:
            raise RefusedError("That form is no longer open. Press the button again to reopen it.", status=410)
        shown = InteractionResult(self.env, record)
        actor = self._actor(user_id, record.channel_id)
        # simcord accepts a modal only once. On Discord it can be sent again if the bot did not answer.
        record.modal_consumed = False
        return await self._dispatch(lambda: actor.submit_modal(shown, values))

    def close_modal(self, modal: int) -> None:
        self._modals.pop(modal, None)

    async def _dispatch(self, act: Callable[[], Awaitable[Any]]) -> Interaction:
        with _refusals():
            await act()
        self.env.forget_errors()
        record = self.backend.last_interaction
        assert record is not None
        return record

    async def wait_for_answer(self, record: Interaction) -> ActionResult:
        """Wait for the bot's answer as long as Discord does. Other actions can start in the meantime."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _ANSWER_WITHIN
        while not record.responded and (left := deadline - loop.time()) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)
        if record.modal is not None:
            self._modals[record.id] = record
            for old in list(self._modals)[:-_MOST_MODALS]:
                del self._modals[old]
        return ActionResult(
            record.id,
            record.responded,
            copy.deepcopy(record.modal),
            copy.deepcopy(record.autocomplete_choices),
        )

    # ------------------------------------------------------------- the world

    def create_guild(
        self, name: str, bot_name: str, people: Iterable[str], channels: Iterable[tuple[str, str]], role: str
    ) -> int:
        """Create a server with these people, channels (name and topic) and a role that everybody has. Return its id.

        The first person is the owner.
        """
        backend = self.backend
        backend.bot_user.name = bot_name
        # Default avatars depend on the time of an account's creation, which is the same millisecond for all of these.
        users = [backend.make_user(one.lower(), global_name=one, avatar=f"seat{i}") for i, one in enumerate(people)]
        guild = backend.create_guild(name, owner_id=users[0].id)
        for user in users[1:]:
            backend.add_member(guild.id, user.id)
        role_of_all = backend.create_role(guild.id, role, mentionable=True)
        for user in users:
            backend.add_member_role(guild.id, user.id, role_of_all.id)
        for channel, topic in channels:
            backend.create_channel(guild.id, channel, topic=topic)
        return guild.id

    def restore(self, records: Sequence[Record], content: Iterable[tuple[str, bytes]]) -> None:
        self.backend.content.load(content)
        restore(self.backend, records)

    def world_records(self) -> Iterator[Record]:
        """Return the state of the world, apart from messages, commands and files."""
        return dump_world(self.backend)

    def message_record(self, key: MessageKey) -> Any | None:
        return dump_message(self.backend, key)

    def take_changes(self) -> Changes:
        """Return the changes since the last call."""
        backend, content = self.backend, self.backend.content
        changes = Changes(
            backend.changed_messages,
            dump_commands(backend) if backend.commands_changed else None,
            {url: content.get(url) or b"" for url in content.added},
            content.dropped,
        )
        backend.changed_messages, backend.commands_changed = set(), False
        content.added, content.dropped = set(), set()
        return changes

    def mark_changed(self, key: MessageKey) -> None:
        """Make sure that a message is saved and shown again, even if nothing in it has changed."""
        self.backend.mark_changed(*key)

    def set_locale(self, user_id: int, locale: str) -> None:
        self.backend.locales[user_id] = locale
        self.backend.on_change()

    def set_guild_locale(self, guild_id: int, locale: str) -> None:
        self.backend.edit_guild(guild_id, {"preferred_locale": locale})
