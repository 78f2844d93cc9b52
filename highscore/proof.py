"""Exported games, and the check that a finished game's dice are those of its sealed seed.

The export is a JSON document with a version; ``verify_export`` needs nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from highscore import fairness
from highscore.cards import Card
from highscore.deck import Deck
from highscore.errors import HighScoreError
from highscore.events import Abandoned, CardRevealed, Decided, Event, LeftOut, Remarked, Rolled
from highscore.fairness import EARLIER, VERSION, Source, draw_chance
from highscore.game import Game, apply_event
from highscore.notation import format_event, format_results, parse_event
from highscore.turn_order import TurnOrder

FORMAT = "highscore-game-1"
MAX_SIZE = 1_000_000
"""The largest export that is read, in bytes. A game of five has about 6,000."""
MAX_NAME = 200
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|cup [0-9a-f]{12} [1-9][0-9]?")
_LOCK = {VERSION: "lock", EARLIER: "words_digest"}
"""The key of the lock in a file of each version."""
_LOCK_FORM = {
    VERSION: (re.compile(r"[A-Z2-7]{32}"), "32 letters and digits, A to Z and 2 to 7"),
    EARLIER: (re.compile(r"[0-9a-f]{64}"), "64 hexadecimal digits"),
}
_MESSAGE_ID = re.compile(r"[1-9][0-9]{0,18}")


class ExportError(HighScoreError):
    """A document that is no exported game. Says what is missing or wrong."""


class ProofError(HighScoreError):
    """An exported game that does not follow from its seed. Says which event is the first that differs."""


@dataclass(frozen=True, slots=True)
class Export:
    """An exported game."""

    game: str
    seal: str
    seed: bytes | None = field(repr=False)
    """None while the game is still played."""
    turn_order: TurnOrder
    names: tuple[str, ...]
    """The players by seat, as they were shown."""
    lucky_words: tuple[str, ...]
    deck: Deck
    events: tuple[Event, ...]
    lock: str
    """The lock in the opening, or the digest in an earlier one. Once a player has had their data deleted, all user ids
    are None and all words empty: then the lock is taken as it is."""
    opening: int | None
    """The id of the message that opened the game; None in a challenge, or given up before there was one."""
    results: tuple[str, ...] | None = None
    """The lines of results, chips and standings that were kept beside the events; None in an earlier file."""
    day: str | None = None
    """The name from which the cards of a challenge follow, which may end unfinished: the date of a daily one, like
    2026-01-31, or a cup and the number of its leg, like ``cup 0123456789ab 3``."""
    ids: tuple[str | None, ...] = ()
    """The user ids by seat, empty for house players; all None where they were deleted, and in a challenge."""
    version: str = VERSION
    seat: int | None = None
    """In a dare, which may end unfinished, the seat of ``game`` whose dice it has; otherwise None."""

    def __post_init__(self) -> None:
        check_lock(_LOCK[self.version], self.lock, self.version)
        if self.day is not None and _DAY.fullmatch(self.day) is None:
            raise ExportError(f'"day" is {self.day[:20]!r}; it is like 2026-01-31, or like "cup 0123456789ab 3"')
        if self.seat is not None and (self.seat not in range(5) or self.day is not None or len(self.names) != 1):
            raise ExportError('"seat" is one of the seats 0 to 4 of a game, in a dare with one player')
        if len(self.names) != len(self.lucky_words):
            raise ExportError("there has to be one lucky word for each player, empty where they gave none")
        if len(self.ids) != len(self.names) or len({each is None for each in self.ids}) > 1:
            raise ExportError("there has to be a user ID for each player, or none at all")
        for text in (self.game, self.seal, *self.names, *self.lucky_words):
            if len(text) > MAX_NAME:
                raise ExportError(f"{text[:20]!r}... is too long for an export; {MAX_NAME} characters are read back")

    @property
    def source(self) -> Source:
        """The source of the dice. Raises ProofError while the seed is not revealed."""
        if self.seed is None:
            raise ProofError("The seed is not revealed yet. A game can be checked when it is over.")
        if self.day is not None:
            return fairness.challenge_source(self.seed, self.game, self.day, self.version)
        return Source(self.seed, self.game, self.lock, self.opening, version=self.version, seat=self.seat)

    @property
    def is_challenge(self) -> bool:
        """True for a daily challenge, a leg of a cup, or a dare. It may end unfinished."""
        return self.day is not None or self.seat is not None

    @property
    def words_deleted(self) -> bool:
        """True if user ids and lucky words are gone and only the lock is left. The file of a dare never has them."""
        gone = not self.is_challenge and set(self.ids) <= {None} and not any(self.lucky_words)
        return gone and self.make_lock() != self.lock

    def make_lock(self) -> str:
        """Return the lock that follows from everything it is made of."""
        if self.version == EARLIER:
            return fairness.hash_words(self.lucky_words)
        if self.day is not None:
            return fairness.lock_challenge(self.game, self.seal, self.day, self.deck)
        ids = [each or "" for each in self.ids]
        return fairness.lock_game(self.game, self.seal, self.turn_order.value, self.deck, ids, self.lucky_words)


@dataclass(frozen=True, slots=True)
class Proof:
    """The things that a successful check looked at."""

    export: Export
    state: Game
    rolls: int
    dice: int
    cards: int
    decisions: int


def format_export(export: Export) -> str:
    """Return the document as text (JSON, UTF-8), readable by people: one event a line."""
    return json.dumps(_encode_export(export), indent=1, ensure_ascii=False)


def _encode_export(export: Export) -> Mapping[str, Any]:
    players = [
        {**({} if export.version == EARLIER else {"id": user_id}), "name": name, "lucky_word": word}
        for user_id, name, word in zip(export.ids, export.names, export.lucky_words, strict=True)
    ]
    return {
        "format": FORMAT,
        "fairness": export.version,
        "game": export.game,
        **({} if export.day is None else {"day": export.day}),
        **({} if export.seat is None else {"seat": export.seat}),
        "seal": export.seal,
        "seed": None if export.seed is None else export.seed.hex(),
        "turn_order": export.turn_order.value,
        "players": players,
        _LOCK[export.version]: export.lock,
        "opening": None if export.opening is None else str(export.opening),
        "deck": {"name": export.deck.name, "cards": [str(card) for card in export.deck]},
        "events": [format_event(event) for event in export.events],
        "results": None if export.results is None else list(export.results),
    }


def read_document(text: str | bytes) -> Mapping[str, Any]:
    """Read an exported file of any format. Raises ExportError for what is no JSON object, or too large."""
    if len(text) > MAX_SIZE:
        raise ExportError(f"the file is larger than {MAX_SIZE:,} bytes; an exported game is not")
    try:
        document = json.loads(text, object_pairs_hook=_refuse_duplicates)
    except (ValueError, RecursionError) as error:
        raise ExportError(f"the file is not JSON: {str(error)[:200]}") from None
    if not isinstance(document, dict):
        raise ExportError(f'the file is no exported game; its "format" has to be "{FORMAT}"')
    return document


def read_export(text: str | bytes) -> Export:
    """Read an exported game. Raises ExportError for anything else."""
    document = read_document(text)
    if document.get("format") != FORMAT:
        raise ExportError(f'the file is no exported game; its "format" has to be "{FORMAT}"')
    if document.get("fairness") not in (VERSION, EARLIER):
        raise ExportError(f'its "fairness" has to be "{VERSION}" or "{EARLIER}"; this program checks no other')
    try:
        export = _decode_export(document)
    except HighScoreError as error:
        raise ExportError(f"the exported game is damaged: {error}") from None
    for key, value in _encode_export(export).items():
        # A check by other means compares texts: both checks have to come to the same verdict.
        if document.get(key) != value:
            raise ExportError(f'"{key}" is not spelled as in an exported game')
    return export


def _refuse_duplicates(pairs: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    """Return an object of JSON. Raises ValueError for a key that comes twice: people may see the other value."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key comes twice in it")
    return found


def _decode_export(document: Mapping[str, Any]) -> Export:
    players = _read_list(document, "players")
    if not all(isinstance(player, dict) for player in players):
        raise ExportError('each of "players" has a "name" and a "lucky_word"')
    order = read_text(document, "turn_order")
    orders = [known.value for known in TurnOrder]
    if order not in orders:
        raise ExportError(f'"turn_order" is {order[:20]!r}; it is one of {", ".join(orders)}')
    version = read_text(document, "fairness")
    return Export(
        version=version,
        game=read_text(document, "game"),
        seal=read_text(document, "seal"),
        seed=read_seed(document),
        turn_order=TurnOrder(order),
        ids=tuple(None if player.get("id") is None else read_text(player, "id") for player in players),
        names=tuple(read_text(player, "name") for player in players),
        lucky_words=tuple(read_text(player, "lucky_word") for player in players),
        deck=read_deck(document),
        events=tuple(parse_event(line) for line in _read_lines(document, "events")),
        lock=read_text(document, _LOCK[version]),
        opening=read_opening(document),
        results=None if document.get("results") is None else tuple(_read_lines(document, "results")),
        day=None if document.get("day") is None else read_text(document, "day"),
        seat=_read_seat(document),
    )


def check_lock(key: str, lock: str, version: str) -> str:
    """Return a lock. Raises ExportError unless it has the form of its version."""
    pattern, form = _LOCK_FORM[version]
    if pattern.fullmatch(lock) is None:
        raise ExportError(f'"{key}" has to be {form}')
    return lock


def read_seed(document: Mapping[str, Any]) -> bytes | None:
    """Read the seed of an export; None if the seed is not revealed yet. Raises ExportError."""
    if document.get("seed") is None:
        return None
    text = read_text(document, "seed")
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != fairness.SEED_BYTES:
        raise ExportError(f'"seed" has to be {fairness.SEED_BYTES} bytes in hexadecimal digits')
    return seed


def read_opening(document: Mapping[str, Any]) -> int | None:
    if document.get("opening") is None:
        return None
    # A text: JSON readers that count in floats would round it.
    text = read_text(document, "opening")
    if _MESSAGE_ID.fullmatch(text) is None or int(text) >= 2**63:
        raise ExportError('"opening" has to be the id of a message, in digits')
    return int(text)


def _read_seat(document: Mapping[str, Any]) -> int | None:
    seat = document.get("seat")
    if seat is not None and type(seat) is not int:
        raise ExportError('"seat" has to be a number')
    return seat


def read_deck(document: Mapping[str, Any]) -> Deck:
    """Read the deck of an export. Raises ExportError, DeckError or CardError."""
    deck = document.get("deck")
    if not isinstance(deck, dict):
        raise ExportError('"deck" has a "name" and "cards"')
    return Deck(read_text(deck, "name"), tuple(Card.parse(line) for line in _read_lines(deck, "cards")))


def read_text(document: Mapping[str, Any], key: str) -> str:
    """Read a text of an export. Raises ExportError for anything else, and for a text that is too long."""
    value = document.get(key)
    if not isinstance(value, str) or len(value) > MAX_NAME:
        raise ExportError(f'"{key}" has to be a text of at most {MAX_NAME} characters')
    try:
        value.encode()
    except UnicodeEncodeError:  # JSON can spell half a character ("\\ud800"), which has no bytes to hash
        raise ExportError(f'"{key}" has half a character in it') from None
    return value


def _read_list(document: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = document.get(key)
    if not isinstance(value, list):
        raise ExportError(f'"{key}" has to be a list')
    return value


def _read_lines(document: Mapping[str, Any], key: str) -> Sequence[str]:
    """Read a list of texts of an export. Raises ExportError for anything else."""
    lines = _read_list(document, key)
    if not all(isinstance(line, str) for line in lines):
        raise ExportError(f'"{key}" has to be a list of texts')
    return lines


def verify_export(export: Export) -> Proof:
    """Check that cards and dice follow from the sealed seed, decisions from the rules, and results from the decisions.

    Raises ProofError naming the first thing that does not fit.
    """
    source = export.source
    if source.seal != export.seal:
        raise ProofError("The seed does not match the seal: it is not the one that was sealed when the table opened.")
    try:
        game = Game(len(export.names), export.turn_order)
    except HighScoreError as error:
        raise ProofError(str(error)) from None
    if export.seat is None and not export.words_deleted and export.make_lock() != export.lock:
        raise ProofError(
            "The lock doesn't match: the lucky words, user IDs, turn order or deck are not the ones it was made from."
        )
    begun = export.day is None and not all(isinstance(event, Abandoned | Remarked) for event in export.events)
    if begun and export.opening is None:
        raise ProofError(
            "The game was played without an opening message, but its dice have to follow from the ID of one."
        )
    if export.day is not None and export.opening is not None:
        raise ProofError("A challenge has no opening message, but here the dice depend on one.")
    for number, event in enumerate(export.events, start=1):
        due = draw_chance(game, source, export.deck)
        if due is not None and event != due and not isinstance(event, Abandoned | LeftOut | Remarked):
            here = format_event(event)
            raise ProofError(f"Event {number}: the seed gives {format_event(due)!r}, the game has {here!r}")
        try:
            game = apply_event(game, event)
        except HighScoreError as error:
            raise ProofError(f"Event {number}: {error}") from None
    if not game.over and not export.is_challenge:
        raise ProofError("The game is not over yet: its events stop in the middle.")
    if export.events and (missing := draw_chance(game, source, export.deck)) is not None:
        raise ProofError(f"The events stop where {format_event(missing)!r} has to follow.")
    if export.results is not None:
        _compare_results(format_results(game), export.results)
    cards = sum(isinstance(event, CardRevealed) for event in export.events)
    rolls = [event for event in export.events if isinstance(event, Rolled)]
    decisions = sum(isinstance(event, Decided) for event in export.events)
    return Proof(export, game, len(rolls), sum(len(roll.faces) for roll in rolls), cards, decisions)


def _compare_results(right: Sequence[str], told: Sequence[str]) -> None:
    """Raise ProofError naming the first line that differs from the one the events lead to."""
    for line, other in zip_longest(right, told, fillvalue="nothing more"):
        if line != other:
            raise ProofError(f"The events lead to {line!r}, the results have {other[:200]!r}.")
