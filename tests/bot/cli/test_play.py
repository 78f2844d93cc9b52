"""highscore-bot play: it starts, answers, stops in order and goes on where it was."""

import re
import signal
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bot.cli import commands, process


def open_page(playground: process.Running) -> str:
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
        with ignoring(number), process.running(*play, DISCORD_TOKEN="hunter2", DATABASE_URL=real) as playground:
            status, page = get(open_page(playground))
            assert status == 200
            assert "<html" in page
            assert playground.end(number, within=process.SOON) == 0
        assert "Traceback" not in playground.output
        assert "hunter2" not in playground.output
    assert {path.name for path in Path("games").iterdir()} >= {"highscore.sqlite3", "discord.sqlite3"}
    assert not Path("real.sqlite3").exists()
    files = [path for path in (Path("games"), *Path("games").iterdir()) if path.stat().st_mode & 0o077]
    assert files == [], "for this user alone"


def test_wrong_options_and_a_missing_extra_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").touch()
    for options in (("--port", "70000"), ("--port", "http"), ("--state", "file"), ("--colour",)):
        assert commands.refusal(commands.invoke("play", *options)).startswith("Usage: main play")
    monkeypatch.setitem(sys.modules, "playground", None)
    assert "pip install 'highscore-bot[play]'" in commands.refusal(commands.invoke("play"))
