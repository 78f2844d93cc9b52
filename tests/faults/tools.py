"""Failures of Discord, and answers that take their time."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests import simulation
from tests.bot.server import Server
from tests.simulation import Request

ANSWER = "/interactions/*/*/callback"
NEW_MESSAGE = "/channels/*/messages"


@dataclass(frozen=True)
class Failure:
    """One way Discord says no."""

    name: str
    status: int
    code: int = 0

    def __str__(self) -> str:
        return self.name


def fail(server: Server, method: str, path: str, failure: Failure, times: int | None = 1) -> None:
    """The next calls like this fail, before Discord has done anything."""
    server.env.inject_error(method, path, status=failure.status, code=failure.code, message=failure.name, times=times)


def mend(server: Server) -> None:
    """Discord works again."""
    server.env.backend.faults.clear()


@contextmanager
def delayed_answers(delays: list[float]) -> Iterator[None]:
    """The next answers reach Discord only after so many virtual seconds each, in the order in which they were sent."""
    left = list(delays)

    def wrap(send: Request) -> Request:
        async def slow(adapter: Any, route: Any, *arguments: Any, **options: Any) -> Any:
            if route.url.endswith("/callback") and left and (delay := left.pop(0)):
                await asyncio.sleep(delay)
            return await send(adapter, route, *arguments, **options)

        return slow

    with simulation.answers(wrap):
        yield
