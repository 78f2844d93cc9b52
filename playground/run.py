"""Starting and stopping the playground."""

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
from playground.doors import Door, Pitch
from playground.errors import PlaygroundError
from playground.hub import Hub
from playground.security import own_origins
from playground.server import Server
from playground.store import Store
from playground.world import ENGLISH, World

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
"""The address of this machine only: whoever reaches the playground can act as everybody in it."""

#: Pages are told to go before this starts to run.
_FAREWELL = 2.0


async def serve(
    make_bot: Callable[[], discord.Client],
    *,
    state: Path,
    port: int = 8765,
    forwarded: Sequence[str] = (),
    doors: Sequence[Door] = (),
    pitch: Pitch | None = None,
    locales: Mapping[str, str] = ENGLISH,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Run the bot that `make_bot` makes on a simulated Discord, and its page, until cancelled.

    `state` is the file everything is kept in, `doors` are what a newcomer can do with one click, `pitch` says what the
    bot is for, and `locales` are the bot's languages: the name of each by Discord's. The page's own words are English
    where no `words-….js` has a translation.
    Port 0 takes any free one. `forwarded` are addresses at which a browser reaches the port by way of another machine;
    without them only this machine's own pages are answered. `ready` is called once with the address of the page.
    """
    async with playground(
        make_bot, state=state, port=port, forwarded=forwarded, doors=doors, pitch=pitch, locales=locales
    ) as address:
        if ready is not None:
            ready(address)
        await asyncio.get_running_loop().create_future()


@asynccontextmanager
async def playground(
    make_bot: Callable[[], discord.Client],
    *,
    state: Path,
    port: int = 0,
    forwarded: Sequence[str] = (),
    doors: Sequence[Door] = (),
    pitch: Pitch | None = None,
    locales: Mapping[str, str] = ENGLISH,
) -> AsyncIterator[str]:
    async with AsyncExitStack() as stack:
        # The port first: to learn that it is taken after the bot has started would be a waste of time.
        listener = stack.enter_context(_listen(port))
        port = int(listener.getsockname()[1])
        origins = own_origins(port, forwarded)
        store = Store(state)
        stack.callback(store.close)
        world = World.open(store)
        world.doors, world.pitch, world.locales = tuple(doors), pitch, locales
        acting = asyncio.Lock()
        ticker = Ticker(world.engine, acting, world.offset)
        hub = Hub(world, ticker)
        server = Server(world, Actions(world, ticker, hub, acting), hub)
        server.origins = origins
        world.engine.on_change = ticker.on_step = hub.poke

        await world.engine.start(make_bot())
        stack.callback(world.save)
        stack.push_async_callback(_stop_bot, world, acting)
        for work in (ticker.run(), hub.run()):
            stack.push_async_callback(_cancel, asyncio.create_task(work))

        # No page of ours packs what it sends.
        runner = web.AppRunner(server.app, access_log=None, shutdown_timeout=_FAREWELL, auto_decompress=False)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.SockSite(runner, listener).start()
        yield f"http://{HOST}:{port}/"


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # Or a playground stopped a moment ago would keep its port for a minute. On Windows, where the
            # name means something else, it would let two of them share the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PlaygroundError(
                f"Port {port} is taken, perhaps by another playground. Stop that one, or choose another port."
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
