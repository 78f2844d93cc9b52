"""Places where one process of the bot lives at a time, run by tests.faults.bots."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.bot.cli.process import SOON, Process
from tests.faults.bots import Life

PROGRAM = "from tests.faults.bots import serve; serve(*FILES)"
STANDARD_ERROR = 2


@dataclass(eq=False)
class Seat:
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    pid: int | None = None
    """The id of the process that lives here now."""
    logs: list[Path] = field(default_factory=list)
    _reading: asyncio.Task[int] | None = None

    async def begin(self, life: Life) -> None:
        """Start a process. The one before has to have ended."""
        assert self.pid is None
        self._writer.write(f"{life.to_json()}\n".encode())
        await self._writer.drain()
        word, pid = await self._line()
        assert word == "born"
        self.pid = int(pid)
        self.logs.append(Path(life.log))
        self.logs[-1].touch()
        self._reading = asyncio.create_task(self._end(), name=f"life of {pid}")

    @property
    def ended(self) -> asyncio.Task[int]:
        """The process's exit code, or minus the signal that killed it."""
        assert self._reading is not None
        return self._reading

    @property
    def alive(self) -> bool:
        return self.pid is not None

    def signal(self, number: int) -> None:
        if self.pid is not None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)

    async def killed(self) -> None:
        """Wait until the process is gone, which has to be by SIGKILL."""
        status = await asyncio.wait_for(asyncio.shield(self.ended), SOON)
        assert status == -signal.SIGKILL, f"it ended with {status}: {self.logs[-1].read_text('utf-8')[-4000:]}"

    async def stopped(self) -> None:
        """Wait until the process has ended as it does after SIGTERM."""
        status = await asyncio.wait_for(asyncio.shield(self.ended), SOON)
        assert status == 0, f"it ended with {status}: {self.logs[-1].read_text('utf-8')[-4000:]}"

    async def _end(self) -> int:
        word, status = await self._line()
        assert word == "ended"
        self.pid = None
        return int(status)

    async def _line(self) -> tuple[str, str]:
        line = (await self._reader.readline()).decode().split()
        assert line, "the program that forks is gone; its error is above"
        return line[0], line[-1]

    async def vacate(self) -> None:
        """Kill the process, and forget its log."""
        self.kill()
        if self._reading is not None:
            await asyncio.wait({self._reading})
        self.logs.clear()

    async def _close(self) -> None:
        await self.vacate()
        self._writer.close()
        await self._writer.wait_closed()


@asynccontextmanager
async def seats(number: int = 1) -> AsyncIterator[tuple[Seat, ...]]:
    """Give so many places; their processes are killed at the end."""
    programs, found = [], []
    for _number in range(number):
        ours, theirs = socket.socketpair()
        with theirs:
            programs.append(Process(STANDARD_ERROR, {}, theirs.fileno(), program=PROGRAM))
        found.append(Seat(*await asyncio.open_connection(sock=ours)))
    try:
        for seat in found:
            assert (await seat._line())[0] == "prepared"
        yield tuple(found)
    finally:
        for seat in found:
            await seat._close()
        assert [program.wait() for program in programs] == [0] * number
