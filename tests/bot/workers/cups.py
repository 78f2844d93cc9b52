"""A cup and the processes that look after it, whose clock the test turns and which it kills."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.services.core import Core
from bot.workers.cup import CupPosts, Cups
from bot.workers.worker import Clock, Worker
from tests.bot.services.cups import Cups as Played
from tests.bot.workers.posting import Channels, Post

MOST_LOOKS = 60


@dataclass
class Running:
    """One cup, or several, in a process that posts about them."""

    cups: Played
    channels: Channels = field(default_factory=lambda: Channels(remembers=True))
    workers: list[Worker[Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.restart(self.cups.core)

    def restart(self, core: Core) -> None:
        core.now = lambda: self.cups.now
        self.cups.core = core
        posts = CupPosts(core, Clock(core.now), self.channels)
        self.workers = [Cups(core, Clock(core.now)), posts]

    async def run(self) -> None:
        for _look in range(MOST_LOOKS):
            for worker in self.workers:
                worker.wake()
            await self.settle()
            await self.cups.note_ids()
            moment = await self.next_moment()
            if moment is None or moment > self.cups.now:
                return
        raise AssertionError("something due is never done")

    async def settle(self) -> None:
        while any(worker._pending() for worker in self.workers):
            for worker in self.workers:
                await worker.settle()

    async def next_moment(self) -> datetime | None:
        moments = [await self.cups.core.database.read(each.next_moment, self.cups.now) for each in self.workers]
        return min((moment for moment in moments if moment is not None), default=None)

    async def until(self, moment: datetime) -> None:
        while (due := await self.next_moment()) is not None and due <= moment:
            self.cups.now = max(self.cups.now, due)
            await self.run()
        self.cups.now = moment

    async def pass_by(self, **time: float) -> None:
        await self.until(self.cups.now + timedelta(**time))

    async def kill(self) -> None:
        for worker in self.workers:
            await worker.close(0)

    @property
    def called(self) -> Counter[int]:
        return Counter([*(user for post in self.channels.posts for user in post.called), *self.channels.direct])

    def shown(self, message_id: int) -> Post:
        return next(
            post for post in reversed([*self.channels.posts, *self.channels.edits]) if post.message_id == message_id
        )

    def find(self, text: str) -> list[Post]:
        return [post for post in self.channels.posts if text in post.text]


class Killer:
    """Makes a process hang at one of its transactions, before or after the commit."""

    def __init__(self, core: Core, monkeypatch: pytest.MonkeyPatch, number: int, *, after: bool) -> None:
        self.hangs = asyncio.Event()
        self._left = number
        self._after = after
        self._write: Callable[..., Any] = core.database.write
        monkeypatch.setattr(core.database, "write", self.write)

    async def write(self, *work: Any, **more: Any) -> Any:
        if self.hangs.is_set():
            if work[0].__name__ == "_give_back":
                return None
            await asyncio.Event().wait()  # The process is dead, whatever else it has started.
        self._left -= 1
        if self._left < 0 and not self._after:
            await self._hang()
        result = await self._write(*work, **more)
        if self._left < 0:
            await self._hang()
        return result

    async def _hang(self) -> None:
        self.hangs.set()
        await asyncio.Event().wait()
