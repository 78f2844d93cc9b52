"""What operators look at: /metrics, /health and /ready on a separate port. It serves no personal data.

Health covers the connection to the gateway, the database and the clock of workers.worker. The metrics include how much
work is waiting.
"""

import asyncio
import errno
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

import discord
from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError
from prometheus_client import CONTENT_TYPE_LATEST, Gauge, generate_latest
from sqlalchemy import ColumnElement, Connection, Table, and_, func, select, text

from bot.discord_api.gateway import Gateway
from bot.observing.logs import safe_message
from bot.services.core import Core
from bot.store import models
from bot.store.claims import SHOW_LEASE
from bot.store.database import Database
from highscore.turn_order import TurnOrder

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

OK = "ok"
DATABASE_SECONDS = 1.0
"""A database that does not answer within this many seconds is unhealthy: presses wait for it too."""
FRESH_SECONDS = 1.0
"""The seconds for which an answer of the database is reused."""
GATEWAY_SECONDS = 60.0
"""A shard that is disconnected for longer is unhealthy. Discord makes clients reconnect now and then."""
CLOCK_SECONDS = 300.0
"""If the clock or a worker is late by more than this, the clock is unhealthy."""

GAUGES = {
    "owed_tables": "Tables whose newest content has not been shown",
    "owed_reminders": "Calls and reminders that are due and have not been sent",
    "owed_posts": "Shared scores, podiums and other posts that are due and have not been sent",
    "owed_reviews": "Finished games whose luck and skill have not been computed",
    "overdue_tables": "Tables at which a deadline or anything else is due",
    "oldest_overdue_seconds": "For how long the most overdue table has been due",
}
"""The metrics of the backlog and their meanings."""
BACKLOG_FRESH_SECONDS = 5.0
"""The seconds for which a count of the backlog is reused."""
CONNECTION_SECONDS = 10.0
"""A connection is closed after this many seconds. An answer takes two at most."""
MOST_CONNECTIONS = 32
"""The most connections that are open. One more closes the oldest, so slow clients do not keep others out."""


class Cached(Generic[Answer]):
    """A query that runs once for all callers that ask at the same time. Its result is reused for some seconds, also if
    it is an error.
    """

    def __init__(self, query: Callable[[], Awaitable[Answer]], seconds: float) -> None:
        self._query = query
        self._seconds = seconds
        self._task: asyncio.Task[Answer] | None = None
        self._ended = 0.0

    async def ask(self) -> Answer:
        """Return the result of the query or raise its error. Raise TimeoutError after ``DATABASE_SECONDS``."""
        task = self._task
        if task is None or (task.done() and time.monotonic() - self._ended >= self._seconds):
            task = self._task = asyncio.ensure_future(self._timed())
        done, _waiting = await asyncio.wait({task}, timeout=DATABASE_SECONDS)
        if not done:
            raise TimeoutError(f"no answer within {DATABASE_SECONDS:g} s")
        return task.result()

    async def _timed(self) -> Answer:
        try:
            return await self._query()
        finally:
            self._ended = time.monotonic()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=DATABASE_SECONDS)


class Health:
    """The checks of the bot's parts. ``late`` returns by how many seconds the clock is late."""

    def __init__(
        self, database: Database, late: Callable[[], float], gateway: Gateway, ready: Callable[[], bool]
    ) -> None:
        self._late = late
        self._gateway = gateway
        self._ready = ready
        self._answer = Cached(partial(database.read, Connection.scalar, text("SELECT 1")), FRESH_SECONDS)

    async def check_parts(self, patience: float = GATEWAY_SECONDS) -> dict[str, str]:
        """Return for each part ``ok`` or its problem. A shard may be disconnected for ``patience`` seconds."""
        return {
            "gateway": self._check_gateway(patience),
            "database": await self._check_database(),
            "clock": OK if (late := self._late()) < CLOCK_SECONDS else f"{late:.0f} s late",
        }

    async def close(self) -> None:
        await self._answer.close()

    def _check_gateway(self, patience: float) -> str:
        if not self._ready():
            return "not connected to Discord yet"
        down = [
            (shard, seconds) for shard, seconds in sorted(self._gateway.look_for_lost().items()) if seconds >= patience
        ]
        return ", ".join(f"shard {shard} has been cut off for {seconds:.0f} s" for shard, seconds in down) or OK

    async def _check_database(self) -> str:
        try:
            await self._answer.ask()
        except Exception as error:
            return safe_message(error)
        return OK


def load_backlog(connection: Connection, now: datetime) -> dict[str, float]:
    overdue = models.games.c.wake_at <= now
    owing = models.attempts, models.dailies, models.seasons, models.shared_messages, models.cup_posts
    lines, days, ended, shared, cups = (_count(table, table.c.post_at <= now) for table in owing)
    counts = select(
        _count(models.games, and_(models.IS_UNSHOWN, ~_is_shown_later(now))).label("owed_tables"),
        _count(models.reminders, and_(models.reminders.c.sent_at.is_(None), models.reminders.c.due_at <= now)).label(
            "owed_reminders"
        ),
        (lines + days + ended + shared + cups).label("owed_posts"),
        _count(models.finished_games, models.REVIEW_PENDING).label("owed_reviews"),
        _count(models.games, overdue).label("overdue_tables"),
        select(func.min(models.games.c.wake_at)).where(overdue).scalar_subquery().label("oldest"),
    )
    values = dict(connection.execute(counts).one()._mapping)
    oldest: datetime | None = values.pop("oldest")
    return {**values, "oldest_overdue_seconds": 0.0 if oldest is None else (now - oldest).total_seconds()}


def _count(table: Table, condition: ColumnElement[bool]) -> ColumnElement[int]:
    return select(func.count()).select_from(table).where(condition).scalar_subquery()


def _is_shown_later(now: datetime) -> ColumnElement[bool]:
    """Match tables in own pace that are unshown on purpose, because their progress is shown some minutes later."""
    return and_(
        models.games.c.turn_order == TurnOrder.OWN_PACE.value,
        func.coalesce(models.games.c.show_until, now) > now + SHOW_LEASE,
    )


# Any client can send something that is not HTTP. It gets the answer 400, but aiohttp would also log a traceback.
_requests = log.getChild("requests")
_requests.addFilter(lambda record: not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError)))


class PortError(OSError):
    """The port cannot be opened. The message says why."""


class BoundedServer(web.Server):
    """A server with few, short connections. Each takes a file descriptor, and a process has only some thousand."""

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
    """Serves the health and the metrics. Some metrics are read at each scrape, such as the backlog; the others are
    counted when something happens.
    """

    def __init__(
        self, core: Core, client: discord.AutoShardedClient, health: Health, stopping: Callable[[], bool]
    ) -> None:
        registry = core.metrics.registry
        self._registry = registry
        self._client = client
        self._health = health
        self._stopping = stopping
        self._runner = web.ServerRunner(BoundedServer(self._answer_request), shutdown_timeout=0.2)
        self.port: int | None = None
        self._backlog = Cached(lambda: core.database.read(load_backlog, core.now()), BACKLOG_FRESH_SECONDS)

        def gauge(name: str, meaning: str, *labels: str) -> Gauge:
            return Gauge(f"highscore_{name}", meaning, labels, registry=registry)

        self._waiting = {name: gauge(name, meaning) for name, meaning in GAUGES.items()}
        self._latency = gauge("gateway_latency_seconds", "From a heartbeat to its answer", "shard")
        self._guilds = gauge("guilds", "Servers the bot is in")
        self._healthy = gauge("healthy", "Whether a part is well, as in /health", "part")

    async def start(self, host: str, port: int) -> None:
        """Open the port (0: any free one). Raise PortError."""
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
        await self._backlog.close()
        await self._health.close()

    async def _answer_request(self, request: web.BaseRequest) -> web.Response:
        if request.path not in ("/metrics", "/health", "/ready"):
            response = web.Response(status=404)
        elif request.method not in (hdrs.METH_GET, hdrs.METH_HEAD):
            response = web.Response(status=405, headers={hdrs.ALLOW: "GET, HEAD"})
        elif request.path == "/metrics":
            metrics = await self._read_metrics()
            response = web.Response(body=metrics, headers={hdrs.CONTENT_TYPE: CONTENT_TYPE_LATEST})
        else:
            response = await self._serve_health(ready=request.path == "/ready")
        # An open connection would delay the stop of the bot, and saves little for occasional scrapes.
        response.force_close()
        return response

    async def _read_metrics(self) -> bytes:
        """Return all metrics with their current values. A value that cannot be read is NaN."""
        counts: Mapping[str, float] = {}
        try:
            counts = await self._backlog.ask()
        except Exception as error:
            log.warning("the metrics of waiting work could not be read from the database: %s", error)
        for name, waiting in self._waiting.items():
            waiting.set(counts.get(name, math.nan))
        for shard, seconds in self._client.latencies:
            self._latency.labels(str(shard)).set(seconds)
        self._guilds.set(len(self._client.guilds))
        for part, problem in (await self._health.check_parts()).items():
            self._healthy.labels(part).set(problem == OK)
        return generate_latest(self._registry)

    async def _serve_health(self, *, ready: bool) -> web.Response:
        """Return the state of all parts. With ``ready``, every shard has to be connected now, and the bot must not be
        stopping.
        """
        parts = await self._health.check_parts(patience=0.0 if ready else GATEWAY_SECONDS)
        if ready and self._stopping():
            parts["bot"] = "stopping"
        ill = [part for part, problem in parts.items() if problem != OK]
        return web.json_response(
            {"status": "ill" if ill else OK, "ill": ill, "parts": parts}, status=503 if ill else 200
        )
