"""Computes the luck and skill of finished games in the helper process, one game after the other.

A game takes up to half a second, far too long for the transaction that ends it. So its row says that the review is
pending, which survives a restart. Until the review is stored, the game is missing only in
figures of luck and skill, such as the leaderboard by lost points.
"""

import logging

from sqlalchemy.exc import SQLAlchemyError

from bot.domain.outcome import MILLIONTHS, Review
from bot.observing.logs import set_log_fields
from bot.services.helper import HelperError
from bot.store.claims import PENDING_REVIEWS
from bot.store.results import save_reviews
from bot.store.table import load_events, load_table
from bot.workers.worker import Worker
from highscore.odds.analysis import analyse_game

log = logging.getLogger(__name__)


class Reviewing(Worker[str]):
    name = "reviews"
    rows = PENDING_REVIEWS
    slots = 1

    async def handle(self, item: str) -> None:
        set_log_fields(game=item)
        reviews: dict[int, Review] = {}
        try:
            table = await self._core.database.read(load_table, item)
            if table is not None:
                events = await self._core.database.read(load_events, item)
                report = await self._core.helper.run(analyse_game, len(table.seats), table.turn_order, events)
                reviews = {
                    each.seat: Review(round(each.own_luck * MILLIONTHS), round(each.loss * MILLIONTHS), each.decisions)
                    for each in report.players
                }
        except (SQLAlchemyError, HelperError):
            raise
        except Exception:
            # Another try would fail in the same way.
            log.exception("game %s could not be reviewed; it is stored without luck and skill", item)
        await self._core.database.write(save_reviews, item, reviews)
