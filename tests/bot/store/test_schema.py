import asyncio
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from bot.app import HighScoreBot
from bot.config import Settings
from bot.store import errors, models, schema
from bot.store.database import Database
from tests.bot.databases import database_file, open_database, update_program
from tests.bot.store.older import find_differences

pytestmark = pytest.mark.only_sqlite("looks into the file")


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    await asyncio.to_thread(database_file(settings).unlink)
    async with open_database(settings) as opened:
        yield opened


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def test_the_names_of_migrations_say_what_alembic_finds() -> None:
    scripts = ScriptDirectory(str(files("migrations"))).walk_revisions()
    assert schema.list_revisions() == [script.revision for script in reversed([*scripts])]


async def test_from_nothing_to_what_the_models_say_and_back(database: Database) -> None:
    assert (await schema.migrate_database(database)).current is None
    assert (await schema.load_schema_state(database)).up_to_date
    assert await database.read(find_differences) == []
    assert await database.read(_tables) == set(models.metadata.tables)
    again = await schema.migrate_database(database)
    assert (again.up_to_date, again.known) == (True, True)
    await database.write(schema.run_alembic, "downgrade", "base")
    assert await database.read(_tables) == set()
    assert (await schema.load_schema_state(database)).current is None
    await schema.migrate_database(database)
    assert await database.read(find_differences) == []


async def test_partial_indexes_stay_partial(database: Database) -> None:
    await schema.migrate_database(database)
    async with database.reading() as connection:
        rows = await connection.execute(text("select name, sql from sqlite_master where type = 'index' and sql > ''"))
        indexes = {name: str(sql).lower() for name, sql in rows}
    assert "shown_content_version < content_version" in indexes["ix_games_owed"]
    assert "'lobby'" in indexes["ix_games_open_channel"]


async def test_a_database_of_an_older_version_is_brought_up_to_date(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await schema.migrate_database(database)
    newest = update_program(monkeypatch, tmp_path)
    before = await schema.migrate_database(database)
    assert (before.up_to_date, before.known) == (False, True)
    assert (await schema.load_schema_state(database)).current == newest
    assert await database.read(_tables) == {"next", *models.metadata.tables}
    await database.write(schema.run_alembic, "downgrade", "base")
    assert await database.read(_tables) == set()


async def test_a_database_of_a_newer_version_is_refused(settings: Settings, database: Database) -> None:
    await schema.migrate_database(database)
    await database.write(lambda connection: connection.execute(text("update alembic_version set version_num = '9999'")))
    with pytest.raises(errors.DatabaseError, match="newer version"):
        await schema.migrate_database(database)
    assert (await schema.load_schema_state(database)).current == "9999"
    async with HighScoreBot(settings) as bot:
        with pytest.raises(errors.DatabaseError, match="9999"):
            await bot.setup_hook()
