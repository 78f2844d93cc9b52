"""Rarity of each badge of a table, and of rare turns, over games that house players play against each other.

    python -m benchmarks.badges

Two to five of them in turn, each steady or cautious by lot, in the rulebook's order; counted as if they were people.
The badges over many games and of the daily challenge depend on people and on how often they come; so do records, which
are rare turns, too.
"""

import random
from collections import Counter
from datetime import UTC, datetime

from benchmarks.games import draw_event
from benchmarks.report import Arguments, Report, option, run
from bot.domain.badges import GAME_RULES, badges_of_game
from bot.domain.highlights import find_rare
from bot.domain.outcome import Finish, GameOutcome, outcome_of
from bot.domain.table import Seat
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.events import Event
from highscore.game import Awaiting, Game, apply_event
from highscore.house import Temperament
from highscore.turn_order import TurnOrder

PLAYERS = (2, 3, 4, 5)
TEMPERAMENTS = (Temperament.STEADY, Temperament.CAUTIOUS)
CHANCE = (Awaiting.START_PLAYER, Awaiting.CARD, Awaiting.DICE)
_FINISH = Finish("0" * 12, 1, datetime(2026, 1, 1, tzinfo=UTC), "2026-Q1", "2026-01")


def play(players: int, draw: random.Random) -> tuple[GameOutcome, bool]:
    """Play a game. Return its outcome, and whether a turn of it was rare."""
    cards = draw.sample(STANDARD_DECK.cards, ROUNDS)
    plays = [draw.choice(TEMPERAMENTS) for _seat in range(players)]
    game, rare = Game(players, TurnOrder.CLOCKWISE), False
    while not game.over:
        before, events = game, list[Event]()
        while not events or game.awaiting in CHANCE:
            events.append(draw_event(game, cards, plays, draw))
            game = apply_event(game, events[-1])
        rare = rare or bool(find_rare(before, game, events))
    return outcome_of(_FINISH, [Seat(at + 1, "") for at in range(players)], game), rare


def measure(options: Arguments, report: Report) -> None:
    """Play, and count."""
    draw = random.Random(options.seed)
    seats: Counter[int] = Counter()
    with_rare = 0
    earned = {badge: Counter[int]() for badge in GAME_RULES}
    for number in range(options.games):
        players = PLAYERS[number % len(PLAYERS)]
        outcome, rare = play(players, draw)
        with_rare += rare
        seats[players] += players
        for seat in outcome.seats:
            for badge in badges_of_game(seat, outcome):
                earned[badge][players] += 1
    print(f"{options.games} games, seed {options.seed}: share of the players who earn it in a game")
    report.line("", "".join(f"{players:>3} players" for players in PLAYERS) + "       all")
    for badge, found in sorted(earned.items(), key=lambda each: -each[1].total()):
        shares = "".join(f"{found[players] / max(seats[players], 1):10.2%}" for players in PLAYERS)
        report.line(badge.value, f"{shares}{found.total() / seats.total():10.2%}")
    print(f"{with_rare / options.games:.1%} of the games have a rare turn")


if __name__ == "__main__":
    run(__doc__, measure, option("--games", type=int, default=10_000), option("--seed", type=int, default=1))
