"""The daily challenge (rules R9.4): one person plays seven cards, and the same choices meet the same dice.

The cards follow from the date and the deck alone, so every server has the same ones that day. The dice follow from a
sealed seed: ``fairness.Source.roll`` by the number of the card and of the roll, always for seat 0, whoever plays.

The events are those of a game (``highscore.notation`` writes them), with the one player in seat 0::

    card same-frozen: SAME frozen ANY_THREE
    0 take
    rolled 5 5 4 V 2 1 1
    0 stop
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from highscore import turn as turns
from highscore.cards import Card
from highscore.deck import ROUNDS, Deck
from highscore.dice import DICE, Dice
from highscore.errors import BadEvent, GameOver, HighScoreError, IllegalChoice, NotationError
from highscore.fairness import Source, faces_due
from highscore.game import Awaiting, CardRevealed, Decided, Decision, Event, Rolled, TakeDice
from highscore.odds import POINTS, solve
from highscore.scoring import score
from highscore.turn import Turn, parse_turn

VERSION = "highscore-daily-1"
"""Names the algorithm from a date to its cards; a changed algorithm needs another name."""
SEAT = 0
"""The only seat; everybody gets its dice."""

Json = dict[str, Any]


def cards_of(day: str, deck: Deck) -> tuple[Card, ...]:
    """The seven cards of a date (like 2026-01-31) in order: the draw of a game whose seed is the date's SHA-256."""
    seed = hashlib.sha256(f"{VERSION} {day}".encode()).digest()
    return Source(seed, f"{VERSION} {day}").draw_cards(deck)


def expected(cards: Iterable[Card]) -> tuple[float, ...]:
    """The exact expected result of each card under best play; their sum is the par (R9.4)."""
    return tuple(solve(card, POINTS).start for card in cards)


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """What is kept of a card when its turn is over."""

    card: Card
    dice: Dice
    result: int
    rolls: int

    @property
    def counted(self) -> int:
        """What it adds to the day's score: a negative result adds nothing (R9.4)."""
        return max(self.result, 0)


@dataclass(frozen=True, slots=True)
class DailyPlay:
    """One person's way through the seven cards. Immutable; ``apply`` makes the next one."""

    finished: tuple[PlayedCard, ...] = ()
    card: Card | None = None
    """The card that is played, once it is turned up."""
    turn: Turn | None = None

    @property
    def number(self) -> int:
        """The number of the card that is played, 1 to 7; 7 when all are."""
        return min(len(self.finished) + 1, ROUNDS)

    @property
    def complete(self) -> bool:
        """Whether all seven cards were played."""
        return len(self.finished) == ROUNDS

    @property
    def score(self) -> int:
        """The sum over the cards so far of max(result, 0) (R9.4)."""
        return sum(done.counted for done in self.finished)

    @property
    def awaiting(self) -> Awaiting:
        """What has to happen next."""
        if self.complete:
            return Awaiting.NOTHING
        if self.card is None:
            return Awaiting.CARD
        if self.turn is None:
            return Awaiting.PLAYER
        return Awaiting.DICE if self.turn.to_roll else Awaiting.CHOICE


def verify_decision(play: DailyPlay, decision: Decision) -> None:
    """Raise IllegalChoice (or GameOver), with a sentence for the player, unless the decision is legal now."""
    if play.complete:
        raise GameOver("You have played all seven cards.")
    if isinstance(decision, TakeDice):
        if play.turn is not None:
            raise IllegalChoice("You have the dice already.")
        if play.card is None:
            raise IllegalChoice("The next card has to be turned up first.")
    elif play.turn is None:
        raise IllegalChoice("Take the dice first.")
    else:
        turns.verify_choice(play.turn, decision)


def apply(play: DailyPlay, event: Event) -> DailyPlay:
    """The state after an event.

    Raises IllegalChoice for a decision the rules do not allow and BadEvent for what cannot happen here. The state
    handed in never changes.
    """
    match event:
        case Decided(seat, decision, by_house):
            if seat != SEAT or by_house:
                raise BadEvent(f"in a daily challenge only the player in seat {SEAT} decides")
            verify_decision(play, decision)
            return _decided(play, decision)
        case CardRevealed(card) if play.awaiting is Awaiting.CARD:
            if any(card.id == earlier.card.id for earlier in play.finished):
                raise BadEvent(f"card {card.id} was played already")
            return replace(play, card=card)
        case Rolled(faces) if play.awaiting is Awaiting.DICE and play.turn is not None:
            return _settled(play, turns.roll(play.turn, faces))
        case _:
            raise BadEvent(f"{type(event).__name__} came while the play was waiting for {play.awaiting.value}")


def replay(events: Iterable[Event]) -> DailyPlay:
    """The state that events lead to. Raises IllegalChoice or BadEvent where they cannot have happened."""
    play = DailyPlay()
    for event in events:
        play = apply(play, event)
    return play


def next_chance(play: DailyPlay, source: Source, cards: Sequence[Card]) -> Event | None:
    """The card or the roll that is due, or None when the player decides or has finished."""
    match play.awaiting:
        case Awaiting.CARD:
            return CardRevealed(cards[len(play.finished)])
        case Awaiting.DICE if play.turn is not None:
            faces = source.roll(play.number, SEAT, play.turn.rolls + 1)
            return Rolled(faces_due(faces, play.turn.to_roll))
        case _:
            return None


def go_on(
    play: DailyPlay, decision: Decision | None, source: Source, cards: Sequence[Card]
) -> tuple[DailyPlay, tuple[Event, ...]]:
    """Apply a decision (None at the start), then all the chance that follows from it.

    Returns the new state, which waits for the player or is complete, and the events that led there. Raises
    IllegalChoice when the decision is not legal.
    """
    events: list[Event] = []
    due: Event | None = next_chance(play, source, cards) if decision is None else Decided(SEAT, decision)
    while due is not None:
        play = apply(play, due)
        events.append(due)
        due = next_chance(play, source, cards)
    return play, tuple(events)


def _decided(play: DailyPlay, decision: Decision) -> DailyPlay:
    if isinstance(decision, TakeDice):
        assert play.card is not None
        return replace(play, turn=turns.begin(play.card))
    assert play.turn is not None
    return _settled(play, turns.choose(play.turn, decision))


def _settled(play: DailyPlay, turn: Turn) -> DailyPlay:
    """Puts the card away when its turn is over (R3.5)."""
    if not turn.over:
        return replace(play, turn=turn)
    done = PlayedCard(turn.card, turn.dice, turn.score.total, turn.rolls)
    return DailyPlay((*play.finished, done))


class Grade(Enum):
    """A card's result compared with its average: all that others see of it (R9.4)."""

    GREAT = "great"
    """At least half as much again."""
    GOOD = "good"
    """At least the average."""
    FAIR = "fair"
    """At least half of it."""
    POOR = "poor"
    NOTHING = "nothing"
    """The card added nothing."""


def grade(counted: int, average: float) -> Grade:
    """How a card that added ``counted`` points went, where best play expects ``average``."""
    if counted <= 0:
        return Grade.NOTHING
    for share, found in ((1.5, Grade.GREAT), (1.0, Grade.GOOD), (0.5, Grade.FAIR)):
        if counted >= share * average:
            return found
    return Grade.POOR


def share_row(play: DailyPlay, averages: Sequence[float]) -> tuple[Grade, ...]:
    """One grade for each finished card, best first, because the order of the cards would tell others what to expect.

    ``averages`` are those of the cards in their order; there may be more of them than finished cards.
    """
    grades = [grade(done.counted, average) for done, average in zip(play.finished, averages, strict=False)]
    order = list(Grade)
    return tuple(sorted(grades, key=order.index))


def play_to_json(play: DailyPlay) -> Json:
    """The state as plain JSON values."""
    return {
        "finished": [
            {"card": str(done.card), "dice": str(done.dice), "result": done.result, "rolls": done.rolls}
            for done in play.finished
        ],
        "card": None if play.card is None else str(play.card),
        "turn": None if play.turn is None else str(play.turn),
    }


def play_from_json(document: Json) -> DailyPlay:
    """The state that ``play_to_json`` wrote. Raises NotationError (or CardError) for anything else."""
    try:
        card = None if document["card"] is None else Card.parse(document["card"])
        held = document["turn"]
        play = DailyPlay(
            tuple(
                PlayedCard(Card.parse(done["card"]), Dice.parse(done["dice"]), done["result"], done["rolls"])
                for done in document["finished"]
            ),
            card,
            None if held is None else parse_turn(held, () if card is None else (card,)),
        )
    except HighScoreError:
        raise
    except (KeyError, TypeError, AttributeError) as error:
        raise NotationError(f"this is no state of a daily challenge: {error!r:.200}") from error
    if contradiction := _contradiction(play):
        raise NotationError(f"this state cannot happen: {contradiction}")
    return play


def _contradiction(play: DailyPlay) -> str | None:
    """Why no daily challenge can come to this state, or None where nothing speaks against it."""
    if len(play.finished) > ROUNDS or (play.complete and play.card is not None):
        return "it goes on after its end"
    cards = [done.card.id for done in play.finished] + ([] if play.card is None else [play.card.id])
    if len(set(cards)) < len(cards):
        return "a card came twice"
    for done in play.finished:
        if len(done.dice) != DICE or done.rolls not in range(1, done.card.roll_type.max_rolls + 1):
            return "a turn has the wrong number of dice or rolls"
        if done.result != score(done.card, done.dice).total:
            return f"{done.dice} is not worth {done.result!r} on {done.card.id}"
    if play.turn is not None and (play.turn.over or len(play.turn.faces) != DICE):
        return "the turn is over, or not of seven dice"
    return None
