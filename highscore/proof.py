"""Exported games, and the check that their cards and dice follow from the sealed seed.

An export is a JSON document with everything that the check (``verify_export``) needs. docs/fairness.md explains its
keys.
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
"""The largest export that is read, in bytes (in characters if it is given as text). A game of five has about 6,000."""
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
    """A document that is not an exported game. The message says what is missing or wrong."""


class ProofError(HighScoreError):
    """An exported game that fails the check. The message names the first thing that is wrong, for example an event."""


@dataclass(frozen=True, slots=True)
class Export:
    """An exported game, challenge or dare.

    Raises ExportError if a field has the wrong form, is too long, or does not fit the other fields.
    """

    game: str
    seal: str
    seed: bytes | None = field(repr=False)
    """None while the game is still played."""
    turn_order: TurnOrder
    names: tuple[str, ...]
    """The display names of the players, by seat."""
    lucky_words: tuple[str, ...]
    deck: Deck
    events: tuple[Event, ...]
    lock: str
    """The published lock; in a dare, that of the finished game. In the earlier version, a digest of the lucky words.

    If a player's data was deleted, all user ids are None and all lucky words are empty. Then the lock cannot be
    computed from the other fields any more, and the check uses it without comparing.
    """
    opening: int | None
    """The id of the message that opened the game. None in a challenge, and in a game that was abandoned before it had
    an opening."""
    results: tuple[str, ...] | None = None
    """The lines of results, chips and standings (``format_results``). None in old files, which have only the events."""
    day: str | None = None
    """The name from which the cards of a challenge are drawn: a date like ``2026-01-31``, or a leg of a cup like ``cup
    0123456789ab 3``. None in a game or a dare."""
    ids: tuple[str | None, ...] = ()
    """The user ids by seat, empty for house players. All are None in a challenge, in a dare, in files of the earlier
    version, and if a player's data was deleted."""
    version: str = VERSION
    seat: int | None = None
    """In a dare, the seat of the finished game whose dice the attempt has; otherwise None."""

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
        """True for a daily challenge, a leg of a cup, or a dare. Their events may stop before the last card."""
        return self.day is not None or self.seat is not None

    @property
    def words_deleted(self) -> bool:
        """True if a player's data was deleted, so that the lock cannot be computed from user ids and lucky words.

        False for challenges and dares, whose files never have any.
        """
        gone = not self.is_challenge and set(self.ids) <= {None} and not any(self.lucky_words)
        return gone and self.make_lock() != self.lock

    def make_lock(self) -> str:
        """Compute the lock from the other fields.

        The result is wrong for a dare, and for a game in which a player's data was deleted.
        """
        if self.version == EARLIER:
            return fairness.hash_words(self.lucky_words)
        if self.day is not None:
            return fairness.lock_challenge(self.game, self.seal, self.day, self.deck)
        ids = [each or "" for each in self.ids]
        return fairness.lock_game(self.game, self.seal, self.turn_order.value, self.deck, ids, self.lucky_words)


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a successful check: the final state, and how many rolls, dice, cards and decisions were checked."""

    export: Export
    state: Game
    rolls: int
    dice: int
    cards: int
    decisions: int


def format_export(export: Export) -> str:
    """Return the export as JSON text with one event per line, so that people can read it."""
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
    """Read an exported file, of a game or of a cup.

    Raises ExportError if the file is too large, is not a JSON object, or has a key twice in the same object.
    """
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
    """Read an exported game. Raises ExportError for anything else, and for values that ``format_export`` would write in
    another way."""
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
        # Other programs may compare the values as texts, and have to reach the same verdict as this one.
        if document.get(key) != value:
            raise ExportError(f'"{key}" is not spelled as in an exported game')
    return export


def _refuse_duplicates(pairs: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    """Return a JSON object as a dictionary. Raises ValueError for a repeated key: a reader may see the other value."""
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
    """Return ``lock``. Raises ExportError, which names ``key``, unless the lock has the form of this version."""
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
    # The id is a text, because JSON readers that use floating point numbers would round it.
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
    """Read the text under a key. Raises ExportError if there is none, or if it is too long or cannot be encoded."""
    value = document.get(key)
    if not isinstance(value, str) or len(value) > MAX_NAME:
        raise ExportError(f'"{key}" has to be a text of at most {MAX_NAME} characters')
    try:
        value.encode()
    except UnicodeEncodeError:  # JSON can contain half of a surrogate pair ("\\ud800"), which has no bytes to hash
        raise ExportError(f'"{key}" has half a character in it') from None
    return value


def _read_list(document: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = document.get(key)
    if not isinstance(value, list):
        raise ExportError(f'"{key}" has to be a list')
    return value


def _read_lines(document: Mapping[str, Any], key: str) -> Sequence[str]:
    lines = _read_list(document, key)
    if not all(isinstance(line, str) for line in lines):
        raise ExportError(f'"{key}" has to be a list of texts')
    return lines


def verify_export(export: Export) -> Proof:
    """Check an export: its seal and lock, that cards and dice follow from the seed, that all decisions are legal, and
    that the results follow from the events.

    Raises ProofError, which names the first thing that is wrong. An export without its seed fails, too.
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
    """Raise ProofError for the first line that differs. ``right`` follows from the events, ``told`` is in the file."""
    for line, other in zip_longest(right, told, fillvalue="nothing more"):
        if line != other:
            raise ProofError(f"The events lead to {line!r}, the results have {other[:200]!r}.")
