"""Rarity of each badge of a table, over games that house players play against each other.

    python -m benchmarks.badges

Two to five of them in turn, each steady or cautious by lot, in the rulebook's order; counted as if they were people.
The badges over many games and of the daily challenge depend on people and on how often they come.
"""

import random
from collections import Counter
from datetime import UTC, datetime

from benchmarks.games import play_on
from benchmarks.report import Arguments, Report, option, run
from bot.domain.badges import GAME_RULES, badges_of_game
from bot.domain.outcome import Finish, GameOutcome, outcome_of
from bot.domain.table import Seat
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.dice import Face
from highscore.game import Game
from highscore.house import Temperament
from highscore.turn_order import TurnOrder

FACES = tuple(Face)
PLAYERS = (2, 3, 4, 5)
TEMPERAMENTS = (Temperament.STEADY, Temperament.CAUTIOUS)
_FINISH = Finish("0" * 12, 1, datetime(2026, 1, 1, tzinfo=UTC), "2026-Q1", "2026-01")


def play(players: int, draw: random.Random) -> GameOutcome:
    cards = draw.sample(STANDARD_DECK.cards, ROUNDS)
    plays = [draw.choice(TEMPERAMENTS) for _seat in range(players)]
    game = Game(players, TurnOrder.CLOCKWISE)
    while not game.over:
        game = play_on(game, cards, plays, draw)
    return outcome_of(_FINISH, [Seat(at + 1, "") for at in range(players)], game)


def measure(options: Arguments, report: Report) -> None:
    """Play, and count."""
    draw = random.Random(options.seed)
    seats: Counter[int] = Counter()
    earned = {badge: Counter[int]() for badge in GAME_RULES}
    for number in range(options.games):
        players = PLAYERS[number % len(PLAYERS)]
        outcome = play(players, draw)
        seats[players] += players
        for seat in outcome.seats:
            for badge in badges_of_game(seat, outcome):
                earned[badge][players] += 1
    print(f"{options.games} games, seed {options.seed}: share of the players who earn it in a game")
    report.line("", "".join(f"{players:>3} players" for players in PLAYERS) + "       all")
    for badge, found in sorted(earned.items(), key=lambda each: -each[1].total()):
        shares = "".join(f"{found[players] / max(seats[players], 1):10.2%}" for players in PLAYERS)
        report.line(badge.value, f"{shares}{found.total() / seats.total():10.2%}")


if __name__ == "__main__":
    run(__doc__, measure, option("--games", type=int, default=10_000), option("--seed", type=int, default=1))
