"""highscore-bot verify: what it says of good, altered, unfinished and senseless files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from highscore import STANDARD_DECK, Game, Stop, TakeDice, TurnOrder
from highscore.daily import DailyPlay, cards_of, go_on
from highscore.daily_proof import DailyExport, daily_export_json
from highscore.dealer import next_chance
from highscore.fairness import Source
from highscore.game import Abandoned, Decision, Event, apply
from highscore.proof import MAX_SIZE, Export, export_json
from tests import hostile
from tests.highscore.strategies import play_on

NAMES = ("Ada", "Ben", "Cem")
SOURCE = Source(bytes(range(32)), "0123456789ab", ("clover", "", "horseshoe"))


def chance(game: Game) -> Event:
    """What the seed has for a game that waits for chance."""
    event = next_chance(game, SOURCE, STANDARD_DECK)
    assert event is not None
    return event


def finished() -> Export:
    """A game of three that was played to its end with the dice of its seed."""
    game = Game(len(NAMES), TurnOrder.CLOCKWISE)
    log = play_on(game, random.Random(7), chance)
    return Export(
        game=SOURCE.game,
        seal=SOURCE.seal,
        seed=SOURCE.seed,
        turn_order=TurnOrder.CLOCKWISE,
        names=NAMES,
        lucky_words=SOURCE.lucky_words,
        deck=STANDARD_DECK,
        events=tuple(log.events),
    )


def verify(content: bytes | str | None, name: str = "game.json") -> Result:
    """Run the command on a file with this content."""
    if content is not None:
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    result = CliRunner().invoke(main, ["verify", name])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def altered(change: Callable[[dict[str, Any]], None]) -> str:
    """The export of the finished game after somebody changed something."""
    document = json.loads(export_json(finished()))
    change(document)
    return json.dumps(document)


def test_a_good_game_is_told_what_was_checked() -> None:
    result = verify(export_json(finished()))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert all(line.startswith("ok  ") for line in lines)
    assert SOURCE.seal in lines[0]
    assert "7 challenge cards from the standard deck" in lines[1]
    assert "played to the end" in lines[-1]
    assert all(name in lines[-1] for name in NAMES)


def test_an_abandoned_game_can_be_checked() -> None:
    export = finished()
    events = export.events[: len(export.events) // 2]
    state = Game(len(NAMES), TurnOrder.CLOCKWISE)
    for event in events:
        state = apply(state, event)
    assert not state.over
    result = verify(export_json(replace(export, events=(*events, Abandoned("user 1")))))
    assert result.exit_code == 0, result.stderr
    assert "abandoned in round" in result.stdout


def raise_a_die(document: dict[str, Any]) -> None:
    """The first roll gets another face."""
    at = next(at for at, line in enumerate(document["events"]) if "rolled" in line.lower() or "roll:" in line.lower())
    line = document["events"][at]
    die = max(place for place, letter in enumerate(line) if letter in "12345V")
    document["events"][at] = line[:die] + ("5" if line[die] != "5" else "4") + line[die + 1 :]


def another_seed(document: dict[str, Any]) -> None:
    document["seed"] = "00" * 32


def another_lucky_word(document: dict[str, Any]) -> None:
    document["players"][0]["lucky_word"] = "shamrock"


def another_seal(document: dict[str, Any]) -> None:
    document["seal"] = "0" * len(document["seal"])


def another_card(document: dict[str, Any]) -> None:
    document["deck"]["cards"][0], document["deck"]["cards"][1] = document["deck"]["cards"][1::-1]


@pytest.mark.parametrize("change", [raise_a_die, another_seed, another_lucky_word, another_seal, another_card])
def test_whatever_is_altered_is_found(change: Callable[[dict[str, Any]], None]) -> None:
    result = verify(altered(change))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "game.json does NOT check out. " in result.stderr
    assert result.stderr.count("\n") == 1


def hide_the_seed(document: dict[str, Any]) -> None:
    document["seed"] = None


def cut_the_end(document: dict[str, Any]) -> None:
    del document["events"][-3:]


@pytest.mark.parametrize("change", [hide_the_seed, cut_the_end])
def test_an_unfinished_game_does_not_check_out(change: Callable[[dict[str, Any]], None]) -> None:
    result = verify(altered(change))
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert result.stderr.startswith("game.json")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="cut off"),
        pytest.param("[]", id="another document"),
        pytest.param('{"format": "highscore-game-9"}', id="another format"),
        pytest.param(bytes(range(256)) * 8, id="binary"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + b"\0" * 100, id="picture"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param(b"[" + b" " * (MAX_SIZE * 3) + b"]", id="huge"),
    ],
)
def test_what_is_no_exported_game_is_refused_in_a_sentence(content: bytes | str) -> None:
    result = verify(content)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("game.json: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 500


def test_a_file_of_which_only_the_beginning_is_read() -> None:
    """A file of any size costs no more than the largest that is read."""
    Path("endless.json").touch()
    with Path("endless.json").open("r+b") as file:
        file.truncate(8 * 1024**3)
    result = verify(None, "endless.json")
    assert result.exit_code == 2
    assert "larger than 1,000,000 bytes" in result.stderr


@pytest.mark.parametrize("name", ["missing.json", "folder"])
def test_what_is_no_file_is_refused(name: str) -> None:
    Path("folder").mkdir()
    result = verify(None, name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"'{name}' " in result.stderr


def daily() -> DailyExport:
    """A daily challenge of which one card was played."""
    source, play, events = Source(bytes(32), "feedfacecafe"), DailyPlay(), list[Event]()
    decisions: list[Decision | None] = [None, TakeDice(), Stop()]
    cards = cards_of("2026-01-01", STANDARD_DECK)
    for decision in decisions:
        play, happened = go_on(play, decision, source, cards)
        events += happened
    return DailyExport(source.game, "2026-01-01", source.seal, source.seed, STANDARD_DECK, "Ada", tuple(events))


def test_a_daily_challenge_is_told_what_was_checked() -> None:
    result = verify(daily_export_json(daily()))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert all(line.startswith("ok  ") for line in lines)
    assert daily().seal in lines[0]
    assert "2026-01-01" in lines[1]
    assert "1 of 7 cards" in lines[-1]


def test_an_altered_daily_challenge_does_not_check_out() -> None:
    document = json.loads(daily_export_json(daily()))
    raise_a_die(document)
    result = verify(json.dumps(document))
    assert result.exit_code == 1
    assert "does NOT check out" in result.stderr
    assert result.stdout == ""


def test_a_damaged_daily_challenge_is_named() -> None:
    result = verify(daily_export_json(daily()).replace("2026-01-01", "today"))
    assert result.exit_code == 2
    assert "today" in result.stderr


@pytest.mark.parametrize("name", hostile.NAMES)
def test_a_name_steers_no_terminal_and_adds_no_line(name: str) -> None:
    """The names are no part of what is sealed: whoever hands the file on may have written any."""
    good = verify(export_json(finished()))
    storable = name.encode("utf-8", "ignore").decode()[:200]
    result = verify(export_json(replace(finished(), names=(storable, *NAMES[1:]))))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == good.stdout.count("\n")
    assert all(line.startswith("ok  ") and line.isprintable() for line in result.stdout.split("\n")[:-1])
