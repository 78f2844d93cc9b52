"""Counting what is asked of Discord over HTTP, also what discord.py asks again by itself (429, 5xx)."""

from __future__ import annotations

from typing import Any

import aiohttp

from bot.observing.metrics import Metrics

UNANSWERED = "none"
"""Stands for the status of an answer that never came."""


def tracing(metrics: Metrics) -> aiohttp.TraceConfig:
    """For discord.py's ``http_trace``: counts every request by the status of its answer."""

    async def ended(_session: object, _context: object, about: aiohttp.TraceRequestEndParams) -> None:
        metrics.requested(str(about.response.status))

    async def broke(_session: object, _context: object, _about: aiohttp.TraceRequestExceptionParams) -> None:
        metrics.requested(UNANSWERED)

    config: Any = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(broke)
    traced: aiohttp.TraceConfig = config
    return traced
