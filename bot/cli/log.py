"""Starting the log of the commands that run the bot."""

import logging
from typing import TextIO

from bot.config import Settings
from bot.discord_api.errors import register_discord_errors
from bot.observing.logs import set_up
from bot.store.errors import register_database_errors


def start_logging(settings: Settings, stream: TextIO | None = None) -> logging.Handler:
    """Log as the settings say, to standard error by default, without anything secret or personal."""
    register_discord_errors()
    register_database_errors()
    return set_up(settings.log_level, settings.log_format, settings.secrets, stream)
