"""The token and the database's password are nowhere: not in what is printed, not in the log, not in an error."""

import logging
import pickle
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from click.testing import CliRunner
from pydantic import SecretStr, ValidationError

from bot.cli import main
from bot.config import Settings
from bot.store.database import parse_url
from tests.bot.cli.process import running
from tests.discord import TOKEN, Discord

PASSWORD = "hunter2 & c@stle/gate?%#é"
"""A password with every character that has to be written differently in a URL."""
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
    """Fail if any of these has a secret."""
    for text in texts:
        leaked = [secret for secret in (*SECRETS, PASSWORD, ENCODED, quote_plus(PASSWORD)) if secret in text]
        assert leaked == [], text


def output(command: str, url: str, caplog: pytest.LogCaptureFixture) -> str:
    """Return everything that a command prints and logs at DEBUG when it cannot use the database."""
    with caplog.at_level(logging.DEBUG):
        result = CliRunner().invoke(main, command.split(), env={"DATABASE_URL": url, "LOG_LEVEL": "DEBUG"})
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.output
    return result.output + caplog.text


@pytest.mark.parametrize("command", COMMANDS)
def test_a_url_that_cannot_be_used_is_not_repeated(command: str, caplog: pytest.LogCaptureFixture) -> None:
    Path("old.sqlite3").touch()
    for url in REFUSED_AT_ONCE.values():
        text = output(command, url, caplog)
        assert_kept(text)
        assert "DATABASE_URL" in text or "FROM" in text


@contextmanager
def refusing_postgresql() -> Iterator[tuple[int, list[bytes]]]:
    """Run a server that asks for the password in clear and refuses it; yield its port, and the bytes it was sent."""
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


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a name that no machine has, without a look-up, which takes many seconds on a machine without network."""
    name, look_up = "nowhere.invalid", socket.getaddrinfo

    def known(host: str, *more: Any, **options: Any) -> Any:
        if host == name:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", known)
    return name


@pytest.mark.parametrize("command", CONNECTING)
def test_a_password_is_not_told_when_the_database_refuses_it_or_is_not_there(
    command: str, nowhere: str, caplog: pytest.LogCaptureFixture
) -> None:
    with refusing_postgresql() as (port, heard):
        text = output(command, f"postgresql://bot:{ENCODED}@127.0.0.1:{port}/games", caplog)
    assert [PASSWORD.encode() in each for each in heard[:1]] == [True], "the server has to get it, or nothing is tested"
    assert_kept(text)
    assert 'password authentication failed for user "bot"' in text
    for place, sentence in (("127.0.0.1:1", "Connect call failed"), (nowhere, "Name or service not known")):
        text = output(command, f"postgresql://bot:{ENCODED}@{place}/games", caplog)
        assert_kept(text)
        assert sentence in text


def test_the_running_bot_with_everything_logged(fake: Discord) -> None:
    """Logging in, a database that refuses, and the end by it."""
    with refusing_postgresql() as (port, heard):
        url = f"postgresql://bot:{ENCODED}@127.0.0.1:{port}/games"
        with running("run", fake=fake, DISCORD_TOKEN=TOKEN, DATABASE_URL=url, LOG_LEVEL="DEBUG") as bot:
            bot.wait_for("password authentication failed")
            assert bot.wait() == 2
    assert heard
    assert_kept(bot.output)


def test_settings_and_the_database_can_be_shown() -> None:
    address = f"postgresql://bot:{ENCODED}@127.0.0.1/games"
    settings = Settings(discord_token=SecretStr(WRONG_TOKEN), database_url=SecretStr(address))
    assert_kept(repr(settings), str(settings), settings.model_dump_json(), str(settings.model_dump()))
    assert WRONG_TOKEN.encode() in pickle.dumps(settings), "the test would be blind otherwise"
    url = parse_url(address)
    assert url.password == PASSWORD
    assert_kept(str(url), repr(url))


@pytest.mark.parametrize(
    "wrong", [{"LOG_LEVEL": "hunter2"}, {"SHARD_IDS": "0", "SHARD_COUNT": "2"}, {"TABLES_PER_CHANNEL": "hunter2"}]
)
def test_settings_that_are_wrong_are_named_and_not_quoted(
    wrong: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever makes them without the command line: the migrations. For that, see test_common.py."""
    for name, value in {"DISCORD_TOKEN": WRONG_TOKEN, "DATABASE_URL": f"sqlite:///{ENCODED}", **wrong}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert_kept(str(refused.value), repr(refused.value))
