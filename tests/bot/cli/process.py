"""``highscore-bot`` as a process of its own: exit codes, signals and everything it writes are the real ones."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from queue import Empty, Queue

from bot.config import Settings
from tests.discord import Discord

ROOT = Path(__file__).parents[3]
SOON = 120.0
"""The seconds that a step of one second may take: the machine may be busy."""


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


class Process:
    """A process that was forked, in the current folder: it writes to one file, and may be given others."""

    def __init__(self, output: int, settings: Mapping[str, str], *others: int, **what: object) -> None:
        self._told, telling = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._code: int | None = None
        ignored = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is signal.SIG_IGN]
        message = {"folder": str(Path.cwd()), "environment": environment(settings), "ignored": ignored, **what}
        with telling:
            socket.send_fds(_forking(), [json.dumps(message).encode()], [telling.fileno(), output, *others])
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


@dataclass
class Running:
    """A command that goes on until it is stopped."""

    process: Process
    lines: list[str] = field(default_factory=list)
    """Everything it wrote so far."""
    _queue: Queue[str | None] = field(default_factory=Queue)

    def read(self, output: TextIOWrapper) -> None:
        with output:
            for line in output:
                self._queue.put(line)
        self._queue.put(None)

    def wait_for(self, text: str) -> str:
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

    def end(self, number: int, within: float) -> int:
        """Send it a signal; its exit code, and every line it wrote is in ``lines``."""
        self.process.send_signal(number)
        return self.ended(within)

    def ended(self, within: float = SOON) -> int:
        """Wait until it ends by itself; the same."""
        code = self.process.wait(within)
        while (line := self._queue.get(timeout=SOON)) is not None:
            self.lines.append(line)
        return code

    @property
    def output(self) -> str:
        return "".join(self.lines)


@contextmanager
def running(
    *arguments: str, fake: Discord | None = None, program: str | None = None, haste: float = 1.0, **settings: str
) -> Iterator[Running]:
    """Start a command, or a program of Python, in the current folder; it is killed at the end if it still runs.

    In ``haste`` its stop, and its waiting for a database that is held, are so many times as short. On a fake Discord it
    brings no pictures of its own, unless told to.
    """
    found = None if fake is None else (fake.rest, fake.gateway)
    settings = settings if fake is None else {"EMOJI": "false", **settings}
    ours, theirs = os.pipe()
    try:
        process = Process(theirs, settings, fake=found, haste=haste, arguments=arguments, program=program)
    finally:
        os.close(theirs)
    command = Running(process)
    reader = threading.Thread(target=command.read, args=[os.fdopen(ours)])
    reader.start()
    try:
        yield command
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        reader.join()
