from pathlib import Path

import pytest
from dotenv import dotenv_values
from sqlalchemy.exc import OperationalError

from bot.cli.common import LONGEST_REASON, reason_of
from bot.config import Settings
from bot.domain.timing import Pace, PaceTimes
from tests.bot.cli import commands, process

EXAMPLE = process.ROOT / ".env.example"


@pytest.mark.parametrize("command", ["play", "run", "migrate", "doctor"])
def test_wrong_settings_are_named_and_their_values_are_not(command: str) -> None:
    for name, value in (
        ("TABLES_PER_CHANNEL", "0"),
        ("TABLES_PER_CHANNEL", "hunter2"),
        ("LOG_LEVEL", "LOUD"),
        ("DISCORD_TOKEN", "a b"),
    ):
        sentence = commands.refusal(commands.invoke(command, **{name: value}))
        assert sentence.startswith(f"Some settings are wrong. {name}: ")
        assert "\n" not in sentence
        assert value not in sentence.removeprefix(f"Some settings are wrong. {name}")[:60]
    sentence = commands.refusal(commands.invoke(command, TABLES_PER_CHANNEL="many", LOG_LEVEL="LOUD"))
    assert all(f"{name}: " in sentence for name in ("TABLES_PER_CHANNEL", "LOG_LEVEL")), "all of them at once"


def test_the_environment_counts_more_than_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("TABLES_PER_CHANNEL=3\nLOG_LEVEL=ERROR\n", "utf-8")
    monkeypatch.setenv("TABLES_PER_CHANNEL", "4")
    assert (Settings().tables_per_channel, Settings().log_level) == (4, "ERROR")


def test_the_example_lists_every_setting_in_order_with_its_default() -> None:
    assert list(dotenv_values(EXAMPLE)) == [name.upper() for name in Settings.model_fields]
    defaults = Settings()
    Path(".env").write_bytes(EXAMPLE.read_bytes())
    assert Settings() == defaults


def test_minutes_are_the_seconds_of_each_pace_and_no_dice_are_held_longer_than_a_round() -> None:
    paces = Settings(live_turn_minutes=2, day_turn_minutes=3, day_round_minutes=5, hold_minutes=9).paces
    assert paces[Pace.LIVE] == PaceTimes(turn=120, round=600, hold=120, game=7200)
    assert paces[Pace.DAY] == PaceTimes(turn=180, round=300, hold=300, game=86400)


def test_the_example_says_what_each_setting_is_for() -> None:
    for paragraph in EXAMPLE.read_text("utf-8").strip().split("\n\n")[1:]:
        *comments, assignment = paragraph.splitlines()
        assert comments, f"{assignment} is not explained"
        assert all(comment.startswith("# ") for comment in comments)
        assert comments[-1].endswith("."), assignment


def test_a_reason_is_one_short_line_and_repeats_no_statement() -> None:
    page = Exception("502 Bad Gateway.\n<html>" + "x" * 1000)
    assert reason_of(page) == "502 Bad Gateway"
    assert len(reason_of(Exception("x" * 1000))) == LONGEST_REASON
    assert reason_of(TimeoutError()) == "TimeoutError"
    failed = OperationalError("INSERT INTO seats", {"name": "Ada"}, Exception("disk I/O error"))
    assert reason_of(failed) == "the database cannot be used: disk I/O error"
