import asyncio
import os
import signal
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from sqlalchemy import text

from bot.config import Settings
from bot.discord_api.permissions import PERMISSIONS, SCOPES
from bot.store.database import Database, parse_url
from tests.bot.cli import commands, process
from tests.discord import APPLICATION, TOKEN, Discord, fault
from tests.discord.faults import Fault, answered
from tests.postgresql import pgbouncer

stocked_database = pytest.mark.usefixtures("database")


class Findings(NamedTuple):
    good: list[str]
    notes: list[str]
    bad: list[str]

    @property
    def lines(self) -> list[str]:
        return [*self.good, *self.notes, *self.bad]


def examine(**settings: str) -> Findings:
    result = commands.invoke("doctor", **settings)
    assert TOKEN not in result.output
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert all(line.startswith(("ok  ", "NB  ", "BAD ")) for line in lines), lines
    found = Findings(*([line[4:] for line in lines if line.startswith(kind)] for kind in ("ok", "NB", "BAD")))
    assert result.exit_code == (1 if found.bad else 0)
    return found


def with_text(text: str, lines: list[str]) -> str:
    found = [line for line in lines if text in line]
    assert len(found) == 1, (text, lines)
    return found[0]


@stocked_database
def test_everything_good(fake: Discord) -> None:
    fake.add_guild("Tavern", []).everybody = PERMISSIONS.value
    fake.add_guild("Castle", []).everybody = discord.Permissions(administrator=True).value
    good, _, bad = examine(DISCORD_TOKEN=TOKEN)
    assert bad == []
    assert with_text("has 21 cards", good).startswith("the deck ")
    assert with_text("the database has schema", good)
    assert {
        "the database can be read: ok",
        "the token belongs to the application 'High Score'",
        "the server 'Tavern' gives the bot all it needs; without Create Events, which is optional, cups have no events",
        "the server 'Castle' gives the bot all it needs",
    } <= set(good)
    link = urlsplit(with_text("invite it with", good).split()[-1])
    asked = parse_qs(link.query)
    assert f"{link.scheme}://{link.netloc}{link.path}" == "https://discord.com/oauth2/authorize"
    assert asked["client_id"] == [str(APPLICATION)]
    assert tuple(asked["scope"][0].split()) == SCOPES
    assert int(asked["permissions"][0]) == PERMISSIONS.value
    # It only looks: it synchronises no command and connects to no gateway.
    assert {line.partition(" ")[0] for line in commands.requests_to(fake)} == {"GET"}
    assert fake.hub.identified == []


@pytest.mark.parametrize(
    ("missing", "named"),
    [
        ({"embed_links": False}, "Embed Links"),
        ({"attach_files": False, "view_channel": False}, "View Channel and Attach Files"),
        ({name: False for name, wanted in PERMISSIONS if wanted}, "Read Message History"),
    ],
)
def test_a_server_that_lacks_permissions_is_named_with_them(
    missing: dict[str, bool], named: str, fake: Discord
) -> None:
    given = discord.Permissions(PERMISSIONS.value)
    given.update(**missing)
    fake.add_guild("Tavern", []).everybody = PERMISSIONS.value
    fake.add_guild("Cellar", []).everybody = given.value
    good, _, (sentence,) = examine(DISCORD_TOKEN=TOKEN)
    assert sentence.startswith("the server 'Cellar' does not give the bot ")
    assert named in sentence
    assert with_text("the server 'Tavern' gives the bot all it needs", good)


LAUNCH = {"id": "7", "application_id": "1", "version": "8", "type": 4, "name": "highscore", "description": ""}


def test_it_says_whether_the_command_is_registered(fake: Discord) -> None:
    """An Entry Point command of the same name is not the slash command."""
    for kind in (4, 1):
        fake.world.commands.append({**LAUNCH, "type": kind, "default_member_permissions": None})
        found = examine(DISCORD_TOKEN=TOKEN)
        lines = found.good if kind == 1 else found.notes
        assert with_text("the command /highscore is", lines).startswith("the command /highscore is registered") is (
            kind == 1
        )


def test_an_interactions_endpoint_is_named_and_discord_py_does_not_talk_in_between(fake: Discord) -> None:
    fake.world.interactions_endpoint_url = "https://example.com/interactions"
    with process.running("doctor", fake=fake, DISCORD_TOKEN=TOKEN) as doctor:
        assert doctor.wait() == 1
    assert all(line.startswith(("ok  ", "NB  ", "BAD ")) for line in doctor.lines)
    (sentence,) = [line for line in doctor.lines if line.startswith("BAD ")]
    assert "Interactions Endpoint URL, so the bot never sees a click" in sentence
    assert "\nok  invite it with " in doctor.output


def test_an_application_that_people_can_add_to_their_accounts_is_named(fake: Discord) -> None:
    fake.world.installs = ["0", "1"]
    with_text("the application offers User Install", examine(DISCORD_TOKEN=TOKEN).notes)


def test_without_a_token_it_says_where_to_get_one() -> None:
    good, _, (sentence,) = examine()
    assert sentence.startswith("there is no DISCORD_TOKEN. Get one at https://discord.com/developers/applications")
    assert "DISCORD_TOKEN = (not set)" in good


def test_a_wrong_token_is_not_shown(fake: Discord) -> None:
    good, _, (sentence,) = examine(DISCORD_TOKEN="hunter2")
    assert sentence.startswith("Discord does not accept the DISCORD_TOKEN. Get one at")
    assert "DISCORD_TOKEN = (not shown)" in good
    assert commands.requests_to(fake) == ["GET /users/@me"]


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (fault("closed"), "Server disconnected"),
        (Fault("the page of a proxy", answer=answered(400, "<h1>Bad Request</h1>")), "400 Bad Request"),
    ],
)
def test_discord_that_cannot_be_asked(kind: Fault, sentence: str, fake: Discord) -> None:
    fake.faults.always = kind
    bad = examine(DISCORD_TOKEN=TOKEN).bad
    assert with_text("Discord cannot be asked: ", bad).startswith(f"Discord cannot be asked: {sentence}")


@pytest.mark.parametrize("path", ["/users/@me", "/users/@me/guilds", "/applications/*/commands"])
@stocked_database
def test_a_page_in_place_of_an_answer_is_not_taken_for_one(path: str, fake: Discord) -> None:
    page = Fault("page", answer=answered(200, "<html><body>Sign in</body></html>"))
    fake.faults.next.append(("GET", path, page))
    assert "Discord cannot be asked: got a page of type text/html" in with_text(
        "Discord", examine(DISCORD_TOKEN=TOKEN).bad
    )


def test_every_setting_is_shown_but_the_secret_ones() -> None:
    good = examine(DATABASE_URL="postgresql://bob:hunter2@127.0.0.1:1/games", TABLES_PER_CHANNEL="7").good
    assert {"TABLES_PER_CHANNEL = 7", "DATABASE_URL = (not shown)"} <= set(good)
    for name in Settings.model_fields:
        assert with_text(f"{name.upper()} = ", good)


def test_a_deck_that_cannot_be_used_is_told_in_one_line_that_steers_no_terminal() -> None:
    assert "nowhere.toml" in with_text("the deck: ", examine(DECK_FILE="nowhere.toml").bad)
    card = '[[card]]\nid = "\\u0007"\nscoring = "SAME"\nvortex = "frozen"\nroll_type = "ANY_THREE"\n'
    for content in (b"", b"\xff\xfe", b"[" * 10_000, b'name = "\\u0000"', f'name = "x"\n{card}'.encode()):
        Path("deck.toml").write_bytes(content)
        line = with_text("the deck: ", examine(DECK_FILE="deck.toml").bad)
        assert "deck.toml" in line
        assert line.isprintable()


def test_a_database_that_is_not_there_yet_is_no_fault_and_is_not_made() -> None:
    assert "there is no database at data/highscore.sqlite3 yet; run makes it" in examine().good
    assert list(Path().iterdir()) == []
    Path("games.sqlite3").touch()
    good = examine(DATABASE_URL="sqlite:///games.sqlite3").good
    assert with_text("the database has schema nothing; run brings it to", good)


def test_a_database_that_cannot_be_used(database: Path) -> None:
    commands.execute(database, "UPDATE alembic_version SET version_num = '9999'")
    assert with_text("made by a newer version of this bot (schema 9999)", examine().bad)
    commands.damage(database, "games")
    assert [line for line in examine().bad if line.startswith("the database can")]
    database.write_bytes(b"This is no database. " * 200)
    assert with_text("file is not a database", examine().bad)


@stocked_database
@pytest.mark.parametrize(("version", "noted"), [((3, 40, 1), True), ((3, 51, 3), False)])
def test_an_old_sqlite_is_worth_a_note(version: tuple[int, ...], noted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.sqlite.has_wal_reset_bug.__defaults__", (version,))
    good, notes, _ = examine()
    said = [line for line in notes if line.startswith("SQLite ")]
    assert len(said) == noted
    assert (f"SQLite {sqlite3.sqlite_version}" in good) == (not noted)
    assert all("fixed in 3.51.3" in line for line in said)


@stocked_database
def test_a_running_bot_is_noticed(fake: Discord) -> None:
    with process.running("run", fake=fake, DISCORD_TOKEN=TOKEN) as bot:
        bot.wait_for("playing in")
        good, _, bad = examine(DISCORD_TOKEN=TOKEN)
        assert {
            "the database is open in another process: the bot runs, or a command",
            "the database can be read: ok",
        } <= set(good)
        assert bad == []
        assert bot.end(signal.SIGTERM, within=process.SOON) == 0


def test_who_may_read_and_write_the_database(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not [line for line in examine().notes if "can read the database" in line]
    database.chmod(0o644)
    assert with_text("others on this machine can read the database (mode 644): chmod 600", examine().notes)
    database.parent.chmod(0o700)
    assert not [line for line in examine().notes if "can read the database" in line]
    monkeypatch.setattr("os.access", lambda path, _mode: path != database)  # root may write everywhere
    assert f"{database} is not writable for this user" in examine().bad


def test_who_may_read_the_settings() -> None:
    Path(".env").touch(mode=0o600)
    Path.cwd().chmod(0o755)
    assert not [line for line in examine().notes if "can read the settings" in line]
    Path(".env").chmod(0o640)
    sentence = "others on this machine can read the settings, with what is secret in them (mode 640): chmod 600 .env"
    assert sentence in examine().notes
    Path.cwd().chmod(0o700)
    assert sentence not in examine().notes


def test_a_folder_in_which_none_can_be_made_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    sentence = with_text(f"there is no database at {commands.DATABASE}, and none can be made: ", examine().bad)
    assert sentence.endswith(f"{Path.cwd()} is not writable")


def test_a_good_server(postgresql: str) -> None:
    good, _, bad = examine(DATABASE_URL=postgresql)
    assert [line for line in bad if "DISCORD_TOKEN" not in line] == []
    assert with_text("PostgreSQL ", good).endswith(" answers")
    assert with_text("the clocks of this machine and of the database agree to 0.", good)
    assert with_text("the database has schema nothing; run brings it to", good)
    assert commands.invoke("migrate", DATABASE_URL=postgresql).exit_code == 0
    assert with_text("the database has schema 0", examine(DATABASE_URL=postgresql).good)


def test_clocks_that_differ_are_told(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return super().now(tz) + timedelta(seconds=ahead)

    monkeypatch.setattr("bot.cli.doctor.datetime", Wrong)
    for ahead, kind, which in ((5, "NB", "behind"), (-5, "NB", "ahead of"), (60, "BAD", "behind")):
        lines = commands.invoke("doctor", DATABASE_URL=postgresql).stdout.splitlines()
        line = with_text("the clock of the database is ", lines)
        assert line.startswith(f"{kind:<3} the clock of the database is ")
        assert abs(float(line.split(" is ")[1].split(" s ")[0]) - abs(ahead)) < 1
        assert f" s {which} this machine's" in line


@stocked_database
def test_the_last_backup_is_shown() -> None:
    folder = commands.DATABASE.parent / "backups"
    assert f"there is no backup in {folder}; highscore-bot backup makes one while the bot plays" in examine().notes
    for _time in range(2):
        assert commands.invoke("backup", "--force").exit_code == 0
    made = len(list(folder.iterdir()))
    assert with_text(f"{made} backups in {folder}, the last of 20", examine().good).endswith(" UTC")
    for backup in folder.iterdir():
        os.utime(backup, (0, 1_000_000_000))
    assert with_text("the last of 2001-09-09 01:46 UTC: that is long ago", examine().notes)


def run(url: str, *statements: str) -> None:
    async def work() -> None:
        database = Database(parse_url(url))
        async with database.reading() as connection:
            for statement in statements:
                await connection.execute(text(statement))
        await database.close()

    asyncio.run(work())


def test_a_pooler_is_noticed_and_has_to_leave_connections_as_they_are(postgresql: str, tmp_path: Path) -> None:
    assert not [line for line in examine(DATABASE_URL=postgresql).lines if "pooler" in line]
    with pgbouncer(postgresql, "transaction", tmp_path) as pooled:
        assert with_text("the pooler ", examine(DATABASE_URL=pooled).bad).endswith("(docs/scaling.md)")
    with pgbouncer(postgresql, "session", tmp_path) as pooled:
        assert with_text("the pooler ", examine(DATABASE_URL=pooled).notes).endswith("(docs/scaling.md)")
        for setting in ("lock_timeout = '10s'", "idle_in_transaction_session_timeout = '60s'"):
            run(postgresql, f"ALTER DATABASE {parse_url(postgresql).database} SET {setting}")
    with pgbouncer(postgresql, "session", tmp_path) as pooled:
        assert with_text("the pooler ", examine(DATABASE_URL=pooled).good)
        assert commands.invoke("migrate", DATABASE_URL=pooled).exit_code == 0
        assert with_text("the database has schema 0", examine(DATABASE_URL=pooled).good)
