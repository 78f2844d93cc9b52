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
SOURCE = fairness.Source(bytes(range(32)), "0123456789ab", ("clover", "", "horseshoe"), opening=2**60)
Document = dict[str, Any]


def chance(game: Game) -> Event:
    event = fairness.draw_chance(game, SOURCE, STANDARD_DECK)
    assert event is not None
    return event


@cache
def exported(limit: int | None = None) -> Export:
    """Export a game of three with the dice of its seed, to its end or given up after some events."""
    log = strategies.play_on(Game(len(NAMES), TurnOrder.CLOCKWISE), random.Random(7), chance, limit)
    events = log.events if limit is None else (*log.events, Abandoned("user 1"))
    return exports.export_of(SOURCE, TurnOrder.CLOCKWISE, NAMES, events)


@cache
def daily(day: str = "2026-01-01") -> str:
    source = fairness.Source(bytes(32), "feedfacecafe", ("",), day=day)
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
    assert "Names, remarks, the turn order and the decisions are not sealed" in lines[-1]
    return lines


def test_a_good_game_is_told_what_was_checked_and_what_is_not_sealed() -> None:
    proof, document = prove(exported()), json.loads(format_export(exported()))
    lines = checked(json.dumps(document))
    # 2**60 has 2**38 ms in it: https://discord.com/developers/docs/reference#snowflakes
    right, sent = "The results are right, too.", "2023-09-17 10:58:26 UTC"
    names = ", ".join(f"{NAMES[line.seat]} {line.points}" for line in rank_players(proof.state))
    assert lines[:-1] == [
        f"ok  The seed matches the seal {SOURCE.seal}. Compare it with the one that was shown at the start.",
        f"ok  The lucky words have the digest {SOURCE.words_digest}.",
        f"ok  The message that opened the game has the ID {2**60}, with which its link ends. Sent: {sent}",
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
    assert "given up in round" in checked(format_export(exported(limit=60)))[-2]
    assert "given up before it was opened" in checked(format_export(replace(exported(limit=0), opening=None)))[2]
    assert "lucky word has been deleted" in checked(format_export(replace(exported(), lucky_words=("",) * 3)))[1]


@pytest.mark.parametrize("name", ["2026-01-01", "cup 0123456789ab 14"])
def test_a_challenge_is_told_what_was_checked(name: str) -> None:
    lines = checked(daily(name))
    assert json.loads(daily(name))["seal"] in lines[0]
    assert f"The seven cards follow from the deck and “{name}”." in lines[1]
    assert "The results are right, too. Cards finished: 1 of 7." in lines[-2]


OPENING = 2**60


@pytest.mark.parametrize("wrong", ["", "{seal}0", "0{seal}", "{cut}", "{digest}"])
def test_another_games_seal_is_named_and_fails(wrong: str) -> None:
    copied = wrong.format(seal=SOURCE.seal, cut=SOURCE.seal[1:], digest=SOURCE.words_digest)
    result = verify(format_export(exported()), "--seal", copied, "--digest", SOURCE.words_digest)
    assert (result.exit_code, result.stderr) == (1, "game.json is not the game you copied from.\n")
    assert "NO  The seal is NOT the one you copied.\nok  The digest is" in result.stdout


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
    """The names are no part of what is sealed: whoever hands the file on may have written any."""
    export = exported(limit=10)
    for name in hostile.NAMES:
        storable = name.encode("utf-8", "ignore").decode()[:200]
        assert len(checked(format_export(replace(export, names=(storable, *NAMES[1:]))))) == 7, name
