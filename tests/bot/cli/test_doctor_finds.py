"""highscore-bot doctor: files and backups, PostgreSQL, the port, shards."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from bot.cli import main
from bot.cli.checks.server import CONNECTIONS
from bot.store.database import Database, parse_url
from tests.bot.cli.fake_discord import TOKEN, FakeDiscord
from tests.bot.cli.process import running
from tests.bot.cli.test_doctor import examine, notes, with_text
from tests.bot.stocked import stocked
from tests.postgresql import new_database

DATABASE = Path("data/highscore.sqlite3")


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


# -------------------------------------------------------------------------------------------------------- the file


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("version", "noted"), [((3, 40, 1), True), ((3, 51, 3), False)])
def test_an_old_sqlite_is_worth_a_note(version: tuple[int, ...], noted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.sqlite_file.has_wal_reset_bug.__defaults__", (version,))
    _, good, _ = examine()
    said = [line for line in notes() if line.startswith("SQLite ")]
    assert len(said) == noted
    assert len([line for line in good if line == f"SQLite {sqlite3.sqlite_version}"]) == (not noted)
    assert all("fixed in 3.51.3" in line for line in said)


@pytest.mark.usefixtures("database")
def test_a_running_bot_is_noticed(fake: FakeDiscord) -> None:
    with running("run", fake=fake, DISCORD_TOKEN=TOKEN, METRICS_PORT="0") as bot:
        address = bot.wait_for("metrics at http://")
        bot.wait_for("playing in")
        port = re.findall(r"127\.0\.0\.1:(\d+)/metrics", address)[0]
        _, good, bad = examine(DISCORD_TOKEN=TOKEN, METRICS_PORT=port)
        assert "the database is open in another process: the bot runs, or a command" in good
        assert "the database can be read: ok" in good
        assert bad == []
        assert f"METRICS_PORT {port} is open already: a bot runs there, and is well" in notes(METRICS_PORT=port)
        assert bot.end(signal.SIGTERM, within=10) == 0


def test_a_database_that_others_can_read_is_worth_a_note(database: Path) -> None:
    assert not [line for line in notes() if "can read the database" in line]
    database.chmod(0o644)
    assert with_text("others on this machine can read the database (mode 644): chmod 600", notes())
    database.parent.chmod(0o700)
    assert not [line for line in notes() if "can read the database" in line]


def test_a_database_that_cannot_be_written_is_bad(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, _mode: path != database)  # root may write everywhere
    _, _, bad = examine()
    assert f"{database} is not writable for this user" in bad


def test_a_folder_in_which_none_can_be_made_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    _, _, bad = examine()
    sentence = with_text(f"there is no database at {DATABASE}, and none can be made: ", bad)
    assert sentence.endswith(f"{Path.cwd()} is not writable")


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("free", "noted"), [(100_000_000, True), (300_000_000, False)])
def test_little_room_is_worth_a_note(free: int, noted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(".")._replace(free=free)
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: usage)
    found = [line for line in notes() if line.startswith("the database takes 0.3 MB, and ")]
    assert len(found) == noted
    assert bool([line for line in examine()[1] if "0.3 MB, and 300 MB are free" in line]) is not noted


@pytest.mark.usefixtures("database")
def test_the_last_backup_is_told() -> None:
    folder = DATABASE.parent / "backups"
    assert f"there is no backup in {folder}; highscore-bot backup makes one while the bot plays" in notes()
    for _time in range(2):
        assert CliRunner().invoke(main, ["backup", "--force"]).exit_code == 0
    _, good, _ = examine()
    made = len(list(folder.iterdir()))
    assert with_text(f"{made} backups in {folder}, the last of 20", good).endswith(" UTC")
    for backup in folder.iterdir():
        os.utime(backup, (0, 1_000_000_000))
    assert with_text("the last of 2001-09-09 01:46 UTC: that is long ago", notes())


# ------------------------------------------------------------------------------------------------------ PostgreSQL


def test_a_good_server(postgresql: str) -> None:
    code, good, bad = examine(DATABASE_URL=postgresql)
    assert code == 1, "there is no token"
    assert [line for line in bad if "DISCORD_TOKEN" not in line] == []
    assert with_text("PostgreSQL ", good).endswith(" answers")
    assert with_text("the clocks of this machine and of the database agree to 0.", good)
    assert with_text(f"; a process of the bot takes {CONNECTIONS}", good)
    assert with_text("the database has schema nothing; run brings it to", good)
    assert CliRunner().invoke(main, ["migrate"], env={"DATABASE_URL": postgresql}).exit_code == 0
    assert with_text("the database has schema 0", examine(DATABASE_URL=postgresql)[1])


def test_a_server_that_does_not_answer_is_bad_and_the_password_is_kept() -> None:
    _, good, bad = examine(DATABASE_URL="postgresql://bob:hunter2@127.0.0.1:1/games")
    assert with_text("the database", [line for line in bad if "DISCORD_TOKEN" not in line])
    assert not [line for line in (*good, *bad) if "hunter2" in line]


def run(url: str, *statements: str) -> None:
    """Do something on a server as its owner."""

    async def work() -> None:
        database = Database(parse_url(url))
        async with database.read() as connection:
            for statement in statements:
                await connection.execute(text(statement))
        await database.close()

    asyncio.run(work())


def test_connections_that_are_too_few_are_bad(postgresql: str) -> None:
    name = parse_url(postgresql).database
    # A superuser is not limited, so the limit can be told by one.
    run(postgresql, f"ALTER DATABASE {name} CONNECTION LIMIT {CONNECTIONS - 1}")
    _, _, bad = examine(DATABASE_URL=postgresql)
    assert with_text(f"{CONNECTIONS - 1} connections are allowed, ", bad)


def test_a_user_that_may_make_no_tables_is_bad(postgresql: str) -> None:
    role = f"{parse_url(postgresql).database}_role"
    run(
        postgresql,
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        f"CREATE ROLE {role} LOGIN PASSWORD 'hunter2'",
    )
    try:
        url = parse_url(postgresql).set(username=role, password="hunter2")
        _, good, bad = examine(DATABASE_URL=url.render_as_string(hide_password=False))
        assert with_text("the user may make no tables in the schema 'public'", bad)
        assert not [line for line in (*good, *bad) if "hunter2" in line]
    finally:
        run(postgresql, f"DROP ROLE {role}")


@pytest.mark.parametrize(
    ("ahead", "kind", "which"),
    [(5, "NB", "behind"), (-5, "NB", "ahead of"), (60, "BAD", "behind"), (-60, "BAD", "ahead of")],
)
def test_clocks_that_differ_are_told(
    ahead: int, kind: str, which: str, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return super().now(tz) + timedelta(seconds=ahead)

    monkeypatch.setattr("bot.cli.checks.server.datetime", Wrong)
    result = CliRunner().invoke(main, ["doctor"], env={"DATABASE_URL": postgresql})
    line = with_text("the clock of the database is ", result.stdout.splitlines())
    assert line.startswith(f"{kind:<3} the clock of the database is ")
    seconds = float(line.split(" is ")[1].split(" s ")[0])
    assert abs(seconds - abs(ahead)) < 1
    assert f" s {which} this machine's" in line


# -------------------------------------------------------------------------------------------------------- the port


@pytest.mark.usefixtures("database")
def test_a_port_that_is_free_is_told_and_left_free() -> None:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        port = str(listener.getsockname()[1])
    assert f"METRICS_PORT {port} of 127.0.0.1 is free" in examine(METRICS_PORT=port)[1]
    assert "METRICS_PORT 0 takes any free one" in examine(METRICS_PORT="0")[1]
    assert not [line for line in examine()[1] if line.startswith("METRICS_PORT ") and "(not set)" not in line]


@pytest.mark.usefixtures("database")
def test_a_port_that_another_program_has_is_bad() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
        listener.listen()

        def hang_up() -> None:
            for _connection in range(2):  # it is asked once more
                listener.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        _, _, bad = examine(METRICS_PORT=str(port))
        thread.join(10)
    assert f"METRICS_PORT {port} of 127.0.0.1 is taken by another program" in bad


@pytest.mark.usefixtures("database")
def test_an_address_that_this_machine_does_not_have_is_bad() -> None:
    _, _, bad = examine(METRICS_PORT="0", METRICS_HOST="192.0.2.1")
    assert with_text("METRICS_PORT 0 of METRICS_HOST 192.0.2.1 cannot be opened: ", bad)


# ---------------------------------------------------------------------------------------------------------- shards


@pytest.mark.usefixtures("database")
def test_shards_as_discord_recommends_them(fake: FakeDiscord) -> None:
    code, good, _ = examine(DISCORD_TOKEN=TOKEN)
    assert code == 0
    assert "Discord recommends 1 shards; SHARD_COUNT makes it 1, of which this process takes 1" in good
    assert "1,000 of 1,000 connections are left today" in good
    assert fake.identified == []


def test_shards_of_several_processes(fake: FakeDiscord, postgresql: str) -> None:
    settings = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": postgresql, "SHARD_COUNT": "8", "SHARD_IDS": "0-2"}
    told = "Discord recommends 1 shards; SHARD_COUNT makes it 8, of which this process takes 3"
    assert told in notes(**settings)
    assert fake.identified == []


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("remaining", "kind", "told"),
    [
        (0, "BAD", "0 of 1,000 connections are left, and this process takes 1; there are more in 90 minutes"),
        (50, "NB", "50 of 1,000 connections are left today: something connects again and again"),
        (500, "ok", "500 of 1,000 connections are left today"),
    ],
)
def test_connections_that_discord_still_allows(
    remaining: int, kind: str, told: str, fake: FakeDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = {"total": 1000, "remaining": remaining, "reset_after": 90 * 60_000, "max_concurrency": 1}
    monkeypatch.setattr(fake.hub, "session_start_limit", lambda: limit)
    result = CliRunner().invoke(main, ["doctor"], env={"DISCORD_TOKEN": TOKEN})
    assert f"{kind:<3} {told}" in result.stdout.splitlines()
