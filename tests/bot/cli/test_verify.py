"""highscore-bot verify: what it says of good, altered, unfinished and senseless files.

What is checked, and every way to forge, is tested with the proofs of the engine.
"""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from highscore import STANDARD_DECK, Abandoned, Game, Stop, TakeDice, TurnOrder, fairness, rank_players
from highscore.events import Decided, Event
from highscore.proof import MAX_SIZE, Export, format_export
from highscore.proof import verify_export as prove
from tests import hostile
from tests.bot.cli.commands import invoke, refusal
from tests.highscore import exports, strategies

NAMES = ("Ada", "Ben", "Cem")
WORDS = ("clover", "", "horseshoe")
SOURCE = exports.source_of(bytes(range(32)), TurnOrder.CLOCKWISE, WORDS, 2**60)
BEFORE = exports.source_of(bytes(range(32)), TurnOrder.CLOCKWISE, WORDS, 2**60, version=fairness.EARLIER)
Document = dict[str, Any]
SEAL, LOCK = fairness.format_code(SOURCE.seal), fairness.format_code(SOURCE.lock)


@cache
def exported(limit: int | None = None, source: fairness.Source = SOURCE) -> Export:
    """Export a game of three with the dice of its seed, to its end or given up after some events."""

    def chance(game: Game) -> Event:
        event = fairness.draw_chance(game, source, STANDARD_DECK)
        assert event is not None
        return event

    log = strategies.play_on(Game(len(NAMES), TurnOrder.CLOCKWISE), random.Random(7), chance, limit)
    events = log.events if limit is None else (*log.events, Abandoned("user 1"))
    return exports.export_of(source, TurnOrder.CLOCKWISE, NAMES, events, words=WORDS)


@cache
def daily(day: str = "2026-01-01", version: str = fairness.VERSION) -> str:
    """Play one card of a challenge (a day, or a leg of a cup), and export it."""
    source = fairness.challenge_source(bytes(32), "feedfacecafe", day, version)
    game, events = fairness.play_event(Game(1, TurnOrder.OWN_PACE), None, source, STANDARD_DECK)
    for decision in (TakeDice(), Stop()):
        game, happened = fairness.play_event(game, Decided(0, decision), source, STANDARD_DECK)
        events += happened
    return format_export(exports.export_of(source, TurnOrder.OWN_PACE, ("Ada",), events))


def verify(content: bytes | str | None, *options: str, name: str = "game.json") -> Result:
    if content is not None:
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return invoke("verify", name, *options)


def checked(content: str) -> list[str]:
    result = verify(content)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("\n")
    lines = result.stdout.split("\n")[:-1]
    assert all(line.startswith(("ok  ", "--  ")) and line.isprintable() for line in lines)
    assert "Names, remarks and the decisions are in no code" in lines[-1]
    return lines


def test_a_good_game_is_told_what_was_checked_and_what_is_in_no_code() -> None:
    proof, document = prove(exported()), json.loads(format_export(exported()))
    lines = checked(json.dumps(document))
    # 2**60 has 2**38 ms in it: https://discord.com/developers/docs/reference#snowflakes
    right, sent = "The results are right, too.", "2023-09-17 10:58:26 UTC"
    names = ", ".join(f"{NAMES[line.seat]} {line.points}" for line in rank_players(proof.state))
    assert lines[:-1] == [
        f"ok  The seed matches the seal {SEAL}. Compare this seal with the one that was shown at the start.",
        (
            f"ok  Everything that was fixed before the first roll matches the lock {LOCK}."
            " Compare this lock with the one that was shown."
        ),
        f"ok  The message that opened the game has the ID {2**60}. Its link ends with this ID. Sent: {sent}",
        "ok  The start player and 7 challenge cards follow from the seed. The deck is the standard one.",
        f"ok  {proof.rolls} rolls follow from the seed. Dice that were rolled: {proof.dice}.",
        f"ok  {proof.decisions} decisions were legal. {right} The game was played to the end: {names}.",
    ]
    document["results"] = None
    earlier = checked(json.dumps(document))
    assert earlier[:5] == lines[:5]
    assert earlier[5] == lines[5].replace(f"{right} ", "")
    assert earlier[6].startswith("--  The file is an earlier one: it has no results, chips and standings")


def test_a_game_that_was_given_up_or_has_lost_its_words_is_told_so() -> None:
    assert "ended early, in round" in checked(format_export(exported(limit=60)))[-2]
    assert "ended before its opening message" in checked(format_export(replace(exported(limit=0), opening=None)))[2]
    deleted = replace(exported(), lucky_words=("",) * 3, ids=(None,) * 3)
    assert "A player's data was deleted" in checked(format_export(deleted))[1]


@pytest.mark.parametrize("name", ["2026-01-01", "cup 0123456789ab 14"])
def test_a_challenge_is_told_what_was_checked(name: str) -> None:
    lines = checked(daily(name))
    assert fairness.format_code(json.loads(daily(name))["lock"]) in lines[0]
    assert f"The seven cards depend only on the deck and on the date or leg “{name}”." in lines[1]
    assert "The results are right, too. Cards finished: 1 of 7." in lines[-2]


def test_files_of_the_earlier_format_are_checked_against_what_was_shown_then() -> None:
    lines = checked(format_export(exported(source=BEFORE)))
    assert BEFORE.seal in lines[0]
    assert BEFORE.lock in lines[1]
    assert "earlier format" in lines[-2]
    copied = f"-# 🔏\xa0||Seal\xa0of\xa0the\xa0dice:\xa0{BEFORE.seal}||\n-# 🔏\xa0||Digest:\xa0{BEFORE.lock}||"
    result = verify(format_export(exported(source=BEFORE)), "--seal", copied, "--digest", copied)
    assert (result.exit_code, result.stdout.count("is the one you copied")) == (0, 2)
    lines = checked(daily(version=fairness.EARLIER))
    assert json.loads(daily(version=fairness.EARLIER))["seal"] in lines[0]


def message_link(message_id: int) -> str:
    return f"https://discord.com/channels/1/2/{message_id}"


@pytest.mark.parametrize(
    "written",
    [
        "{seal}",
        "{grouped}",
        "{small}",
        " {seal} ",
        "-# 🔏 Seal: {grouped}",
        "Siegel:\xa0**{small}**\nSchloss: ABCD",
        "`{seal}`",
        "{hyphens}",
    ],
)
def test_a_code_can_be_copied_or_typed_in_any_way(written: str) -> None:
    small, hyphens = SEAL.lower(), SEAL.replace(" ", "-")
    copied = written.format(seal=SOURCE.seal, grouped=SEAL, small=small, hyphens=hyphens)
    result = verify(format_export(exported()), "--seal", copied, "--lock", LOCK, "--opening", message_link(2**60))
    assert (result.exit_code, result.stderr, result.stdout.count("is the one you copied")) == (0, "", 3)


@pytest.mark.parametrize(("copied", "length"), [("", 0), ("ABCD EFGH", 8), (SOURCE.lock[:31], 31), ("🔏 - !", 0)])
def test_less_than_a_code_is_refused_in_a_sentence(copied: str, length: int) -> None:
    sentence = refusal(verify(format_export(exported()), "--lock", copied))
    assert sentence == f"--lock has {length} of the 32 letters and digits of a code. Copy all of them."


@pytest.mark.parametrize("option", ["--seal", "--lock", "--opening"])
@pytest.mark.parametrize("wrong", ["A" * 32, "{mistyped}", "{other}", "{cut}A"])
def test_what_another_game_shows_is_named_and_fails(option: str, wrong: str) -> None:
    right, other = (SOURCE.seal, SOURCE.lock) if option == "--seal" else (SOURCE.lock, SOURCE.seal)
    mistyped = right.replace("O", "0").replace("I", "1").replace("B", "8")
    assert mistyped != right
    copied = wrong.format(mistyped=mistyped, other=other, cut=right[1:])
    result = verify(format_export(exported()), option, message_link(2**60 + 1) if option == "--opening" else copied)
    assert (result.exit_code, result.stderr) == (1, "game.json is not the game you copied from.\n")
    assert f"NO  The {option[2:]} is NOT the one you copied.\n" in result.stdout
    assert ("A code has the letters A to Z and the digits 2 to 7" in result.stdout) == (option != "--opening")


def raise_a_die(document: Document) -> None:
    """Give the first roll another face."""
    at, line = next((at, line) for at, line in enumerate(document["events"]) if line.startswith("rolled "))
    document["events"][at] = line[:-1] + ("5" if line[-1] != "5" else "4")


@pytest.mark.parametrize(
    ("good", "change"),
    [
        (format_export(exported()), raise_a_die),
        (format_export(exported()), lambda document: document.update(seed=None)),
        (format_export(exported()), lambda document: document["events"].pop()),
        (format_export(exported()), lambda document: document["results"].reverse()),
        (daily(), raise_a_die),
    ],
    ids=["die", "hidden seed", "cut", "results", "daily die"],
)
def test_whatever_is_altered_or_unfinished_is_found(good: str, change: Callable[[Document], object]) -> None:
    document = json.loads(good)
    change(document)
    sentence = refusal(verify(json.dumps(document)), code=1)
    assert sentence.startswith("game.json does NOT check out. ")
    assert "\n" not in sentence


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("{", id="cut off"),
        pytest.param('{"format": "highscore-game-9"}', id="another format"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + b"\0" * 100, id="picture"),
        pytest.param(b"[" + b" " * (MAX_SIZE * 3) + b"]", id="huge"),
        pytest.param(daily().replace("2026-01-01", "today"), id="damaged daily"),
    ],
)
def test_what_is_no_export_is_refused_in_a_sentence(content: bytes | str) -> None:
    sentence = refusal(verify(content))
    assert sentence.startswith("game.json: ")
    assert "\n" not in sentence
    assert len(sentence) < 500


def test_a_name_steers_no_terminal_and_adds_no_line() -> None:
    """No code covers the names: anybody who passes the file on could have changed them."""
    export = exported(limit=10)
    for name in hostile.NAMES:
        storable = name.encode("utf-8", "ignore").decode()[:200]
        assert len(checked(format_export(replace(export, names=(storable, *NAMES[1:]))))) == 7, name
