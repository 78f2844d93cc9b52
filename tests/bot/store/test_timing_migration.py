"""Tables of the version before, with last presses, a reason for a pause and another kind of news; on both databases."""

import json

from sqlalchemy import Connection, select, update

from bot.domain.timing import NewsKind
from bot.services.core import Core, get_table
from bot.services.deadlines import pause_table, resume_table
from bot.store import models, schema
from tests.bot.cores import begun, seated

BEFORE = {"last_presses": [{"at": 1767225600, "over": 0}] * 2, "pause_reason": "cannot post"}

NEWS = '[{"kind":"kept","seat":1,"round":null,"detail":"","at":0}]'


def load_timings(connection: Connection) -> dict[str, str]:
    return {row.id: row.timing for row in connection.execute(select(models.games.c.id, models.games.c.timing))}


def go_back(connection: Connection) -> None:
    """Return to the version before, and write the moments of all tables as it did."""
    schema.run_alembic(connection, "downgrade", "0004")
    for table_id, text in load_timings(connection).items():
        values = {"timing": json.dumps({**json.loads(text), **BEFORE}), "news": NEWS}
        connection.execute(update(models.games).where(models.games.c.id == table_id).values(values))


async def test_old_moments_are_read_and_what_is_no_longer_used_is_removed(core: Core) -> None:
    tables = [await begun(core, (await seated(core, 2, channel_id=channel)).id) for channel in (1, 2)]
    tables[1] = await pause_table(core, tables[1].id)
    before = await core.database.read(load_timings)
    await core.database.write(go_back)
    await core.database.write(schema.migrate_within)
    after = await core.database.read(load_timings)
    assert [json.loads(after[each]) for each in before] == [json.loads(text) for text in before.values()]
    for table in tables:
        now = await get_table(core, table.id)
        assert (now.timing, [news.kind for news in now.news]) == (table.timing, [NewsKind.PLAYED])
    assert (await resume_table(core, tables[1].id)).timing.paused_at is None
