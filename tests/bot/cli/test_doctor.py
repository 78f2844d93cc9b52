"""highscore-bot doctor: what it finds, and that it keeps secrets."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from click.testing import CliRunner

from bot.cli import main
from bot.config import Settings
from bot.discord_api.permissions import PERMISSIONS, SCOPES
from tests.bot.cli.fake_discord import APPLICATION, TOKEN, FakeDiscord
from tests.bot.cli.process import highscore_bot


def guild(name: str, permissions: discord.Permissions) -> dict[str, Any]:
    """A server as Discord lists it."""
    return {"id": "1", "name": name, "icon": None, "owner": False, "permissions": str(permissions.value)}


def examine(**settings: str) -> tuple[int, list[str], list[str]]:
    """Runs doctor: its exit code, what it found to be good and what it found to be bad."""
    result = CliRunner().invoke(main, ["doctor"], env=settings)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert TOKEN not in result.output
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert all(line.startswith(("ok  ", "NB  ", "BAD ")) for line in lines), lines
    good, bad = ([line[4:] for line in lines if line.startswith(kind)] for kind in ("ok", "BAD"))
    assert (result.exit_code == 0) is (not bad)
    return result.exit_code, good, bad


def notes(**settings: str) -> list[str]:
    """What doctor finds worth knowing, but neither good nor bad."""
    result = CliRunner().invoke(main, ["doctor"], env=settings)
    return [line[4:] for line in result.stdout.splitlines() if line.startswith("NB")]


def with_text(text: str, lines: list[str]) -> str:
    """The one line that has this text in it."""
    found = [line for line in lines if text in line]
    assert len(found) == 1, (text, lines)
    return found[0]


@pytest.fixture
def database() -> Path:
    """A database at this version's schema, where the default settings have it."""
    assert CliRunner().invoke(main, ["migrate"]).exit_code == 0
    return Path("data/highscore.sqlite3")


@pytest.mark.usefixtures("database")
def test_everything_good(fake: FakeDiscord) -> None:
    fake.guilds = [guild("Tavern", PERMISSIONS), guild("Castle", discord.Permissions(administrator=True))]
    code, good, bad = examine(DISCORD_TOKEN=TOKEN)
    assert (code, bad) == (0, [])
    assert with_text("has 21 cards", good).startswith("the deck ")
    assert "the database can be read: ok" in good
    assert with_text("the database has schema", good)
    assert "the token belongs to the application 'High Score'" in good
    assert "the server 'Tavern' gives the bot all it needs" in good
    assert "the server 'Castle' gives the bot all it needs" in good


@pytest.mark.usefixtures("database")
def test_the_invite_link_asks_for_what_play_needs(fake: FakeDiscord) -> None:
    _, good, _ = examine(DISCORD_TOKEN=TOKEN)
    link = urlsplit(with_text("invite it with", good).split()[-1])
    asked = parse_qs(link.query)
    assert f"{link.scheme}://{link.netloc}{link.path}" == "https://discord.com/oauth2/authorize"
    assert asked["client_id"] == [str(APPLICATION)]
    assert tuple(asked["scope"][0].split()) == SCOPES
    assert int(asked["permissions"][0]) == PERMISSIONS.value
    # It only looks: a command that is synchronised or a database that is opened by somebody who asks is too much.
    assert {line.partition(" ")[0] for line in fake.asked} == {"GET"}


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("missing", "named"),
    [
        ({"embed_links": False}, "Embed Links"),
        ({"attach_files": False, "view_channel": False}, "View Channel and Attach Files"),
        ({name: False for name, wanted in PERMISSIONS if wanted}, "Read Message History"),
    ],
)
def test_a_server_that_lacks_permissions_is_named_with_them(
    missing: dict[str, bool], named: str, fake: FakeDiscord
) -> None:
    given = discord.Permissions(PERMISSIONS.value)
    given.update(**missing)
    fake.guilds = [guild("Tavern", PERMISSIONS), guild("Cellar", given)]
    code, good, bad = examine(DISCORD_TOKEN=TOKEN)
    assert code == 1
    (sentence,) = bad
    assert sentence.startswith("the server 'Cellar' does not give the bot ")
    assert named in sentence
    assert "the server 'Tavern' gives the bot all it needs" in good


@pytest.mark.usefixtures("database")
def test_an_interactions_endpoint_is_named_for_it_takes_every_click_away(fake: FakeDiscord) -> None:
    fake.interactions_endpoint_url = "https://example.com/interactions"
    code, good, bad = examine(DISCORD_TOKEN=TOKEN)
    assert code == 1
    assert with_text("Interactions Endpoint URL", bad)
    assert with_text("invite it with", good)


@pytest.mark.usefixtures("database")
def test_discord_py_does_not_talk_in_between(fake: FakeDiscord) -> None:
    fake.interactions_endpoint_url = "https://example.com/interactions"
    done = highscore_bot("doctor", fake=fake, DISCORD_TOKEN=TOKEN)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("BAD ") == 1


@pytest.mark.usefixtures("database")
def test_without_a_token_it_says_where_to_get_one() -> None:
    code, good, bad = examine()
    assert code == 1
    (sentence,) = bad
    assert sentence.startswith("there is no DISCORD_TOKEN. Get one at https://discord.com/developers/applications")
    assert "DISCORD_TOKEN = (not set)" in good


@pytest.mark.usefixtures("database")
def test_a_wrong_token_is_not_shown(fake: FakeDiscord) -> None:
    code, good, bad = examine(DISCORD_TOKEN="hunter2")
    assert code == 1
    (sentence,) = bad
    assert sentence.startswith("Discord does not accept the DISCORD_TOKEN. Get one at")
    assert "DISCORD_TOKEN = (not shown)" in good
    assert not [line for line in (*good, *bad) if "hunter2" in line]
    assert fake.asked == ["GET /users/@me"]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("setting", "sentence"), [("hang_up", "Server disconnected"), ("down", "400 Bad Request")])
def test_discord_that_cannot_be_asked(setting: str, sentence: str, fake: FakeDiscord) -> None:
    setattr(fake, setting, True)
    code, _, bad = examine(DISCORD_TOKEN=TOKEN)
    assert code == 1
    assert with_text("Discord cannot be asked: ", bad).startswith(f"Discord cannot be asked: {sentence}")


def test_every_setting_is_shown_but_the_secret_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLES_PER_CHANNEL", "7")
    _, good, bad = examine(DATABASE_URL="postgresql://bob:hunter2@127.0.0.1:1/games")
    assert "TABLES_PER_CHANNEL = 7" in good
    assert "DATABASE_URL = (not shown)" in good
    for name in Settings.model_fields:
        assert with_text(f"{name.upper()} = ", good)
    assert not [line for line in (*good, *bad) if "hunter2" in line]


def test_a_database_of_another_kind_is_refused_without_its_password() -> None:
    code, good, bad = examine(DATABASE_URL="mysql://bot:hunter2@localhost/games")
    assert code == 1
    assert with_text("the database: DATABASE_URL names the database 'mysql'", bad)
    assert not [line for line in (*good, *bad) if "hunter2" in line]


def test_a_database_that_is_not_there_yet_is_no_fault_and_is_not_made() -> None:
    _, good, _ = examine()
    assert "there is no database at data/highscore.sqlite3 yet; run makes it" in good
    assert list(Path().iterdir()) == []


def test_an_empty_database_is_no_fault() -> None:
    Path("games.sqlite3").touch()
    _, good, _ = examine(DATABASE_URL="sqlite:///games.sqlite3")
    assert with_text("the database has schema nothing; run brings it to", good)


def test_a_database_of_a_newer_version(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    _, _, bad = examine()
    assert with_text("made by a newer version of this bot (schema 9999)", bad)


def test_a_file_that_is_no_database(database: Path) -> None:
    database.write_bytes(b"This is no database. " * 200)
    _, _, bad = examine()
    assert with_text("file is not a database", bad)


def test_a_damaged_database_is_found(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'games'").fetchone()
    content = bytearray(database.read_bytes())
    content[size * (root - 1) : size * root] = b"\xff" * size
    database.write_bytes(content)
    code, _, bad = examine()
    assert code == 1
    assert [line for line in bad if line.startswith("the database can")]


def test_a_deck_that_cannot_be_used() -> None:
    Path("deck.toml").write_text('name = "Mine"\n', "utf-8")
    for name in ("deck.toml", "nowhere.toml"):
        code, _, bad = examine(DECK_FILE=name)
        assert code == 1
        assert name in with_text("the deck: ", bad)
