"""``highscore-bot`` as a process of its own: exit codes, signals and everything it writes are the real ones."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import IO

import bot.shutdown
from bot.config import Settings
from tests.discord import Discord

ROOT = Path(__file__).parents[3]
SOON = 120.0
"""The seconds that a step of one second may take: the machine may be busy."""
LOOK_SECONDS = 0.01
"""The seconds between two polls of a process."""


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without settings of the bot, and without a screen."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", *(name.upper() for name in Settings.model_fields)}
    kept = {name: value for name, value in os.environ.items() if name.upper() not in hidden}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **settings}


@cache
def _forking() -> socket.socket:
    """Start the program that forks, once; return the socket that asks it. It ends with the tests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    code = f"from tests.bot.cli.forking import serve; serve({theirs.fileno()})"
    program = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment({}), pass_fds=[theirs.fileno()])
    theirs.close()

    def end() -> None:
        ours.close()
        program.wait()

    atexit.register(end)
    return ours


def scale_stop(factor: float) -> dict[str, float]:
    """Return constants with which the phases of a stop take this part of their time."""
    phases = ("FINISHED_BY", "SHOWN_BY", "LEFT_BY", "CLOSED_BY", "KILLED_AFTER")
    return {f"bot.shutdown.{phase}": factor * getattr(bot.shutdown, phase) for phase in phases}


class Process:
    """A process that was forked, and writes to one file; tests.bot.cli.forking has what it can become."""

    def __init__(self, output: int, settings: Mapping[str, str], **what: object) -> None:
        self._told, telling = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._code: int | None = None
        ignored = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is signal.SIG_IGN]
        message = {"folder": str(Path.cwd()), "environment": environment(settings), "ignored": ignored, **what}
        with telling:
            socket.send_fds(_forking(), [json.dumps(message).encode()], [telling.fileno(), output])
        self._told.settimeout(SOON)
        self._pid = int(self._told.recv(64))

    def poll(self) -> int | None:
        """Return the exit code, or minus the signal that killed the process, once it has ended."""
        if self._code is None and select.select([self._told], [], [], 0)[0]:
            self.wait()
        return self._code

    def wait(self, within: float = SOON) -> int:
        if self._code is None:
            self._told.settimeout(within)
            self._code = int(self._told.recv(64))
            self._told.close()
        return self._code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self._pid, number)


class Running(Process):
    """A command that goes on until it is stopped."""

    def __init__(self, file: IO[bytes], settings: Mapping[str, str], **what: object) -> None:
        self._file = file
        self._lines_seen = 0
        self.output = ""
        """Everything it wrote so far."""
        super().__init__(file.fileno(), settings, **what)

    @property
    def lines(self) -> list[str]:
        """The lines that are complete."""
        return [f"{line}\n" for line in self.output.split("\n")[:-1]]

    def wait_for(self, text: str) -> str:
        """Return its next line with a text."""
        end = time.monotonic() + SOON
        while True:
            code = self.poll()
            self._look()
            for line in self.lines[self._lines_seen :]:
                self._lines_seen += 1
                if text in line:
                    return line
            assert code is None, f"it ended with {code} before {text!r}: {self.output}"
            assert time.monotonic() < end, f"no {text!r} after {SOON} s in {self.output}"
            time.sleep(LOOK_SECONDS)

    def wait(self, within: float = SOON) -> int:
        code = super().wait(within)
        self._look()
        return code

    def end(self, number: int, within: float) -> int:
        """Send it a signal, and wait for its exit code."""
        self.send_signal(number)
        return self.wait(within)

    def _look(self) -> None:
        # Without moving the place at which the process writes.
        self.output = os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0).decode(errors="replace")


@contextmanager
def running(
    *arguments: str,
    fake: Discord | None = None,
    program: str | None = None,
    constants: Mapping[str, float] = MappingProxyType({}),
    **settings: str,
) -> Iterator[Running]:
    """Start a command, or a program of Python, in the current folder; it is killed at the end if it still runs.

    With a fake Discord, the bot uploads no emoji unless ``EMOJI`` is set.
    """
    found = None if fake is None else (fake.rest, fake.gateway)
    settings = settings if fake is None else {"EMOJI": "false", **settings}
    what = {"fake": found, "constants": {**constants}, "arguments": arguments, "program": program}
    with TemporaryFile() as output:
        process = Running(output, settings, **what)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
