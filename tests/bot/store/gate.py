"""A gate between the bot and PostgreSQL: it lets everything pass, turns everybody away, or loses an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from sqlalchemy import URL

PIECE = 65_536
STARTING = "57P03"
"""The code of PostgreSQL's answer while it starts."""
WRONG_PASSWORD = "28P01"


@dataclass
class Gate:
    server: URL
    says: str | None = None
    """The error with which everybody who comes is turned away; None while the gate is open."""
    loses_commits: bool = False
    """True if the connection is cut after each commit, before its answer has arrived."""
    turned_away: int = 0
    _turned: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _port: int = 0

    @property
    def url(self) -> URL:
        return self.server.set(host="127.0.0.1", port=self._port)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Gate]:
        listening = await asyncio.start_server(self._come, "127.0.0.1", 0)
        self._port = listening.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            listening.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def has_turned_away(self, number: int) -> None:
        """Wait until so many have come in vain."""
        while self.turned_away < number:
            self._turned.clear()
            await self._turned.wait()

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if self.says is None:
                await self._pass(reader, writer)
            else:
                await _refuse(reader, writer, self.says)
                self.turned_away += 1
                self._turned.set()
        except (OSError, EOFError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to, back = await asyncio.open_connection(self.server.host or "127.0.0.1", self.server.port or 5432)
        lost = asyncio.Event()

        async def forth() -> None:
            while piece := await reader.read(PIECE):
                if self.loses_commits and b"COMMIT;" in piece:
                    lost.set()
                back.write(piece)

        async def answers() -> None:
            while piece := await to.read(PIECE):
                if lost.is_set():
                    return
                writer.write(piece)

        ways = [asyncio.create_task(forth()), asyncio.create_task(answers())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            with suppress(OSError):
                await asyncio.gather(*ways, return_exceptions=True)
            back.close()


async def _refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, code: str) -> None:
    """Answer with an error: https://www.postgresql.org/docs/current/protocol-message-formats.html (ErrorResponse)."""
    length = int.from_bytes(await reader.readexactly(4))
    await reader.readexactly(length - 4)
    fields = f"SFATAL\0VFATAL\0C{code}\0Mnot now\0\0".encode()
    writer.write(b"E" + (len(fields) + 4).to_bytes(4) + fields)
    await writer.drain()
