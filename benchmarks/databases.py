"""The databases of the benchmarks: SQLite files with the bot's schema."""

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from bot.app import utc_now
from bot.cli.common import open_database, url_of
from bot.config import Settings
from bot.services.core import Core
from bot.store.schema import migrate_database
from highscore.deck import STANDARD_DECK
from tests import simulation

TABLES = 20
"""The most tables that a channel may have."""


def settings_for(file: Path) -> Settings:
    """Return the default settings, whatever the environment says, with a database in this file."""
    defaults = {name: one.default for name, one in Settings.model_fields.items()}
    changed = {
        "database_url": SecretStr(f"sqlite+aiosqlite:///{file.as_posix()}"),
        "tables_per_channel": TABLES,
        # A simulated player presses faster than a person could.
        "press_limit": 0,
        "command_limit": 0,
    }
    return Settings(**defaults | changed)


@asynccontextmanager
async def open_core(file: Path, now: Callable[[], datetime] = utc_now) -> AsyncIterator[Core]:
    """Create or migrate a database, and yield the bot's services on it. ``now`` is their clock."""
    settings = settings_for(file)
    async with open_database(url_of(settings), checkpoints=True) as database:
        await migrate_database(database)
        yield Core(database, now, STANDARD_DECK, settings.tables_per_channel, settings.paces)


@contextmanager
def quiet_folder(inside: Path | None) -> Iterator[Path]:
    """Make a temporary folder for databases.

    Until the block ends only errors are logged, and simulated actions return as soon as the bot is idle.
    """
    logged = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with simulation.hurried(), TemporaryDirectory(dir=inside) as folder:
            yield Path(folder)
    finally:
        logging.disable(logged)
