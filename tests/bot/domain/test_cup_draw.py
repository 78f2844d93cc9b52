"""Cups (R9.8), sentence by sentence, and by a referee who was not there when they were written."""

import os
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.cup_leg import (
    Draw,
    Format,
    GroupResult,
    Leg,
    Match,
    Played,
    Reason,
    compare_attempts,
    decide_group,
    draw_leg,
    list_winners,
    lock_entrants,
    make_table,
    share_of,
)
from highscore import deck
from tests.bot.domain.cups import PAR, Chance, cup_of, export_cup, leg_of, play_cup, record_played
from tests.bot.domain.referee import differences
from tests.sampling import sample

CUPS = 1_000 if os.environ.get("HIGHSCORE_LARGE") == "1" else 30
ADA, BEN, CEM, DOT = range(4)
SEVEN = (10, 10, 10, 10, 10, 10, 10)
GOOD, FAIR, POOR = Played(SEVEN), Played((9,) * 7), Played((5,) * 7)
EVERYBODY = Chance(random.Random(1), coming=1.0, leaving=0.0, highest=30, whole=1.0)


def sizes(draw: Draw | None) -> list[int]:
    assert draw is not None
    return [len(group) for group in draw.groups]


def decide(*attempts: Played | None, left: Sequence[int] = (), final: bool = False) -> GroupResult:
    """Return who of a group goes on, by the attempts of its people; another person has a bye unless it is the final."""
    played = {entrant: attempt for entrant, attempt in enumerate(attempts) if attempt is not None}
    leg = leg_of(range(len(attempts)), played=played, left=left, byes=() if final else (9,))
    return decide_group(leg.groups[0], leg)


def shares(*attempts: Played | None, left: Sequence[int] = ()) -> list[Fraction]:
    leg = league_leg(*attempts, left=left)
    return [share_of(entrant, leg) for entrant in range(len(attempts))]


def league_leg(*attempts: Played | None, left: Sequence[int] = (), number: int = 1, par: float = PAR) -> Leg:
    played = {entrant: attempt for entrant, attempt in enumerate(attempts) if attempt is not None}
    return leg_of(range(len(attempts)), played=played, left=left, number=number, par=par)


def test_in_a_leg_all_have_the_same_seven_cards_and_only_a_group_has_the_same_dice() -> None:
    first, second = leg_of((ADA, BEN), (CEM, DOT), played={}), leg_of((ADA, CEM), played={}, number=2)
    one, other = (group.source for group in first.groups)
    assert one.draw_cards(deck.STANDARD_DECK) == other.draw_cards(deck.STANDARD_DECK)
    assert one.draw_cards(deck.STANDARD_DECK) != second.groups[0].source.draw_cards(deck.STANDARD_DECK)
    assert one.draw_faces(1, 0, 1) != other.draw_faces(1, 0, 1)
    assert one.seal != other.seal


def test_the_draw_follows_from_the_seed_the_entrants_and_the_post_that_starts_the_cup() -> None:
    cup = cup_of(16)
    assert draw_leg(cup, ()) == draw_leg(cup_of(16), ())
    others = (
        cup_of(16, seed=bytes(32)),
        replace(cup, entrants_lock=lock_entrants(cup.entrants_lock, ["somebody else"])),
        replace(cup, opening=cup.opening + 1),
    )
    assert len({draw_leg(each, ()) for each in (cup, *others)}) == 4


def test_whoever_withdrew_before_the_entries_were_closed_has_no_part_in_the_draw() -> None:
    """Those who remain take their places in the order of entering, whatever their numbers are."""
    cup, gaps = cup_of(8), (0, 2, 3, 5, 7, 8, 9, 11)
    draw, other = draw_leg(cup, ()), draw_leg(replace(cup, entrants=gaps), ())
    assert draw is not None
    assert other is not None
    assert other.groups == tuple(tuple(gaps[one] for one in group) for group in draw.groups)
    assert [line.entrant for line in make_table(replace(cup, entrants=gaps), ())] == list(gaps)


def test_every_seed_of_a_cup_follows_from_the_one_that_was_sealed() -> None:
    cup = cup_of(8)
    groups = [cup.make_group(leg, at, (ADA, BEN)) for leg in (1, 2, 11) for at in (0, 1, 11)]
    assert len({group.seed for group in groups}) == len({group.id for group in groups}) == 9
    assert cup.make_group(1, 0, (CEM,)).seed == groups[0].seed
    others = replace(cup, seed=bytes(32)), replace(cup, id="f" * 12)
    assert len({each.make_group(1, 0, ()).seed for each in (cup, *others)}) == 3


def test_every_leg_is_drawn_anew() -> None:
    cup = cup_of(16, Format.LEAGUE)
    first = draw_leg(cup, ())
    assert first is not None
    assert draw_leg(cup, [leg_of(*first.groups, played={})]) != first


@pytest.mark.parametrize(
    ("one", "other", "match"),
    [
        ((20, 15, 9, 8, 8, 8, 8), (10, 10, 5, 12, 8, 8, 8), Match(3, 1, 3)),
        ((-5, 0, 7), (0, -12, 6), Match(1, 0, 2)),  # a negative result counts as 0
        ((10, 10, 0), (10,), Match(2, 0, 1)),  # even 0 wins a card that only one has finished
        ((), (), Match(0, 0, 0)),  # a card that neither has goes to nobody
    ],
)
def test_each_card_goes_to_the_better_result(one: tuple[int, ...], other: tuple[int, ...], match: Match) -> None:
    assert compare_attempts(Played(one), Played(other)) == match
    assert compare_attempts(Played(other), Played(one)) == Match(match.lost, match.won, match.halved)
    assert match.points == match.won + Fraction(match.halved, 2)


@pytest.mark.parametrize(
    ("entrants", "groups", "byes"),
    [
        (2, [2], 0),
        (3, [3], 0),
        (4, [2, 2], 0),
        (5, [3, 2], 0),
        (6, [3, 3], 0),
        (7, [2, 2, 2], 1),
        (8, [2] * 4, 0),
        (12, [3] * 4, 0),
        (13, [2] * 5, 3),
        (15, [2] * 7, 1),
        (97, [2] * 33, 31),
        (128, [2] * 64, 0),
    ],
)
def test_the_first_leg_has_groups_of_two_or_three_or_byes(entrants: int, groups: list[int], byes: int) -> None:
    draw = draw_leg(cup_of(entrants), ())
    assert draw is not None
    assert (sizes(draw), len(draw.byes)) == (groups, byes)


def test_more_points_go_on() -> None:
    assert decide(Played((1, 1, 1, 1, 0, 0, 0)), Played((0, 0, 0, 0, 30, 30, 30))) == ((ADA,), Reason.POINTS)


def test_of_three_the_most_points_against_the_other_two_go_on() -> None:
    beats_both = Played((10, 10, 10, 10, 0, 0, 0))
    assert decide(POOR, beats_both, POOR) == ((BEN,), Reason.POINTS)
    all_but_one = Played((6,) * 7), Played((5, 7, 7, 7, 5, 5, 5)), Played((5,) * 7)
    assert decide(*all_but_one) == ((ADA,), Reason.POINTS)  # 4 + 7 against 3 + 5 and 0 + 2


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (Played((9, 5, 3)), Played((8, 6, 3)), None),
        (Played((9, 5, 3)), Played((8, 7, 3)), Reason.SCORE),
        (Played((8, 0)), Played((8, -1, 0)), Reason.POINTS),  # the third card is Ben's
    ],
)
def test_level_is_decided_by_score_then_by_lot(one: Played, other: Played, why: Reason | None) -> None:
    if why is not None:
        assert decide(one, other) == ((BEN,), why)
        assert decide(other, one) == ((ADA,), why)
        return
    on, reason = decide(one, other)
    assert (len(on), reason) == (1, Reason.LOT)
    assert decide(one, other) == (on, reason), "the lot follows from the group's seed"
    assert decide(one, other, final=True) == ((ADA, BEN), Reason.SHARED)


def test_level_on_points_and_score_is_decided_by_cards_finished() -> None:
    """Ada has won two cards by one point each, Ben one by two points, and the fourth, of 0, that he alone finished."""
    ada, ben = Played((6, 3, 0)), Played((5, 2, 2, 0))
    assert (compare_attempts(ada, ben), ada.score) == (Match(2, 2, 0), ben.score)
    assert decide(ada, ben) == ((BEN,), Reason.CARDS)


def test_who_has_begun_beats_who_has_not() -> None:
    assert decide(None, Played(())) == ((BEN,), Reason.BEGUN)
    assert decide(None, Played((-20,)), None) == ((BEN,), Reason.BEGUN)


def test_nobody_has_begun_so_all_are_out_and_in_a_final_nobody_wins() -> None:
    assert decide(None, None) == ((), Reason.BEGUN)
    final = leg_of((ADA, BEN), played={})
    assert list_winners(cup_of(2), [final]) == ()
    assert draw_leg(cup_of(2), [final]) is None


def test_whose_opponents_have_left_goes_on() -> None:
    assert decide(GOOD, None, left=[ADA]) == ((BEN,), Reason.LEFT)
    assert decide(GOOD, None, POOR, left=[ADA]) == ((CEM,), Reason.BEGUN)
    assert decide(GOOD, FAIR, left=[ADA, BEN]) == ((), Reason.LEFT)


def test_nobody_has_a_second_bye_before_everybody_had_one() -> None:
    """Of seven one has a bye; then one of the others does not come, so that three are left."""
    first = draw_leg(cup_of(7), ())
    assert first is not None
    absent, *there = first.groups
    leg = leg_of(*first.groups, byes=first.byes, played={group[0]: GOOD for group in there})
    second = draw_leg(cup_of(7), [leg])
    assert second is not None
    assert len(second.byes) == 1
    assert set(second.byes) <= {group[0] for group in there}
    assert absent[0] not in second.groups[0]


def test_a_final_still_level_is_shared() -> None:
    final = leg_of((ADA, BEN, CEM), played={ADA: GOOD, BEN: POOR, CEM: GOOD})
    assert list_winners(cup_of(3), [final]) == (ADA, CEM)


@pytest.mark.parametrize(
    ("people", "groups"),
    [(3, [3]), (7, [7]), (8, [4, 4]), (9, [5, 4]), (10, [5, 5]), (11, [6, 5]), (12, [4] * 3), (15, [5] * 3)],
)
def test_a_league_has_groups_of_four_to_six_and_up_to_seven_people_are_one(people: int, groups: list[int]) -> None:
    assert sizes(draw_leg(cup_of(people, Format.LEAGUE), ())) == groups


def test_a_share_is_the_points_won_of_those_possible_in_percent() -> None:
    assert shares(GOOD, GOOD, POOR) == [75, 75, 0]
    mixed = Played((9, 9, 9, 5, 5, 5, 5))
    assert shares(GOOD, FAIR, POOR, mixed) == [100, Fraction(1250, 21), Fraction(200, 21), Fraction(650, 21)]


def test_a_card_not_finished_is_lost_for_its_player_and_left_out_of_the_shares_of_the_others() -> None:
    """Ada won four of four, and lost five to each of the others; these met nine times, two of them with her."""
    ada, ben, cem = Played((9, 9)), Played((1, 2, 3, 3, 3, 3, 3)), Played((1, 1, 3, 3, 3, 3, 3))
    assert shares(ada, ben, cem) == [Fraction(400, 14), Fraction(400, 9), Fraction(300, 9)]


def test_who_has_not_begun_or_has_left_has_0_and_no_part_in_the_shares_of_others() -> None:
    assert shares(GOOD, POOR, None) == [100, 0, 0]
    assert shares(GOOD, POOR, Played((30,) * 7), left=[CEM]) == [100, 0, 0]


def test_from_five_legs_on_the_worst_one_does_not_count() -> None:
    cup = cup_of(2, Format.LEAGUE, 5)
    legs = [league_leg(GOOD, POOR, number=number) for number in range(1, 5)]
    ada, ben = make_table(cup, legs)
    assert (ada.entrant, ada.worst) == (ADA, None)
    assert ada.total == 400
    ada, ben = make_table(cup, [*legs, league_leg(POOR, GOOD, number=5)])
    assert (ada.entrant, ada.worst, list(map(int, ada.shares))) == (ADA, 4, [100, 100, 100, 100, 0])
    assert (ben.place, ben.worst) == (2, 0)
    assert [line.total for line in (ada, ben)] == [400, 100]


def test_of_equal_worst_legs_the_one_worse_against_par_does_not_count() -> None:
    legs = [league_leg(GOOD, each, number=number) for number, each in enumerate([POOR, FAIR, None, POOR, FAIR], 1)]
    _, ben = make_table(cup_of(2, Format.LEAGUE, 5), legs)
    assert (ben.worst, ben.over_par) == (2, 2 * 35 + 2 * 63 - 4 * Fraction(PAR))


def test_equal_in_a_league_is_decided_by_score_less_par_then_shared() -> None:
    cup = cup_of(2, Format.LEAGUE, 3)
    halves = [league_leg(GOOD, GOOD, number=number) for number in (1, 2)]
    assert list_winners(cup, [*halves, league_leg(GOOD, GOOD, number=3)]) == (ADA, BEN)
    level = league_leg(Played((30, 1, 1, 1, 8, 8, 8)), Played((2, 2, 2, 1, 8, 8, 7)), number=3)
    assert shares(*level.played.values()) == [50, 50]
    assert list_winners(cup, [*halves, level]) == (ADA,)
    assert [line.place for line in make_table(cup, halves)] == [1, 1]


def test_who_leaves_keeps_closed_legs_and_has_0_in_later_ones() -> None:
    cup = cup_of(3, Format.LEAGUE, 4)
    legs = [league_leg(GOOD, FAIR, POOR, number=number) for number in (1, 2, 3)]
    legs.append(league_leg(GOOD, FAIR, POOR, left=[ADA], number=4))
    assert [(line.place, line.entrant, int(line.total)) for line in make_table(cup, legs)] == [
        (1, ADA, 300),
        (2, BEN, 250),
        (3, CEM, 0),
    ]
    assert [*map(int, make_table(cup, legs)[0].shares)] == [100, 100, 100, 0]
    assert list_winners(cup, legs, left=[ADA]) == (ADA,)


def test_a_league_of_which_one_is_left_is_over() -> None:
    cup, leg = cup_of(3, Format.LEAGUE, 3), league_leg(GOOD, FAIR, POOR)
    draw = draw_leg(cup, [leg], left=[ADA])
    assert draw is not None
    assert sorted(draw.groups[0]) == [BEN, CEM]
    assert draw_leg(cup, [leg], left=[ADA, CEM]) is None
    assert list_winners(cup, [leg], left=[ADA, CEM]) == (BEN,), "who is there, though Ada had won more"


@pytest.mark.parametrize("number", sample(range(CUPS), 3))
def test_an_independent_referee_agrees(number: int) -> None:
    chance = Chance.seeded(number)
    form = (Format.KNOCKOUT, Format.LEAGUE)[number % 2]
    entrants = chance.chance.choice([chance.chance.randint(2, 16), chance.chance.randint(3, 128)])
    seed = chance.chance.randbytes(32)
    done = play_cup(cup_of(entrants, form, chance.chance.randint(3, 14), seed), chance)
    assert differences(export_cup(record_played(done))) == []


@given(st.integers(2, 128), st.binary(min_size=32, max_size=32))
def test_a_knockout_to_which_everybody_comes_has_the_legs_it_must_and_a_winner(people: int, seed: bytes) -> None:
    done = play_cup(cup_of(people, seed=seed), EVERYBODY)
    half = 1 << (people.bit_length() - 2)
    assert len(done.legs) == half.bit_length() + (people > 3 * half) <= (people - 1).bit_length() <= 7
    assert not any(leg.byes for leg in done.legs[1:])
    assert done.legs[-1].final
    assert list_winners(done.cup, done.legs)
