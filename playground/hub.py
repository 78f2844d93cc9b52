"""Tells every open page what has changed in what its viewer can see."""

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

#: News a page may be behind by. A page which has not read that much is gone or asleep; it starts over
#: with everything when it comes back.
_BACKLOG = 2000


class Watcher:
    """One open page."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.news: asyncio.Queue[str | None] = asyncio.Queue()
        self.world = ""

    def tell(self, kind: str, **what: Any) -> None:
        if self.news.qsize() > _BACKLOG:
            self.hang_up()
        else:
            self.news.put_nowait(_json({"t": kind, **what}))

    def hang_up(self) -> None:
        """Let the page go once it has read what there is."""
        self.news.put_nowait(None)


class Hub:
    """Saves every change and passes it on to those who can see it."""

    def __init__(self, world: World, ticker: Ticker) -> None:
        self._world = world
        self._ticker = ticker
        self._watchers: set[Watcher] = set()
        self._changed = asyncio.Event()

    def poke(self) -> None:
        """Look for changes at the next turn of the loop.

        Called from inside the bot, before the change is complete.
        """
        self._changed.set()

    async def run(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                self.publish()
            except Exception:
                # One message that cannot be saved or shown must not silence all the others.
                log.exception("A change of the playground's world could not be passed on")

    def publish(self) -> None:
        keys = self._world.save()
        for watcher in list(self._watchers):
            for key in sorted(keys):
                self._tell_message(watcher, key)
            self._tell_world(watcher)

    def _tell_message(self, watcher: Watcher, key: MessageKey) -> None:
        message = message_json(self._world, watcher.viewer, key)
        if message is not None:
            watcher.tell("message", message=message)
        elif self._world.engine.is_hidden(watcher.viewer, key):
            # Somebody else's private answer: not even that it exists is this viewer's business.
            return
        else:
            watcher.tell("gone", channel=str(key[0]), id=str(key[1]))

    def _tell_world(self, watcher: Watcher) -> None:
        around = world_json(self._world, self._ticker, watcher.viewer)
        if (as_text := _json(around)) != watcher.world:
            watcher.world = as_text
            watcher.tell("world", world=around)

    @contextmanager
    def watching(self, viewer: int) -> Iterator[Watcher]:
        """Yield everything this person sees, then whatever changes in it."""
        watcher = Watcher(viewer)
        around = world_json(self._world, self._ticker, viewer)
        watcher.world = _json(around)
        pages = {}
        for channel in self._world.engine.channels_for(viewer):
            messages, more = page_json(self._world, viewer, channel)
            pages[str(channel)] = {"messages": messages, "more": more}
        watcher.tell("hello", world=around, pages=pages)
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)

    def hang_up(self) -> None:
        """Let every page go."""
        for watcher in self._watchers:
            watcher.hang_up()


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
