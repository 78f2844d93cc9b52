"""highscore-bot doctor: what is set, what works, what is missing."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import click

from bot.cli.checks.database import check_database
from bot.cli.checks.discord_side import check_discord
from bot.cli.checks.findings import Finding
from bot.cli.checks.own import check_deck, check_port, check_settings
from bot.cli.common import load_settings
from bot.config import Settings


@click.command()
def doctor() -> None:
    """Check settings, deck, database, port, token, commands, shards, permissions, and print the invite link.

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
    checks = check_settings, check_deck, check_database, check_port, check_discord
    return [finding for check in checks for finding in await check(settings)]
