"""Exported games for the tests of exports and proofs."""

from __future__ import annotations

import hashlib
import json
import random
from functools import cache
from typing import Any

from highscore import STANDARD_DECK, Abandoned, Deck, Game, TurnOrder, apply
from highscore.dealer import next_chance
from highscore.fairness import Source
from highscore.game import Event
from highscore.proof import Export, export_json
from tests.highscore.strategies import decided

Document = dict[str, Any]
SEED = hashlib.sha256(b"a seed").digest()
NAMES = ("Ada", "Grace", "Kurt", "Emmy", "Blaise")
WORDS = ("clover", "", "größer", "7", "")


def played(players: int, order: TurnOrder, deck: Deck = STANDARD_DECK, limit: int | None = None) -> Export:
    """A game decided at random, to the end or abandoned after ``limit`` events."""
    source = Source(SEED, "0123456789ab", WORDS[:players])
    rng = random.Random(players)
    game, events = Game(players, order), list[Event]()
    while not game.over:
        event: Event = next_chance(game, source, deck) or decided(game, rng)
        if limit is not None and len(events) >= limit:
            event = Abandoned("by the host")
        game = apply(game, event)
        events.append(event)
    return Export(source.game, source.seal, SEED, order, NAMES[:players], WORDS[:players], deck, tuple(events))


@cache
def text_of(players: int, limit: int | None = None) -> str:
    """An exported game on the standard deck as text."""
    return export_json(played(players, TurnOrder.CLOCKWISE, limit=limit))


def document(players: int = 3, limit: int | None = None) -> Document:
    """An exported game as JSON values, to be tampered with."""
    loaded: Document = json.loads(text_of(players, limit))
    return loaded
