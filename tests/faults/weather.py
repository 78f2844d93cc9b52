"""Discord as it is on bad days: random faults in its answers, and what it made of the calls in spite of them."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from simcord.backend.errors import BackendError
from simcord.http.client import _raise_for

from tests import simulation
from tests.simulation import Request

BEFORE = ("500", "502", "503", "429", "reset")
"""Faults with which Discord does nothing of what it was asked."""
AFTER = ("lost", "timeout")
"""Faults after which it has done it all the same."""
LATE = ("10062", "40060")
"""What an answer to an interaction is told that comes too late, or twice."""
NONCE_SECONDS = 180.0
"""How long Discord knows a nonce: "the past few minutes"."""
_VERSION = re.compile(r"hs:[a-z]+:[0-9a-f]{12}:(\d+):")
CODES = {"10062": (404, 10062), "40060": (400, 40060)}


@dataclass(frozen=True)
class Sent:
    """A message Discord has made for the bot."""

    channel_id: int
    message_id: int
    nonce: str
    called: tuple[int, ...]
    """Who was notified."""
    version: int | None
    """Of the table, as its buttons say it; None for a message without buttons."""


@dataclass
class Weather:
    """Between the bot and Discord."""

    chance: random.Random
    now: Callable[[], datetime]
    rate: float = 0.0
    """Of the calls, how many fail."""
    faults: Counter[str] = field(default_factory=Counter)
    sent: list[Sent] = field(default_factory=list)
    _by_nonce: dict[tuple[int, str], tuple[datetime, Any]] = field(default_factory=dict)

    @contextmanager
    def blowing(self) -> Iterator[None]:
        """Inside, calls fail; repeated messages are recognised by their nonce, as Discord does and simcord does not."""

        def channel(request: Request) -> Request:
            async def call(client: Any, route: Any, **options: Any) -> Any:
                return await self._call(route, lambda: self._take(client, route, request, options), BEFORE + AFTER)

            return call

        def answer(request: Request) -> Request:
            async def call(adapter: Any, route: Any, *arguments: Any, **options: Any) -> Any:
                kinds = BEFORE + AFTER + (LATE if str(route.url).endswith("/callback") else ())
                return await self._call(route, lambda: request(adapter, route, *arguments, **options), kinds)

            return call

        with simulation.channel_calls(channel), simulation.answers(answer):
            yield

    async def _call(self, route: Any, request: Any, kinds: tuple[str, ...]) -> Any:
        # Nothing is decided for commands that a starting bot registers: without them it would not start.
        fault = "commands" not in route.url and self.chance.random() < self.rate
        kind = self.chance.choice(kinds) if fault else None
        if kind is None:
            return await request()
        self.faults[kind] += 1
        if kind in AFTER:
            await request()
        if kind == "reset":
            raise ConnectionResetError(104, "Connection reset by peer")
        if kind == "lost":
            raise OSError("the answer was lost")
        if kind == "timeout":
            raise TimeoutError
        status, code = CODES.get(kind) or (int(kind), 0)
        _raise_for(BackendError(status, code, f"{kind} (injected)"))
        return None

    async def _take(self, client: Any, route: Any, request: Request, options: dict[str, Any]) -> Any:
        if route.method != "POST" or not route.url.endswith("/messages"):
            return await request(client, route, **options)
        body = _body(options)
        nonce = str(body.get("nonce", ""))
        known = (int(route.channel_id), nonce)
        if nonce and known in self._by_nonce:
            at, earlier = self._by_nonce[known]
            if (self.now() - at).total_seconds() < NONCE_SECONDS:
                return earlier
        made = await request(client, route, **options)
        if nonce:
            self._by_nonce[known] = self.now(), made
        called = (body.get("allowed_mentions") or {}).get("users", [])
        version = _VERSION.search(str(body.get("components")))
        self.sent.append(
            Sent(
                int(route.channel_id),
                int(made["id"]),
                nonce,
                tuple(int(user) for user in called),
                None if version is None else int(version[1]),
            )
        )
        return made


def _body(options: dict[str, Any]) -> dict[str, Any]:
    """What is posted: as JSON, or beside files in a form."""
    for part in options.get("form") or ():
        if part.get("name") == "payload_json":
            found: dict[str, Any] = json.loads(part["value"])
            return found
    return dict(options.get("json") or {})
