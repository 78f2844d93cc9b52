from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

import aiohttp
import discord
from aiohttp import web

from tests.discord import contract, errors, payloads
from tests.discord.calls import Answer, Call, Hook, Hooked, Hooks, When, limited
from tests.discord.faults import Ending, Faults
from tests.discord.gateway import Gateway
from tests.discord.rest import Rest
from tests.discord.state import PRIVATE_THREAD, TEXT, Channel, Guild, Interaction, Json, Message, Overwrite, User, World

TOKEN = "a-token-that-only-the-fake-takes"
APPLICATION = 1234567890
SOON = 120.0
"""Seconds that ``until`` waits for what should take one: the machine may be busy."""
TOO_MANY_REQUESTS = 429
LOOK_AGAIN = 0.02
"""Seconds after which ``until`` looks again where nothing has come: what it waits for may happen in the bot."""
HANGING = 60.0
"""Seconds after which a request that is left hanging is broken off, if the bot does not give up before."""
REMEMBERED = 20_000
"""Calls and interactions that are kept to be looked at; of the older ones the messages are."""

Result = TypeVar("Result")


class Discord:
    """Discord, as much of it as the bot uses. Its state outlives the bot's processes."""

    def __init__(self, port: int = 0) -> None:
        self.world = World(TOKEN, APPLICATION)
        self.hub = Gateway(self.world)
        self.api = Rest(self.world, self.hub)
        self.hooks = Hooks()
        self.faults = Faults()
        self.calls: list[Call] = []
        self.port = port
        self.loop: asyncio.AbstractEventLoop | None = None
        self.hub.changed = self.changed
        self._waiting: set[asyncio.Future[None]] = set()

    # ------------------------------------------------------------------ running

    @property
    def rest(self) -> str:
        """For ``discord.http.Route.BASE``."""
        return f"http://127.0.0.1:{self.port}/api/v10"

    @property
    def gateway(self) -> str:
        """For ``DiscordWebSocket.DEFAULT_GATEWAY``."""
        return f"ws://127.0.0.1:{self.port}/gateway"

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Discord]:
        self.loop = asyncio.get_running_loop()
        app = web.Application(client_max_size=50 * 2**20)
        app.router.add_get("/gateway{slash:/?}", self.hub.handle)
        app.router.add_route("*", "/api/v10/{path:.+}", self._handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", self.port).start()
            self.port = runner.addresses[0][1]
            self.hub.url = self.gateway
            yield self
        finally:
            await self.hub.stop()
            await runner.cleanup()

    @contextmanager
    def running(self) -> Iterator[Discord]:
        """Serve from a thread of its own; ``do`` acts in it."""
        loop = asyncio.new_event_loop()
        started, stop = threading.Event(), asyncio.Event()

        async def serve() -> None:
            async with self.serving():
                started.set()
                await stop.wait()

        thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), name="fake Discord")
        thread.start()
        try:
            assert started.wait(SOON)
            yield self
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(SOON)
            loop.close()

    def do(self, action: Coroutine[Any, Any, Result], timeout: float = 2 * SOON) -> Result:
        """Do something in the fake's thread and wait for it."""
        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(action, self.loop).result(timeout)

    # ------------------------------------------------------------------ making the world

    def add_user(self, name: str) -> User:
        return self.world.add_user(name)

    def add_guild(self, name: str, members: list[User], *, channels: int = 1, has_bot: bool = True) -> Guild:
        """Make a server with people, text channels and perhaps the bot; its owner is somebody who never plays.

        Where the bot is not, people have added its commands to their own accounts.
        """
        owner = self.add_user(f"{name}-owner")
        guild = Guild(self.world.new_id.of_server(), name, owner)
        guild.members = {user.id: user for user in (*members, owner, *([self.world.bot] if has_bot else []))}
        self.world.guilds[guild.id] = guild
        for number in range(channels):
            self.add_channel(guild, f"{name}-{number}", announce=False)
        if has_bot:
            self.hub.tell(guild, "GUILD_CREATE", payloads.guild(guild, self.world))
        return guild

    def add_channel(self, guild: Guild, name: str, kind: int = TEXT, *, announce: bool = True) -> Channel:
        channel = Channel(self.world.new_id(), kind, name, guild)
        self.world.channels[channel.id] = guild.channels[channel.id] = channel
        if announce:
            self.hub.tell_channel(channel, "CHANNEL_CREATE")
        return channel

    def add_private_thread(self, parent: Channel, name: str, *members: User) -> Channel:
        """Make a thread that the bot hears of only if it is a member."""
        thread = Channel(self.world.new_id(), PRIVATE_THREAD, name, parent.guild, parent)
        thread.joined = {user.id for user in members}
        assert parent.guild is not None
        self.world.channels[thread.id] = parent.guild.channels[thread.id] = thread
        self.hub.tell_channel(thread, "THREAD_CREATE")
        return thread

    def mention_bot(self, thread: Channel) -> None:
        """Add the bot to a private thread, as mentioning it there does."""
        thread.joined.add(self.world.bot.id)
        self.hub.tell_channel(thread, "THREAD_CREATE")
        self._tell_membership(thread, added_members=[payloads.thread_member(thread, self.world.bot)])

    def remove_bot(self, thread: Channel) -> None:
        """Remove the bot from a private thread. discord.py keeps the thread in its cache."""
        thread.joined.discard(self.world.bot.id)
        self._tell_membership(thread, removed_member_ids=[str(self.world.bot.id)])

    def _tell_membership(self, thread: Channel, **changed: Json | list[Any]) -> None:
        assert thread.guild is not None
        about = {"id": str(thread.id), "guild_id": str(thread.guild.id), "member_count": len(thread.joined)}
        self.hub.tell(thread.guild, "THREAD_MEMBERS_UPDATE", {**about, **changed})

    def remove_channel(self, channel: Channel, *, announce: bool = True) -> None:
        assert channel.guild is not None
        for thread in [each for each in channel.guild.threads if each.parent is channel]:
            self.remove_channel(thread, announce=announce)
        del self.world.channels[channel.id]
        del channel.guild.channels[channel.id]
        for message in channel.messages.values():
            message.deleted = True
        if announce:
            self.hub.tell_channel(channel, "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE")

    def remove_member(self, guild: Guild, user: User) -> None:
        """Remove a member. Without the members intent the bot does not hear of it."""
        del guild.members[user.id]

    def deny(self, channel: Channel, denied: discord.Permissions, *, announce: bool = True) -> None:
        """Take permissions from the bot in a channel; with none of them, give all back."""
        channel.overwrites[self.world.bot.id] = Overwrite(self.world.bot.id, True, 0, denied.value)
        if announce:
            self.hub.tell_channel(channel, "CHANNEL_UPDATE")

    # ------------------------------------------------------------------ people

    def interact(
        self, user: User, channel: Channel, kind: int, data: Json, message: Message | None = None
    ) -> Interaction:
        """Send an interaction to the connected process of the bot."""
        interaction_id = self.world.new_id()
        token = f"token-of-{interaction_id}"
        interaction = Interaction(interaction_id, token, kind, user, channel, data, message)
        self.world.interactions[interaction_id] = self.world.by_token[token] = interaction
        while len(self.world.interactions) > REMEMBERED:
            oldest = next(iter(self.world.interactions.values()))
            del self.world.interactions[oldest.id], self.world.by_token[oldest.token]
        self.hub.tell(channel.guild, "INTERACTION_CREATE", payloads.interaction(interaction, self.world))
        return interaction

    async def until_answered(self, interaction: Interaction, seconds: float | None = None) -> bool:
        """Wait until an interaction is answered, as long as Discord waits; whether it was."""
        wait = self.api.answering.answer_seconds if seconds is None else seconds
        with suppress(TimeoutError):
            await asyncio.wait_for(interaction.changed.wait(), wait)
        return interaction.acknowledged

    # ------------------------------------------------------------------ waiting

    def changed(self) -> None:
        """Let everything that waits look again."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def until(self, condition: Callable[[], Result], seconds: float = SOON, *, what: str = "") -> Result:
        """Wait until a condition holds, which is looked at after every call and connection; its value."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            left = end - time.monotonic()
            assert left > 0, f"not within {seconds} s: {what or condition}"
            future = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            await asyncio.wait({future}, timeout=min(left, LOOK_AGAIN))
            self._waiting.discard(future)
        return found

    async def until_connected(self, seconds: float = SOON) -> None:
        await self.until(lambda: self.hub.connected, seconds, what="connected")

    # ------------------------------------------------------------------ hooks

    def before(self, method: str, path: str, do: Hook, times: int | None = 1) -> Hooked:
        """Call ``do`` before the next ``times`` requests like this (None: all) are acted on."""
        return self.hooks.add(When.BEFORE, method, path, do, times)

    def acted(self, method: str, path: str, do: Hook, times: int | None = 1) -> Hooked:
        """Call ``do`` after the next requests like this were acted on, before they are answered."""
        return self.hooks.add(When.ACTED, method, path, do, times)

    # ------------------------------------------------------------------ requests

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        try:
            call = await _read(request)
        except (ConnectionError, aiohttp.ClientPayloadError):
            return web.Response(status=400)  # Whoever asked has gone in the middle of it.
        self.calls.append(call)
        contract.hold_request(call.method, call.path, call.query, call.body)
        del self.calls[: len(self.calls) - REMEMBERED]
        try:
            ending = await self._answer(request, call)
        finally:
            self.changed()
        if ending is not Ending.ANSWER or call.answer is None:
            self.api.messages.answer_lost(call.body)
            await _break_off(request, ending)
            return web.Response(status=500)
        if call.fault is None:
            contract.hold_answer(call.method, call.path, call.answer.status, call.answer.body)
        response = call.answer.response()
        try:
            await response.prepare(request)
            await response.write_eof()
        except ConnectionError:
            return response  # Whoever asked has gone.
        return response

    async def _answer(self, request: web.Request, call: Call) -> Ending:
        # Interactions bring their own token in the path.
        interaction = call.path.startswith(("/interactions/", "/webhooks/"))
        if not interaction and request.headers.get("Authorization") != f"Bot {self.world.token}":
            call.answer = Answer.refusing(errors.Refusal(*errors.UNAUTHORIZED))
            return Ending.ANSWER
        await self.hooks.run(When.BEFORE, call)
        fault = self.faults.choose(self, call)
        call.fault = None if fault is None else fault.name
        if fault is not None and not fault.acts:
            self.faults.count(fault, call)
            if fault.answer is None:
                return fault.ending
            call.answer = fault.answer(self, call)
        else:
            try:
                call.answer = self.api.act(call)
            except errors.Refusal as error:
                call.answer = Answer.refusing(error)
                if error.status == TOO_MANY_REQUESTS:
                    # As for any other rate limit, so discord.py waits and tries again some times.
                    call.answer = limited(self.faults.chance.uniform(0.05, 0.5), scope="shared", code=error.code)
            if fault is not None:
                self.faults.count(fault, call)
            await self.hooks.run(When.ACTED, call)
        call.answer.headers = {"Via": "1.1 google", **call.answer.headers}
        return Ending.ANSWER if fault is None else fault.ending


async def _read(request: web.Request) -> Call:
    path = request.path.removeprefix("/api/v10")
    call = Call(request.method, path, query=dict(request.query))
    if request.content_type == "multipart/form-data":
        sizes: dict[str, tuple[str, int]] = {}
        async for part in await request.multipart():
            assert not isinstance(part, web.Request)
            name = getattr(part, "name", None) or ""
            data = await part.read()  # type: ignore[union-attr]
            if name == "payload_json":
                call.body = json.loads(data)
            else:
                sizes[name.removeprefix("files[").removesuffix("]")] = (getattr(part, "filename", ""), len(data))
        call.files = _files(call.body, sizes)
    elif request.can_read_body:
        call.body = await request.json()
    return call


def _files(body: Json, sizes: dict[str, tuple[str, int]]) -> list[Json]:
    """Return the files, each with its description from the JSON."""
    described_files = body.get("attachments") or (body.get("data") or {}).get("attachments") or []
    described = {str(each["id"]): each for each in described_files}
    return [
        {"filename": name, "size": size, "description": described.get(number, {}).get("description")}
        for number, (name, size) in sizes.items()
    ]


async def _break_off(request: web.Request, ending: Ending) -> None:
    """End the connection without an answer: reset, closed, or only when the bot does not wait any longer."""
    transport = request.transport
    if ending is Ending.HANG:
        end = time.monotonic() + HANGING
        while transport is not None and not transport.is_closing() and time.monotonic() < end:  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0.02)
    if transport is None or transport.is_closing():
        return
    if ending is Ending.RESET:
        raw = transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
