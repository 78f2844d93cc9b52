"""Starts and stops the playground."""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import discord
from aiohttp import web

from playground.actions import Actions
from playground.clock import Ticker
from playground.errors import PlaygroundError
from playground.hub import Hub
from playground.security import own_origins
from playground.server import Server
from playground.store import Store
from playground.world import ENGLISH, Introduction, Shortcut, World

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
"""Only this machine can reach the playground, because every visitor can act as everybody in it."""

#: The seconds that a server that stops waits for open requests. It closes the WebSockets before that.
_SHUTDOWN_TIMEOUT = 2.0


@asynccontextmanager
async def playground(
    make_bot: Callable[[], discord.Client],
    *,
    state: Path,
    port: int = 0,
    forwarded: Sequence[str] = (),
    shortcuts: Sequence[Shortcut] = (),
    introduction: Introduction | None = None,
    locales: Mapping[str, str] = ENGLISH,
) -> AsyncIterator[str]:
    """Run the bot that `make_bot` returns on a simulated Discord, and serve the page. Yield the page's address.

    - `state`: the file in which everything is stored
    - `port`: the port of the page; 0 for any free port
    - `forwarded`: addresses at which other machines forward to the port. Without them only this machine can open the
      page.
    - `shortcuts`: buttons for newcomers
    - `introduction`: explains to newcomers what the bot is
    - `locales`: the names of the bot's languages by Discord locale. The page's own texts are English in languages that
      have no `words-….js`.

    Raise PlaygroundError if the port or the file cannot be used.
    """
    async with AsyncExitStack() as stack:
        # The port comes first, because the bot takes longer to start and the port may be in use.
        listener = stack.enter_context(_listen(port))
        port = int(listener.getsockname()[1])
        origins = own_origins(port, forwarded)
        store = Store(state)
        stack.callback(store.close)
        world = World.open(store)
        world.shortcuts, world.introduction, world.locales = tuple(shortcuts), introduction, locales
        acting = asyncio.Lock()
        ticker = Ticker(world.engine, acting, world.offset)
        hub = Hub(world, ticker)
        server = Server(world, Actions(world, ticker, acting), hub, origins)
        world.engine.on_change = ticker.on_tick = hub.request_publish

        await world.engine.start(make_bot())
        stack.callback(world.save)
        stack.push_async_callback(_stop_bot, world, acting)
        for work in (ticker.run(), hub.run()):
            stack.push_async_callback(_cancel, asyncio.create_task(work))

        # The page never sends compressed requests.
        runner = web.AppRunner(server.app, access_log=None, shutdown_timeout=_SHUTDOWN_TIMEOUT, auto_decompress=False)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.SockSite(runner, listener).start()
        yield f"http://{HOST}:{port}/"


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # Otherwise the port stays in use for a minute after a playground has stopped. On Windows the option has
            # another meaning: two playgrounds could share the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PlaygroundError(
                f"Port {port} is in use, perhaps by another playground. Stop that one, or choose another port."
            ) from error
        raise PlaygroundError(f"The playground cannot listen on {HOST}, port {port}: {error.strerror}.") from error
    except OverflowError as error:
        listener.close()
        raise PlaygroundError(f"{port} is not a port. Choose one between 1024 and 65535.") from error
    return listener


async def _stop_bot(world: World, acting: asyncio.Lock) -> None:
    async with acting:
        await world.engine.stop()


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
