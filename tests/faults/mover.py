"""A program that plays moves on a database file and is killed for it.

It imports everything once; for every line on its standard input it forks a process that plays until it is killed. That
process says ``playing PID``, then ``ready``, then ``ack TABLE VERSION`` after every commit. ``ended STATUS`` follows
when it is gone.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr

from bot.config import Settings
from bot.domain.errors import Refused
from bot.domain.table import Status, Table
from bot.services import lobby
from bot.services import turn as playing
from bot.services.core import Core, latest
from highscore.game import TurnOrder, legal_decisions
from tests.bot.cores import ADA, CHANNEL, opened, seated

TABLES = 3
"""Games that are played at the same time."""
MOVES_A_RUN = 1_000_000
"""More than are played in one run: interaction ids of different runs do not meet."""


def say(*words: object) -> None:
    """One line in one write: whoever is killed has said all of it or nothing."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def play(database: str, run: int) -> None:
    """Play several games for ever."""
    settings = Settings(_env_file=None, database_url=SecretStr(f"sqlite+aiosqlite:///{database}"))  # type: ignore[call-arg]
    async with opened(settings) as core:
        say("ready")
        numbers = iter(range(run * MOVES_A_RUN, (run + 1) * MOVES_A_RUN))
        chance = random.Random(run)
        await asyncio.gather(*(_play_in(core, CHANNEL + at, numbers.__next__, chance) for at in range(TABLES)))


async def _play_in(core: Core, channel_id: int, number: Callable[[], int], chance: random.Random) -> None:
    while True:
        table = await _open_table(core, channel_id, chance)
        while table.status is Status.PLAYING:
            assert table.game is not None
            seat = chance.choice(table.game.may_act)
            user_id = table.seats[seat].user_id
            assert user_id is not None
            decision = chance.choice(legal_decisions(table.game, seat))
            table = await playing.decide(
                core, table.id, user_id, decision, version=table.version, interaction_id=number()
            )
            say("ack", table.id, table.version)


async def _open_table(core: Core, channel_id: int, chance: random.Random) -> Table:
    """The table that the process before was playing at, or another one."""
    try:
        table = await latest(core, channel_id)
    except Refused:
        table = None
    if table is None or not table.status.open:
        table = await seated(core, chance.randint(2, 4), chance.choice(list(TurnOrder)), channel_id)
        say("ack", table.id, table.version)
    if table.status is Status.LOBBY:
        if len(table.seats) < 2:
            await lobby.cancel(core, table.id, ADA, moderator=False)
            return await _open_table(core, channel_id, chance)
        table = await lobby.start(core, table.id, ADA)
        say("ack", table.id, table.version)
    return table


def main() -> None:
    for line in sys.stdin:
        database, run = line.split()
        child = os.fork()
        if child == 0:
            say("playing", os.getpid())
            asyncio.run(play(str(Path(database)), int(run)))
            os._exit(0)
        _pid, status = os.waitpid(child, 0)
        say("ended", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
