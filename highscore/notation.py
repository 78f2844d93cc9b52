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

from collections.abc import Sequence
from string import digits
from typing import Any

from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.dice import DICE, Dice
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
    Remarked,
    Rolled,
    StartPlayerDrawn,
    TakeDice,
    TurnOrder,
)
from highscore.scoring import score
from highscore.track import Chip
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
        case Remarked(text):
            return f"remark {text}"


def parse_event(line: str) -> Event:
    """Read one line. Raises NotationError (or CardError) saying what is wrong with it."""
    word, _, rest = line.strip().partition(" ")
    if len(word) == 1 and word in digits:
        by_house = rest.startswith("house ")
        return Decided(int(word), _parse_decision(rest.removeprefix("house ")), by_house)
    if word == "start" and len(rest) == 1 and rest in digits:
        return StartPlayerDrawn(int(rest))
    if word == "card":
        return CardRevealed(Card.parse(rest))
    if word == "rolled":
        return Rolled(Dice.parse(rest).faces)
    if word == "abandoned":
        return Abandoned(rest)
    if word == "remark" and rest.strip():
        return Remarked(rest.strip())
    raise NotationError(f"{line[:80]!r} is no event; it begins with start, card, rolled, abandoned, remark or a seat")


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
    """The state that ``game_to_json`` wrote.

    Raises NotationError (or CardError) when the document is none of its, or a state that no game can come to.
    """
    try:
        game = _game(document)
    except HighScoreError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(f"this is no state of a game: {error!r:.200}") from error
    if contradiction := _contradiction(game):
        raise NotationError(f"this state cannot happen: {contradiction}")
    return game


def _game(document: Json) -> Game:
    card = None if document["card"] is None else Card.parse(document["card"])
    held = document["turn"]
    return Game(
        players=_whole(document["players"]),
        turn_order=TurnOrder(document["order"]),
        start_seat=_seat(document["start"]),
        finished=tuple(
            FinishedRound(Card.parse(done["card"]), tuple(map(_turn_from_json, done["turns"])))
            for done in document["finished"]
        ),
        card=card,
        played=tuple(map(_turn_from_json, document["played"])),
        seat=_seat(document["seat"]),
        turn=None if held is None else parse_turn(held, () if card is None else (card,)),
        by_house=_flag(document["house"]),
        abandoned=_flag(document["abandoned"]),
    )


def _contradiction(game: Game) -> str | None:
    """Why no game can come to this state, or None where nothing speaks against it."""
    if len(game.finished) > ROUNDS or (game.complete and (game.abandoned or game.card is not None)):
        return "it goes on after its end"
    cards = [done.card for done in game.finished] + ([game.card] if game.card is not None else [])
    if len({card.id for card in cards}) < len(cards):
        return "a card came twice"
    start = None
    for done in game.finished:
        if len(done.turns) != game.players:
            return "a round ended without all its turns"
        if reason := _wrong_turns(game, done.card, done.turns, start):
            return reason
        gold = next((seat for seat, chip in done.chips.items() if chip is Chip.GOLD), None)
        start = gold if gold is not None else done.turns[0].seat if game.turn_order is TurnOrder.CLOCKWISE else start
    if game.start_seat is None:
        if game.finished or game.card is not None:
            return "nobody starts"
    elif not 0 <= game.start_seat < game.players or (start is not None and game.start_seat != start):
        return "the wrong player starts"
    if game.card is not None:
        if len(game.played) >= game.players:
            return "a round goes on without a turn to play"
        if reason := _wrong_turns(game, game.card, game.played, game.start_seat):
            return reason
    elif game.played:
        return "there are turns without a card"
    return _wrong_holder(game)


def _wrong_turns(game: Game, card: Card, played: Sequence[FinishedTurn], start: int | None) -> str | None:
    seats = [turn.seat for turn in played]
    if len(set(seats)) < len(seats) or not all(0 <= seat < game.players for seat in seats):
        return "not everybody had one turn"
    if game.turn_order is TurnOrder.CLOCKWISE and seats:
        first = seats[0] if start is None else start
        if seats != [(first + step) % game.players for step in range(len(seats))]:
            return "the turns are out of order"
    for turn in played:
        if len(turn.dice) != DICE or not 1 <= turn.rolls <= card.roll_type.max_rolls:
            return "a turn has the wrong number of dice or rolls"
        if turn.result != score(card, turn.dice).total:
            return f"{turn.dice} is not worth {turn.result} on {card.id}"
    return None


def _wrong_holder(game: Game) -> str | None:
    if game.turn is None or game.seat is None:
        return None if game.turn is None and game.seat is None and not game.by_house else "half a turn is missing"
    on = game.to_play[:1] if game.turn_order is TurnOrder.CLOCKWISE else game.to_play
    if game.seat not in on or game.turn.over or len(game.turn.faces) != DICE:
        return "the dice are where they cannot be"
    return None


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("a whole number is expected where this state has something else")
    return value


def _seat(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NotationError("true or false is expected where this state has something else")
    return value


def _turn_to_json(turn: FinishedTurn) -> list[Any]:
    return [turn.seat, str(turn.dice), turn.result, turn.rolls, turn.by_house]


def _turn_from_json(values: list[Any]) -> FinishedTurn:
    seat, dice, result, rolls, by_house = values
    return FinishedTurn(_whole(seat), Dice.parse(dice), _whole(result), _whole(rolls), _flag(by_house))
