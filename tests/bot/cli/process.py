"""``highscore-bot`` as a process of its own: exit codes, signals and everything it writes are the real ones."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue

from bot.config import Settings
from tests.discord import Discord

ROOT = Path(__file__).parents[3]
SOON = 120.0
"""Seconds for what should take one: the machine may be busy."""

_ON_FAKE = """
import asyncio, functools, sys, types, discord.gateway, discord.http, discord.shard, discord.state, yarl
discord.http.Route.BASE = sys.argv.pop(1)
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv.pop(1))
# discord.py waits for more servers for two seconds, and between two connections for five.
discord.state.ConnectionState.__init__ = functools.partialmethod(
    discord.state.ConnectionState.__init__, guild_ready_timeout=0.05
)
discord.shard.asyncio = types.SimpleNamespace(**vars(asyncio))
discord.shard.asyncio.sleep = lambda seconds: asyncio.sleep(seconds / 100)
"""
_MAIN = """
from bot.cli import main
main(prog_name="highscore-bot")
"""


_IN_HASTE = """
import bot.shutdown
for phase in ("FINISHED_BY", "SHOWN_BY", "LEFT_BY", "CLOSED_BY", "KILLED_AFTER"):
    setattr(bot.shutdown, phase, getattr(bot.shutdown, phase) / 4)
"""
"""The phases of a stop take a quarter of their time."""


def command_line(arguments: tuple[str, ...], fake: Discord | None, program: str = "") -> list[str]:
    if fake is None:
        return [sys.executable, "-m", "bot", *arguments]
    return [*on_fake(fake, program, _MAIN), *arguments]


def on_fake(fake: Discord, first: str, program: str) -> list[str]:
    """A program for which Discord is the fake one, and what is done before that."""
    return [sys.executable, "-c", first + _ON_FAKE + program, fake.rest, fake.gateway]


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment without settings of its own, and with a screen it does not have."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", *(name.upper() for name in Settings.model_fields)}
    kept = {name: value for name, value in os.environ.items() if name.upper() not in hidden}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **settings}


def highscore_bot(*arguments: str, fake: Discord | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in the current folder."""
    return subprocess.run(
        command_line(arguments, fake),
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=2 * SOON,
        check=False,
    )


@dataclass
class Running:
    """A command that goes on until it is stopped."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    """Everything it wrote so far."""
    _queue: Queue[str | None] = field(default_factory=Queue)

    def read(self) -> None:
        """Collect what it writes, until it ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line)
        self._queue.put(None)

    def wait_for(self, text: str) -> str:
        """The next line that has this text in it."""
        while True:
            try:
                line = self._queue.get(timeout=SOON)
            except Empty:
                raise AssertionError(f"no {text!r} after {SOON} s in {self.output}") from None
            if line is None:
                raise AssertionError(f"it ended with {self.process.wait()} before {text!r}: {self.output}")
            self.lines.append(line)
            if text in line:
                return line

    def end(self, signal: int, within: float) -> int:
        """Send it a signal; its exit code, and every line it wrote is in ``lines``."""
        self.process.send_signal(signal)
        code = self.process.wait(within)
        while (line := self._queue.get(timeout=SOON)) is not None:
            self.lines.append(line)
        return code

    @property
    def output(self) -> str:
        """Everything it wrote so far, as one text."""
        return "".join(self.lines)


@contextmanager
def running(
    *arguments: str, fake: Discord | None = None, program: str | None = None, haste: bool = False, **settings: str
) -> Iterator[Running]:
    """Start a command, or a program of Python, in the current folder; it is killed at the end if it still runs.

    In ``haste`` a command on the fake Discord stops four times as fast.
    """
    process = subprocess.Popen(
        command_line(arguments, fake, _IN_HASTE if haste else "")
        if program is None
        else [sys.executable, "-c", program],
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    command = Running(process)
    reader = threading.Thread(target=command.read)
    reader.start()
    try:
        yield command
    finally:
        process.kill()
        process.wait()
        reader.join()
        assert process.stdout is not None
        process.stdout.close()
