"""highscore-bot doctor: what is set, what works, what is missing."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import click
from pydantic import SecretStr

from bot.cli.checks.database import check_database, open_to_others
from bot.cli.checks.discord_side import check_discord
from bot.cli.checks.findings import Finding, bad, ok
from bot.cli.common import load_settings
from bot.config import Settings
from highscore.errors import DeckError


@click.command()
def doctor() -> None:
    """Check settings, deck, database, token, commands and permissions, and print the invite link.

    Changes nothing. Lines begin with ok, with BAD for what has to be set right, or with NB for what is worth knowing.
    """
    # Without a handler Python prints discord.py's warnings between the findings, which say the same.
    logging.getLogger("discord").addHandler(logging.NullHandler())
    findings = asyncio.run(_examine(load_settings()))
    for finding in findings:
        click.echo(str(finding))
    if any(finding.kind == "BAD" for finding in findings):
        raise SystemExit(1)


async def _examine(settings: Settings) -> list[Finding]:
    checks: tuple[Callable[[Settings], Awaitable[list[Finding]]], ...]
    checks = check_settings, check_deck, check_database, check_discord
    return [finding for check in checks for finding in await check(settings)]


async def check_settings(settings: Settings) -> list[Finding]:
    """List every setting; secret ones only by name."""
    findings = []
    for name, value in settings:
        text = "(not shown)" if isinstance(value, SecretStr) else "(not set)" if value is None else str(value)
        findings.append(ok(f"{name.upper()} = {text}"))
    if (file := Path(str(settings.model_config["env_file"]))).exists():
        findings += open_to_others(file, "the settings, with what is secret in them")
    return findings


async def check_deck(settings: Settings) -> list[Finding]:
    try:
        loaded = settings.load_deck()
    except DeckError as error:
        return [bad(f"the deck: {error}")]
    return [ok(f"the deck {loaded.name!r} has {len(loaded)} cards")]
