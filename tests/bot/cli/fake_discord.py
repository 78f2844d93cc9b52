"""A Discord of our own on loopback: as much of its REST and gateway as logging in, connecting and doctor need.

Real sockets and discord.py's real clients: what they make of a 401 or of a connection that breaks is part of the test.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

TOKEN = "a-token-that-only-the-fake-takes"
APPLICATION = 1234567890
BOT_USER = {"id": str(APPLICATION), "username": "high-score", "discriminator": "0", "avatar": None, "bot": True}

HELLO, DISPATCH, IDENTIFY, HEARTBEAT, HEARTBEAT_ACK = 10, 0, 2, 1, 11
"""https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes"""


def _json(content: Any, status: int = 200) -> web.Response:
    # As Discord sends it, and not as aiohttp would: discord.py reads no JSON when a charset is named.
    return web.Response(body=json.dumps(content).encode(), status=status, content_type="application/json")


@dataclass
class FakeDiscord:
    """What it answers, and what it was asked."""

    guilds: list[dict[str, Any]] = field(default_factory=list)
    interactions_endpoint_url: str | None = None
    hang_up: bool = False
    """Whether it breaks every connection off without an answer."""
    down: bool = False
    """Whether it answers everything with 400 and a page that is no JSON, as a proxy in between may."""
    refusals: int = 0
    """How many connections the gateway refuses before it takes one."""
    close_code: int | None = None
    """What the gateway says goodbye with in place of READY."""
    asked: list[str] = field(default_factory=list)
    identified: list[dict[str, Any]] = field(default_factory=list)
    port: int = 0

    @property
    def rest(self) -> str:
        """For ``discord.http.Route.BASE``."""
        return f"http://127.0.0.1:{self.port}/api/v10"

    @property
    def gateway(self) -> str:
        """For ``DiscordWebSocket.DEFAULT_GATEWAY``."""
        return f"ws://127.0.0.1:{self.port}/gateway"

    # ------------------------------------------------------------------------------------------------------- REST

    async def _rest(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/api/v10")
        self.asked.append(f"{request.method} {path}")
        if self.hang_up:
            assert request.transport is not None
            request.transport.abort()
        if self.down:
            return web.Response(status=400, text="<h1>Bad Request</h1>", content_type="text/html")
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        match request.method, path:
            case "GET", "/users/@me":
                return _json(BOT_USER)
            case "GET", "/oauth2/applications/@me":
                return _json(self._application())
            case "GET", "/gateway/bot":
                limit = {"total": 1000, "remaining": 1000, "reset_after": 1000, "max_concurrency": 1}
                return _json({"url": self.gateway, "shards": 1, "session_start_limit": limit})
            case "GET", "/users/@me/guilds":
                return _json(self.guilds)
            case "PUT", _ if path == f"/applications/{APPLICATION}/commands":
                return _json([])
            case _:
                return _json({"message": "404: Not Found", "code": 0}, status=404)

    def _application(self) -> dict[str, Any]:
        return {
            "id": str(APPLICATION),
            "name": "High Score",
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "owner": {"id": "1", "username": "ada", "discriminator": "0", "avatar": None},
            "flags": 0,
            "interactions_endpoint_url": self.interactions_endpoint_url,
        }

    # ---------------------------------------------------------------------------------------------------- gateway

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        if self.refusals > 0:
            self.refusals -= 1
            raise web.HTTPBadGateway
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 30_000}, "s": None, "t": None})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            payload = message.json()
            if payload["op"] == HEARTBEAT:
                await socket.send_json({"op": HEARTBEAT_ACK, "d": None, "s": None, "t": None})
            elif payload["op"] == IDENTIFY:
                self.identified.append(payload["d"])
                if self.close_code is not None:
                    await socket.close(code=self.close_code)
                    break
                await socket.send_json({"op": DISPATCH, "d": self._ready(), "s": 1, "t": "READY"})
        return socket

    def _ready(self) -> dict[str, Any]:
        return {
            "v": 10,
            "user": BOT_USER,
            "guilds": [],
            "session_id": "s",
            "resume_gateway_url": self.gateway,
            "application": {"id": str(APPLICATION), "flags": 0},
            "shard": self.identified[-1].get("shard", [0, 1]),
        }

    # ---------------------------------------------------------------------------------------------------- running

    async def _serve(self, started: threading.Event, stop: asyncio.Event) -> None:
        app = web.Application()
        app.router.add_get("/gateway", self._gateway)
        app.router.add_route("*", "/api/v10/{path:.+}", self._rest)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        started.set()
        await stop.wait()
        await runner.cleanup()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve from a thread: what is tested has loops of its own, or is another process."""
        loop = asyncio.new_event_loop()
        started, stop = threading.Event(), asyncio.Event()
        thread = threading.Thread(target=loop.run_until_complete, args=(self._serve(started, stop),))
        thread.start()
        try:
            assert started.wait(10)
            yield
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(10)
            loop.close()
