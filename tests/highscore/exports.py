"""Exports of games that no database has."""

from collections.abc import Sequence

from highscore.deck import STANDARD_DECK, Deck
from highscore.events import Event
from highscore.fairness import Source
from highscore.game import replay_events
from highscore.notation import format_results
from highscore.proof import Export
from highscore.turn_order import TurnOrder


def export_of(
    source: Source, order: TurnOrder, names: Sequence[str], events: Sequence[Event], deck: Deck = STANDARD_DECK
) -> Export:
    """Return a game with the dice of a seed, as it is exported."""
    return Export(
        game=source.game,
        seal=source.seal,
        seed=source.seed,
        turn_order=order,
        names=tuple(names),
        lucky_words=source.lucky_words,
        deck=deck,
        events=tuple(events),
        words_digest=source.words_digest,
        opening=source.opening,
        results=format_results(replay_events(len(names), order, events)),
        day=source.day,
    )
