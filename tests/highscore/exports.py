from collections.abc import Sequence

from highscore import STANDARD_DECK, Deck, Source, TurnOrder, notation, proof, replay_events
from highscore.events import Event


def export_of(
    source: Source, order: TurnOrder, names: Sequence[str], events: Sequence[Event], deck: Deck = STANDARD_DECK
) -> proof.Export:
    return proof.Export(
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
        results=notation.format_results(replay_events(len(names), order, events)),
        day=source.day,
    )
