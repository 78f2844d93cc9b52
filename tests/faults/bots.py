"""A program that runs ``highscore-bot run`` again and again, quickly, for tests that kill it.

At a socket is a place where one bot lives at a time: for every line that comes, which is a ``Life`` as JSON, a process
is forked that is the bot from then on. ``born PID`` is said when that process begins and ``ended STATUS`` when it is
gone. What the bot writes goes into a file.

The bot's code knows nothing of all that. Where it is to be killed at a certain point of its own, the functions around
that point are wrapped here: a transaction is told by what it stores.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import discord.gateway
import discord.http
import yarl
from sqlalchemy import Connection

import bot.app
import bot.cli.run
import bot.store.sqlite
import bot.workers.reviews
from bot.locales import catalogues, languages
from bot.services.helper import Helper, HelperProcess
from bot.store import backup, claims
from bot.store.database import Database
from highscore.deck import STANDARD_DECK
from highscore.events import Event, Remarked
from highscore.odds.policy import POINTS, solve_card
from tests.bot.cli.process import environment

ARM = signal.SIGUSR1
LOOK_SECONDS = 0.01
"""The seconds between two looks whether the bot, or its user, has ended."""
DONE = "restored"
"""The line by which a life says that it has restored a backup, before it waits for its end."""


class What(StrEnum):
    """The kinds of transactions, told apart by the tables they write."""

    MOVE = "a move that somebody pressed"
    DEADLINE = "a deadline that was acted on"
    HOUSE = "a move of the house"
    SHOWN = "what was shown"
    REMINDER = "a reminder that is owed"
    REMINDED = "a reminder that was sent"
    POST_CLAIMED = "a podium or a line that is due"
    POSTED = "a podium or a line that was posted"


class Side(StrEnum):
    BEFORE = "before the commit"
    AFTER = "after the commit"


@dataclass(frozen=True)
class Inside:
    what: What
    side: Side
    number: int = 1
    """The number of the transaction among such ones, counted from when the point is armed."""
    armed: bool = True
    """True if it is armed from the beginning, and not by ``ARM``."""

    def __str__(self) -> str:
        return f"{self.side.value} of {self.what.value}"


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
    reviews: bool = False
    """True if luck and loss are worked out: half a second of computing for every game."""
    ends: Inside | None = None
    """The point at which it kills itself."""
    restores: tuple[str, str, str] | None = None
    """A backup to restore, the database, and the file for its old contents; then it is no bot."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Life:
        values = json.loads(text)
        ends = values.pop("ends")
        if ends is not None:
            ends = Inside(What(ends["what"]), Side(ends["side"]), ends["number"], ends["armed"])
        return cls(**values, ends=ends)


# ----------------------------------------------------------------------------------------------- points in the process

_stored: ContextVar[set[What] | None] = ContextVar("stored", default=None)
"""The kinds of rows that the current transaction has stored."""


def _note(what: What) -> None:
    stored = _stored.get()
    if stored is not None:
        stored.add(what)


def _noting(function: Callable[..., Any], tell: Callable[..., What | None]) -> Callable[..., Any]:
    @wraps(function)
    def noted(*arguments: Any, **more: Any) -> Any:
        result = function(*arguments, **more)
        if (what := tell(result, *arguments, **more)) is not None:
            _note(what)
        return result

    return noted


def _kind_of_event(
    _result: None, _connection: Connection, _table: Any, happened: list[Event], *_more: Any, **ids: Any
) -> What:
    if ids["interaction_id"] is not None:
        return What.MOVE
    late = any(isinstance(event, Remarked) and event.text.startswith("the time of seat") for event in happened)
    return What.DEADLINE if late else What.HOUSE


def _post_claimed(result: list[Any], _connection: Connection, rows: claims.Claimable, *_more: Any) -> What | None:
    return What.POST_CLAIMED if result and rows in claims.POSTS else None


def _watch_transactions() -> None:
    """Let every transaction note what it stores."""

    def always(what: What) -> Callable[..., What]:
        return lambda *_arguments, **_more: what

    for module, name, tell in (
        ("table", "append_events", _kind_of_event),
        ("table", "mark_shown", always(What.SHOWN)),
        ("reminders", "add_reminders", always(What.REMINDER)),
        ("reminders", "mark_sent", always(What.REMINDED)),
        ("claims", "claim_due", _post_claimed),
        ("claims", "mark_done", always(What.POSTED)),
    ):
        function = getattr(import_module(f"bot.store.{module}"), name)
        _replace(function, _noting(function, tell))


def _replace(value: Any, other: Any, known_as: str = "") -> None:
    """Replace something in all modules of the bot that have imported it, perhaps only under a certain name."""
    for module in [module for name, module in sys.modules.items() if name.startswith("bot.")]:
        for name in [name for name, one in vars(module).items() if one is value and name.endswith(known_as)]:
            setattr(module, name, other)


def _kill_at(point: Inside) -> None:
    """Let this process kill itself at a point."""
    _watch_transactions()
    write, left, armed = Database.write, [point.number], [point.armed]

    def arm(_number: int, _frame: object) -> None:
        armed[0] = True

    signal.signal(ARM, arm)

    def pass_by(side: Side, stored: set[What]) -> None:
        if armed[0] and side is point.side and point.what in stored:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    async def watched(database: Database, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        stored: set[What] = set()

        def noted(connection: Connection) -> Any:
            _stored.set(stored)
            result = work(connection, *args, **kwargs)
            pass_by(Side.BEFORE, stored)
            return result

        result = await write(database, noted)
        pass_by(Side.AFTER, stored)
        return result

    Database.write = watched  # type: ignore[method-assign, assignment]


# ----------------------------------------------------------------------------------------------------------- one life


def _leave(_reviewing: bot.workers.reviews.Reviewing) -> None:
    """Do nothing, in place of working out what is owed."""


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
    if not life.reviews:
        bot.workers.reviews.Reviewing.wake = _leave  # type: ignore[method-assign, assignment]
    if life.ends is not None:
        _kill_at(life.ends)
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
    """Do what every life would have to do anew: read the catalogues, solve all cards."""
    for language in languages():
        catalogues.load_translations(language)
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
        life = Life.from_json(line)
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
