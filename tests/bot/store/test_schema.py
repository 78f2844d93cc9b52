"""Migrations: from nothing to what the models say, back, and never from the future."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

import migrations
from bot.app import HighScoreBot
from bot.config import Settings
from bot.store.database import Database, DatabaseError, parse_url
from bot.store.models import metadata
from bot.store.schema import migrate, schema_state
from tests.bot.databases import database_file

pytestmark = pytest.mark.only_sqlite("looks into the file")


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    """A database whose file does not exist yet."""
    file = database_file(settings)
    await asyncio.to_thread(file.unlink)
    opened = Database(parse_url(settings.database_url.get_secret_value()))
    yield opened
    await opened.close()


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__path__[0])))
    config.attributes["connection"] = connection
    return config


async def _run(database: Database, work: Callable[[Connection], Any]) -> Any:
    return await database.write(lambda connection: connection.run_sync(work))


def _differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "render_as_batch": True})
    return list(compare_metadata(context, metadata))


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


async def test_an_empty_database_becomes_what_the_models_say(database: Database) -> None:
    before = await migrate(database)
    assert before.current is None
    assert (await schema_state(database)).up_to_date
    assert await _run(database, _differences) == []
    assert await _run(database, _tables) == set(metadata.tables)


async def test_migrating_again_changes_nothing(database: Database) -> None:
    await migrate(database)
    again = await migrate(database)
    assert again.up_to_date
    assert again.known


async def test_every_migration_goes_back_and_forth(database: Database) -> None:
    await migrate(database)
    await _run(database, lambda connection: command.downgrade(_config(connection), "base"))
    assert await _run(database, _tables) == set()
    assert (await schema_state(database)).current is None
    await migrate(database)
    assert await _run(database, _differences) == []


def _back_and_forth(revision: str, connection: Connection) -> None:
    config = _config(connection)
    command.downgrade(config, "-1")
    command.upgrade(config, revision)
    command.downgrade(config, "-1")


async def test_each_single_step_goes_back_and_forth(database: Database) -> None:
    await migrate(database)

    def revisions(connection: Connection) -> list[str]:
        return [script.revision for script in ScriptDirectory.from_config(_config(connection)).walk_revisions()]

    for revision in await _run(database, revisions):
        await _run(database, partial(_back_and_forth, revision))
    assert await _run(database, _tables) == set()


async def test_partial_indexes_stay_partial(database: Database) -> None:
    await migrate(database)
    async with database.read() as connection:
        rows = await connection.execute(text("select name, sql from sqlite_master where type = 'index' and sql > ''"))
        indexes = {name: str(sql).lower() for name, sql in rows}
    assert "shown_version < version" in indexes["ix_games_owed"]
    assert "'lobby'" in indexes["ix_games_open_channel"]


async def test_a_database_of_a_newer_version_is_refused(database: Database) -> None:
    await migrate(database)
    await _run(database, lambda connection: connection.execute(text("update alembic_version set version_num = '9999'")))
    with pytest.raises(DatabaseError, match="newer version"):
        await migrate(database)
    assert (await schema_state(database)).current == "9999"


async def test_the_bot_does_not_start_on_a_newer_database(settings: Settings, database: Database) -> None:
    await migrate(database)
    await _run(database, lambda connection: connection.execute(text("update alembic_version set version_num = '9999'")))
    async with HighScoreBot(settings) as bot:
        with pytest.raises(DatabaseError, match="9999"):
            await bot.setup_hook()


def test_the_url_is_not_printed_with_the_settings(settings: Settings) -> None:
    assert "sqlite" not in repr(settings)
    assert "sqlite" not in str(settings)
