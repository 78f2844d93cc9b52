"""Fixtures of the tests of the bot."""

from tests.bot.fixtures import (
    core,
    database_url,
    games,
    keycaps,
    rare_looks,
    same_chance,
    server,
    settings,
    slow_house,
    slow_retries,
)
from tests.error_log import error_log

__all__ = [
    "core",
    "database_url",
    "error_log",
    "games",
    "keycaps",
    "rare_looks",
    "same_chance",
    "server",
    "settings",
    "slow_house",
    "slow_retries",
]
