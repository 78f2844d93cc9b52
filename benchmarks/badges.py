"""How rare the badges for one game and the rare turns are: ``python -m benchmarks.badges``.

House players play games against each other in the rulebook's order: two, three, four and five of them in turn, each
steady or cautious at random. Their badges are counted as if they were people. Badges for many games, the badges of the
daily challenge, and records (which count as rare turns) are not measured, because they depend on how often people play.

The shares are those in docs/badges.md. There is no target. 10,000 games take about four minutes.
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
    """Play a game. Return its outcome, and whether it had a rare turn."""
    cards = draw.sample(STANDARD_DECK.cards, ROUNDS)
    plays = [draw.choice(TEMPERAMENTS) for _seat in range(players)]
    game, has_rare_turn = Game(players, TurnOrder.CLOCKWISE), False
    while not game.over:
        before, events = game, list[Event]()
        while not events or game.awaiting in CHANCE:
            events.append(draw_event(game, cards, plays, draw))
            game = apply_event(game, events[-1])
        has_rare_turn = has_rare_turn or bool(find_rare(before, game, events))
    return outcome_of(_FINISH, [Seat(at + 1, "") for at in range(players)], game), has_rare_turn


def measure(options: Arguments, report: Report) -> None:
    draw = random.Random(options.seed)
    seats: Counter[int] = Counter()
    with_rare_turn = 0
    earned = {badge: Counter[int]() for badge in GAME_RULES}
    for number in range(options.games):
        players = PLAYERS[number % len(PLAYERS)]
        outcome, has_rare_turn = play(players, draw)
        with_rare_turn += has_rare_turn
        seats[players] += players
        for seat in outcome.seats:
            for badge in badges_of_game(seat, outcome):
                earned[badge][players] += 1
    print(f"{options.games} games, seed {options.seed}: the share of the players who earn a badge in a game")
    report.line("", "".join(f"{players:>3} players" for players in PLAYERS) + "       all")
    for badge, found in sorted(earned.items(), key=lambda each: -each[1].total()):
        shares = "".join(f"{found[players] / max(seats[players], 1):10.2%}" for players in PLAYERS)
        report.line(badge.value, f"{shares}{found.total() / seats.total():10.2%}")
    print(f"{with_rare_turn / options.games:.1%} of the games have a rare turn")


if __name__ == "__main__":
    run(__doc__, measure, option("--games", type=int, default=10_000), option("--seed", type=int, default=1))
