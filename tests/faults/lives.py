"""Places where one process of the bot lives at a time, which tests kill."""

import asyncio
import signal
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import bot.app
import bot.cli
import bot.store.sqlite
import bot.workers.reviews
import bot.workers.worker
from bot.services.helper import Helper
from bot.store import claims
from tests.bot.cli.process import LOOK_SECONDS, SOON, Process


def live() -> None:
    """Be a bot that starts and plays quickly."""
    for rows in claims.POSTS:
        object.__setattr__(rows, "lease", timedelta(seconds=bot.workers.worker.FIRST_RETRY))
    # The system keeps the commits of a killed process.
    bot.store.sqlite.DURABILITY = "synchronous=OFF"
    # A process of its own for each life would take longer to start than the life lasts.
    bot.app.HelperProcess = Helper  # type: ignore[assignment, attr-defined]
    # Reviewing a game computes for half a second.
    bot.workers.reviews.Reviewing.wake = lambda _reviewing: None  # type: ignore[method-assign, assignment, misc]
    bot.cli.main(["run"], prog_name="highscore-bot")


class Seat:
    def __init__(self) -> None:
        self.process: Process | None = None
        """The last process that began here."""
        self.logs: list[Path] = []

    def begin(self, log: Path, settings: Mapping[str, str], **what: object) -> None:
        """Start a process, which writes to a log. The one before has to have ended."""
        assert not self.alive
        with log.open("w") as output:
            self.process = Process(
                output.fileno(), settings, program=f"import {__name__} as lives; lives.live()", **what
            )
        self.logs.append(log)

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def signal(self, number: int) -> None:
        if self.process is not None:
            self.process.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)

    async def ended(self) -> int:
        """Wait for the process's exit code, or minus the signal that killed it."""
        assert self.process is not None
        async with asyncio.timeout(SOON):
            while self.alive:  # noqa: ASYNC110 - another process
                await asyncio.sleep(LOOK_SECONDS)
        return self.process.wait()

    async def killed(self) -> None:
        """Wait until the process is gone, which has to be by SIGKILL."""
        await self._ended_with(-signal.SIGKILL)

    async def stopped(self) -> None:
        """Wait until the process has ended as it does after SIGTERM."""
        await self._ended_with(0)

    async def _ended_with(self, code: int) -> None:
        status = await self.ended()
        assert status == code, f"it ended with {status}: {self.logs[-1].read_text('utf-8')[-4000:]}"
