"""Request to the fake's REST interface, its answer, and hooks around the two."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from aiohttp import web

from tests.discord.errors import Refusal
from tests.discord.state import Json


@dataclass
class Answer:
    status: int = 200
    body: Any = None
    """JSON, or a page of HTML as text; None for an empty body."""
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def refusing(cls, refusal: Refusal) -> Answer:
        return cls(refusal.status, {"message": refusal.message, "code": refusal.code})

    def response(self) -> web.Response:
        """Return the response as Discord sends it, without a charset: discord.py would read no JSON with one."""
        if isinstance(self.body, str):
            return web.Response(status=self.status, text=self.body, content_type="text/html", headers=self.headers)
        body = b"" if self.body is None else json.dumps(self.body).encode()
        return web.Response(
            status=self.status,
            body=body,
            # As Discord says it of what has no content, too: https://github.com/discord/discord-api-docs/issues/5887
            content_type="application/json" if body else "text/html",
            headers=self.headers,
        )


def limited(seconds: float, *, scope: str, header: bool = True, fraction: bool = False, code: int = 0) -> Answer:
    """Return a 429. The header has whole seconds, as HTTP wants it, unless ``fraction``; the body always the exact
    ones.

    https://discord.com/developers/docs/topics/rate-limits
    """
    found = Answer(429, {"message": "You are being rate limited.", "retry_after": round(seconds, 3)})
    found.body["global"] = scope == "global"
    if code:
        found.body["code"] = code
    found.headers = {"Via": "1.1 google", "X-RateLimit-Scope": scope}
    if header:
        found.headers["Retry-After"] = f"{seconds:.3f}" if fraction else str(math.ceil(seconds))
    if scope == "global":
        found.headers["X-RateLimit-Global"] = "true"
    return found


@dataclass(eq=False)
class Call:
    method: str
    path: str
    """Without the host, the version and the query."""
    body: Any = None
    files: list[Json] = field(default_factory=list)
    """Name, size and description of the files that came with it."""
    query: dict[str, str] = field(default_factory=dict)
    started: float = field(default_factory=time.time)
    answer: Answer | None = None
    """None while it has none, and when the connection was broken off in place of one."""
    fault: str | None = None
    """The fault it was given."""

    @property
    def status(self) -> int | None:
        return None if self.answer is None else self.answer.status

    @property
    def code(self) -> int | None:
        body = None if self.answer is None else self.answer.body
        return body.get("code") if isinstance(body, dict) and self.answer and self.answer.status >= 400 else None

    def is_like(self, method: str, path: str) -> bool:
        """Return whether it is like ``POST``, ``/channels/*/messages``, where ``*`` is any one part of the path."""
        return self.method == method and _pattern(path).fullmatch(self.path) is not None


_patterns: dict[str, re.Pattern[str]] = {}


def _pattern(path: str) -> re.Pattern[str]:
    if path not in _patterns:
        _patterns[path] = re.compile(re.escape(path).replace(r"\*", "[^/]+"))
    return _patterns[path]


class When(Enum):
    """The moments at which hooks are called."""

    BEFORE = "before it is acted on"
    ACTED = "after it was acted on, before it is answered"


Hook = Callable[[Call], Awaitable[None]]


@dataclass(eq=False)
class Hooked:
    when: When
    method: str
    path: str
    do: Hook
    times: int | None
    called: int = 0


class Hooks:
    def __init__(self) -> None:
        self._hooks: list[Hooked] = []

    def add(self, when: When, method: str, path: str, do: Hook, times: int | None = 1) -> Hooked:
        """Call and await ``do`` the next ``times`` times (None: always) that a request like this comes by."""
        hooked = Hooked(when, method, path, do, times)
        self._hooks.append(hooked)
        return hooked

    def remove(self, hooked: Hooked) -> None:
        if hooked in self._hooks:
            self._hooks.remove(hooked)

    async def run(self, when: When, call: Call) -> None:
        for hooked in list(self._hooks):
            if hooked.when is when and call.is_like(hooked.method, hooked.path):
                hooked.called += 1
                if hooked.times is not None and hooked.called >= hooked.times:
                    self.remove(hooked)
                await hooked.do(call)
