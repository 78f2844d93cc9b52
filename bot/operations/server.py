"""The port for operators: /metrics, /health and /ready, for whoever can reach it. It serves figures, nobody's data."""

from __future__ import annotations

import errno
import logging
import math
from collections.abc import Callable, Sequence
from typing import Protocol

import discord
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, Gauge

from bot.operations.backlog import Backlog, load_backlog
from bot.operations.health import OK, Cached, Health
from bot.services.core import Core

log = logging.getLogger(__name__)

FRESH_SECONDS = 5.0
"""So long the backlog is not counted again: whoever scrapes more often gets the same figures."""


class PortError(OSError):
    """The port cannot be opened; the sentence says why."""


class Client(Protocol):
    """What is needed of the client."""

    @property
    def latencies(self) -> list[tuple[int, float]]:
        """Seconds between a heartbeat and its answer, by shard."""

    @property
    def guilds(self) -> Sequence[discord.Guild]:
        """The servers it is in."""


class Readings:
    """What is not counted as it happens but read when somebody scrapes."""

    def __init__(self, core: Core, client: Client, health: Health) -> None:
        registry = core.metrics.registry
        self._core = core
        self._client = client
        self._health = health
        self._counted = Cached(self._count, FRESH_SECONDS)

        def gauge(name: str, meaning: str, *labels: str) -> Gauge:
            return Gauge(f"highscore_{name}", meaning, labels, registry=registry)

        self._backlog: dict[str, Gauge] = {
            "tables": gauge("owed_tables", "Tables of which the newest version has not been shown"),
            "reminders": gauge("owed_reminders", "Reminders that have not been sent"),
            "posts": gauge("owed_posts", "Lines and podiums that have not been posted"),
            "reviews": gauge("owed_reviews", "Finished games of which luck and skill have not been worked out"),
            "overdue": gauge("overdue_tables", "Tables at which a deadline or anything else is due"),
            "oldest_seconds": gauge("oldest_overdue_seconds", "For how long the oldest of them has been due"),
        }
        self._latency = gauge("gateway_latency_seconds", "From a heartbeat to its answer", "shard")
        self._guilds = gauge("guilds", "Servers the bot is in")
        self._healthy = gauge("healthy", "Whether a part is well, as in /health", "part")

    async def text(self) -> bytes:
        """All metrics, with the readings of this moment. What cannot be read is NaN."""
        try:
            backlog: Backlog | None = await self._counted.answer()
        except Exception as error:
            log.warning("what is owed could not be counted: %s", error)
            backlog = None
        for name, one in self._backlog.items():
            one.set(math.nan if backlog is None else getattr(backlog, name))
        for shard, seconds in self._client.latencies:
            self._latency.labels(str(shard)).set(seconds)
        self._guilds.set(len(self._client.guilds))
        for part, how in (await self._health.parts()).items():
            self._healthy.labels(part).set(how == OK)
        return self._core.metrics.text()

    async def close(self) -> None:
        """Read nothing any more."""
        await self._counted.close()

    async def _count(self) -> Backlog:
        async with self._core.database.read() as connection:
            return await load_backlog(connection, self._core.now())


class ObservingServer:
    """Serves the port."""

    def __init__(self, readings: Readings, health: Health, stopping: Callable[[], bool]) -> None:
        self._readings = readings
        self._health = health
        self._stopping = stopping
        app = web.Application()
        app.on_response_prepare.append(_say_goodbye)
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/health", self._well)
        app.router.add_get("/ready", self._ready)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        self.port: int | None = None
        """What was opened."""

    async def start(self, host: str, port: int) -> None:
        """Open the port, or any free one for 0. Raises PortError with a sentence."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            await self._runner.cleanup()
            if error.errno == errno.EADDRINUSE:
                why = f"port {port} of {host} is taken by another program; choose another METRICS_PORT, or none"
            else:
                why = f"port {port} of {host} cannot be opened ({error.strerror}); check METRICS_PORT and METRICS_HOST"
            raise PortError(why) from error
        self.port = self._runner.addresses[0][1]
        log.info("metrics at http://%s:%d/metrics, health at /health and /ready", host, self.port)

    async def close(self) -> None:
        """Close the port."""
        await self._runner.cleanup()
        await self._readings.close()
        await self._health.close()

    async def _metrics(self, _request: web.Request) -> web.Response:
        return web.Response(body=await self._readings.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _well(self, _request: web.Request) -> web.Response:
        return _told(await self._health.parts())

    async def _ready(self, _request: web.Request) -> web.Response:
        parts = await self._health.parts(patience=0.0)
        if self._stopping():
            parts["bot"] = "stopping"
        return _told(parts)


async def _say_goodbye(_request: web.Request, response: web.StreamResponse) -> None:
    """A connection that is kept open would keep the stop waiting, and is not worth it for a scrape now and then."""
    response.force_close()


def _told(parts: dict[str, str]) -> web.Response:
    ill = [part for part, how in parts.items() if how != OK]
    return web.json_response({"status": "ill" if ill else OK, "ill": ill, "parts": parts}, status=503 if ill else 200)
