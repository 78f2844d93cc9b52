"""The token and the database's password are nowhere: not in what is printed, not in the log, not in an error."""

from __future__ import annotations

import logging
import pickle
import socket
import struct
import threading
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote, quote_plus

import discord.gateway
import discord.http
import pytest
import yarl
from click.testing import CliRunner
from pydantic import SecretStr, ValidationError

from bot.cli import main
from bot.config import Settings
from bot.store.database import DatabaseError, parse_url
from tests.bot.cli.fake_discord import TOKEN, FakeDiscord
from tests.bot.cli.process import highscore_bot, running

PASSWORD = "hunter2 & c@stle/gate?%#é"
"""With everything in it that has to be written differently in a URL."""
ENCODED = quote(PASSWORD, safe="")
WRONG_TOKEN = "MTIzNDU2Nzg5.Gabcde.this-was-reset-yesterday"
SECRETS = ("hunter2", "c@stle", "stle/gate", quote("c@stle", safe=""), "this-was-reset", "Gabcde", *TOKEN.split("."))
"""Pieces of them: half a secret is too much, too."""
CONNECTING = ("migrate", "rebuild", "doctor", "copy-database env:DATABASE_URL sqlite:///new.sqlite3")
COMMANDS = (*CONNECTING, "backup copy.sqlite3", "restore old.sqlite3")

REFUSED_AT_ONCE = {
    "not escaped": f"postgresql://bot:{PASSWORD}@127.0.0.1/games",
    "in the query": f"postgresql://bot@127.0.0.1/games?password={ENCODED}",
    "not escaped in the query": f"postgresql://bot@127.0.0.1/games?password={PASSWORD}",
    "as a port": f"postgresql://bot@127.0.0.1:{ENCODED}/games",
    "unclosed": f"postgresql://bot:{ENCODED}@[::1/games",
    "no host": f"postgresql://bot:{ENCODED}@/",
    "another database": f"mysql://bot:{ENCODED}@127.0.0.1/games",
    "another driver": f"postgresql+psycopg2://bot:{ENCODED}@127.0.0.1/games",
    "an option of libpq": f"postgresql://bot:{ENCODED}@127.0.0.1/games?options=-c%20{ENCODED}",
    "a mode that is none": f"postgresql://bot:{ENCODED}@127.0.0.1/games?sslmode={ENCODED}",
    "a port that is none": f"postgresql://bot:{ENCODED}@127.0.0.1/games?port=hunter2",
    "the password alone": PASSWORD,
    "the password as its kind": "hunter2://127.0.0.1",
    "a file with a password": f"sqlite+aiosqlite:///games.sqlite3?key={ENCODED}",
}
"""URLs that no connection is made for."""


def assert_kept(*texts: str) -> None:
    """Nothing secret is in any of these."""
    for text in texts:
        found = [secret for secret in (*SECRETS, PASSWORD, ENCODED, quote_plus(PASSWORD)) if secret in text]
        assert found == [], text


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings but those of the test."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    Path("old.sqlite3").touch()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDiscord]:
    """A Discord on loopback, which discord.py takes for the real one."""
    fake = FakeDiscord()
    with fake.running():
        monkeypatch.setattr(discord.http.Route, "BASE", fake.rest)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(fake.gateway))
        yield fake


def told(command: str, url: str, caplog: pytest.LogCaptureFixture) -> str:
    """Everything that a command says and logs, at its most talkative, when it cannot use the database."""
    with caplog.at_level(logging.DEBUG):
        result = CliRunner().invoke(main, command.split(), env={"DATABASE_URL": url, "LOG_LEVEL": "DEBUG"})
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.output
    return result.output + caplog.text


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("url", REFUSED_AT_ONCE.values(), ids=REFUSED_AT_ONCE)
def test_a_url_that_cannot_be_used_is_not_repeated(command: str, url: str, caplog: pytest.LogCaptureFixture) -> None:
    text = told(command, url, caplog)
    assert_kept(text)
    assert "DATABASE_URL" in text or "FROM" in text


@pytest.mark.parametrize("url", REFUSED_AT_ONCE.values(), ids=REFUSED_AT_ONCE)
def test_the_error_itself_holds_nothing_secret(url: str) -> None:
    """Whoever logs it with its causes, or sends it somewhere, gives nothing away."""
    with pytest.raises(DatabaseError) as refused:
        parse_url(url)
    lines = traceback.TracebackException.from_exception(refused.value, capture_locals=False).format()
    assert_kept(*lines, repr(refused.value))


@contextmanager
def refusing_postgresql() -> Iterator[tuple[int, list[bytes]]]:
    """A server that asks for the password in clear and does not take it; its port, and what it was sent."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer(connection: socket.socket) -> None:
            with closing(connection):
                while (length := int.from_bytes(connection.recv(4), "big")) == 8:  # asks for encryption
                    connection.recv(4)
                    connection.sendall(b"N")
                if length < 8:
                    return
                connection.recv(length - 4)
                connection.sendall(b"R" + struct.pack("!ii", 8, 3))
                heard.append(connection.recv(1024))
                text = b'SFATAL\0C28P01\0Mpassword authentication failed for user "bot"\0\0'
                connection.sendall(b"E" + struct.pack("!i", len(text) + 4) + text)

        def serve() -> None:
            while True:
                try:
                    answer(listener.accept()[0])
                except OSError:
                    return

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1], heard
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("command", CONNECTING)
def test_a_password_that_is_refused_is_not_told(command: str, caplog: pytest.LogCaptureFixture) -> None:
    with refusing_postgresql() as (port, heard):
        text = told(command, f"postgresql://bot:{ENCODED}@127.0.0.1:{port}/games", caplog)
    assert [PASSWORD.encode() in each for each in heard[:1]] == [True], "the server has to get it, or nothing is tested"
    assert_kept(text)
    assert 'password authentication failed for user "bot"' in text


@pytest.mark.parametrize(
    ("place", "sentence"),
    [("127.0.0.1:1", "Connect call failed"), ("nowhere.invalid", "ame")],
    ids=["nobody listens", "no such name"],
)
@pytest.mark.parametrize("command", CONNECTING)
def test_a_database_that_is_not_there(
    command: str, place: str, sentence: str, caplog: pytest.LogCaptureFixture
) -> None:
    text = told(command, f"postgresql://bot:{ENCODED}@{place}/games", caplog)
    assert_kept(text)
    assert sentence in text


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_running_bot_with_everything_logged(form: str, fake: FakeDiscord) -> None:
    """Logging in, a database that refuses, and the end by it."""
    with refusing_postgresql() as (port, heard):
        url = f"postgresql://bot:{ENCODED}@127.0.0.1:{port}/games"
        with running(
            "run", fake=fake, DISCORD_TOKEN=TOKEN, DATABASE_URL=url, LOG_LEVEL="DEBUG", LOG_FORMAT=form
        ) as bot:
            bot.wait_for("password authentication failed")
            bot.process.wait(30)
    assert heard
    assert_kept(bot.output)


@pytest.mark.parametrize("command", ["run", "doctor"])
def test_a_token_that_is_refused(command: str, fake: FakeDiscord) -> None:
    done = highscore_bot(command, fake=fake, DISCORD_TOKEN=WRONG_TOKEN, LOG_LEVEL="DEBUG")
    assert done.returncode in (1, 2)
    assert "Discord does not accept the DISCORD_TOKEN" in done.stdout + done.stderr
    assert_kept(done.stdout, done.stderr)


@pytest.mark.parametrize("token", [f"Bot {WRONG_TOKEN}", f"{WRONG_TOKEN}\n{WRONG_TOKEN}", f"\u202e{WRONG_TOKEN}"])
def test_a_token_that_is_none(token: str, caplog: pytest.LogCaptureFixture) -> None:
    for command in ("run", "doctor"):
        result = CliRunner().invoke(main, [command], env={"DISCORD_TOKEN": token})
        assert isinstance(result.exception, SystemExit)
        assert_kept(result.output, caplog.text)


def secret_settings() -> Settings:
    return Settings(
        discord_token=SecretStr(WRONG_TOKEN), database_url=SecretStr(f"postgresql://bot:{ENCODED}@127.0.0.1/games")
    )


def test_settings_can_be_shown() -> None:
    settings = secret_settings()
    assert_kept(repr(settings), str(settings), settings.model_dump_json(), str(settings.model_dump()))
    assert WRONG_TOKEN.encode() in pickle.dumps(settings), "the test would be blind otherwise"


@pytest.mark.parametrize(
    "wrong", [{"LOG_LEVEL": "hunter2"}, {"SHARD_IDS": "0", "SHARD_COUNT": "2"}, {"TABLES_PER_CHANNEL": "hunter2"}]
)
def test_settings_that_are_wrong_are_named_and_not_quoted(
    wrong: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by whoever makes them without the command line: the migrations."""
    for name, value in {"DISCORD_TOKEN": WRONG_TOKEN, "DATABASE_URL": f"sqlite:///{ENCODED}", **wrong}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert_kept(str(refused.value), repr(refused.value))
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 2
    assert_kept(result.output)


def test_the_database_can_be_shown() -> None:
    url = parse_url(f"postgresql://bot:{ENCODED}@127.0.0.1/games")
    assert url.password == PASSWORD
    assert_kept(str(url), repr(url))
