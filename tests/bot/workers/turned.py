"""Virtual time for a clock, and workers whose rows are in memory."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.workers.worker import Clock, Worker

START = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Timer:
    def __init__(self, at: datetime, call: Callable[[], None]) -> None:
        self.at = at
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Time:
    """Virtual time, and a clock whose timers ring when the time is turned."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = START
        self.clock = Clock(lambda: self.now)
        self.timers: list[Timer] = []
        loop = asyncio.get_running_loop()
        real = loop.call_later

        def call_later(delay: float, callback: Any, *arguments: Any, **options: Any) -> Any:
            if getattr(callback, "__self__", None).__class__ is not Clock:
                return real(delay, callback, *arguments, **options)
            self.timers.append(Timer(self.now + timedelta(seconds=delay), callback))
            return self.timers[-1]

        monkeypatch.setattr(loop, "call_later", call_later)

    @property
    def pending(self) -> list[Timer]:
        return [timer for timer in self.timers if not timer.cancelled]

    @property
    def next_in(self) -> float:
        """Seconds until the one timer rings; there is never more than one."""
        (timer,) = self.pending
        return (timer.at - self.now).total_seconds()

    def jump(self, seconds: float) -> None:
        """Set the time of day, or let the machine sleep: its timers do not notice."""
        self.now += timedelta(seconds=seconds)
        for timer in self.timers:
            timer.at += timedelta(seconds=seconds)

    async def turn(self, seconds: float) -> None:
        end = self.now + timedelta(seconds=seconds)
        await rest()
        while due := [timer for timer in self.pending if timer.at <= end]:
            self.now = max(self.now, due[0].at)
            due[0].cancel()
            due[0].call()
            await rest()
        self.now = end


async def rest() -> None:
    """Let everything that can go on go on."""
    for _ in range(50):
        await asyncio.sleep(0)


class Memory:
    broken = 0
    """The number of reads that will fail."""

    async def read(self, work: Callable[..., Any], *args: Any) -> Any:
        if self.broken:
            self.broken -= 1
            raise OSError("no database")
        return work(None, *args)

    async def write(self, work: Callable[..., Any], *args: Any) -> Any:
        return work(None, *args)


class Rows(Worker[str]):
    """Rows in memory, each with the moment from which on it may be claimed."""

    name = "rows"
    slots = 4
    lease = timedelta(seconds=60)

    def __init__(self, time: Time, *names: str) -> None:
        self.database = Memory()
        core: Any = SimpleNamespace(now=lambda: time.now, database=self.database)
        super().__init__(core, time.clock)
        self.waiting = dict.fromkeys(names, time.now)
        self.begun: list[str] = []
        self.done: list[str] = []
        self.most = 0
        self.hangs = asyncio.Event()
        self.hanging: set[str] = set()
        self.raising: set[str] = set()

    def next_moment(self, connection: Any, now: datetime) -> datetime | None:
        return min(self.waiting.values(), default=None)

    def claim(self, connection: Any, now: datetime, limit: int) -> Sequence[str]:
        due = [name for name, at in self.waiting.items() if at <= now][:limit]
        for name in due:
            self.waiting[name] = now + self.lease
        return due

    def put_off(self, connection: Any, item: str, until: datetime, begun: datetime) -> None:
        self.waiting[item] = until

    async def handle(self, item: str) -> None:
        self.begun.append(item)
        self.most = max(self.most, len(self._tasks) - len(self._resting))
        await asyncio.sleep(0)
        if item in self.hanging:
            await self.hangs.wait()
        if item in self.raising:
            raise RuntimeError(f"{item} is broken")
        self.waiting.pop(item, None)
        self.done.append(item)
