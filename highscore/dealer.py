"""The chance of a game (start player, cards, rolls), drawn from its sealed seed (R2.1, R2.2, R3)."""

from __future__ import annotations

from highscore.deck import Deck
from highscore.events import CardRevealed, Event, Rolled, StartPlayerDrawn
from highscore.fairness import Source, pick_faces
from highscore.game import Awaiting, Game, apply_event


def draw_chance(game: Game, source: Source, deck: Deck) -> Event | None:
    """Draw the chance event that the game waits for, or return None if it waits for a player or has ended."""
    match game.awaiting:
        case Awaiting.START_PLAYER:
            return StartPlayerDrawn(source.draw_start_seat(game.players))
        case Awaiting.CARD:
            return CardRevealed(source.draw_cards(deck)[len(game.finished) + len(game.cards)])
        case Awaiting.DICE if (hand := game.rolling) is not None:
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
