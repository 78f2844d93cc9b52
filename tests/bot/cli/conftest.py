from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.config import Settings
from tests.bot.cli.commands import DATABASE
from tests.bot.stocked import stocked
from tests.discord import Discord, found_by_discord_py
from tests.postgresql import postgresql as postgresql


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start every test in an empty folder with no settings, as after a fresh installation."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a server that does not come be asked as often as ever, but in quick succession."""
    monkeypatch.setattr("bot.store.database.LONGEST_WAIT", 0.01)


@pytest.fixture
def fake() -> Iterator[Discord]:
    """Run a Discord on loopback, which discord.py takes for the real one; also in ``running(..., fake=fake)``."""
    with Discord().running() as fake, found_by_discord_py(fake):
        yield fake


@pytest.fixture
def database() -> Path:
    """Make a database in which games were played, at the path of the default settings."""
    stocked(DATABASE)
    DATABASE.chmod(0o600)
    return DATABASE
