"""Badges: achievements that are computed from the outcomes of finished games, and from daily challenges.

A game earns badges for a player only if it compares the player and they made enough own turns (R9.6). Badges
for turns ignore turns in which the house decided anything. Badges for the course of a game, such as a comeback, use the
points of all turns. A player can earn each badge once on each server.
"""

from collections.abc import Callable, Mapping
from enum import Enum

from bot.domain.outcome import GameOutcome, SeatOutcome, TurnOutcome, find_compared
from highscore.deck import ROUNDS
from highscore.dice import Face
from highscore.track import LAP, Chip


class Badge(Enum):
    """A badge, by its stored value. The rarest come first (docs/badges.md)."""

    MONTH = "month"
    SEVEN_ALIKE = "alike"
    HIGH_FLYER = "flyer"
    COMEBACK = "comeback"
    RUNAWAY = "runaway"
    REGULAR = "regular"
    PHOTO_FINISH = "photo finish"
    WEEK = "week"
    GOLD_RUSH = "gold rush"
    HAT_TRICK = "hat-trick"
    START_TO_FINISH = "start to finish"
    STEADY_HAND = "steady hand"
    ON_THE_DOT = "on the dot"
    EYE_OF_THE_STORM = "storm"
    FULL_SET = "full set"
    FIRST_TRY = "first try"
    LAP_OF_HONOUR = "lap"


RARITIES = {
    Chip.GOLD: tuple(Badge)[:6],
    Chip.SILVER: tuple(Badge)[6:11],
    Chip.BRONZE: tuple(Badge)[11:],
}
"""The badges by the metal of their frames: gold for at most one game in fifty, bronze for more than one in ten."""
HIGH = 45
VORTICES = 4
STEADY = 15
"""For a steady hand, every card needs at least this result."""
GOLDS_IN_A_ROW = 4
FULL_SET = {Chip.GOLD, Chip.SILVER, Chip.BRONZE}
WINS_IN_A_ROW = 3
FAR_BEHIND = 4
"""For a comeback, the winner was at least this many points behind: more than a gold chip."""
HALFWAY = 4
"""For a comeback, the winner was behind after this many rounds."""
FAR_AHEAD = 8
"""A runaway winner has at least this many points more than anybody else."""
REGULAR_GAMES = 50

Rule = Callable[[SeatOutcome, GameOutcome], bool]


def points_after(seat: SeatOutcome, rounds: int) -> int:
    return sum(turn.chip.points for turn in seat.turns if turn.chip is not None and turn.round <= rounds)


def _others(seat: SeatOutcome, game: GameOutcome) -> list[SeatOutcome]:
    return [other for other in game.seats if other.seat != seat.seat]


def _won(seat: SeatOutcome) -> bool:
    return seat.place == 1


def _gold_rush(seat: SeatOutcome, _game: GameOutcome) -> bool:
    rounds = [turn.round for turn in seat.unaided if turn.chip is Chip.GOLD]
    last = GOLDS_IN_A_ROW - 1
    return any(later - first == last for first, later in zip(rounds, rounds[last:], strict=False))


def _full_set(seat: SeatOutcome, _game: GameOutcome) -> bool:
    rounds = {turn.round: turn.chip for turn in seat.unaided}
    return any({rounds.get(first + after) for after in range(len(FULL_SET))} == FULL_SET for first in rounds)


def _start_to_finish(seat: SeatOutcome, game: GameOutcome) -> bool:
    return _won(seat) and all(
        points_after(seat, rounds) > points_after(other, rounds)
        for rounds in range(1, ROUNDS + 1)
        for other in _others(seat, game)
    )


def _photo_finish(seat: SeatOutcome, game: GameOutcome) -> bool:
    others = _others(seat, game)
    return _won(seat) and not any(map(_won, others)) and any(seat.points == other.points for other in others)


def points_behind(seat: SeatOutcome, game: GameOutcome, rounds: int) -> int:
    return max(points_after(other, rounds) for other in game.seats) - points_after(seat, rounds)


def has_come_back(seat: SeatOutcome, game: GameOutcome) -> bool:
    """Return whether the seat won after it was far behind the leader after four of the seven rounds."""
    return _won(seat) and points_behind(seat, game, HALFWAY) >= FAR_BEHIND


def _in_a_turn(rule: Callable[[TurnOutcome], bool]) -> Rule:
    return lambda seat, _game: any(map(rule, seat.unaided))


GAME_RULES: Mapping[Badge, Rule] = {
    Badge.LAP_OF_HONOUR: _in_a_turn(lambda turn: turn.result > LAP),
    Badge.HIGH_FLYER: _in_a_turn(lambda turn: turn.result >= HIGH),
    Badge.SEVEN_ALIKE: _in_a_turn(lambda turn: len(set(turn.dice)) == 1),
    Badge.FIRST_TRY: _in_a_turn(lambda turn: turn.chip is Chip.GOLD and turn.rolls == 1),
    Badge.EYE_OF_THE_STORM: _in_a_turn(
        lambda turn: turn.chip is Chip.GOLD and sum(face is Face.VORTEX for face in turn.dice) >= VORTICES
    ),
    Badge.GOLD_RUSH: _gold_rush,
    Badge.FULL_SET: _full_set,
    Badge.STEADY_HAND: lambda seat, _game: (
        len(seat.unaided) == ROUNDS and all(turn.result >= STEADY for turn in seat.unaided)
    ),
    Badge.START_TO_FINISH: _start_to_finish,
    Badge.COMEBACK: has_come_back,
    Badge.RUNAWAY: lambda seat, game: (
        _won(seat) and all(seat.points - other.points >= FAR_AHEAD for other in _others(seat, game))
    ),
    Badge.PHOTO_FINISH: _photo_finish,
    Badge.ON_THE_DOT: _in_a_turn(lambda turn: turn.result == LAP),
}
DAYS_IN_A_ROW: Mapping[Badge, int] = {Badge.WEEK: 7, Badge.MONTH: 30}
"""The badges for streaks of daily challenges, and the number of days."""


def badges_of_game(seat: SeatOutcome, game: GameOutcome) -> list[Badge]:
    if not seat.played or seat not in find_compared(game.seats):
        return []
    return [badge for badge, rule in GAME_RULES.items() if rule(seat, game)]


def badges_of_many_games(wins_in_a_row: int, counted: int) -> list[Badge]:
    reached = {Badge.HAT_TRICK: wins_in_a_row >= WINS_IN_A_ROW, Badge.REGULAR: counted >= REGULAR_GAMES}
    return [badge for badge, earned in reached.items() if earned]


def badges_of_days(days_in_a_row: int) -> list[Badge]:
    """Return the badges for a streak of daily challenges.

    >>> badges_of_days(29), badges_of_days(30)
    ([<Badge.WEEK: 'week'>], [<Badge.WEEK: 'week'>, <Badge.MONTH: 'month'>])
    """
    return [badge for badge, days in DAYS_IN_A_ROW.items() if days_in_a_row >= days]
