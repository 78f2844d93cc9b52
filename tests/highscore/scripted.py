"""Games in which every result is set: all cards are ``TOTAL -5 FOUR_FULL``, and every player stops at once."""

from highscore import (
    Card,
    CardRevealed,
    Decided,
    Dice,
    Game,
    Rolled,
    StartPlayerDrawn,
    Stop,
    TakeDice,
    TurnOrder,
    apply_event,
)

CARDS = tuple(Card.parse(f"card-{number}: TOTAL -5 FOUR_FULL") for number in range(1, 8))

DICE = {
    10: "2 2 2 1 1 1 1",
    9: "2 2 1 1 1 1 1",
    8: "2 1 1 1 1 1 1",
    7: "1 1 1 1 1 1 1",
    0: "2 2 2 2 2 V V",
    -35: "V V V V V V V",
}
"""Dice for a result."""


def started(players: int, order: TurnOrder = TurnOrder.CLOCKWISE, start: int = 0) -> Game:
    return apply_event(apply_event(Game(players, order), StartPlayerDrawn(start)), CardRevealed(CARDS[0]))


def take_turn(game: Game, seat: int, result: int, by_house: bool = False) -> Game:
    """Let the player take the dice, roll dice worth the result, and stop."""
    game = apply_event(game, Decided(seat, TakeDice(), by_house))
    game = apply_event(game, Rolled(Dice.parse(DICE[result]).faces))
    return apply_event(game, Decided(seat, Stop(), by_house))


def play_rounds(game: Game, *rounds: dict[int, int]) -> Game:
    """Play rounds by the result of each seat, whoever starts."""
    for results in rounds:
        if game.card is None:
            game = apply_event(game, CardRevealed(CARDS[len(game.finished)]))
        for seat in game.to_play:
            game = take_turn(game, seat, results[seat])
    return game
