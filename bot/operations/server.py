"""The port for operators: /metrics, /health and /ready. It serves no personal data."""

import asyncio
import errno
import logging
import math
from collections.abc import Awaitable, Callable, Mapping

import discord
from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError
from prometheus_client import CONTENT_TYPE_LATEST, Gauge, generate_latest

from bot.operations.health import GATEWAY_SECONDS, GAUGES, OK, Cached, Health, load_backlog
from bot.services.core import Core

log = logging.getLogger(__name__)

FRESH_SECONDS = 5.0
"""The seconds for which a count of the backlog is reused."""
CONNECTION_SECONDS = 10.0
"""The seconds for a request and its answer, which is there after two at most."""
MOST_CONNECTIONS = 32
"""The connections that are open at once. One more closes the oldest, so that no slow client keeps others out."""


# Any client can send a request that is none: it gets the answer 400, and aiohttp logs an error with a traceback.
_requests = log.getChild("requests")
_requests.addFilter(lambda record: not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError)))


class PortError(OSError):
    """The error of a port that cannot be opened; its sentence says why."""


class Readings:
    """The metrics that are read at a scrape; all others are counted as things happen."""

    def __init__(self, core: Core, client: discord.AutoShardedClient, health: Health) -> None:
        registry = core.metrics.registry
        self._core = core
        self._client = client
        self._health = health
        self._backlog = Cached(self._count, FRESH_SECONDS)

        def gauge(name: str, meaning: str, *labels: str) -> Gauge:
            return Gauge(f"highscore_{name}", meaning, labels, registry=registry)

        self._waiting = {name: gauge(name, meaning) for name, meaning in GAUGES.items()}
        self._latency = gauge("gateway_latency_seconds", "From a heartbeat to its answer", "shard")
        self._guilds = gauge("guilds", "Servers the bot is in")
        self._healthy = gauge("healthy", "Whether a part is well, as in /health", "part")

    async def read_metrics(self) -> bytes:
        """Return all metrics as of now. A value that cannot be read is NaN."""
        counts: Mapping[str, float] = {}
        try:
            counts = await self._backlog.ask()
        except Exception as error:
            log.warning("the backlog could not be counted: %s", error)
        for name, waiting in self._waiting.items():
            waiting.set(counts.get(name, math.nan))
        for shard, seconds in self._client.latencies:
            self._latency.labels(str(shard)).set(seconds)
        self._guilds.set(len(self._client.guilds))
        for part, problem in (await self._health.check_parts()).items():
            self._healthy.labels(part).set(problem == OK)
        return generate_latest(self._core.metrics.registry)

    async def close(self) -> None:
        await self._backlog.close()

    async def _count(self) -> dict[str, float]:
        return await self._core.database.read(load_backlog, self._core.now())


class BoundedServer(web.Server):
    """A server with few, short connections: each is a file, of which a process may open some thousand."""

    def __init__(self, answer: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]) -> None:
        super().__init__(answer, access_log=None, logger=_requests)
        self._open: dict[web.RequestHandler, tuple[asyncio.Transport, asyncio.TimerHandle]] = {}

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        late = asyncio.get_running_loop().call_later(CONNECTION_SECONDS, transport.abort)
        self._open[handler] = transport, late
        if len(self._open) > MOST_CONNECTIONS:
            self._end(next(iter(self._open))).abort()

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        if handler in self._open:
            self._end(handler)

    def _end(self, handler: web.RequestHandler) -> asyncio.Transport:
        transport, late = self._open.pop(handler)
        late.cancel()
        return transport


class ObservingServer:
    """The server of the port for operators."""

    def __init__(self, readings: Readings, health: Health, stopping: Callable[[], bool]) -> None:
        self._readings = readings
        self._health = health
        self._stopping = stopping
        self._runner = web.ServerRunner(BoundedServer(self._answer_request), shutdown_timeout=0.2)
        self.port: int | None = None
        """The port that is open."""

    async def start(self, host: str, port: int) -> None:
        """Open the port, or any free one for 0. Raises PortError."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port, backlog=MOST_CONNECTIONS).start()
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
        await self._runner.cleanup()
        await self._readings.close()
        await self._health.close()

    async def _answer_request(self, request: web.BaseRequest) -> web.Response:
        if request.path not in ("/metrics", "/health", "/ready"):
            response = web.Response(status=404)
        elif request.method not in (hdrs.METH_GET, hdrs.METH_HEAD):
            response = web.Response(status=405, headers={hdrs.ALLOW: "GET, HEAD"})
        elif request.path == "/metrics":
            metrics = await self._readings.read_metrics()
            response = web.Response(body=metrics, headers={hdrs.CONTENT_TYPE: CONTENT_TYPE_LATEST})
        else:
            response = await self._serve_health(ready=request.path == "/ready")
        # An open connection would delay the stop, and saves little for an occasional scrape.
        response.force_close()
        return response

    async def _serve_health(self, *, ready: bool) -> web.Response:
        """Return the state of all parts. A bot that is to be ready has every shard, and is not stopping."""
        parts = await self._health.check_parts(patience=0.0 if ready else GATEWAY_SECONDS)
        if ready and self._stopping():
            parts["bot"] = "stopping"
        ill = [part for part, problem in parts.items() if problem != OK]
        return web.json_response(
            {"status": "ill" if ill else OK, "ill": ill, "parts": parts}, status=503 if ill else 200
        )
