"""Events as lines of text and the state of a game as JSON; both read back to equal values.

An event log reads like the rulebook::

    start 2
    card same-frozen: SAME frozen ANY_THREE
    2 take
    rolled 5 5 4 V 2 1 1
    2 roll 3 5
    rolled 5 1
    2 house stop
    abandoned by the host

Seats are counted from 0. ``house`` marks a decision the house made for a player (R9.3).
"""

from __future__ import annotations

from typing import Any

from highscore.cards import Card
from highscore.dice import Dice
from highscore.errors import HighScoreError, NotationError
from highscore.game import (
    Abandoned,
    CardRevealed,
    Decided,
    Decision,
    Event,
    FinishedRound,
    FinishedTurn,
    Game,
    Rolled,
    StartPlayerDrawn,
    TakeDice,
    TurnOrder,
)
from highscore.turn import parse_choice, parse_turn

Json = dict[str, Any]


def format_event(event: Event) -> str:
    """One line for an event."""
    match event:
        case StartPlayerDrawn(seat):
            return f"start {seat}"
        case CardRevealed(card):
            return f"card {card}"
        case Decided(seat, decision, by_house):
            return f"{seat} {'house ' if by_house else ''}{decision}"
        case Rolled(faces):
            return f"rolled {' '.join(map(str, faces))}"
        case Abandoned(by):
            return f"abandoned {by}".rstrip()


def parse_event(line: str) -> Event:
    """Read one line. Raises NotationError (or CardError) saying what is wrong with it."""
    word, _, rest = line.strip().partition(" ")
    if word.isdecimal() and len(word) == 1:
        by_house = rest.startswith("house ")
        return Decided(int(word), _parse_decision(rest.removeprefix("house ")), by_house)
    if word == "start" and rest.isdecimal() and len(rest) == 1:
        return StartPlayerDrawn(int(rest))
    if word == "card":
        return CardRevealed(Card.parse(rest))
    if word == "rolled":
        return Rolled(Dice.parse(rest).faces)
    if word == "abandoned":
        return Abandoned(rest)
    raise NotationError(f"{line[:80]!r} is no event; it begins with start, card, rolled, abandoned or a seat")


def _parse_decision(text: str) -> Decision:
    return TakeDice() if text == "take" else parse_choice(text)


def game_to_json(game: Game) -> Json:
    """The state as plain JSON values."""
    return {
        "players": game.players,
        "order": game.turn_order.value,
        "start": game.start_seat,
        "finished": [
            {"card": str(done.card), "turns": [_turn_to_json(turn) for turn in done.turns]} for done in game.finished
        ],
        "card": None if game.card is None else str(game.card),
        "played": [_turn_to_json(turn) for turn in game.played],
        "seat": game.seat,
        "turn": None if game.turn is None else str(game.turn),
        "house": game.by_house,
        "abandoned": game.abandoned,
    }


def game_from_json(document: Json) -> Game:
    """The state that ``game_to_json`` wrote. Raises NotationError when the document is none of its."""
    try:
        card = None if document["card"] is None else Card.parse(document["card"])
        return Game(
            players=document["players"],
            turn_order=TurnOrder(document["order"]),
            start_seat=document["start"],
            finished=tuple(
                FinishedRound(Card.parse(done["card"]), tuple(map(_turn_from_json, done["turns"])))
                for done in document["finished"]
            ),
            card=card,
            played=tuple(map(_turn_from_json, document["played"])),
            seat=document["seat"],
            turn=None if document["turn"] is None or card is None else parse_turn(document["turn"], (card,)),
            by_house=document["house"],
            abandoned=document["abandoned"],
        )
    except HighScoreError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(f"this is no state of a game: {error!r}") from error


def _turn_to_json(turn: FinishedTurn) -> list[Any]:
    return [turn.seat, str(turn.dice), turn.result, turn.rolls, turn.by_house]


def _turn_from_json(values: list[Any]) -> FinishedTurn:
    seat, dice, result, rolls, by_house = values
    return FinishedTurn(seat, Dice.parse(dice), result, rolls, by_house)
