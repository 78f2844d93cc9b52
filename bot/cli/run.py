"""highscore-bot run: the bot on Discord."""

import asyncio
import logging
import sqlite3
from pathlib import Path

import click
import discord
from sqlalchemy import URL

from bot.app import HighScoreBot
from bot.cli.common import (
    CANNOT_START,
    end,
    load_settings,
    only_bot,
    reason_of,
    run_until_stopped,
    start_logging,
    url_of,
)
from bot.config import Settings
from bot.discord_api.errors import DISCORD_ERRORS
from bot.observing.logs import log_uncaught, report_unhandled
from bot.store.sqlite import WAL_RESET_FIXED, has_wal_reset_bug, is_in_use

log = logging.getLogger(__name__)

WHERE_TOKENS_ARE = (
    "Get one at https://discord.com/developers/applications (your application, Bot, Reset Token) and put it into"
    " the environment or .env as DISCORD_TOKEN=..."
)
NOTICED_SECONDS = 0.5
"""The seconds that the bot's connection may take to end after it is cancelled. Then the bot is closed anyway."""


@click.command()
def run() -> None:
    """Connect to Discord and play, until Ctrl-C or SIGTERM."""
    settings = load_settings()
    if settings.discord_token is None:
        end(f"There is no DISCORD_TOKEN. {WHERE_TOKENS_ARE} To try the bot without one: highscore-bot play")
    start_logging(settings)
    log_uncaught()
    try:
        url = url_of(settings)
        with only_bot(url):
            _warn_of_old_sqlite(url)
            run_until_stopped(connect(settings, settings.discord_token.get_secret_value()))
    except discord.PrivilegedIntentsRequired as error:
        end(f"Discord refuses the connection: {error}")
    except (*CANNOT_START, *DISCORD_ERRORS) as error:
        match error:
            # 4004 is the gateway's code for a token that was reset while the bot was running.
            case discord.LoginFailure() | discord.ConnectionClosed(code=4004) | discord.HTTPException(status=401):
                end(f"Discord does not accept the DISCORD_TOKEN. {WHERE_TOKENS_ARE}")
        end(f"The bot stops: {reason_of(error)}.")


def _warn_of_old_sqlite(url: URL) -> None:
    """Log a warning if this SQLite can lose moves (``WAL_RESET_FIXED``) and another program has the database open."""
    if url.get_backend_name() != "sqlite" or url.database is None or not has_wal_reset_bug():
        return
    if is_in_use(Path(url.database)):
        log.warning(
            "another program has the database open, and SQLite %s can lose moves when it writes to it too; stop it, or"
            " install SQLite %s or newer",
            sqlite3.sqlite_version,
            ".".join(map(str, WAL_RESET_FIXED)),
        )


async def connect(settings: Settings, token: str) -> None:
    """Run the bot until it ends or is cancelled, then close it."""
    report_unhandled(asyncio.get_running_loop())
    async with HighScoreBot(settings) as bot:
        playing = asyncio.create_task(_play(bot, token), name="play")
        try:
            # A separate task, because discord.py connects with asyncio.wait_for, which can lose a cancellation before
            # Python 3.12 (https://github.com/python/cpython/issues/86296).
            await asyncio.wait({playing})
        except asyncio.CancelledError:
            playing.cancel()
            await asyncio.wait({playing}, timeout=NOTICED_SECONDS)
            raise
        await playing


async def _play(bot: HighScoreBot, token: str) -> None:
    await bot.login(token)
    click.echo(f"Invite the bot with {bot.invite_link()}")
    await bot.connect()
