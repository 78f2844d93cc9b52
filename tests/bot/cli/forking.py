"""A program that has imported everything and forks a process for each command: importing takes longer than most.

Processes that begin in it end as every program does: exit codes, signals and what they write are the real ones. Each
has a keeper, which tells its id and how it ended.
"""

import asyncio
import functools
import gc
import json
import os
import signal
import socket
import sys
import types
from collections.abc import Sequence
from io import FileIO, TextIOWrapper
from typing import Any

import alembic.command
import discord.client
import discord.gateway
import discord.http
import discord.shard
import discord.state
import yarl

import bot.app
import bot.cli.common
import bot.cli.doctor
import bot.cli.play
import bot.cli.run
import bot.operations.health
import bot.store.sqlite
import playground
from bot.cli import main
from bot.ui.pictures.board import warm_up

__all__ = ["alembic", "playground"]

LARGEST, STREAMS = 1 << 20, 8
"""Bytes of what is asked for; how many files may come with it."""
PATIENCE = 60.0
"""Seconds the database may take to answer whoever asks for the bot's health."""


def serve(number: int) -> None:
    """Fork a process for everything that is asked at a socket, until nobody can ask any more."""
    warm_up()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a keeper
    with socket.socket(fileno=number) as asked:
        while True:
            message, streams, *_ = socket.recv_fds(asked, LARGEST, STREAMS)
            if not message:
                return
            if os.fork() == 0:
                break
            for stream in streams:
                os.close(stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    told, output, *others = streams
    child = os.fork()
    if child == 0:
        os.close(told)
        _become(output, others, **json.loads(message))
        return
    for stream in (output, *others):
        os.close(stream)
    with socket.socket(fileno=told) as telling:
        telling.send(str(child).encode())
        telling.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _become(
    output: int,
    others: list[int],
    folder: str,
    environment: dict[str, str],
    ignored: list[int],
    fake: list[str] | None = None,
    haste: float = 1.0,
    arguments: Sequence[str] = (),
    program: str | None = None,
) -> None:
    """Become a command, or a program of Python, from now on; such a program finds other files as ``FILES``."""
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
    for module, phases in (
        (bot.app, ("FINISHED_BY", "SHOWN_BY", "LEFT_BY", "CLOSED_BY")),
        (bot.cli.common, ("KILLED_AFTER",)),
    ):
        for phase in phases:
            setattr(module, phase, getattr(module, phase) / haste)
    bot.store.sqlite._BUSY_MS = int(bot.store.sqlite._BUSY_MS / haste)
    # A machine that is busy makes no bot ill; what does is for tests/bot/operations/test_health.py to say.
    bot.operations.health.DATABASE_SECONDS = PATIENCE
    if fake is not None:
        _find(*fake)
    if program is None:
        main(arguments, prog_name="highscore-bot")
    else:
        exec(program, {"__name__": "__main__", "FILES": others})  # noqa: S102 - what a test wrote


def _find(rest: str, gateway: str) -> None:
    """Take the fake Discord for the real one, and let discord.py hurry."""
    discord.http.Route.BASE = rest
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    # discord.py waits for more servers for two seconds, and between two connections for five.
    state: Any = discord.state.ConnectionState
    state.__init__ = functools.partialmethod(state.__init__, guild_ready_timeout=0.05)
    hurried: Any = types.SimpleNamespace(**vars(asyncio))
    hurried.sleep = lambda seconds: asyncio.sleep(seconds / 100)
    paused: tuple[Any, ...] = (discord.client, discord.shard)
    for module in paused:
        module.asyncio = hurried
