"""Rate limits and the headers that tell of them.

https://discord.com/developers/docs/topics/rate-limits: a bucket for each kind of request and major parameter (channel,
server, webhook with its token), and 50 requests a second for everything but interactions.
"""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import dataclass

from tests.discord.calls import Answer, Call

GENEROUS = (1000, 1.0)
"""Requests in seconds: more than the bot makes, so that nothing is limited unless a test wants it."""


@dataclass
class _Window:
    ends: float
    used: int = 0


class Limits:
    """Counts requests. ``of[method, path]`` sets the limit of one kind, in requests and seconds."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str], tuple[int, float]] = {}
        self.together: tuple[int, float] | None = None
        """The global limit; Discord's is (50, 1.0)."""
        self.exceeded = 0
        self._windows: dict[tuple[str, str], _Window] = {}
        self._global = _Window(0.0)

    def take(self, call: Call) -> tuple[Answer | None, dict[str, str]]:
        """Count a request: a refusal when there were too many, and the headers for its answer."""
        kind, major = bucket(call)
        limit, seconds = self._limit(call)
        now = time.monotonic()
        headers = {"Via": "1.1 google"}
        interaction = call.path.startswith(("/interactions/", "/webhooks/"))
        if self.together is not None and not interaction:
            if self._global.ends <= now:
                self._global = _Window(now + self.together[1])
            self._global.used += 1
            if self._global.used > self.together[0]:
                self.exceeded += 1
                return limited(self._global.ends - now, scope="global"), headers
        if kind == "interactions":
            return None, headers  # Discord does not limit answers to interactions.
        window = self._windows.get((kind, major))
        if window is None or window.ends <= now:
            window = self._windows[kind, major] = _Window(now + seconds)
            if len(self._windows) > 10_000:
                self._windows = {key: each for key, each in self._windows.items() if each.ends > now}
        window.used += 1
        left = window.ends - now
        headers |= {
            "X-RateLimit-Bucket": hashlib.sha256(kind.encode()).hexdigest()[:32],
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - window.used)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
        }
        if window.used > limit:
            self.exceeded += 1
            refusal = limited(left, scope="user")
            return refusal, headers | refusal.headers
        return None, headers

    def _limit(self, call: Call) -> tuple[int, float]:
        for (method, path), limit in self.of.items():
            if call.is_like(method, path):
                return limit
        return GENEROUS


def bucket(call: Call) -> tuple[str, str]:
    """The kind of a request and its major parameter."""
    parts = call.path.strip("/").split("/")
    match parts:
        case ["interactions", *_]:
            return "interactions", parts[1]
        case ["webhooks", webhook, token, *rest]:
            return f"{call.method} webhooks {len(rest)}", f"{webhook}/{token}"
        case [("channels" | "guilds") as what, major, *rest]:
            named = [part if not part.isdigit() else "*" for part in rest]
            return f"{call.method} {what} {'/'.join(named)}", major
        case _:
            return f"{call.method} {'/'.join(part if not part.isdigit() else '*' for part in parts)}", ""


def limited(seconds: float, *, scope: str, header: bool = True, fraction: bool = False, code: int = 0) -> Answer:
    """A 429. The header has whole seconds, as HTTP wants it, unless ``fraction``; the body always the exact ones."""
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
