"""Working out the luck and skill of finished games, one after the other, beside the event loop.

It takes up to half a second a game, far too long for the transaction that ends it. So the game owes a review, the
leaderboard's order by lost points is a little behind, and nothing else waits. What is owed survives a restart.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from bot.domain.outcome import MILLIONTHS, Review
from bot.domain.table import Status, Table
from bot.observing.context import work_on
from bot.services.coaching import analysed
from bot.services.core import Core
from bot.store.leases import claim_reviews
from bot.store.results import owed_reviews, save_reviews
from bot.store.table import load_events, load_table
from highscore.odds.analysis import Report

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Games looked up at a time."""
STOP_SECONDS = 3.0
"""How long ``close`` waits for the game that is being reviewed."""


class Reviewing:
    """Makes the reviews that are owed."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._stopping = False

    def committed(self, table: Table) -> None:
        """Called with every table that was changed: one that has been played to the end owes a review."""
        if table.status is Status.FINISHED:
            self.poke()

    def poke(self) -> None:
        """Make what is owed, soon."""
        self._again = True
        if self._task is None and not self._stopping:
            self._task = asyncio.create_task(self._run(), name="reviews")

    async def close(self) -> None:
        """Finish the game that is being reviewed, within a few seconds; the rest stays owed in the database."""
        self._stopping = True
        # The task forgets itself when it ends, which may be while it is waited for.
        if (task := self._task) is not None:
            await asyncio.wait({task}, timeout=STOP_SECONDS)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def settled(self) -> None:
        """Wait until nothing is owed."""
        while self._task is not None:
            await asyncio.wait({self._task})

    async def _run(self) -> None:
        work_on()
        try:
            while self._again and not self._stopping:
                self._again = False
                owed = await self._owed()
                for game_id in owed:
                    if not self._stopping:
                        await self._review(game_id)
                self._again = self._again or len(owed) == AT_ONCE
        except Exception:
            # What is owed is made after the next game, or the next start.
            log.exception("luck and skill could not be stored")
        finally:
            self._task = None

    async def _owed(self) -> list[str]:
        core = self._core
        if core.database.shared:
            now = core.now()
            return await core.database.write(lambda connection: claim_reviews(connection, now, AT_ONCE))
        async with core.database.read() as connection:
            return await owed_reviews(connection, AT_ONCE)

    async def _review(self, game_id: str) -> None:
        work_on(game=game_id)
        try:
            reviews = await self._reviews(game_id)
        except SQLAlchemyError:
            raise
        except Exception:
            # It would fail every time, and hold up all others.
            log.exception("game %s cannot be reviewed; it goes without luck and skill", game_id)
            reviews = {}
        await self._core.database.write(partial(save_reviews, game_id=game_id, reviews=reviews))

    async def _reviews(self, game_id: str) -> dict[int, Review]:
        async with self._core.database.read() as connection:
            table = await load_table(connection, game_id)
            events = await load_events(connection, game_id)
        if table is None:
            return {}
        return reviews_of(await asyncio.to_thread(analysed, len(table.seats), table.turn_order, events))


def reviews_of(report: Report) -> dict[int, Review]:
    """The luck and loss of each seat as they are stored."""
    return {
        player.seat: Review(round(player.luck * MILLIONTHS), round(player.loss * MILLIONTHS), player.decisions)
        for player in report.players
    }
