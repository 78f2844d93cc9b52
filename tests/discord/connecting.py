"""Making discord.py in this process take the fake for Discord, and wait less."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import aiohttp
import discord.client
import discord.gateway
import discord.http
import discord.shard
import discord.webhook.async_
import yarl

from tests.discord.server import Discord

PAUSED = (discord.client, discord.gateway, discord.http, discord.shard, discord.webhook.async_)
"""The modules of discord.py that sleep: between retries, for rate limits, before connecting again."""


@contextmanager
def found_by_discord_py(fake: Discord) -> Iterator[None]:
    """Let discord.py ask the fake inside, which has to be serving already."""
    send = discord.http.HTTPClient.request

    async def request(client: discord.http.HTTPClient, route: discord.http.Route, **options: Any) -> Any:
        try:
            return await send(client, route, **options)
        except (OSError, TimeoutError, asyncio.CancelledError, aiohttp.ClientError):
            # Only here it is certain that nobody waits for the answer any more. On a busy machine a client gives up
            # while the answer is on its way, and for the fake all was well.
            form = {part["name"]: part["value"] for part in options.get("form") or ()}
            fake.api.messages.answer_lost(options.get("json") or json.loads(form.get("payload_json", "{}")))
            raise

    with (
        patch.object(discord.http.HTTPClient, "request", request),
        patch.object(discord.http.Route, "BASE", fake.rest),
        patch.object(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(fake.gateway)),
    ):
        yield


class Hurried:
    """asyncio, as discord.py sees it, with shorter sleeps."""

    def __init__(self, factor: float) -> None:
        self._factor = factor

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float, result: Any = None) -> Any:
        return await asyncio.sleep(seconds * self._factor, result)

    async def wait(self, tasks: Any, *, timeout: float | None = None, **options: Any) -> Any:  # noqa: ASYNC109
        """Wait for a rate limit: up to half a minute, where Discord has not said how long."""
        return await asyncio.wait(tasks, timeout=None if timeout is None else timeout * self._factor, **options)


@contextmanager
def hurried(factor: float) -> Iterator[None]:
    """Let discord.py's pauses inside take this part of their time. It pauses as often as ever."""
    with ExitStack() as stack:
        for module in PAUSED:
            stack.enter_context(patch.object(module, "asyncio", Hurried(factor)))
        yield


def give_up_after(client: discord.Client, seconds: float) -> None:
    """Let a client's requests time out from now on; aiohttp's own limit, which discord.py relies on, is 5 minutes."""
    session: aiohttp.ClientSession = client.http._HTTPClient__session  # type: ignore[attr-defined]
    session._timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=seconds)
