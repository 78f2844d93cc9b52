"""A start while Discord is out of order: the bot asks again, says so, and plays as soon as it can."""

import asyncio
import logging
import threading
from collections import Counter
from contextlib import AsyncExitStack
from gettext import NullTranslations
from pathlib import Path

import discord
import pytest

from bot.app import HighScoreBot
from bot.discord_api.errors import register_discord_errors
from bot.locales import languages, load_translations
from bot.observing.logs import safe_message
from bot.ui import text, turn
from bot.ui.pictures import dice as pictures
from highscore.dice import Face
from tests.discord import Discord, fault
from tests.discord.bots import connected, settings
from tests.discord.faults import Fault, answered

LOGIN, APPLICATION = ("GET", "/users/@me"), ("GET", "/oauth2/applications/@me")
COMMANDS, GATEWAY = ("PUT", "/applications/*/commands"), ("GET", "/gateway/bot")
LOOK_UP = ("GET", "/applications/*/commands")
EMOJI, UPLOAD = ("GET", "/applications/*/emojis"), ("POST", "/applications/*/emojis")
PASSING = ("503", "429 Cloudflare", "reset", "closed")
"""Errors that discord.py does not try again by itself."""
NO_EMOJI = Fault("no emoji", answer=answered(200, {"items": []}))


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bot wait as often as ever, but not as long."""
    monkeypatch.setattr("bot.discord_api.errors.FIRST_WAIT", 0.01)
    monkeypatch.setattr("bot.discord_api.errors.QUIET_SECONDS", 0.05)


@pytest.fixture
def fake(caplog: pytest.LogCaptureFixture) -> Discord:
    """Give a Discord with a server, and keep the bot's warnings."""
    caplog.set_level(logging.WARNING)
    fake = Discord()
    fake.add_guild("Tavern", [], channels=1)
    return fake


def warnings(caplog: pytest.LogCaptureFixture, what: str) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.getMessage().startswith(what)]


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (LOGIN, "Logging in"),
        (APPLICATION, "Logging in"),
        (LOOK_UP, "Looking up the commands"),
        (COMMANDS, "Registering the commands"),
        (GATEWAY, "Connecting to the gateway"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[1],
)
async def test_what_passes_is_asked_again_with_growing_pauses(
    call: tuple[str, str], what: str, fake: Discord, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in PASSING:
        fake.faults.next.append((*call, fault(name)))
    async with fake.serving(), connected(fake, settings(tmp_path)):
        # Once Discord has answered, each try before that is in the log.
        await fake.until(lambda: any(each.is_like(*call) and each.status == 200 for each in fake.calls))
        assert fake.hub.connected
    assert not fake.faults.next
    said = [line for line in warnings(caplog, what) if "next try in" in line]
    assert 3 <= len(said) <= len(PASSING)
    assert "503" in said[0]
    assert caplog.text.count("Unclosed") == 0


async def test_a_discord_that_takes_no_commands_is_played_on_with_those_it_knows(
    fake: Discord, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.ANSWERED_WITHIN", 0.2)
    fake.faults.next += [(*COMMANDS, fault("500")), (*EMOJI, fault("500"))] * 1000
    async with fake.serving(), connected(fake, settings(tmp_path, emoji=True)):
        assert fake.hub.connected
        assert not any(record.levelno >= logging.ERROR for record in caplog.records)
        assert warnings(caplog, "Registering the commands takes long"), "no silence while discord.py asks by itself"
        fake.faults.next.clear()
        await fake.until(lambda: any(call.is_like(*COMMANDS) and call.status == 200 for call in fake.calls))


async def test_the_dice_are_emoji_also_where_discord_was_out_of_order_at_the_start(
    fake: Discord, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fake.faults.next += [(*EMOJI, fault("503")), (*UPLOAD, fault("503"))]
    async with asyncio.timeout(60), fake.serving(), connected(fake, settings(tmp_path, emoji=True)):
        await fake.until(lambda: len(fake.world.emojis) == len(pictures.EMOJI))
    assert "Looking up the emoji failed; next try in 0 s" in caplog.text
    assert "Uploading the emoji failed; next try in 0 s" in caplog.text


async def test_two_processes_that_start_together_upload_each_die_once_and_register_the_same_commands(
    fake: Discord, tmp_path: Path
) -> None:
    # Each looks before the other one uploads, and Discord takes no name twice.
    fake.faults.next += [(*EMOJI, NO_EMOJI)] * 4
    async with asyncio.timeout(60), fake.serving(), AsyncExitStack() as stack:
        folders = [tmp_path / name for name in ("one", "other")]
        for folder in folders:
            folder.mkdir()
        starts = (stack.enter_async_context(connected(fake, settings(folder, emoji=True))) for folder in folders)
        for process in await asyncio.gather(*starts):
            stack.push_async_callback(asyncio.gather, *process._preparing)
    assert Counter(each["name"] for each in fake.world.emojis) == dict.fromkeys(pictures.EMOJI, 1)
    assert len([call for call in fake.calls if call.is_like(*UPLOAD)]) > len(pictures.EMOJI)
    assert turn.die_text(Face.VORTEX).startswith("<:hs_die_vortex")
    one, other = (call for call in fake.calls if call.is_like(*COMMANDS))
    assert (one.status, one.body) == (other.status, other.body)
    assert one.status == 200


@pytest.mark.parametrize("call", [LOGIN, GATEWAY], ids=lambda call: call[1])
@pytest.mark.parametrize("status", [400, 401, 403])
async def test_what_cannot_pass_ends_the_start(
    call: tuple[str, str], status: int, fake: Discord, tmp_path: Path
) -> None:
    fake.faults.next.append((*call, Fault("refused", answer=answered(status, {"code": 0}))))
    with pytest.raises((discord.HTTPException, discord.LoginFailure)):
        async with asyncio.timeout(60), fake.serving(), connected(fake, settings(tmp_path)):
            pass
    assert [each.status for each in fake.calls if each.is_like(*call)] == [status]


def commands_called(fake: Discord) -> list[str]:
    """Return what was asked about commands, and the connection, in order."""
    kinds = {"registered": COMMANDS, "looked up": LOOK_UP, "connected": GATEWAY}
    return [name for call in fake.calls for name, kind in kinds.items() if call.is_like(*kind)]


REFUSED_FIELD = {
    "code": 50035,
    "message": "Invalid Form Body",
    "errors": {"0": {"options": {"3": {"description": {"_errors": [{"code": "X", "message": "too long"}]}}}}},
}


@pytest.mark.parametrize(
    ("call", "status", "body", "named"),
    [
        (COMMANDS, 400, REFUSED_FIELD, "(error code: 50035): Invalid Form Body in 0.options.3.description"),
        (COMMANDS, 400, {"code": 30034, "message": "Too many creates"}, "Too many creates"),
        (COMMANDS, 401, {"code": 0, "message": "401: Unauthorized"}, "401 Unauthorized (error code: 0)"),
        (LOOK_UP, 403, {"code": 20012, "message": "Not authorized"}, "Not authorized"),
        (LOOK_UP, 200, [{"id": "1"}], "KeyError"),
    ],
)
async def test_commands_that_discord_refuses_are_registered_later_and_the_log_names_the_field(
    call: tuple[str, str],
    status: int,
    body: object,
    named: str,
    fake: Discord,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    error_log: list[logging.LogRecord],
) -> None:
    register_discord_errors()
    monkeypatch.setattr("bot.workers.commands.REGISTER_AGAIN_SECONDS", 0.1)
    fake.faults.next.append((*call, Fault("refused", answer=answered(status, body))))
    async with fake.serving(), connected(fake, settings(tmp_path)) as playing:
        assert fake.hub.connected
        await registered(playing)
        assert "highscore" in {command["name"] for command in fake.world.commands}
    (said,) = [record for record in caplog.records if "the commands could not be registered; next try in" in record.msg]
    assert named in safe_message(said.args[-1])  # type: ignore[index,arg-type]
    ours = body is REFUSED_FIELD or status == 200
    assert (said in error_log) is ours
    error_log.clear()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, threading.Thread]]:
    """Note the catalogues that are read to register the commands, with the thread."""
    found: list[tuple[str, threading.Thread]] = []

    def note(language: str) -> NullTranslations:
        found.append((language, threading.current_thread()))
        return load_translations(language)

    monkeypatch.setattr("bot.locales.commands.load_translations", note)
    return found


async def test_commands_are_registered_at_the_first_start_before_it_and_later_beside_the_clicks(
    fake: Discord, tmp_path: Path, read: list[tuple[str, threading.Thread]]
) -> None:
    wanted = settings(tmp_path)
    async with fake.serving(), connected(fake, wanted):
        assert commands_called(fake) == ["looked up", "registered", "connected"]
    for lost in (False, True):
        read.clear()
        fake.calls.clear()
        text.link_commands({})
        if lost:
            fake.world.commands.clear()
        async with fake.serving(), connected(fake, wanted) as bot:
            assert text.command_mention("new").startswith("</highscore new:")
            await registered(bot)
            later = ["connected", "registered"]
            assert commands_called(fake) == ["looked up", *(later[::-1] if lost else later)]
        assert {language for language, _thread in read} == set(languages()[1:])
        assert not [language for language, thread in read if thread is threading.main_thread()]


async def registered(bot: HighScoreBot) -> None:
    """Wait until nothing about the commands is left to do."""
    (task,) = (each for each in bot._preparing if each.get_name() == "commands")
    async with asyncio.timeout(10):
        await task
