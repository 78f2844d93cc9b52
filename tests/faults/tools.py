"""Failures of Discord, and answers that take their time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests import simulation
from tests.bot.server import Server
from tests.simulation import Request

ANSWER = "/interactions/*/*/callback"
FOLLOWUP = "/webhooks/*"
NEW_MESSAGE = "/channels/*/messages"
EDIT = "/channels/*/messages/*"


@dataclass(frozen=True)
class Failure:
    """One way Discord says no."""

    name: str
    status: int
    code: int = 0

    def __str__(self) -> str:
        return self.name


PASSING = (
    Failure("internal-error", 500),
    Failure("bad-gateway", 502),
    Failure("unavailable", 503),
    Failure("rate-limited", 429),
)
LATE = (Failure("unknown-interaction", 404, 10062), Failure("already-acknowledged", 400, 40060))
UNKNOWN_MESSAGE = Failure("unknown-message", 404, 10008)
TOO_OLD = Failure("too-old-to-edit", 429, 30046)
MISSING_PERMISSIONS = Failure("missing-permissions", 403, 50013)
MISSING_ACCESS = Failure("missing-access", 403, 50001)
UNKNOWN_CHANNEL = Failure("unknown-channel", 404, 10003)


def fail(server: Server, method: str, path: str, failure: Failure, times: int | None = 1) -> None:
    """The next calls like this fail, before Discord has done anything."""
    server.env.inject_error(method, path, status=failure.status, code=failure.code, message=failure.name, times=times)


def mend(server: Server) -> None:
    """Discord works again."""
    server.env.backend.faults.clear()


@contextmanager
def delayed_answers(server: Server, delays: list[float]) -> Iterator[None]:
    """The next answers reach Discord only after so many virtual seconds each, in the order in which they were sent.

    Virtual seconds are waited for by turning the clock, so they have to be longer than the bot is given to settle.
    """
    left = list(delays)

    def wrap(send: Request) -> Request:
        async def slow(adapter: Any, route: Any, *arguments: Any, **options: Any) -> Any:
            if route.url.endswith("/callback") and left and (delay := left.pop(0)):
                await asyncio.sleep(delay)
            return await send(adapter, route, *arguments, **options)

        return slow

    before, server.env.settle_timeout = server.env.settle_timeout, min(filter(None, delays)) / 2
    try:
        with simulation.answers(wrap):
            yield
    finally:
        server.env.settle_timeout = before


@contextmanager
def lost_replies(what: Callable[[Any], bool], error: Exception) -> Iterator[None]:
    """Discord does what it is asked, but the reply to the first such call is lost on its way."""
    waiting = [what]

    def wrap(send: Request) -> Request:
        async def lossy(client: Any, route: Any, *arguments: Any, **options: Any) -> Any:
            reply = await send(client, route, *arguments, **options)
            if waiting and waiting[0](route):
                waiting.clear()
                raise error
            return reply

        return lossy

    with simulation.channel_calls(wrap), simulation.answers(wrap):
        yield


def is_new_message(route: Any) -> bool:
    return bool(route.method == "POST" and route.url.endswith("/messages"))


def is_answer(route: Any) -> bool:
    return bool(route.url.endswith("/callback"))
