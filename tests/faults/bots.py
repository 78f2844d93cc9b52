"""A program that runs ``highscore-bot run`` again and again, quickly, for tests that kill it.

For every line read from a socket, which is a ``Life`` as JSON, it forks a process that is the bot, and answers ``born
PID`` and, when the process has ended, ``ended STATUS``. One bot lives at a time. Its output goes to a file.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import discord.gateway
import discord.http
import yarl

import bot.app
import bot.cli.run
import bot.store.sqlite
import bot.workers.reviews
from bot.locales import languages, load_translations
from bot.services.helper import Helper, HelperProcess
from bot.store import backup, claims
from highscore.deck import STANDARD_DECK
from highscore.odds.policy import POINTS, solve_card
from tests.bot.cli.process import environment

LOOK_SECONDS = 0.01
"""The seconds between two looks whether the bot, or its user, has ended."""
DONE = "restored"
"""The line by which a life says that it has restored a backup, before it waits for its end."""


@dataclass(frozen=True)
class Life:
    folder: str
    rest: str
    gateway: str
    log: str
    """The file that gets everything it writes."""
    settings: dict[str, str] = field(default_factory=dict)
    constants: dict[str, float] = field(default_factory=dict)
    """Constants of the bot that are another value, ``domain.deadlines.HOUSE_SECONDS`` for example; spans in seconds."""
    restores: tuple[str, str, str] | None = None
    """A backup to restore, the database, and the file for its old contents; then it is no bot."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def _replace(value: Any, other: Any, known_as: str = "") -> None:
    """Replace something in all modules of the bot that have imported it, perhaps only under a certain name."""
    for module in [module for name, module in sys.modules.items() if name.startswith("bot.")]:
        for name in [name for name, one in vars(module).items() if one is value and name.endswith(known_as)]:
            setattr(module, name, other)


# ----------------------------------------------------------------------------------------------------------- one life


def live(life: Life) -> None:
    os.chdir(life.folder)
    os.environ.clear()
    os.environ.update(environment(life.settings))
    if life.restores is not None:
        backup.restore_backup(*map(Path, life.restores))
        say(DONE)
        signal.pause()
    discord.http.Route.BASE = life.rest
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(life.gateway)
    for name, value in life.constants.items():
        module_name, _dot, constant = name.rpartition(".")
        before = getattr(import_module(module_name), constant)
        _replace(before, timedelta(seconds=value) if isinstance(before, timedelta) else value, constant)
    if (retry := life.constants.get("bot.workers.worker.FIRST_RETRY")) is not None:
        for rows in claims.POSTS:
            object.__setattr__(rows, "lease", timedelta(seconds=retry))
    # The system keeps the commits of a killed process.
    bot.store.sqlite.DURABILITY = "synchronous=OFF"
    # A process of its own for each life would take longer to start than the life lasts.
    _replace(HelperProcess, Helper)
    # Reviewing a game computes for half a second.
    bot.workers.reviews.Reviewing.wake = lambda _reviewing: None  # type: ignore[method-assign, assignment, misc]
    bot.cli.main(["run"], prog_name="highscore-bot")


@contextmanager
def _streams_of(log: str) -> Iterator[None]:
    """Let this process read nothing inside, and write to a file."""
    nothing, file = os.open(os.devnull, os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(nothing, 0)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(nothing)
    os.close(file)
    yield


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def prepare() -> None:
    """Read the catalogues and solve all cards, so that no life has to."""
    for language in languages():
        load_translations(language)
    for card in STANDARD_DECK:
        solve_card(card, POINTS)
    gc.collect()
    gc.freeze()


def _await(child: int) -> int:
    """Return how the process ended; kill it if the user of this program is gone."""
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        readable, _writable, _odd = select.select([0], [], [], LOOK_SECONDS)
        if readable:
            # Nothing is asked for before the life has ended, so this is the end of the input.
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise SystemExit


def serve(socket: int) -> None:
    """Fork a bot for every line that comes at a socket, until there are no more."""
    os.dup2(socket, 0)
    os.dup2(socket, 1)
    os.close(socket)
    prepare()
    say("prepared")
    while line := _line():
        life = Life(**json.loads(line))
        child = os.fork()
        if child == 0:
            # It ends by itself as every program does, so with the exit code that it would have.
            with _streams_of(life.log):
                live(life)
            return
        say("born", child)
        say("ended", _await(child))


def _line() -> str:
    found = bytearray()
    while (byte := os.read(0, 1)) not in (b"", b"\n"):
        found += byte
    return found.decode()
