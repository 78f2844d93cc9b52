"""Dice and cards that follow from a sealed seed, so that everybody can check afterwards that nobody altered them.

The draws of a game depend on three values:

* The *seed* is 32 random bytes. Its *seal*, a code of the game's id and the seed, is shown to every player before they
  can add a *lucky word*.
* The *lock* is a code of everything that is fixed when the game starts: the seal, the players, their lucky words, the
  turn order and the deck. The message that opens the game shows it.
* The *opening* is the id that Discord gives to that message. Nobody knows it while words can still be added. Without
  it, a player who knows the seed and adds the last word could try words until the dice suit them.

A draw is a stream of bytes. Its blocks are ``HMAC-SHA256(seed, fields)`` for the block numbers 0, 1, 2 and so on. The
fields are the version, the game's id, the lock, the opening, the name of the draw, and the block number. They are
joined as in ``3:odd4:five``: before each field stands its length in UTF-8 bytes.

To draw a number below a bound, bytes are rejected from the largest multiple of the bound (up to 256) on. The other
bytes are taken modulo the bound, so all numbers are equally likely. For a die, bytes of 252 and more are rejected,
because 252 = 42 x 6.

These are the names of draws. Each can consist of several fields:

* The start player: ``start``.
* The cards: ``deck`` and the step of a Fisher-Yates shuffle.
* A roll: the numbers of the round, the seat and the roll. Seven faces are drawn, one for each place. Places that are
  not rolled ignore theirs, so no choice shifts another die.
* The groups of a cup's leg: ``leg``, its number, and the step of a shuffle. The seeds of the groups are HMACs of the
  cup's seed.

A daily challenge or a leg of a cup has no lucky words and no opening, and no lock in its draws. A *dare* repeats the
draws of one seat of a finished game.

Games of the earlier version (``EARLIER``) have a longer seal, and a digest of the lucky words in place of the lock.

docs/fairness.md specifies all of this, and says what it does not prove.

Sources: RFC 2104 (HMAC), FIPS 180-4 (SHA-256), RFC 4648, section 6 (base32).
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from highscore.cards import Card
from highscore.deck import ROUNDS, Deck
from highscore.dice import DICE, Face
from highscore.events import CardRevealed, Event, Rolled, StartPlayerDrawn
from highscore.game import Awaiting, Game, apply_event

VERSION = "highscore-fair-2"
"""The name of this scheme. Any change of a code or a draw needs another name."""

EARLIER = "highscore-fair-1"
"""The scheme before this one, in which codes were longer. Games that were opened with it can still be played and
checked. The cards of all challenges are still drawn with it."""

DAILY_VERSION = "highscore-daily-1"
"""The name of the scheme that draws the cards of a date (``draw_daily_cards``). If dates get other cards, it needs
another name."""

SEED_BYTES = 32

_DECK, _START = "deck", "start"

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Source:
    """The inputs of the draws of one game, challenge or cup, except for the deck and the number of players.

    Raises ValueError unless the seed has 32 bytes.
    """

    seed: bytes
    """32 random bytes, secret while the game is played. The caller draws them from the system's secure generator, or
    derives them from another seed (``derive_seed``)."""
    game: str
    """The public id of the game, challenge or cup."""
    lock: str = ""
    """The lock that was published. It stays the same if a player's data is deleted later. Empty in a challenge. In the
    earlier version, a digest (``hash_words``) instead, in challenges too."""
    opening: int | None = None
    """The id of the message that opened the game, or that started the cup. None before it is sent, and in a
    challenge."""
    day: str | None = None
    """The name from which a challenge's cards are drawn: a date like ``2026-01-31``, or a leg of a cup like ``cup
    0123456789ab 3``. None in a game or a dare, whose cards are drawn from the seed."""
    version: str = VERSION
    seat: int | None = None
    """In a dare, the seat of the finished game whose dice the only player gets; otherwise None."""

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, this one has {len(self.seed)}")

    def __repr__(self) -> str:
        return f"Source(game={self.game!r}, seed=<secret>)"

    @property
    def seal(self) -> str:
        """The code of the game's id and the seed. It commits to the seed without revealing it."""
        if self.version == EARLIER:
            return hashlib.sha256(_join_fields(EARLIER, self.game, self.seed.hex())).hexdigest()
        return make_code("seal", self.game, self.seed.hex())

    def draw_faces(self, round_number: int, seat: int, roll_number: int) -> tuple[Face, ...]:
        """Draw seven faces, one for each die, even if fewer dice are rolled.

        ``round_number`` is 1 to 7, ``seat`` 0 to 4, ``roll_number`` 1 to 7 within the turn. In a dare, ``Source.seat``
        replaces ``seat``.
        """
        stream = self._draw_below(6, str(round_number), str(seat if self.seat is None else self.seat), str(roll_number))
        return tuple(Face(next(stream) + 1) for _ in range(DICE))

    def draw_start_seat(self, players: int) -> int:
        """Draw the seat that starts the first round, 0 to ``players`` - 1 (R2.2)."""
        return next(self._draw_below(players, _START))

    def draw_cards(self, deck: Deck) -> tuple[Card, ...]:
        """Draw the seven cards of the game in order (R2.1): the first seven of a shuffle of the deck.

        In a challenge, they follow from ``day`` alone (``draw_daily_cards``).
        """
        if self.day is not None:
            return draw_daily_cards(self.day, deck)
        return tuple(islice(self.draw_order(deck.cards, _DECK), ROUNDS))

    def draw_order(self, things: Iterable[Thing], *what: str) -> Iterator[Thing]:
        """Yield the things (at most 256) in random order, by a Fisher-Yates shuffle. ``what`` is the name of the
        draw."""
        order = list(things)
        for at in range(len(order)):
            chosen = at + next(self._draw_below(len(order) - at, *what, str(at)))
            order[at], order[chosen] = order[chosen], order[at]
            yield order[at]

    def _draw_below(self, bound: int, *what: str) -> Iterator[int]:
        """Yield an endless series of numbers from 0 to ``bound`` - 1, all equally likely. ``bound`` is at most 256."""
        limit = 256 - 256 % bound
        return (byte % bound for byte in self._draw_bytes(*what) if byte < limit)

    def _draw_bytes(self, *what: str) -> Iterator[int]:
        opening = "" if self.opening is None else str(self.opening)
        block = 0
        while True:
            message = _join_fields(self.version, self.game, self.lock, opening, *what, str(block))
            yield from hmac.digest(self.seed, message, "sha256")
            block += 1


def version_of(code: str | None) -> str:
    """Return the version of a game, challenge or cup by the length of its seal or lock.

    None means the earlier version: its cups had no code before they started.
    """
    return EARLIER if code is None or len(code) == 64 else VERSION


def make_code(*fields: str) -> str:
    """Return 160 bits of a hash of the fields, as 32 letters and digits (A to Z, 2 to 7).

    The first field names the kind of code, such as ``seal``.
    """
    return b32encode(hashlib.sha256(_join_fields(VERSION, *fields)).digest()[:20]).decode()


def format_code(code: str) -> str:
    """Return a code in groups of four characters. A code of the earlier version is returned unchanged.

    >>> format_code("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    'ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567'
    """
    return code if version_of(code) == EARLIER else " ".join(code[at : at + 4] for at in range(0, len(code), 4))


def lock_game(game: str, seal: str, turn_order: str, deck: Deck, ids: Iterable[str], words: Iterable[str]) -> str:
    """Return the lock of a game: the code of everything that is fixed when the game starts.

    ``ids`` are the user ids in seat order, empty for house players. ``words`` are the lucky words in seat order, empty
    for players without one.
    """
    seats = (part for seat in zip(ids, words, strict=True) for part in seat)
    return make_code("game", game, seal, turn_order, *deck_fields(deck), *seats)


def lock_challenge(game: str, seal: str, day: str, deck: Deck) -> str:
    """Return the lock of a challenge: the code of everything from which its cards and dice follow."""
    return make_code("challenge", game, seal, day, *deck_fields(deck))


def deck_fields(deck: Deck) -> tuple[str, ...]:
    """Return the fields of a deck for a code: its name, the number of cards, and the cards.

    Because of the number, a field after the last card cannot be taken for another card.
    """
    return deck.name, str(len(deck)), *map(str, deck)


def hash_words(lucky_words: Iterable[str]) -> str:
    """Return the SHA-256 of the lucky words in seat order. Games of the earlier version have it in place of a lock."""
    return hashlib.sha256(_join_fields(*lucky_words)).hexdigest()


def challenge_source(seed: bytes, game: str, day: str, version: str) -> Source:
    """Return the source of a challenge. Its dice follow from its seed and id (``game``), its cards from ``day``."""
    return Source(seed, game, hash_words([""]) if version == EARLIER else "", day=day, version=version)


def derive_seed(seed: bytes, version: str, *what: str) -> bytes:
    """Derive another seed from ``seed``, for example for a group of a cup. It reveals nothing about ``seed``.

    ``what`` says which seed to derive.
    """
    return hmac.digest(seed, _join_fields(version, *what), "sha256")


def draw_daily_cards(day: str, deck: Deck) -> tuple[Card, ...]:
    """Draw the seven cards of a day (R9.4) or of a cup's leg (R9.8).

    ``day`` is ``Source.day``: a date, or the name of the leg. With the same deck, the cards are the same on every
    server. They are drawn as for a game of version ``EARLIER`` that has the id ``highscore-daily-1 <day>``, the SHA-256
    of this id as its seed, and no players.
    """
    name = f"{DAILY_VERSION} {day}"
    seed = hashlib.sha256(name.encode()).digest()
    return Source(seed, name, hash_words([]), version=EARLIER).draw_cards(deck)


def _join_fields(*fields: str) -> bytes:
    """Join fields so that no two lists of fields give the same bytes.

    >>> _join_fields("odd", "five"), _join_fields("oddf", "ive")
    (b'3:odd4:five', b'4:oddf3:ive')
    """
    encoded = (field.encode("utf-8") for field in fields)
    return b"".join(b"%d:%b" % (len(field), field) for field in encoded)


def pick_faces(faces: Sequence[Face], to_roll: Sequence[int]) -> tuple[Face, ...]:
    """Return the faces of the dice that are rolled, in the order of their positions.

    >>> pick_faces([Face.ONE, Face.TWO, Face.VORTEX], to_roll=[0, 2])
    (<Face.ONE: 1>, <Face.VORTEX: 6>)
    """
    return tuple(faces[at] for at in to_roll)


def draw_chance(game: Game, source: Source, deck: Deck) -> Event | None:
    """Draw the chance event that the game waits for, or return None if it waits for a player or has ended."""
    match game.awaiting:
        case Awaiting.START_PLAYER:
            return StartPlayerDrawn(source.draw_start_seat(game.players))
        case Awaiting.CARD:
            return CardRevealed(source.draw_cards(deck)[len(game.finished) + len(game.cards)])
        case Awaiting.DICE if (hand := game.hand_to_roll) is not None:
            faces = source.draw_faces(game.find_run(hand.seat).round, hand.seat, hand.turn.rolls + 1)
            return Rolled(pick_faces(faces, hand.turn.to_roll))
        case _:
            return None


def play_event(game: Game, event: Event | None, source: Source, deck: Deck) -> tuple[Game, tuple[Event, ...]]:
    """Apply an event, for example a decision, then draw and apply the chance events that follow.

    ``event`` is None at the start of a game. Returns the new state, which waits for a player or has ended, and the
    events that led to it, ``event`` first. Raises IllegalChoice for a decision that is not legal, and BadEvent for any
    other event that is not possible.
    """
    events: list[Event] = []
    due = event if event is not None else draw_chance(game, source, deck)
    while due is not None:
        game = apply_event(game, due)
        events.append(due)
        due = draw_chance(game, source, deck)
    return game, tuple(events)
