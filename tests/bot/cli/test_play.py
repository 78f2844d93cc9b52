"""highscore-bot play: it starts, answers, stops in order and goes on where it was."""

import re
import signal
import socket
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.bot.cli.commands import invoke, refusal
from tests.bot.cli.process import SOON, Running, running


def open_page(playground: Running) -> str:
    """Wait for the address that the program names."""
    line = playground.wait_for("The playground is open at ")
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found, line
    return found.group()


def get(address: str) -> tuple[int, str]:
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - http, see open_page
        return answer.status, answer.read().decode()


@contextmanager
def ignoring(number: int) -> Iterator[None]:
    """Start processes inside with a signal ignored, as ``nohup ... &`` and some CI start them."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before)


def test_it_answers_ends_in_order_and_starts_again_where_it_was_without_the_real_bots_settings() -> None:
    """The bot of the playground never reaches for the real Discord, whatever the settings say."""
    play = ("play", "--port", "0", "--state", "games")
    real = "sqlite:///real.sqlite3"
    for number in (signal.SIGINT, signal.SIGTERM):
        with ignoring(number), running(*play, DISCORD_TOKEN="hunter2", DATABASE_URL=real) as playground:
            status, page = get(open_page(playground))
            assert status == 200
            assert "<html" in page
            assert playground.end(number, within=SOON) == 0
        assert "Traceback" not in playground.output
        assert "hunter2" not in playground.output
    assert {path.name for path in Path("games").iterdir()} >= {"highscore.sqlite3", "discord.sqlite3"}
    assert not Path("real.sqlite3").exists()
    files = [path for path in (Path("games"), *Path("games").iterdir()) if path.stat().st_mode & 0o077]
    assert files == [], "for this user alone"


def test_a_port_that_is_taken_is_said_in_a_sentence() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        sentence = refusal(invoke("play", "--port", str(port)))
    assert f"Port {port} is taken" in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("name", ["highscore.sqlite3", "discord.sqlite3"])
def test_a_state_that_cannot_be_read_is_said_in_a_sentence(name: str) -> None:
    Path("games").mkdir()
    (Path("games") / name).write_bytes(b"This is no database. " * 200)
    sentence = refusal(invoke("play", "--port", "0", "--no-browser", "--state", "games"))
    assert sentence.startswith("The playground stops: ")
    assert "\n" not in sentence


def test_wrong_options_and_a_missing_extra_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").touch()
    for options in (("--port", "70000"), ("--port", "http"), ("--state", "file"), ("--colour",)):
        assert refusal(invoke("play", *options)).startswith("Usage: main play")
    monkeypatch.setitem(sys.modules, "playground", None)
    assert "pip install 'highscore-bot[play]'" in refusal(invoke("play"))


@pytest.mark.parametrize(
    ("options", "screen", "opened"), [((), True, True), (("--no-browser",), True, False), ((), False, False)]
)
def test_the_browser_opens_where_there_is_a_screen(
    options: tuple[str, ...], screen: bool, opened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: list[str] = []

    def open_and_stop(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", open_and_stop)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv("DISPLAY", ":0")

    async def serve(*_: object, ready: object, **__: object) -> None:
        assert callable(ready)
        ready("http://127.0.0.1:1/")

    monkeypatch.setattr("playground.serve", serve)
    monkeypatch.setattr("bot.cli.common.set_up_logging", lambda *_: None)
    result = invoke("play", *options)
    assert result.exit_code == 0, result.output
    assert "The playground is open at http://127.0.0.1:1/ (Ctrl-C stops it)." in result.stdout
    assert addresses == (["http://127.0.0.1:1/"] if opened else [])
