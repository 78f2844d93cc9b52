"""The checks of the settings, and of this machine's port."""

import errno
import socket
from pathlib import Path

import aiohttp
from pydantic import SecretStr

from bot.cli.checks.database import open_to_others
from bot.cli.checks.findings import Finding, bad, ok, remark
from bot.config import Settings
from highscore.errors import DeckError

PATIENCE = aiohttp.ClientTimeout(total=5)
"""The time within which a running bot has to tell its health."""


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


async def check_port(settings: Settings) -> list[Finding]:
    """Check that METRICS_PORT can be opened, or the health of the bot that has it open."""
    if settings.metrics_port is None:
        return []
    host, number = settings.metrics_host, settings.metrics_port
    try:
        family, kind, _protocol, _name, address = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trying:
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trying.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return [await _ask_health(host, number)]
        return [bad(f"METRICS_PORT {number} of METRICS_HOST {host} cannot be opened: {error.strerror}")]
    return [ok(f"METRICS_PORT {number} of {host} is free" if number else "METRICS_PORT 0 takes any free one")]


async def _ask_health(host: str, number: int) -> Finding:
    # A port that is opened on every address is asked on the loopback address.
    asked = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not opened, only looked up
    asked = f"[{asked}]" if ":" in asked else asked
    try:
        async with (
            aiohttp.ClientSession(timeout=PATIENCE) as session,
            session.get(f"http://{asked}:{number}/health") as answer,
        ):
            health = await answer.json()
            ill = [f"{part}: {how}" for part, how in health["parts"].items() if part in health["ill"]]
    except (TimeoutError, aiohttp.ClientError, OSError, ValueError, LookupError, TypeError, AttributeError):
        return bad(f"METRICS_PORT {number} of {host} is taken by another program")
    if ill:
        return bad(f"the bot that has METRICS_PORT {number} open is not well: {'; '.join(ill)}")
    return remark(f"METRICS_PORT {number} is open already: a bot runs there, and is well")
