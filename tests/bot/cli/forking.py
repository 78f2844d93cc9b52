"""A program that has imported everything and forks a process for each command: importing takes longer than most.

Processes that begin in it end as every program does: exit codes, signals and what they write are the real ones. Each
has a keeper, which tells its id and how it ended.
"""

import functools
import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from importlib import import_module
from io import FileIO, TextIOWrapper
from types import MappingProxyType
from typing import Any

import alembic.command
import discord.client
import discord.gateway
import discord.http
import discord.shard
import discord.state
import yarl

import bot.app
import bot.cli.doctor
import bot.cli.play
import bot.cli.run
import bot.operations.health
import playground
from bot.cli import main
from bot.locales import languages, load_translations
from bot.ui.pictures.board import warm_up
from highscore.deck import STANDARD_DECK
from highscore.odds.policy import POINTS, solve_card
from tests.discord.connecting import Hurried
from tests.faults import lives

__all__ = ["alembic", "lives", "playground"]

LARGEST = 1 << 20
"""The largest request, in bytes."""
PATIENCE = 60.0
"""Seconds the database may take to answer whoever asks for the bot's health."""


def serve(number: int) -> None:
    """Fork a process for everything that is asked at a socket, until nobody can ask any more."""
    warm_up()
    for language in languages():
        load_translations(language)
    for card in STANDARD_DECK:
        solve_card(card, POINTS)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a keeper
    with socket.socket(fileno=number) as asked:
        while True:
            message, streams, *_ = socket.recv_fds(asked, LARGEST, 2)
            if not message:
                return
            if os.fork() == 0:
                break
            for stream in streams:
                os.close(stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    told, output = streams
    child = os.fork()
    if child == 0:
        os.close(told)
        _become(output, **json.loads(message))
        return
    os.close(output)
    with socket.socket(fileno=told) as telling:
        telling.send(str(child).encode())
        ended = os.pidfd_open(child)
        if ended not in select.select([ended, told], [], [])[0]:
            os.kill(child, signal.SIGKILL)  # the test that asked for it has ended
            return
        telling.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _become(
    output: int,
    folder: str,
    environment: dict[str, str],
    ignored: list[int],
    fake: list[str] | None = None,
    constants: Mapping[str, float] = MappingProxyType({}),
    arguments: Sequence[str] = (),
    program: str | None = None,
) -> None:
    """Become a command, or a program of Python, from now on."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    # The inherited one believes that it can seek, as in the file it was opened for.
    sys.stdout = TextIOWrapper(FileIO(1, "w", closefd=False), write_through=True)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
    for name, value in constants.items():
        _replace(name, value)
    # A machine that is busy makes no bot ill; what does is for tests/bot/operations/test_health.py to say.
    bot.operations.health.DATABASE_SECONDS = PATIENCE
    if fake is not None:
        _find(*fake)
    if program is None:
        main(arguments, prog_name="highscore-bot")
    else:
        exec(program, {"__name__": "__main__"})  # noqa: S102 - what a test wrote


def _replace(name: str, value: float) -> None:
    """Replace a constant of the bot, ``bot.domain.deadlines.HOUSE_SECONDS`` for example, wherever it was imported."""
    module_name, _dot, constant = name.rpartition(".")
    before = getattr(import_module(module_name), constant)
    after = timedelta(seconds=value) if isinstance(before, timedelta) else value
    for module in [module for name, module in sys.modules.items() if name.startswith("bot.")]:
        for alias in [name for name, one in vars(module).items() if one is before and name.endswith(constant)]:
            setattr(module, alias, after)


def _find(rest: str, gateway: str) -> None:
    """Take the fake Discord for the real one, and let discord.py hurry."""
    discord.http.Route.BASE = rest
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    # discord.py waits for more servers for two seconds, and between two connections for five.
    state: Any = discord.state.ConnectionState
    state.__init__ = functools.partialmethod(state.__init__, guild_ready_timeout=0.05)
    paused: tuple[Any, ...] = (discord.client, discord.shard)
    for module in paused:
        module.asyncio = Hurried(0.01)
