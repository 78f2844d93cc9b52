"""Sends every change to the open pages whose viewers can see it."""

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playground.clock import Ticker
from playground.simulated import MessageKey
from playground.snapshot import message_json, page_json, world_json
from playground.world import World

log = logging.getLogger(__name__)

#: The most events that may wait for a page. If more wait, the page was closed or is asleep, and the playground ends
#: the connection. A page that connects again gets everything from the start.
_BACKLOG = 2000


class Watcher:
    """An open page, and the events that it has not read yet. None ends the connection."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.events: asyncio.Queue[str | None] = asyncio.Queue()
        self.world = ""

    def send(self, kind: str, **what: Any) -> None:
        """Queue an event. If too many are waiting, end the connection once the page has read those."""
        self.events.put_nowait(None if self.events.qsize() > _BACKLOG else _json({"t": kind, **what}))


class Hub:
    """Saves every change and sends it to the pages that can see it."""

    def __init__(self, world: World, ticker: Ticker) -> None:
        self._world = world
        self._ticker = ticker
        self._watchers: set[Watcher] = set()
        self._changed = asyncio.Event()

    def request_publish(self) -> None:
        """Publish soon. The bot calls this in the middle of a change, which is not complete yet."""
        self._changed.set()

    async def run(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                self.publish()
            except Exception:
                # If one message cannot be saved or shown, the others should still be.
                log.exception("A change in the playground could not be saved or shown")

    def publish(self) -> None:
        keys = self._world.save()
        for watcher in list(self._watchers):
            for key in sorted(keys):
                self._send_message(watcher, key)
            self._send_world(watcher)

    def _send_message(self, watcher: Watcher, key: MessageKey) -> None:
        message = message_json(self._world, watcher.viewer, key)
        if message is not None:
            watcher.send("message", message=message)
        elif not self._world.engine.is_hidden(watcher.viewer, key):
            # Viewers must not notice another person's private answer, not even its deletion.
            watcher.send("deleted", channel=str(key[0]), id=str(key[1]))

    def _send_world(self, watcher: Watcher) -> None:
        around = world_json(self._world, self._ticker, watcher.viewer)
        if (as_text := _json(around)) != watcher.world:
            watcher.world = as_text
            watcher.send("world", world=around)

    @contextmanager
    def watching(self, viewer: int) -> Iterator[Watcher]:
        """Yield a watcher. Its first event has everything that the viewer can see, later events have the changes."""
        watcher = Watcher(viewer)
        around = world_json(self._world, self._ticker, viewer)
        watcher.world = _json(around)
        pages = {}
        for channel in self._world.engine.channels_for(viewer):
            messages, more = page_json(self._world, viewer, channel)
            pages[str(channel)] = {"messages": messages, "more": more}
        watcher.send("hello", world=around, pages=pages)
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
