"""The migration after which no table waits for the end of a silence (R9.7), on both databases."""

import json
from datetime import datetime

from sqlalchemy import Connection, select, update

from bot.domain.timing import NewsKind
from bot.services.core import Core, get_table
from bot.services.deadlines import pause_table
from bot.store import models, schema
from highscore.turn_order import TurnOrder
from tests.bot.cores import NOW, started

SILENCE = {"agrees_at": [None, "2026-01-01T12:00:00Z"], "silence_at": "2026-01-01T12:15:00Z"}
NEWS = json.dumps([{"kind": "cancelled by all", "seat": 0, "round": None, "detail": "", "at": 0}])


def wait_for_silence(connection: Connection) -> None:
    """Go back to the version before, and let all tables wait as it did."""
    schema.run_alembic(connection, "downgrade", "0002")
    for table_id, written in connection.execute(select(models.games.c.id, models.games.c.timing)).all():
        values = {"timing": json.dumps({**json.loads(written), **SILENCE}), "wake_at": NOW, "news": NEWS}
        connection.execute(update(models.games).where(models.games.c.id == table_id).values(values))


def find_wake_at(connection: Connection, table_id: str) -> datetime | None:
    found: datetime | None = connection.scalar(select(models.games.c.wake_at).where(models.games.c.id == table_id))
    return found


async def test_no_table_waits_for_the_end_of_a_silence(core: Core) -> None:
    """A moment of which nothing comes would wake the clock for ever."""
    before = [await started(core, 2, order) for order in (TurnOrder.OWN_PACE, TurnOrder.OPEN)]
    before[1] = await pause_table(core, before[1].id)
    await core.database.write(wait_for_silence)
    await core.database.write(schema.migrate_within)
    for table in before:
        after = await get_table(core, table.id)
        assert after.timing == table.timing
        assert [news.kind for news in after.news] == [NewsKind.CANCELLED]
        assert await core.database.read(find_wake_at, table.id) == table.timing.wake_at
