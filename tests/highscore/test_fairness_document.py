"""docs/fairness.md and docs/rules.md suffice to write a verifier: ``referee`` follows their words alone."""

import hashlib
import hmac
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from highscore import Abandoned, Game, apply_event
from highscore.deck import STANDARD_DECK, Deck
from highscore.errors import HighScoreError
from highscore.events import Event, LeftOut, Remarked
from highscore.fairness import EARLIER, VERSION, Source, challenge_source, draw_chance, draw_daily_cards
from highscore.proof import format_export, read_export, verify_export
from highscore.turn_order import TurnOrder
from tests.highscore.exports import IDS, export_of, source_of
from tests.highscore.odds.settings import LARGE
from tests.highscore.referee import Draws, Wrong, check, code, joined, lock_of, of_challenge, of_deck, seal_of, sha256
from tests.highscore.strategies import decided, play_drawn, some_deck
from tests.highscore.test_proof import played

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
EXAMPLE = {name: re.findall("`([^`]*)`", value) for name, value in ROWS}
WORDS = ("clover", "", "größer")
CARDS = [card.id for card in STANDARD_DECK]
GROUPED = re.findall("(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}", PAGE)
File = dict[str, Any]


def test_the_example_follows_from_the_words_of_the_page() -> None:
    assert EXAMPLE["lucky words"] == [word for word in WORDS if word]
    assert EXAMPLE["user ids"] == [user_id for user_id in IDS[:3] if user_id]
    (seed,), (game,), (opening,), (seal,) = (EXAMPLE[name] for name in ("seed", "game", "opening", "seal"))
    deck, ids = {"name": STANDARD_DECK.name, "cards": [str(card) for card in STANDARD_DECK]}, list(CARDS)
    players = [{"id": user_id, "lucky_word": word} for user_id, word in zip(IDS, WORDS, strict=False)]
    file = {"game": game, "seal": seal, "turn_order": EXAMPLE["turn order"][0], "deck": deck, "players": players}
    assert seal == seal_of(VERSION, game, seed)
    assert EXAMPLE["lock"] == [lock_of(file | {"fairness": VERSION})]
    draws = Draws(seed, game, EXAMPLE["lock"][0], opening)
    assert EXAMPLE["start player of 3"] == [str(next(draws.below(3, "start")))]
    assert EXAMPLE["cards"] == [" ".join(draws.cards(ids))]
    assert EXAMPLE["round 1, seat 0, roll 1"] == [draws.roll(1, 0, 1)]
    assert EXAMPLE["round 7, seat 2, roll 3"] == [draws.roll(7, 2, 3)]
    assert GROUPED[0].replace(" ", "") == EXAMPLE["lock"][0]

    (daily,) = re.findall(r"^\| lock of the challenge of `2026-01-31` \| `(.*)` \|$", PAGE, re.MULTILINE)
    assert daily == code("challenge", game, seal, "2026-01-31", *of_deck(deck))
    assert EXAMPLE["its cards"] == [" ".join(of_challenge("2026-01-31").cards(ids))]
    assert EXAMPLE["its round 1, roll 1"] == [Draws(seed, game, "", "").roll(1, 0, 1)]

    assert EXAMPLE["lock of a cup, a league of five legs"] == [code("cup", game, seal, "league", "5", *of_deck(deck))]
    (lock,) = EXAMPLE["lock of a cup, a league of five legs"]
    (entered, found) = next((name, value) for name, value in ROWS if name.startswith("with the entrants"))
    assert [code("entrants", lock, *re.findall("`([0-9]+)`", entered))] == re.findall("`(.*)`", found)
    cup = Draws(seed, game, found.strip("`"), opening)
    assert EXAMPLE["leg 2 of this cup"] == [" ".join(cup.shuffle([*"01234"], 5, "leg", "2"))]
    derived = hmac.digest(bytes.fromhex(seed), joined(VERSION, game, "group", "2", "0"), "sha256")
    group = hashlib.sha256(derived).hexdigest()[:12]
    assert EXAMPLE["group 0 of leg 2, its id"] == [group]
    assert EXAMPLE["its seal"] == [seal_of(VERSION, group, derived.hex())]
    assert EXAMPLE["the lot between 3 and 4 in it"] == Draws(derived.hex(), group, "", "").shuffle("34", 1, "level")
    (cards,) = re.findall(r"^\| cards of `(.*)` \| `(.*)` \|$", PAGE, re.MULTILINE)
    assert cards[1].split() == of_challenge(cards[0]).cards(ids)


def test_the_example_of_the_earlier_version_follows_from_the_words_of_the_page() -> None:
    (seed,), (game,), (opening,) = (EXAMPLE[name] for name in ("seed", "game", "opening"))
    assert EXAMPLE["earlier seal"] == [seal_of(EARLIER, game, seed)]
    assert EXAMPLE["earlier digest"] == [sha256(*WORDS)]
    draws = Draws(seed, game, sha256(*WORDS), opening, EARLIER)
    assert EXAMPLE["earlier round 1, seat 0, roll 1"] == [draws.roll(1, 0, 1)]


def test_cups_are_drawn_as_the_page_says() -> None:
    legs = of_challenge("cup 0123456789ab 3").cards(CARDS)
    assert legs == [card.id for card in draw_daily_cards("cup 0123456789ab 3", STANDARD_DECK)]
    for version in (VERSION, EARLIER):
        source = Source(bytes(range(32)), "0123456789ab", "LOCK", 2**60, version=version)
        draws = Draws(bytes(range(32)).hex(), "0123456789ab", "LOCK", str(2**60), version)
        for leg in "123":
            assert draws.shuffle("021", 3, "leg", leg) == [*source.draw_order("021", "leg", leg)]


def test_the_referee_loads_nothing_of_the_engine() -> None:
    code = (
        "import sys, tests.highscore.referee; sys.exit(any(name.split('.')[0] == 'highscore' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_page_names_every_key_of_a_file() -> None:
    told = {key for row in ROWS for text in row for key in re.findall("`([a-z_]+)`", text)}
    for version in (VERSION, EARLIER):
        file = json.loads(format_export(played(2, TurnOrder.OPEN, version=version)))
        assert {*file, *file["players"][0]} <= told


def some_file(seed: int) -> File:
    """Make any game: any order, deck and decisions, with seats left out, remarks, deleted data, given up or not.

    It is of either version, and sometimes a challenge.
    """
    rng = random.Random(seed)
    order, players = rng.choice(list(TurnOrder)), rng.randint(2, 5)
    deck, version = some_deck(seed) if seed % 2 else STANDARD_DECK, rng.choice((VERSION, VERSION, EARLIER))
    if seed % 4 == 3:
        return some_challenge(rng, deck, version)
    words = rng.choices(("", "ä", "Ä", "ab", "a"), k=players)
    source = source_of(rng.randbytes(32), order, words, rng.randrange(1, 2**62), deck, version)
    events: list[Event] = [Remarked("the game was started")]
    game, length = Game(players, order), rng.choice((20, 60, 999))
    while not game.over:
        event = draw_chance(game, source, deck)
        if event is None:
            event = Abandoned("by the host") if len(events) > length else decided(game, rng)
            late = [seat for seat in game.seats if not game.count_finished(seat)]
            if not order.shared and len(game.seats) > 1 and late and rng.random() < 0.1:
                event = LeftOut(rng.choice(late))
        game = apply_event(game, event)
        events.append(event)
    file: File = json.loads(format_export(export_of(source, order, ("Ada",) * players, events, deck, words)))
    for player in file["players"] if seed % 3 == 0 else ():
        player |= {"lucky_word": "", **({} if version == EARLIER else {"id": None})}
    return file


def some_challenge(rng: random.Random, deck: Deck, version: str) -> File:
    """Make a challenge that was played for a while."""
    day = rng.choice(("2026-01-31", "cup 0123456789ab 3"))
    source = challenge_source(rng.randbytes(32), "0123456789ab", day, version)
    games = [*play_drawn(Game(1, TurnOrder.OWN_PACE), rng, source, deck)]
    _game, events = rng.choice(games[:30])
    file: File = json.loads(format_export(export_of(source, TurnOrder.OWN_PACE, ("Ada",), events, deck)))
    return file


def tampered(file: File, rng: random.Random) -> File:
    """Return the file with something else fixed; or with lines dropped, doubled, moved, or in the place of others."""
    if rng.random() < 0.3:
        return fixed_otherwise(file, rng)
    key = rng.choice(("events", "events", "results"))
    lines = [*file[key]]
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[at]
        case 3:
            del lines[at:]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at] = lines[other]
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return file | {key: lines}


def fixed_otherwise(file: File, rng: random.Random) -> File:
    """Return the file with another seal, lock, word, user id, order of seats, turn order, deck or opening."""
    wrong: File = json.loads(json.dumps(file))
    player = rng.choice(wrong["players"])
    lock = "words_digest" if "words_digest" in file else "lock"
    changes: dict[str, Callable[[], object]] = {
        "seal": lambda: wrong.update(seal=code("another")),
        "lock": lambda: wrong.update({lock: sha256("another") if lock == "words_digest" else code("another")}),
        "word": lambda: player.update(lucky_word="another"),
        "id": lambda: player.update(id=rng.choice((None, "", "1", "another"))),
        "seats": lambda: wrong["players"].reverse(),
        "order": lambda: wrong.update(turn_order=rng.choice([order.value for order in TurnOrder])),
        "deck": lambda: wrong["deck"].update(name="another"),
        "cards": lambda: wrong["deck"]["cards"].reverse(),
        "opening": lambda: wrong.update(opening=str(rng.randrange(1, 2**62))),
        "version": lambda: wrong.update(fairness=rng.choice((VERSION, EARLIER))),
    }
    changes[rng.choice(list(changes))]()
    return wrong


def accepted(file: File) -> tuple[bool, bool]:
    """Return whether the bot's own check takes a file, and whether the referee does."""
    try:
        verify_export(read_export(json.dumps(file)))
        ours = True
    except HighScoreError:
        ours = False
    try:
        check(file)
    except Wrong:
        return ours, False
    return ours, True


@pytest.mark.parametrize("seed", range(500 if LARGE else 24))
def test_referee_and_bot_agree_on_every_file_good_or_tampered_with(seed: int) -> None:
    file, rng = some_file(seed), random.Random(seed)
    assert accepted(file) == (True, True)
    for _time in range(10):
        wrong = tampered(file, rng)
        ours, theirs = accepted(wrong)
        assert ours == theirs, wrong["events"]
