"""highscore-bot run: the bot on Discord."""

from __future__ import annotations

import logging

import click
import discord

from bot.cli.common import end, load_settings, run_until_stopped
from bot.client import HighScoreBot
from bot.settings import Settings
from bot.store.database import DatabaseError
from highscore.errors import DeckError

WHERE_TOKENS_ARE = (
    "Get one at https://discord.com/developers/applications (your application, Bot, Reset Token) and put it into"
    " the environment or .env as DISCORD_TOKEN=..."
)


@click.command()
def run() -> None:
    """Connect to Discord and play, until Ctrl-C or SIGTERM."""
    settings = load_settings()
    if settings.discord_token is None:
        end(f"There is no DISCORD_TOKEN. {WHERE_TOKENS_ARE} To try the bot without one: highscore-bot play")
    discord.utils.setup_logging(level=logging.getLevelNamesMapping()[settings.log_level])
    try:
        run_until_stopped(connect(settings, settings.discord_token.get_secret_value()))
    except discord.LoginFailure:
        end(f"Discord does not accept the DISCORD_TOKEN. {WHERE_TOKENS_ARE}")
    except discord.PrivilegedIntentsRequired as error:
        end(f"Discord refuses the connection: {error}")
    except (DatabaseError, DeckError) as error:
        end(f"The bot cannot start: {error}.")
    except OSError as error:
        end(f"The bot cannot start: {error}")


async def connect(settings: Settings, token: str) -> None:
    """Run the bot; leaving it, also by cancellation, closes everything in order."""
    async with HighScoreBot(settings) as bot:
        await bot.login(token)
        click.echo(f"Invite the bot with {bot.invite_link()}")
        await bot.connect()
