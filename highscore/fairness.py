"""Dice and card order from a sealed seed, so that everybody can check afterwards that nobody altered them.

* The *seed* is 32 random bytes a game. Its *seal*, SHA-256 of (version, game, seed), is shown when the table opens.
* Every player may add a *lucky word*; the digest of all of them goes into every draw, so the seed alone, chosen
  before the words were known, does not decide the dice.
* Whoever knows the seed and gives the last word could still try words until the dice suit them. So the digest is
  published in the message that opens the game, and the *opening*, the id which Discord gives to that message, goes into
  every draw, too: nobody knows it before the words are fixed. A challenge has no words and no opening.
* A draw is a stream of bytes ``HMAC-SHA256(seed, fields)``, the fields being version, game, digest, opening, what is
  drawn and a block number 0, 1, 2, ... Bytes of 252 and more are rejected (252 = 42 x 6), so no face is favoured; the
  rest, modulo six, is the face. A roll (what: round, seat, roll) always draws one face for each of the seven places and
  uses those that are rolled, so nobody's choice shifts another die.
* The start player (what: ``start``) and the cards (what: ``deck`` and the step of a Fisher-Yates shuffle) are drawn the
  same way with their own bounds: bytes from the largest multiple of the bound up are rejected. So is who meets whom in
  a cup (what: ``leg``, its number, and the step); the seeds of its groups are HMACs of the cup's seed.
* Fields are joined as in ``3:odd4:five``, each after its length in UTF-8 bytes.
* The seed is revealed when the game ends or is abandoned.

The limits of this proof: docs/fairness.md.

Source of the rejection bound and of HMAC: RFC 2104 (HMAC), FIPS 180-4 (SHA-256).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from highscore.cards import Card
from highscore.deck import ROUNDS, Deck
from highscore.dice import DICE, Face
from highscore.events import CardRevealed, Event, Rolled, StartPlayerDrawn
from highscore.game import Awaiting, Game, apply_event

VERSION = "highscore-fair-1"
"""The name of this scheme; a change of anything in this module needs another one."""

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
    lucky_words: tuple[str, ...] = ()
    """One for each seat in seat order, empty where a player gave none."""
    known_digest: str | None = None
    """The digest that was published, which stays when a player has their word deleted; None for that of the words."""
    opening: int | None = None
    """The id of the message that opened the game; None in a challenge."""
    day: str | None = None
    """The name from which a challenge's cards follow: the date of a daily one, like 2026-01-31, on every server, or
    that of a cup's leg, like ``cup 0123456789ab 3``."""

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, this one has {len(self.seed)}")

    def __repr__(self) -> str:
        return f"Source(game={self.game!r}, seed=<secret>)"

    @property
    def seal(self) -> str:
        """SHA-256 of (version, game, seed), 64 hexadecimal digits, which are shown before the game."""
        return hashlib.sha256(_join_fields(VERSION, self.game, self.seed.hex())).hexdigest()

    @property
    def words_digest(self) -> str:
        """The digest of all lucky words."""
        if self.known_digest is not None:
            return self.known_digest
        return hash_words(self.lucky_words)

    def draw_faces(self, round_number: int, seat: int, roll_number: int) -> tuple[Face, ...]:
        """Draw seven faces, one for each place of a roll, rolled or not.

        ``round_number`` is 1 to 7, ``seat`` 0 to 4, ``roll_number`` 1 to 7 within the turn.
        """
        stream = self._draw_below(6, str(round_number), str(seat), str(roll_number))
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
            message = _join_fields(VERSION, self.game, self.words_digest, opening, *what, str(block))
            yield from hmac.digest(self.seed, message, "sha256")
            block += 1


def hash_words(lucky_words: Sequence[str]) -> str:
    """Return the SHA-256 of the lucky words in seat order, 64 hexadecimal digits, which the opening publishes."""
    return hashlib.sha256(_join_fields(*lucky_words)).hexdigest()


def derive_seed(seed: bytes, *what: str) -> bytes:
    """Return another seed that follows from ``seed`` and reveals nothing of it."""
    return hmac.digest(seed, _join_fields(VERSION, *what), "sha256")


def draw_daily_cards(day: str, deck: Deck) -> tuple[Card, ...]:
    """Draw the seven cards of a date (R9.4), as in a game whose seed is the SHA-256 of ``highscore-daily-1 <date>``."""
    name = f"{DAILY_VERSION} {day}"
    return Source(hashlib.sha256(name.encode()).digest(), name).draw_cards(deck)


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
