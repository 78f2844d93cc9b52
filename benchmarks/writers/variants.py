"""Variants that are measured, and the first of them: the bot itself."""

from datetime import UTC, datetime
from typing import Protocol

from sqlalchemy import URL

from benchmarks.writers.scripts import Script
from bot.config import Settings
from bot.domain.errors import Stale
from bot.services.core import Core
from bot.services.turn import decide_turn
from bot.store.database import Database
from highscore.deck import STANDARD_DECK


class Refused(Exception):
    """Somebody else has made this move."""


class Variant(Protocol):
    """A way to commit moves."""

    name: str

    async def open(self, url: URL) -> None:
        """Open a database at the bot's schema in which the games are."""

    async def move(self, script: Script, at: int, writer: int) -> None:
        """Commit the move at ``at``. Raises Refused when it was made already."""

    async def close(self) -> None:
        """Close the connections."""


class Bot:
    """The service that answers a click: everything but Discord.

    At the end of a round it looks whether a record was broken, and at the end of a game it writes the results, ratings
    and leaderboards, which the other one does not.
    """

    name = "the bot"

    async def open(self, url: URL) -> None:
        settings = Settings(_env_file=None)  # type: ignore[call-arg]
        self.core = Core(
            Database(url),
            lambda: datetime.now(UTC),
            STANDARD_DECK,
            settings.tables_per_channel,
            settings.paces,
        )

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
