"""How rare each badge of a table is, over games that house players play against each other.

    python -m benchmarks.badges [--games 10000] [--seed 1]

Two to five of them in turn, each steady or cautious by lot, in the rulebook's order; counted as if they were people.
The badges over many games and of the daily challenge depend on people and on how often they come.
"""

import argparse
import random
from collections import Counter
from datetime import UTC, datetime

from bot.domain.badges import OF_A_GAME, of_a_game
from bot.domain.outcome import Finish, GameOutcome, outcome_of
from bot.domain.table import Seat
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.dice import Face
from highscore.events import CardRevealed, Decided, Rolled, StartPlayerDrawn
from highscore.game import Awaiting, Game, apply
from highscore.house import Temperament, decide
from highscore.turn_order import TurnOrder

FACES = tuple(Face)
PLAYERS = (2, 3, 4, 5)
TEMPERAMENTS = (Temperament.STEADY, Temperament.CAUTIOUS)
_FINISH = Finish("0" * 12, 1, datetime(2026, 1, 1, tzinfo=UTC), "2026-Q1", "2026-01")


def play(players: int, draw: random.Random) -> GameOutcome:
    """A whole game."""
    cards = draw.sample(STANDARD_DECK.cards, ROUNDS)
    plays = [draw.choice(TEMPERAMENTS) for _seat in range(players)]
    game = Game(players, TurnOrder.CLOCKWISE)
    while not game.over:
        match game.awaiting:
            case Awaiting.START_PLAYER:
                game = apply(game, StartPlayerDrawn(draw.randrange(players)))
            case Awaiting.CARD:
                game = apply(game, CardRevealed(cards[len(game.finished)]))
            case Awaiting.DICE:
                assert game.turn is not None
                game = apply(game, Rolled(tuple(draw.choices(FACES, k=len(game.turn.to_roll)))))
            case _:
                seat = game.may_act[0]
                game = apply(game, Decided(seat, decide(game, seat, plays[seat])))
    return outcome_of(_FINISH, [Seat(at + 1, "") for at in range(players)], game)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    seats: Counter[int] = Counter()
    earned = {badge: Counter[int]() for badge in OF_A_GAME}
    for number in range(asked.games):
        players = PLAYERS[number % len(PLAYERS)]
        outcome = play(players, draw)
        seats[players] += players
        for seat in outcome.seats:
            for badge in of_a_game(seat, outcome):
                earned[badge][players] += 1
    print(f"{asked.games} games, seed {asked.seed}: share of the players who earn it in a game")
    print(f"{'':18}" + "".join(f"{players:>4} players" for players in PLAYERS) + "      all")
    for badge, found in sorted(earned.items(), key=lambda each: -each[1].total()):
        shares = "".join(f"{found[players] / max(seats[players], 1):11.2%}" for players in PLAYERS)
        print(f"{badge.value:18}{shares}{found.total() / seats.total():9.2%}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
