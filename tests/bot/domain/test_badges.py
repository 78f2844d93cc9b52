"""The rules of the badges, each by a game that earns it and one that just does not."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.domain.badges import GAME_RULES, Badge, badges_of_days, badges_of_game, badges_of_many_games
from bot.domain.highlights import find_last_roll_winner
from bot.domain.outcome import Finish, GameOutcome, outcome_of
from bot.domain.table import Seat
from highscore import STANDARD_DECK, Dice, Face, Game, Roll, Stop, TurnOrder, apply_event
from highscore.events import CardRevealed, Decided, Event, Rolled, StartPlayerDrawn, TakeDice
from tests.bot.games import scored

FINISH = Finish("0" * 12, 1, datetime(2026, 1, 1, tzinfo=UTC), "2026-Q1", "2026-01")
PLAIN = Dice.parse("1122334")
LOW = [[9, 8]] * 7
"""Seat 0 is just ahead in every round."""


def outcome(
    *rounds: Sequence[int], dice: Dice = PLAIN, rolls: int = 3, by_house: dict[int, int] | None = None
) -> GameOutcome:
    game = scored(*rounds, by_house=by_house)
    finished = tuple(
        replace(ended, turns=tuple(replace(turn, dice=dice, rolls=rolls) for turn in ended.turns))
        for ended in game.finished
    )
    seats = [Seat(at + 1, f"p{at}") for at in range(game.players)]
    return outcome_of(FINISH, seats, replace(game, finished=finished))


def earned(game: GameOutcome, seat: int = 0) -> set[Badge]:
    return set(badges_of_game(game.seats[seat], game))


def fill_rounds(*first: Sequence[int], rest: Sequence[int] = (1, 2)) -> list[Sequence[int]]:
    return [*first, *[rest] * (7 - len(first))]


GOLD, BRONZE, NOTHING = (9, 8), (8, 9), (-1, 9)
CASES = {
    Badge.LAP_OF_HONOUR: (outcome(*fill_rounds((31, 1))), outcome(*fill_rounds((30, 1)))),
    Badge.HIGH_FLYER: (outcome(*fill_rounds((45, 1))), outcome(*fill_rounds((44, 1)))),
    Badge.SEVEN_ALIKE: (outcome(*LOW, dice=Dice.parse("VVVVVVV")), outcome(*LOW, dice=Dice.parse("VVVVVV1"))),
    Badge.FIRST_TRY: (outcome(*fill_rounds(GOLD), rolls=1), outcome(*fill_rounds(), rolls=1)),
    Badge.EYE_OF_THE_STORM: (outcome(*LOW, dice=Dice.parse("VVVV123")), outcome(*LOW, dice=Dice.parse("VVV1234"))),
    Badge.GOLD_RUSH: (outcome(*fill_rounds(*[GOLD] * 4)), outcome(*fill_rounds(*[GOLD] * 3, BRONZE, *[GOLD] * 3))),
    Badge.FULL_SET: (
        outcome(*fill_rounds((9, 8, 7), (7, 9, 8), (8, 7, 9), rest=(0, 1, 2))),
        outcome(*fill_rounds((9, 8, 7), (7, 9, 8), (-1, 7, 9), (8, 9, 7), rest=(0, 1, 2))),
    ),
    Badge.STEADY_HAND: (outcome(*[[15, 16]] * 7), outcome(*fill_rounds(*[[15, 16]] * 6, rest=(14, 16)))),
    Badge.ON_THE_DOT: (outcome(*fill_rounds((30, 1))), outcome(*fill_rounds((29, 1), (31, 1)))),
    Badge.START_TO_FINISH: (outcome(*LOW), outcome(*fill_rounds(BRONZE, rest=GOLD))),
    # Four behind after four rounds (6 and 10), then three times gold.
    Badge.COMEBACK: (outcome(*fill_rounds(GOLD, BRONZE, BRONZE, BRONZE, rest=GOLD)), outcome(*LOW)),
    Badge.RUNAWAY: (outcome(*LOW), outcome(*fill_rounds(*[GOLD] * 5, rest=BRONZE))),
    # 9 points each: three times gold, and once gold and three times silver.
    Badge.PHOTO_FINISH: (
        outcome(*[[9, 8, 7]] * 3, [-1, 9, 8], *[[-1, -1, -1]] * 3),
        outcome(*LOW),
    ),
}


@pytest.mark.parametrize("badge", GAME_RULES)
def test_a_badge_is_earned_by_what_its_rule_says_and_not_by_less(badge: Badge) -> None:
    enough, too_little = CASES[badge]
    assert badge in earned(enough)
    assert badge not in earned(too_little)


def test_only_turns_of_ones_own_in_rated_games_count() -> None:
    assert {Badge.LAP_OF_HONOUR, Badge.STEADY_HAND} <= earned(outcome(*[[31, 16]] * 7))
    assert Badge.STEADY_HAND not in earned(outcome(*[[31, 16]] * 7, by_house={0: 1}))
    last = outcome(*fill_rounds(*[[5, 4]] * 6, rest=(31, 4)), by_house={0: 1})
    assert Badge.LAP_OF_HONOUR not in earned(last)
    assert not earned(outcome(*LOW, by_house={0: 4})), "who played three turns only loses by a game"
    assert not earned(outcome(*LOW, by_house={1: 7})), "and with nobody else nobody is rated"


def test_streaks_and_days_bring_badges_of_their_own() -> None:
    assert (badges_of_many_games(2, 49), badges_of_many_games(3, 50)) == ([], [Badge.HAT_TRICK, Badge.REGULAR])
    assert (badges_of_days(6), badges_of_days(7), badges_of_days(30)) == ([], [Badge.WEEK], [Badge.WEEK, Badge.MONTH])


GOLD_BY_TURNS = tuple(enumerate((0, 1, 0, 1, 1, 0), 1))


def _last_roll(*dice: int, order: TurnOrder = TurnOrder.CLOCKWISE) -> int | None:
    """Return the seat that has won by its last roll, where seat 1 rolls seven of each of these numbers in round 7.

    Before that gold went to and fro; in round 7 seat 0 has seven threes.
    """
    (like,) = [card for card in STANDARD_DECK if card.id == "total-minus5"]
    rolled: dict[tuple[int, int], tuple[int, ...]]
    rolled = {(number, seat): (5 if seat == gold else 1,) for number, gold in GOLD_BY_TURNS for seat in (0, 1)}
    rolled |= {(7, 0): (3,), (7, 1): dice}
    game, log = Game(2, TurnOrder.CLOCKWISE), list[Event]()

    def happen(event: Event) -> None:
        nonlocal game
        game = apply_event(game, event)
        log.append(event)

    happen(StartPlayerDrawn(0))
    for number in range(1, 8):
        happen(CardRevealed(replace(like, id=f"card-{number}")))
        for seat in (game.may_act[0], 1 - game.may_act[0]):
            for roll, face in enumerate(rolled[number, seat]):
                before, known = game, len(log)
                happen(Decided(seat, Roll(tuple(range(7))) if roll else TakeDice()))
                happen(Rolled((Face(face),) * 7))
            if not game.complete and game.hand is not None:
                before, known = game, len(log)
                happen(Decided(seat, Stop()))
    # The turn before the last roll follows from the last turn: what was before that is not replayed.
    newest = log[max(at for at, event in enumerate(log) if isinstance(event, CardRevealed)) : known]
    return find_last_roll_winner(replace(before, turn_order=order), replace(game, turn_order=order), lambda: newest)


def test_a_game_is_won_by_the_last_roll_if_it_would_have_been_lost_without() -> None:
    assert _last_roll(1, 1, 1, 5) == 1, "the fourth roll, after which nothing can be decided"
    assert _last_roll(1, 5) == 1, "and then they stopped"
    assert _last_roll(5, 1, 5) == 1
    assert _last_roll(5) is None, "there were no dice before"
    assert _last_roll(5, 4) is None
    assert _last_roll(1, 5, 5, 5) is None
    assert _last_roll(5, 1) is None
    assert _last_roll(1, 5, order=TurnOrder.OWN_PACE) is None
