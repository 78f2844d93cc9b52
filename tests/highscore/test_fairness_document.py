"""docs/fairness.md and docs/rules.md suffice to write a verifier: ``referee`` follows their words alone."""

import hashlib
import hmac
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from highscore import STANDARD_DECK, Abandoned, Game, HighScoreError, TurnOrder, apply_event, fairness, proof
from highscore.events import Event, LeftOut, Remarked
from tests.highscore import exports, strategies
from tests.highscore.odds.settings import LARGE
from tests.highscore.referee import VERSION, Draws, Wrong, check, joined, of_challenge, sha256
from tests.highscore.test_proof import played
from tests.sampling import sample

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
EXAMPLE = {name: re.findall("`([^`]*)`", value) for name, value in ROWS}
WORDS = ("clover", "", "größer")
File = dict[str, Any]


def test_the_example_follows_from_the_words_of_the_page() -> None:
    assert EXAMPLE["lucky words"] == [word for word in WORDS if word]
    assert EXAMPLE["seal"] == [sha256(VERSION, *EXAMPLE["game"], *EXAMPLE["seed"])]
    assert EXAMPLE["digest"] == [sha256(*WORDS)]
    draws = Draws(*(EXAMPLE[name][0] for name in ("seed", "game", "digest", "opening")))
    assert EXAMPLE["start player of 3"] == [str(next(draws.below(3, "start")))]
    assert EXAMPLE["cards"] == [" ".join(draws.cards([card.id for card in STANDARD_DECK]))]
    assert EXAMPLE["round 1, seat 0, roll 1"] == [draws.roll(1, 0, 1)]
    assert EXAMPLE["round 7, seat 2, roll 3"] == [draws.roll(7, 2, 3)]
    assert EXAMPLE["leg 2 of a cup with five entrants"] == [" ".join(draws.shuffle([*"01234"], 5, "leg", "2"))]
    seed = hmac.digest(
        bytes.fromhex(*EXAMPLE["seed"]), joined(VERSION, *EXAMPLE["game"], "group", "2", "0"), hashlib.sha256
    )
    group = hashlib.sha256(seed).hexdigest()[:12]
    assert EXAMPLE["group 0 of leg 2, its id"] == [group]
    assert EXAMPLE["its seal"] == [sha256(VERSION, group, seed.hex())]
    assert EXAMPLE["the lot between 3 and 4 in it"] == [
        Draws(seed.hex(), group, sha256(""), "").shuffle("34", 2, "level")[0]
    ]
    (cards,) = re.findall(r"^\| cards of `(.*)` \| `(.*)` \|$", PAGE, re.MULTILINE)
    assert cards[1].split() == of_challenge(cards[0]).cards([card.id for card in STANDARD_DECK])


def test_cups_are_drawn_as_the_page_says() -> None:
    legs = of_challenge("cup 0123456789ab 3").cards([card.id for card in STANDARD_DECK])
    assert legs == [card.id for card in fairness.draw_daily_cards("cup 0123456789ab 3", STANDARD_DECK)]
    ids = ("1111", "22222", "333")
    source = fairness.Source(bytes(range(32)), "0123456789ab", known_digest=fairness.hash_words(ids), opening=2**60)
    draws = Draws(bytes(range(32)).hex(), "0123456789ab", sha256(*ids), str(2**60))
    for leg in "123":
        assert draws.shuffle("021", 3, "leg", leg) == [*source.draw_order("021", "leg", leg)]


def test_the_referee_loads_nothing_of_the_engine() -> None:
    code = (
        "import sys, tests.highscore.referee; sys.exit(any(name.split('.')[0] == 'highscore' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_page_names_every_key_of_a_file() -> None:
    told = {key for name, _text in ROWS for key in re.findall("`([a-z_]+)`", name)}
    assert set(json.loads(proof.format_export(played(2, TurnOrder.OPEN)))) <= told


@pytest.mark.parametrize("order", TurnOrder, ids=lambda order: order.value)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_file_is_checked_by_the_words_of_the_pages(players: int, order: TurnOrder) -> None:
    file: File = json.loads(proof.format_export(played(players, order)))
    assert len(file["results"]) == 7 + players
    check(file)


def some_file(seed: int) -> File:
    """Make any game: any order, deck and decisions, with seats left out, remarks, deleted words, given up or not."""
    rng = random.Random(seed)
    order, players = rng.choice(list(TurnOrder)), rng.randint(2, 5)
    source = fairness.Source(rng.randbytes(32), "0123456789ab", ("ä",) * players, opening=rng.randrange(2**62))
    deck = strategies.some_deck(seed) if seed % 2 else STANDARD_DECK
    events: list[Event] = [Remarked("the game was started")]
    game, length = Game(players, order), rng.choice((20, 60, 999))
    while not game.over:
        event = fairness.draw_chance(game, source, deck)
        if event is None:
            event = Abandoned("by the host") if len(events) > length else strategies.decided(game, rng)
            late = [seat for seat in game.seats if not game.count_finished(seat)]
            if not order.shared and len(game.seats) > 1 and late and rng.random() < 0.1:
                event = LeftOut(rng.choice(late))
        game = apply_event(game, event)
        events.append(event)
    file: File = json.loads(proof.format_export(exports.export_of(source, order, ("Ada",) * players, events, deck)))
    for player in file["players"] if seed % 3 == 0 else ():
        player["lucky_word"] = ""
    return file


def tampered(file: File, rng: random.Random) -> File:
    key = rng.choice(("events", "events", "results"))
    lines = [*file[key]]
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at] = lines[other]
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return file | {key: lines}


def accepted(file: File) -> tuple[bool, bool]:
    """Return whether the bot's own check takes a file, and whether the referee does."""
    try:
        proof.verify_export(proof.read_export(json.dumps(file)))
        ours = True
    except HighScoreError:
        ours = False
    try:
        check(file)
    except Wrong:
        return ours, False
    return ours, True


@pytest.mark.parametrize("seed", range(500) if LARGE else sample(range(10), 4))
def test_referee_and_bot_agree_on_every_file_good_or_tampered_with(seed: int) -> None:
    file, rng = some_file(seed), random.Random(seed)
    assert accepted(file) == (True, True)
    for _time in range(10):
        wrong = tampered(file, rng)
        ours, theirs = accepted(wrong)
        assert ours == theirs, wrong["events"]
