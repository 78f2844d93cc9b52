"""The fake's gateway: sessions of bot processes, and what is told to which of them.

https://discord.com/developers/docs/events/gateway
"""

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.discord import payloads
from tests.discord.state import Channel, Guild, Json, World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 7, 9, 10, 11
"""https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes"""
AUTHENTICATION_FAILED = 4004
BUFFERED = 500
"""Events a session that has lost its connection is still told when it resumes."""


@dataclass(eq=False)
class Session:
    id: str
    shard: int
    shards: int
    socket: web.WebSocketResponse | None = None
    transport: asyncio.Transport | None = None
    sequence: int = 0
    told: deque[Json] = field(default_factory=lambda: deque(maxlen=BUFFERED))
    resumable: bool = True

    @property
    def connected(self) -> bool:
        return self.socket is not None and not self.socket.closed

    def hears_of(self, guild: Guild | None) -> bool:
        """Return True if the shard has this server's events; private chats are told to shard 0."""
        return (0 if guild is None else guild.shard(self.shards)) == self.shard


class Gateway:
    def __init__(self, world: World) -> None:
        self.world = world
        self.url = ""
        self.sessions: list[Session] = []
        self.identified: list[Json] = []
        """The introductions of all processes, the first one first."""
        self.refusals = 0
        """The number of connections to refuse before one is taken."""
        self.silent = False
        """True to take everything and to send nothing: the connection is dead, and nobody has noticed."""
        self.changed: Callable[[], None] = lambda: None
        self._sockets: set[web.WebSocketResponse] = set()

    # ------------------------------------------------------------------ looking

    @property
    def connected(self) -> list[Session]:
        return [session for session in self.sessions if session.connected]

    # ------------------------------------------------------------------ telling

    def tell(self, guild: Guild | None, event: str, data: Json) -> int:
        """Dispatch an event to every session that hears of a server; return the number of them connected now."""
        heard = 0
        for session in self.sessions:
            if session.hears_of(guild):
                heard += session.connected
                self._dispatch(session, event, data)
        return heard

    def tell_channel(self, channel: Channel, event: str) -> None:
        """Tell of a channel; a private thread only a bot that is in it is told of."""
        if not channel.is_thread or self.world.sees(channel, self.world.bot):
            self.tell(channel.guild, event, payloads.told_channel(channel, self.world))

    def _dispatch(self, session: Session, event: str, data: Json) -> None:
        session.sequence += 1
        payload = {"op": DISPATCH, "t": event, "s": session.sequence, "d": data}
        session.told.append(payload)
        self._send(session, payload)

    def _send(self, session: Session, payload: Json) -> None:
        if session.connected and not self.silent:
            assert session.socket is not None
            # Written at once and in order; what is not read soon stays in the socket's buffer.
            task = asyncio.ensure_future(_send(session.socket, payload))
            _SENDING.add(task)
            task.add_done_callback(_SENDING.discard)

    # ------------------------------------------------------------------ trouble

    def ask_to_reconnect(self, session: Session) -> None:
        """Send opcode 7, as before a maintenance: the session can be resumed."""
        self._send(session, {"op": RECONNECT, "d": None, "s": None, "t": None})

    def invalidate(self, session: Session, *, resumable: bool) -> None:
        """Send opcode 9: unless it is resumable, everything that was not heard is lost."""
        session.resumable = resumable
        self._send(session, {"op": INVALID_SESSION, "d": resumable, "s": None, "t": None})

    def break_off(self, session: Session, *, resumable: bool = True) -> None:
        """Break the connections without a word."""
        session.resumable = resumable
        session.socket = None
        if session.transport is not None:
            session.transport.abort()

    async def close(self, session: Session, code: int) -> None:
        """Close the connection with a close code."""
        session.resumable = True
        socket, session.socket = session.socket, None
        if socket is not None:
            await socket.close(code=code)

    async def stop(self) -> None:
        for socket in list(self._sockets):
            with suppress(ConnectionError, RuntimeError):
                await socket.close(code=1001)

    # ------------------------------------------------------------------ connections

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if self.refusals > 0:
            self.refusals -= 1
            raise web.HTTPBadGateway
        socket = web.WebSocketResponse(max_msg_size=2**16)
        try:
            await socket.prepare(request)
        except ConnectionError:  # Whoever connected was killed in that moment; aiohttp would close what is not open.
            return web.Response()
        self._sockets.add(socket)
        session: Session | None = None
        try:
            await _send(socket, {"op": HELLO, "d": {"heartbeat_interval": 41_250}, "s": None, "t": None})
            async for message in socket:
                if message.type is not WSMsgType.TEXT or self.silent:
                    continue
                payload = message.json()
                match payload["op"]:
                    case op if op == HEARTBEAT:
                        await _send(socket, {"op": HEARTBEAT_ACK, "d": None, "s": None, "t": None})
                    case op if op == IDENTIFY:
                        session = await self._identify(socket, payload["d"])
                    case op if op == RESUME:
                        session = await self._resume(socket, payload["d"])
                if session is not None:
                    session.transport = request.transport
        finally:
            self._sockets.discard(socket)
            if session is not None and session.socket is socket:
                session.socket = None
            self.changed()
        return socket

    async def _identify(self, socket: web.WebSocketResponse, data: Json) -> Session | None:
        self.identified.append(data)
        if data["token"] != self.world.token:
            await socket.close(code=AUTHENTICATION_FAILED)
            return None
        shard, shards = data.get("shard") or (0, 1)
        session = Session(secrets.token_hex(8), shard, shards, socket)
        # A shard's earlier sessions go on while they are connected, as two processes with one token would see it.
        self.sessions = [each for each in self.sessions if each.connected or each.shard != shard]
        self.sessions.append(session)
        there = [guild for guild in self.world.guilds.values() if self.world.bot.id in guild.members]
        guilds = [guild for guild in there if session.hears_of(guild)]
        self._dispatch(session, "READY", self._ready(session, guilds))
        for guild in guilds:
            self._dispatch(session, "GUILD_CREATE", payloads.guild(guild, self.world))
        self.changed()
        return session

    async def _resume(self, socket: web.WebSocketResponse, data: Json) -> Session | None:
        for session in self.sessions:
            if session.id == data["session_id"] and session.resumable:
                missed = [payload for payload in session.told if payload["s"] > (data["seq"] or 0)]
                session.socket = socket
                for payload in missed:
                    self._send(session, payload)
                self._dispatch(session, "RESUMED", {})
                self.changed()
                return session
        await _send(socket, {"op": INVALID_SESSION, "d": False, "s": None, "t": None})
        return None

    def _ready(self, session: Session, guilds: list[Guild]) -> Json:
        return {
            "v": 10,
            "user": payloads.user(self.world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": [session.shard, session.shards],
            "application": {"id": str(self.world.application_id), "flags": 0},
        }


_SENDING: set[asyncio.Future[Any]] = set()


async def _send(socket: web.WebSocketResponse, payload: Json) -> None:
    with suppress(ConnectionError, RuntimeError):
        await socket.send_str(json.dumps(payload))
