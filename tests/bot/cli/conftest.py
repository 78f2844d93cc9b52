"""Fixtures of the tests of the command line."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import discord.gateway
import discord.http
import pytest
import yarl

from bot.config import Settings
from tests.bot.cli.commands import DATABASE
from tests.bot.cli.fake_discord import FakeDiscord
from tests.bot.stocked import stocked
from tests.postgresql import new_database


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test starts in an empty folder with no settings, as after a fresh installation."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not come is asked as often as ever, but in quick succession."""
    monkeypatch.setattr("bot.store.database.LONGEST_WAIT", 0.01)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDiscord]:
    """A Discord on loopback, which discord.py takes for the real one; also in ``highscore_bot(..., fake=fake)``."""
    fake = FakeDiscord()
    with fake.running():
        monkeypatch.setattr(discord.http.Route, "BASE", fake.rest)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(fake.gateway))
        yield fake


@pytest.fixture
def database() -> Path:
    """A database in which something was played, where the default settings have it."""
    stocked(DATABASE)
    DATABASE.chmod(0o600)
    return DATABASE


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of an empty database of PostgreSQL."""
    with asyncio.Runner() as runner:
        made = new_database()
        yield runner.run(made.__aenter__())
        runner.run(made.__aexit__(None, None, None))
