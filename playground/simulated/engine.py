"""Engine of the playground: one bot on one simulated Discord, looked at and acted upon by ids."""

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
from playground.simulated.env import PatientEnv, spoken_languages
from playground.simulated.look import Onlooker
from playground.simulated.memory import Record, dump_commands, dump_message, dump_world, restore

log = logging.getLogger(__name__)

#: How long an action waits for the bot to come to rest before the page may act again.
_PATIENCE = 0.5
#: Discord's own limit for the first answer to an interaction.
_ANSWER_WITHIN = 3.0
_CLOSE_WITHIN = 10.0
_MODALS_KEPT = 50


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The bot's answer to an interaction."""

    interaction: int
    answered: bool
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes that have to be written down and shown again."""

    messages: set[MessageKey]
    commands: Record | None
    added: dict[str, bytes]
    dropped: set[str]


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn simcord's objections into sentences for the person who clicked."""
    try:
        yield
    except BackendError as error:
        raise RefusedError("Discord would refuse that: {reason}.", status=error.status, reason=error.message) from error
    except SetupError as error:
        # What follows the dash is advice for the author of a test.
        said = str(error).split(" — ")[0].rstrip(".")
        raise RefusedError("That cannot be done: {reason}.", status=409, reason=said) from error


class Engine(Onlooker):
    """The one door to simcord. Not more than one acting call may be under way at a time."""

    def __init__(self, start: datetime) -> None:
        clock = Clock()
        clock._epoch = start
        super().__init__(WatchedBackend(clock))
        self._env: PatientEnv | None = None
        self._patches = ExitStack()
        self._modals: dict[int, Interaction] = {}
        self._changed = asyncio.Event()
        self.on_change: Callable[[], None] = lambda: None
        self.backend.on_change = self._tell

    def _tell(self) -> None:
        self._changed.set()
        self.on_change()

    # ------------------------------------------------------------ life and time

    @property
    def env(self) -> PatientEnv:
        if self._env is None:
            raise RefusedError("The bot is not running.", status=503)
        return self._env

    async def start(self, bot: discord.Client) -> None:
        """Attach the bot, log it in and bring it to READY."""
        shards = 1 if isinstance(bot, discord.AutoShardedClient) else None
        env = PatientEnv(bot, shard_count=shards, check_errors=False, settle_timeout=_PATIENCE)
        env.backend = self.backend
        self._patches.enter_context(spoken_languages())
        try:
            await env.start()
        except BaseException:
            self._patches.close()
            raise
        self._env = env

    async def stop(self) -> None:
        """Close the bot the way it closes itself, then take it off."""
        env, self._env = self._env, None
        if env is None:
            return
        try:
            if not env.bot.is_closed():
                with env._bot_scope():
                    await asyncio.wait_for(env.bot.close(), _CLOSE_WITHIN)
        except TimeoutError:
            log.warning("The bot did not close within %.0f s; it is stopped all the same", _CLOSE_WITHIN)
        except Exception:
            log.exception("The bot could not close itself; it is stopped all the same")
        try:
            await env.shutdown()
        except TimeoutError as error:
            log.warning("%s", error)
        finally:
            self._patches.close()

    def now(self) -> datetime:
        """Return the time of the simulated Discord, which is that of discord.py in it."""
        return self.backend.clock.now()

    async def advance_to(self, moment: datetime) -> None:
        """Let time pass until `moment`, or as far as a busy bot lets it in a moment's work."""
        ahead = (moment - self.now()).total_seconds()
        if ahead <= 0:
            return
        try:
            await self.env.advance_time(ahead)
        except TimeoutError:
            log.debug("Time has come as far as %s on its way to %s", self.now(), moment)
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

    def _place(self, channel_id: int) -> ChannelHandle:
        channel = self._channel(channel_id)
        guild = self.backend.guilds.get(channel.guild_id or 0)
        return ChannelHandle(self.env, None if guild is None else GuildHandle(self.env, guild), channel)

    def _handle(self, key: MessageKey) -> ResponseMessage:
        with _refusals():
            return ResponseMessage(self.env, self.backend.get_message(*key))

    def entity(self, kind: str, entity_id: int, channel_id: int) -> Any:
        """Return a user, role or channel the way simcord takes it in options and select menus."""
        guild_id = self._channel(channel_id).guild_id
        guild = None if guild_id is None else GuildHandle(self.env, self.backend.guilds[guild_id])
        if kind in ("user", "mentionable") and entity_id in self.backend.users:
            return self._actor(entity_id, channel_id)
        if kind in ("role", "mentionable") and guild is not None and entity_id in guild._guild.roles:
            return RoleHandle(self.env, guild, guild._guild.roles[entity_id])
        if kind == "channel" and entity_id in self.backend.channels:
            return self._place(entity_id)
        raise RefusedError("There is no such {kind} here. Choose one from the list.", kind=kind)

    async def say(self, user_id: int, channel_id: int, text: str) -> int:
        """Post a message as a person; its id."""
        actor = self._actor(user_id, channel_id)
        with _refusals():
            if isinstance(actor, UserHandle):
                return (await actor.send_dm(text)).id
            return (await actor.send(self._place(channel_id), text)).id

    async def delete(self, user_id: int, key: MessageKey) -> None:
        """Delete a message: one's own, or anybody's with Manage Messages."""
        with _refusals():
            await self._actor(user_id, key[0]).delete(self._handle(key))

    async def react(self, user_id: int, key: MessageKey, emoji: str, *, reacted: bool) -> None:
        with _refusals():
            await self._actor(user_id, key[0]).set_reaction(self._handle(key), emoji, reacted=reacted)

    async def click(self, user_id: int, key: MessageKey, custom_id: str) -> Interaction:
        handle = self._handle(key)
        return await self._dispatched(lambda: self._actor(user_id, key[0]).click(handle, custom_id=custom_id))

    async def select(self, user_id: int, key: MessageKey, custom_id: str, values: Sequence[Any]) -> Interaction:
        handle = self._handle(key)
        return await self._dispatched(lambda: self._actor(user_id, key[0]).select(handle, values, custom_id=custom_id))

    async def slash(self, user_id: int, channel_id: int, command: str, options: dict[str, Any]) -> Interaction:
        call = self._commander(user_id, channel_id, "slash")
        return await self._dispatched(lambda: call(command, **options))

    async def autocomplete(
        self, user_id: int, channel_id: int, command: str, option: str, typed: Any, filled: dict[str, Any]
    ) -> Interaction:
        call = self._commander(user_id, channel_id, "autocomplete")
        return await self._dispatched(lambda: call(command, option, typed, **filled))

    def _commander(self, user_id: int, channel_id: int, action: str) -> Callable[..., Awaitable[Any]]:
        actor = self._actor(user_id, channel_id)
        call: Callable[..., Awaitable[Any]] = getattr(actor, action)
        return call if isinstance(actor, UserHandle) else partial(call, self._place(channel_id))

    async def submit(self, user_id: int, modal: int, values: dict[str, Any]) -> Interaction:
        """Send a modal the bot has shown to this user."""
        record = self.open_modal(user_id, modal)
        shown = InteractionResult(self.env, record)
        actor = self._actor(user_id, record.channel_id)
        # simcord takes a form once only. Discord lets one send it again after the bot has failed to answer.
        record.modal_consumed = False
        return await self._dispatched(lambda: actor.submit_modal(shown, values))

    def close_modal(self, modal: int) -> None:
        self._modals.pop(modal, None)

    def open_modal(self, user_id: int, modal: int) -> Interaction:
        """Return the interaction a shown modal belongs to."""
        record = self._modals.get(modal)
        if record is None or record.user_id != user_id:
            raise RefusedError("That form is no longer open. Press the button that shows it once more.", status=410)
        return record

    async def _dispatched(self, act: Callable[[], Awaitable[Any]]) -> Interaction:
        with _refusals():
            await act()
        self.env.forget_errors()
        record = self.backend.last_interaction
        assert record is not None
        return record

    async def outcome(self, record: Interaction) -> ActionResult:
        """Wait for the bot's answer as long as Discord would; other actions may go on meanwhile."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _ANSWER_WITHIN
        while not record.responded and (left := deadline - loop.time()) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)
        if record.modal is not None:
            self._modals[record.id] = record
            for old in list(self._modals)[:-_MODALS_KEPT]:
                del self._modals[old]
        return ActionResult(
            record.id,
            record.responded,
            copy.deepcopy(record.modal),
            copy.deepcopy(record.autocomplete_choices),
        )

    # ------------------------------------------------------------- the world

    def found(
        self, name: str, bot_name: str, people: Iterable[str], channels: Iterable[tuple[str, str]], role: str
    ) -> int:
        """Make a server with these people, the first of them its owner, these channels, and a role all have; its id."""
        backend = self.backend
        backend.bot_user.name = bot_name
        # With an avatar of their own, because default avatars are told apart by the millisecond an
        # account was made in, and these were all made in the same one.
        users = [backend.make_user(one.lower(), global_name=one, avatar=f"seat{i}") for i, one in enumerate(people)]
        guild = backend.create_guild(name, owner_id=users[0].id)
        for user in users[1:]:
            backend.add_member(guild.id, user.id)
        everybodys = backend.create_role(guild.id, role, mentionable=True)
        for user in users:
            backend.add_member_role(guild.id, user.id, everybodys.id)
        for channel, topic in channels:
            backend.create_channel(guild.id, channel, topic=topic)
        return guild.id

    def restore(self, records: Sequence[Record], content: Iterable[tuple[str, bytes]]) -> None:
        self.backend.content.load(content)
        restore(self.backend, records)

    def world_records(self) -> Iterator[Record]:
        """Return everything to be kept but messages, commands and files."""
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

    def touch(self, key: MessageKey) -> None:
        """Have a message saved and shown again though nothing in it has changed."""
        self.backend._mark(*key)

    def set_locale(self, user_id: int, locale: str) -> None:
        self.backend.locales[user_id] = locale
        self.backend.on_change()

    def set_guild_locale(self, guild_id: int, locale: str) -> None:
        self.backend.edit_guild(guild_id, {"preferred_locale": locale})
