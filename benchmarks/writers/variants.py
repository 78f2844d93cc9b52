"""The interface of the compared programs (variants), and the first of them: the bot itself."""

from typing import Protocol

from sqlalchemy import URL

from benchmarks.writers.scripts import Script
from bot.app import utc_now
from bot.config import Settings
from bot.domain.errors import Stale
from bot.services.core import Core
from bot.services.turn import decide_turn
from bot.store.database import Database
from highscore.deck import STANDARD_DECK


class Refused(Exception):
    """Another writer has already made this move."""


class Variant(Protocol):
    """One of the compared programs. It commits moves."""

    name: str

    async def open(self, url: URL) -> None:
        """Open a database that has the games."""

    async def move(self, script: Script, at: int, writer: int) -> None:
        """Commit the move with number ``at``. Raise Refused if it is already made."""

    async def close(self) -> None: ...


class Bot:
    """Makes each move with the bot's own code, but without Discord.

    In contrast to the plain ORM, this also looks for a new record after each round, and stores the results, ratings and
    leaderboards after each game.
    """

    name = "the bot"

    async def open(self, url: URL) -> None:
        settings = Settings(_env_file=None)  # type: ignore[call-arg]
        self.core = Core(Database(url), utc_now, STANDARD_DECK, settings.tables_per_channel, settings.paces)

    async def move(self, script: Script, at: int, writer: int) -> None:
        move = script.moves[at]
        try:
            await decide_turn(
                self.core,
                script.table.id,
                move.user_id,
                move.decision,
                version=at,
                interaction_id=move.interaction_id(writer),
            )
        except Stale as error:
            raise Refused from error

    async def close(self) -> None:
        await self.core.database.close()
