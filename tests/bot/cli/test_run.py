"""highscore-bot run: what it says when it cannot, and that it ends when it is told to."""

import signal
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.discord_api.permissions import PERMISSIONS
from tests.bot.cli.commands import DATABASE, execute, invoke, requests_to
from tests.bot.cli.process import SOON, running
from tests.discord import APPLICATION, TOKEN, Discord


@pytest.fixture
def run_fails(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run ``highscore-bot run`` in this process, with settings; return the sentence with which it has to end."""
    monkeypatch.setattr("bot.cli.common.set_up_logging", lambda *_: None)
    for module in (sys, threading):
        monkeypatch.setattr(module, "excepthook", module.excepthook)  # put back what the command replaces

    def run(**settings: str) -> str:
        result = invoke("run", **{"DISCORD_TOKEN": TOKEN, **settings})
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        return result.stderr.rstrip("\n")

    return run


def test_without_a_token_one_sentence_says_where_to_get_it(run_fails: Callable[..., str]) -> None:
    Path(".env").write_text("DISCORD_TOKEN=\n", "utf-8")
    sentence = run_fails(DISCORD_TOKEN="")
    assert sentence.startswith("There is no DISCORD_TOKEN.")
    assert "https://discord.com/developers/applications" in sentence


def test_a_wrong_token_from_the_file_is_not_accepted_and_not_shown(fake: Discord) -> None:
    Path(".env").write_text("DISCORD_TOKEN=hunter2\n", "utf-8")
    with running("run", fake=fake, LOG_LEVEL="WARNING") as bot:
        assert bot.wait() == 2
    (sentence,) = bot.lines
    assert sentence.startswith("Discord does not accept the DISCORD_TOKEN")
    assert "https://discord.com/developers/applications" in sentence
    assert "hunter2" not in sentence
    assert requests_to(fake) == ["GET /users/@me"]


@pytest.mark.usefixtures("fake")
def test_a_deck_or_a_database_that_cannot_be_used_is_named(run_fails: Callable[..., str]) -> None:
    sentence = run_fails(DECK_FILE="nowhere.toml")
    assert sentence == "The bot stops: nowhere.toml: cannot be read: No such file or directory; check DECK_FILE."
    Path("games.sqlite3").write_bytes(b"This is no database. " * 200)
    sentence = run_fails(DATABASE_URL="sqlite+aiosqlite:///games.sqlite3")
    assert sentence == "The bot stops: the database cannot be used: file is not a database."
    assert invoke("migrate").exit_code == 0
    execute(DATABASE, "UPDATE alembic_version SET version_num = '9999'")
    assert "made by a newer version of this bot (schema 9999" in run_fails()


def test_it_connects_asks_for_no_more_than_it_needs_and_ends_in_time_when_told_to(fake: Discord) -> None:
    fake.hub.refusals = 1
    with running("run", fake=fake, DISCORD_TOKEN=TOKEN, LOG_LEVEL="DEBUG", EMOJI="true") as bot:
        link = bot.wait_for("Invite the bot with").split()[-1]
        bot.wait_for("Failed to connect for shard_id: 0. Retrying")
        bot.wait_for("playing in 0 servers as high-score")
        assert bot.end(signal.SIGINT, within=SOON) == 0
    files = [path for path in (DATABASE.parent, *DATABASE.parent.iterdir()) if path.stat().st_mode & 0o077]
    assert files == [], "for this user alone"
    assert TOKEN not in bot.output
    (identify,) = fake.hub.identified
    assert identify["intents"] == discord.Intents(guilds=True).value
    asked = parse_qs(urlsplit(link).query)
    assert asked["client_id"] == [str(APPLICATION)]
    assert set(asked["scope"][0].split()) == {"bot", "applications.commands"}
    assert discord.Permissions(int(asked["permissions"][0])) == PERMISSIONS
    assert not PERMISSIONS.administrator
    assert not PERMISSIONS.manage_messages
    assert execute(DATABASE, "PRAGMA integrity_check") == ("ok",)


def test_a_second_bot_on_the_same_file_is_refused_until_the_first_has_ended_or_was_killed(
    run_fails: Callable[..., str], fake: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.common.WAIT", 0.1)
    with running("run", fake=fake, DISCORD_TOKEN=TOKEN) as bot:
        bot.wait_for("playing in")
        Path("elsewhere").symlink_to("data", target_is_directory=True)
        for folder in ("data", "elsewhere"):
            file = f"{folder}/highscore.sqlite3"
            assert run_fails(DATABASE_URL=f"sqlite+aiosqlite:///{file}") == (
                f"The bot stops: another bot is running on {file}, and two would both answer every click; stop that one"
                " first, or give this one a file of its own (DATABASE_URL)."
            )
        assert requests_to(fake).count("GET /users/@me") == 1, "the second one has not even logged in"
        # What is no bot may have the database open beside it.
        assert invoke("rebuild").exit_code == 0
        assert bot.end(signal.SIGKILL, within=SOON) == -signal.SIGKILL
    lock = DATABASE.with_name("highscore.sqlite3.lock")
    assert lock.read_bytes() == b""
    files = {path.name.removeprefix(DATABASE.name) for path in lock.parent.iterdir() if path.is_file()}
    assert files <= {"", "-wal", "-shm", ".lock"}
    with closing(sqlite3.connect(lock, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        threading.Timer(0.2, other.execute, ["ROLLBACK"]).start()
        with running("run", fake=fake, DISCORD_TOKEN=TOKEN) as bot:
            bot.wait_for("playing in")
            assert bot.end(signal.SIGTERM, within=SOON) == 0
        assert "Traceback" not in bot.output


@pytest.mark.usefixtures("fake")
def test_a_lock_that_cannot_be_had_is_named(run_fails: Callable[..., str]) -> None:
    Path("data/highscore.sqlite3.lock").mkdir(parents=True)
    assert run_fails().endswith("highscore.sqlite3.lock cannot be locked: unable to open database file.")
