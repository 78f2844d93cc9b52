"""Dice and card order from a sealed seed, so that everybody can check afterwards that nobody altered them.

* The *seed* is 32 random bytes a game. Its *seal*, a code of (game, seed), is shown to everybody who sits down, before
  they can add a *lucky word*.
* The *lock*, a code of everything that is fixed before the game (seal, words, players, deck, turn order), is published
  in the message that opens the game and goes into every draw. So does the *opening*, the id which Discord gives to that
  message: somebody who knows the seed and gives the last word could otherwise try words until the dice suit them. A
  challenge has no words and no opening. A *dare* has the cards and dice of one seat of a finished game.
* A draw is a stream of bytes ``HMAC-SHA256(seed, fields)``, the fields being version, game, lock, opening, what is
  drawn and a block number 0, 1, 2, ... Bytes of 252 and more are rejected (252 = 42 x 6), so no face is favoured; the
  rest, modulo six, is the face. A roll (what: round, seat, roll) always draws one face for each of the seven places and
  uses those that are rolled, so nobody's choice shifts another die.
* The start player (what: ``start``) and the cards (what: ``deck`` and the step of a Fisher-Yates shuffle) are drawn the
  same way with their own bounds: bytes from the largest multiple of the bound up are rejected. So is who meets whom in
  a cup (what: ``leg``, its number, and the step); the seeds of its groups are HMACs of the cup's seed.
* Fields are joined as in ``3:odd4:five``, each after its length in UTF-8 bytes.

Games of the earlier version have a longer seal, and the digest of the lucky words in place of the lock.

The limits of this proof: docs/fairness.md.

Source of the rejection bound and of HMAC: RFC 2104 (HMAC), FIPS 180-4 (SHA-256). Of base32: RFC 4648, section 6.
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
"""The name of this scheme; a change of anything in this module needs another one."""

EARLIER = "highscore-fair-1"
"""The scheme of games that were opened before codes were short, and of the cards of all challenges."""

DAILY_VERSION = "highscore-daily-1"
"""The name of the way from a date to its cards; a change needs another one."""

SEED_BYTES = 32

_DECK, _START = "deck", "start"

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Source:
    """All that the dice, cards and start player of one game depend on. Raises ValueError for a wrong seed."""

    seed: bytes
    """32 random bytes, drawn by the caller from the system's secure generator; secret while the game is played."""
    game: str
    """The game's public id."""
    lock: str = ""
    """The lock that was published (earlier: the digest of the lucky words), which stays when a player has their data
    deleted; empty in a challenge."""
    opening: int | None = None
    """The id of the message that opened the game; None in a challenge."""
    day: str | None = None
    """The name from which a challenge's cards follow: the date of a daily one, like 2026-01-31, on every server, or
    that of a cup's leg, like ``cup 0123456789ab 3``."""
    version: str = VERSION
    seat: int | None = None
    """In a dare, the seat of the game whose dice its only player gets; otherwise None."""

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, this one has {len(self.seed)}")

    def __repr__(self) -> str:
        return f"Source(game={self.game!r}, seed=<secret>)"

    @property
    def seal(self) -> str:
        """The code of game and seed, which is shown before the game."""
        if self.version == EARLIER:
            return hashlib.sha256(_join_fields(EARLIER, self.game, self.seed.hex())).hexdigest()
        return make_code("seal", self.game, self.seed.hex())

    def draw_faces(self, round_number: int, seat: int, roll_number: int) -> tuple[Face, ...]:
        """Draw seven faces, one for each place of a roll, rolled or not.

        ``round_number`` is 1 to 7, ``seat`` 0 to 4, ``roll_number`` 1 to 7 within the turn.
        """
        stream = self._draw_below(6, str(round_number), str(seat if self.seat is None else self.seat), str(roll_number))
        return tuple(Face(next(stream) + 1) for _ in range(DICE))

    def draw_start_seat(self, players: int) -> int:
        """Draw the seat that starts the first round, 0 to ``players`` - 1 (R2.2)."""
        return next(self._draw_below(players, _START))

    def draw_cards(self, deck: Deck) -> tuple[Card, ...]:
        """Draw the seven cards of the game in order (R2.1): the first seven of a Fisher-Yates shuffle of the deck."""
        if self.day is not None:
            return draw_daily_cards(self.day, deck)
        return tuple(islice(self.draw_order(deck.cards, _DECK), ROUNDS))

    def draw_order(self, things: Iterable[Thing], *what: str) -> Iterator[Thing]:
        """Draw up to 256 things one after the other, each once: a Fisher-Yates shuffle."""
        order = list(things)
        for at in range(len(order)):
            chosen = at + next(self._draw_below(len(order) - at, *what, str(at)))
            order[at], order[chosen] = order[chosen], order[at]
            yield order[at]

    def _draw_below(self, bound: int, *what: str) -> Iterator[int]:
        """Draw numbers 0 to ``bound`` - 1 (``bound`` up to 256) without end, each equally likely."""
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
    """Return the version of a seal or a lock by its length; None is in games before there was one."""
    return EARLIER if code is None or len(code) == 64 else VERSION


def make_code(*fields: str) -> str:
    """Return the 160 bits of a hash as 32 letters and digits (A to Z, 2 to 7). The first field says what it is of."""
    return b32encode(hashlib.sha256(_join_fields(VERSION, *fields)).digest()[:20]).decode()


def format_code(code: str) -> str:
    """Return a code in groups of four characters. A code of the earlier version is returned unchanged.

    >>> format_code("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    'ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567'
    """
    return code if version_of(code) == EARLIER else " ".join(code[at : at + 4] for at in range(0, len(code), 4))


def lock_game(game: str, seal: str, turn_order: str, deck: Deck, ids: Iterable[str], words: Iterable[str]) -> str:
    """Return the code of everything that is fixed when a game is opened.

    ``ids`` are the user ids in seat order, empty for house players, and ``words`` their lucky words, empty for none.
    """
    seats = (part for seat in zip(ids, words, strict=True) for part in seat)
    return make_code("game", game, seal, turn_order, *deck_fields(deck), *seats)


def lock_challenge(game: str, seal: str, day: str, deck: Deck) -> str:
    """Return the code of everything that a challenge follows from."""
    return make_code("challenge", game, seal, day, *deck_fields(deck))


def deck_fields(deck: Deck) -> tuple[str, ...]:
    """Return the fields of a deck in a code. They have its length, so that what follows is no card."""
    return deck.name, str(len(deck)), *map(str, deck)


def hash_words(lucky_words: Iterable[str]) -> str:
    """Return the SHA-256 of the lucky words in seat order, which earlier games had in place of a lock."""
    return hashlib.sha256(_join_fields(*lucky_words)).hexdigest()


def challenge_source(seed: bytes, game: str, day: str, version: str) -> Source:
    """Return the source of a challenge, whose dice follow from its seed and id alone."""
    return Source(seed, game, hash_words([""]) if version == EARLIER else "", day=day, version=version)


def derive_seed(seed: bytes, version: str, *what: str) -> bytes:
    """Return another seed that follows from ``seed`` and reveals nothing of it."""
    return hmac.digest(seed, _join_fields(version, *what), "sha256")


def draw_daily_cards(day: str, deck: Deck) -> tuple[Card, ...]:
    """Draw the seven cards of a day (R9.4) or of a cup's leg (R9.8).

    ``day`` is ``Source.day``: a date, or the name of the leg. The cards are those of a game of version ``EARLIER``
    whose seed is the SHA-256 of ``highscore-daily-1 <day>``.
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
    """Apply a decision (None at the start of a game), then all the chance that follows from it.

    Returns the new state, which waits for a player or has ended, and the events that led there, ``event`` first.
    Raises IllegalChoice if the decision is not legal.
    """
    events: list[Event] = []
    due = event if event is not None else draw_chance(game, source, deck)
    while due is not None:
        game = apply_event(game, due)
        events.append(due)
        due = draw_chance(game, source, deck)
    return game, tuple(events)
