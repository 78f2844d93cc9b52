"""The real bot with people who click all the time, as a program: what backups are made of.

It says ``playing`` and then ``answered TABLE VERSION`` after every turn, until it is told to stop with SIGTERM.
"""

import random
from pathlib import Path

from pydantic import SecretStr

from bot.cli.common import run_until_stopped
from bot.config import Settings
from bot.domain.table import Status
from tests.bot.passing import play_turn
from tests.bot.server import serve


def program(database: Path) -> str:
    """Return the program that ``tests.bot.cli.process.running`` runs."""
    return f"import {__name__} as player; player.main({str(database)!r})"


def main(database: str) -> None:
    run_until_stopped(play(database))


async def play(database: str) -> None:
    settings = Settings(_env_file=None, database_url=SecretStr(f"sqlite:///{database}"), emoji=False)  # type: ignore[call-arg]
    chance = random.Random(1)
    async with serve(settings) as server:
        # Ids of interactions are made of the time, and simulated time begins anew: later than what was played before.
        ((played,),) = server.rows("select count(*) from games")
        await server.env.advance_time(played)
        print("playing", flush=True)
        while True:
            table = await server.begin(chance.randint(2, 4), order=chance.choice(("open", "clockwise")))
            while table.status is Status.PLAYING:
                table = await play_turn(server)
                print("answered", table.id, table.version, flush=True)
