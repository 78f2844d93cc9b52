from collections.abc import Sequence

from highscore.deck import STANDARD_DECK, Deck
from highscore.events import Event
from highscore.fairness import EARLIER, VERSION, Source, hash_words, lock_challenge, lock_game
from highscore.game import replay_events
from highscore.notation import format_results
from highscore.proof import Export
from highscore.turn_order import TurnOrder

GAME = "0123456789ab"
IDS = ("80351110224678912", "", "41771983423143937", "1", "22")
"""User ids by seat; the second player is the house's."""


def source_of(
    seed: bytes,
    order: TurnOrder,
    words: Sequence[str],
    opening: int | None = None,
    deck: Deck = STANDARD_DECK,
    version: str = VERSION,
) -> Source:
    """Return the source of a game, as it is opened."""
    lock = hash_words(words)
    if version != EARLIER:
        seal = Source(seed, GAME).seal
        lock = lock_game(GAME, seal, order.value, deck, IDS[: len(words)], words)
    return Source(seed, GAME, lock, opening, version=version)


def export_of(
    source: Source,
    order: TurnOrder,
    names: Sequence[str],
    events: Sequence[Event],
    deck: Deck = STANDARD_DECK,
    words: Sequence[str] = ("",),
) -> Export:
    """Return a game with the dice of a seed, as it is exported."""
    lock, ids = source.lock, IDS[: len(names)] if source.version == VERSION else (None,) * len(names)
    if source.day is not None:
        ids = (None,)
        if source.version == VERSION:
            lock = lock_challenge(source.game, source.seal, source.day, deck)
    return Export(
        version=source.version,
        game=source.game,
        seal=source.seal,
        seed=source.seed,
        turn_order=order,
        ids=ids,
        names=tuple(names),
        lucky_words=tuple(words),
        deck=deck,
        events=tuple(events),
        lock=lock,
        opening=source.opening,
        results=format_results(replay_events(len(names), order, events)),
        day=source.day,
    )
