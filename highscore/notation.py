"""Events and results as lines of text, and the state of a game as JSON.

Events and states are read back as equal values. An event log looks like this::

    start 2
    card same-frozen: SAME frozen ANY_THREE
    2 take
    rolled 5 5 4 V 2 1 1
    2 roll 3 5
    rolled 5 1
    2 house stop
    abandoned by the host

Seats are counted from 0. ``house`` marks a decision that the house made for a person (R9.3).

>>> parse_event("2 house roll 3 5")
Decided(seat=2, decision=Roll(positions=(2, 4)), by_house=True)
>>> format_event(LeftOut(3))
'left-out 3'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import digits
from typing import Any

from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.dice import DICE, Dice
from highscore.errors import HighScoreError, NotationError
from highscore.events import (
    Abandoned,
    CardRevealed,
    Decided,
    Event,
    LeftOut,
    Remarked,
    Rolled,
    StartPlayerDrawn,
    TakeDice,
)
from highscore.game import Game, score_rounds
from highscore.runs import FinishedRound, FinishedTurn, Hand
from highscore.scoring import score_dice
from highscore.standings import Standing, rank_players
from highscore.track import Placement
from highscore.turn import parse_choice, parse_turn
from highscore.turn_order import TurnOrder

Json = dict[str, Any]


def format_event(event: Event) -> str:
    match event:
        case StartPlayerDrawn(seat):
            return f"start {seat}"
        case CardRevealed(card):
            return f"card {card}"
        case Decided(seat, decision, by_house):
            return f"{seat} {'house ' if by_house else ''}{decision}"
        case Rolled(faces):
            return f"rolled {' '.join(map(str, faces))}"
        case LeftOut(seat):
            return f"left-out {seat}"
        case Abandoned(by):
            return f"abandoned {by}".rstrip()
        case Remarked(text):
            return f"remark {text}"


def parse_event(line: str) -> Event:
    """Read the line of an event. Raises NotationError or CardError, which say what is wrong with the line."""
    word, _, rest = line.strip().partition(" ")
    if len(word) == 1 and word in digits:
        by_house, decision = rest.startswith("house "), rest.removeprefix("house ")
        return Decided(int(word), TakeDice() if decision == "take" else parse_choice(decision), by_house)
    if word in ("start", "left-out") and len(rest) == 1 and rest in digits:
        return StartPlayerDrawn(int(rest)) if word == "start" else LeftOut(int(rest))
    if word == "card":
        return CardRevealed(Card.parse(rest))
    if word == "rolled":
        return Rolled(Dice.parse(rest).faces)
    if word == "abandoned":
        return Abandoned(rest)
    if word == "remark" and rest.strip():
        return Remarked(rest.strip())
    words = "start, card, rolled, left-out, abandoned, remark or a seat"
    raise NotationError(f"{line[:80]!r} is no event; it begins with {words}")


def format_results(game: Game) -> tuple[str, ...]:
    """Return a line for each scored round, then the standings with a line for each player.

    If only one seat is in the game, a single line with the sum of max(result, 0) replaces the standings (R9.4).
    """
    rounds = (
        f"round {number}: {', '.join(_format_placement(done, piece) for piece in done.placements)}"
        for number, done in enumerate(game.finished, start=1)
    )
    if len(game.seats) == 1:
        return (*rounds, f"sum: seat {game.seats[0]} {game.find_run(game.seats[0]).total}")
    return (*rounds, *map(_format_standing, rank_players(game)))


def _format_standing(line: Standing) -> str:
    chips = " ".join(f"{chip.name.lower()} {number}" for chip, number in line.chips.items())
    return f"place {line.place}: seat {line.seat} {line.points} {chips}"


def _format_placement(done: FinishedRound, piece: Placement) -> str:
    chip = done.chips.get(piece.seat)
    at = "" if piece.position is None else f" at {piece.position}"
    return f"seat {piece.seat} {piece.result}{at}" + ("" if chip is None else f" {chip.name.lower()}")


def encode_game(game: Game) -> Json:
    return {
        "players": game.players,
        "order": game.turn_order.value,
        "start": game.start_seat,
        "finished": [
            {"card": str(done.card), "turns": [_encode_turn(turn) for turn in done.turns]} for done in game.finished
        ],
        "cards": [str(card) for card in game.cards],
        "played": [_encode_turn(turn) for turn in game.played],
        "hands": [[hand.seat, str(hand.turn), hand.by_house, hand.own] for hand in game.hands],
        "left_out": list(game.left_out),
        "abandoned": game.abandoned,
    }


def decode_game(document: Json) -> Game:
    """Read a document that ``encode_game`` made.

    Raises NotationError or CardError for any other document, and for a state that no game can reach.
    """
    try:
        game = _read_game(document)
    except HighScoreError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(f"this is no state of a game: {error!r:.200}") from error
    if contradiction := _find_contradiction(game):
        raise NotationError(f"this state cannot happen: {contradiction}")
    return game


def _read_game(document: Json) -> Game:
    cards = tuple(map(Card.parse, document["cards"]))
    return Game(
        players=_read_whole(document["players"]),
        turn_order=TurnOrder(document["order"]),
        start_seat=None if document["start"] is None else _read_whole(document["start"]),
        finished=tuple(
            FinishedRound(Card.parse(done["card"]), tuple(map(_decode_turn, done["turns"])))
            for done in document["finished"]
        ),
        cards=cards,
        played=tuple(map(_decode_turn, document["played"])),
        hands=tuple(_read_hand(values, cards) for values in document["hands"]),
        left_out=tuple(map(_read_whole, document["left_out"])),
        abandoned=_read_flag(document["abandoned"]),
    )


def _find_contradiction(game: Game) -> str | None:
    """Return the reason why no game can reach this state, or None if one can.

    The finished turns are added to an empty game one by one. This has to lead to the same state.
    """
    if len(game.finished) > ROUNDS or (game.complete and (game.abandoned or game.cards)):
        return "it goes on after its end"
    cards = [*(done.card for done in game.finished), *game.cards]
    if len({card.id for card in cards}) < len(cards):
        return "a card came twice"
    if not set(game.left_out) < set(range(game.players)):
        return "nobody is left in the game"
    if game.start_seat not in (None, *range(game.players)) or (game.start_seat is None and cards):
        return "the wrong player starts"
    again = Game(game.players, game.turn_order, _find_first_start(game), left_out=game.left_out)
    for turn in (*(turn for done in game.finished for turn in done.turns), *game.played):
        again = replace(again, cards=tuple(cards[len(again.finished) :]))
        if reason := _find_wrong_turn(again, turn):
            return reason
        again = score_rounds(replace(again, played=(*again.played, turn)))
    again = replace(again, cards=tuple(cards[len(again.finished) :]))
    if len(cards) > again.cards_due:
        return "a card is turned up too early"
    if replace(again, hands=game.hands, abandoned=game.abandoned) != game:
        return "rounds, turns and starting player do not fit"
    return _find_wrong_hands(again, game)


def _find_first_start(game: Game) -> int | None:
    """Return the seat that started the first round. In OPEN, return the current start seat, because the state does not
    show who started the first round."""
    if game.turn_order is TurnOrder.OPEN or not game.finished or not game.finished[0].turns:
        return game.start_seat
    return game.finished[0].turns[0].seat


def _find_wrong_turn(before: Game, turn: FinishedTurn) -> str | None:
    if turn.seat not in before.may_act:
        return "the turns are out of order, or not everybody had one"
    card = before.find_run(turn.seat).card
    if card is None or len(turn.dice) != DICE or not 1 <= turn.rolls <= card.roll_type.max_rolls:
        return "a turn has no card, or the wrong number of dice or rolls"
    if turn.result != score_dice(card, turn.dice).total:
        return f"{turn.dice} is not worth {turn.result} on {card.id}"
    return None


def _find_wrong_hands(free: Game, game: Game) -> str | None:
    """Return the reason why the turns being played are impossible, or None. ``free`` is the game without them."""
    seats = [hand.seat for hand in game.hands]
    if len(set(seats)) < len(seats) or (len(seats) > 1 and game.turn_order.shared):
        return "more turns are being played than can be"
    for hand in game.hands:
        turn = hand.turn
        allowed = free.may_act if game.turn_order.shared else game.seats
        fits = hand.seat in allowed and turn.card == free.find_run(hand.seat).card
        if game.abandoned or not fits or turn.over or len(turn.faces) != DICE:
            return "the dice are where they cannot be"
    return None


def _read_whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("a whole number is expected where this state has something else")
    return value


def _read_hand(values: list[Any], cards: Sequence[Card]) -> Hand:
    seat, turn, by_house, own = values
    return Hand(_read_whole(seat), parse_turn(turn, cards), _read_flag(by_house), _read_flag(own))


def _read_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NotationError("true or false is expected where this state has something else")
    return value


def _encode_turn(turn: FinishedTurn) -> list[Any]:
    return [turn.seat, str(turn.dice), turn.result, turn.rolls, turn.by_house, turn.own]


def _decode_turn(values: list[Any]) -> FinishedTurn:
    seat, dice, result, rolls, by_house, own = values
    return FinishedTurn(
        _read_whole(seat),
        Dice.parse(dice),
        _read_whole(result),
        _read_whole(rolls),
        _read_flag(by_house),
        _read_flag(own),
    )
