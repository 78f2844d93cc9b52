"""A turn and its three roll types (rules R3)."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import Card, Dice, Face, IllegalChoice, Roll, RollType, SetAside, Stop, Turn, errors
from highscore.dice import DICE
from highscore.turn import (
    Choice,
    DieState,
    begin_turn,
    can_choose,
    list_choices,
    make_choice,
    parse_choice,
    parse_turn,
    roll_dice,
    verify_choice,
)
from tests.highscore.strategies import choices, turns

FULL = Card.parse("full: TOTAL 0 FOUR_FULL")
FULL_FROZEN = Card.parse("full-frozen: TOTAL frozen FOUR_FULL")
THREE = Card.parse("three: TOTAL 0 ANY_THREE")
THREE_FROZEN = Card.parse("three-frozen: TOTAL frozen ANY_THREE")
ASIDE = Card.parse("aside: TOTAL 0 SET_ASIDE")
ASIDE_FROZEN = Card.parse("aside-frozen: TOTAL frozen SET_ASIDE")
CARDS = (FULL, FULL_FROZEN, THREE, THREE_FROZEN, ASIDE, ASIDE_FROZEN)


def at(text: str) -> Turn:
    return parse_turn(text, CARDS)


def played(card: Card, *moves: str) -> Turn:
    """Return a turn after rolls (``5 5 4 V 2 1 1``) and choices (``roll 1 2``) in turn."""
    turn = begin_turn(card)
    for move in moves:
        turn = roll_dice(turn, Dice.parse(move).faces) if move[0] in "12345V" else make_choice(turn, parse_choice(move))
    return turn


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_r1_a_turn_begins_with_a_roll_of_all_seven_dice(card: Card) -> None:
    """R1, R3."""
    turn = begin_turn(card)
    assert DICE == 7
    assert turn.to_roll == (0, 1, 2, 3, 4, 5, 6)
    assert str(turn) == f"{card.id} | *? *? *? *? *? *? *? | 0"
    assert list_choices(turn) == ()
    assert turn.rolls_left == card.roll_type.max_rolls
    with pytest.raises(IllegalChoice, match="have to be rolled first"):
        verify_choice(turn, Stop())
    with pytest.raises(IllegalChoice, match="have not been rolled yet"):
        turn.score  # noqa: B018


def test_r3_1_four_full_is_to_stop_or_to_roll_all_dice_again() -> None:
    turn = played(FULL, "5 5 4 V 2 1 1")
    assert list_choices(turn) == (Stop(), Roll((0, 1, 2, 3, 4, 5, 6)))
    with pytest.raises(IllegalChoice, match="you roll all dice again or none"):
        make_choice(turn, parse_choice("roll 1 2 3 4 5 6"))
    stopped = make_choice(turn, Stop())
    assert (stopped.over, stopped.score.total, stopped.rolls_left) == (True, 18, 0)


def test_r3_1_four_full_has_at_most_four_rolls_and_the_last_one_counts() -> None:
    again = "roll 1 2 3 4 5 6 7"
    turn = played(FULL, "5 5 5 5 5 5 5", again, "1 1 1 1 1 1 2", again, "2 2 2 2 2 2 2", again)
    assert (turn.over, turn.rolls_left) == (False, 1)
    turn = roll_dice(turn, Dice.parse("1 1 1 1 1 1 1").faces)
    assert (turn.over, turn.rolls, turn.rolls_left) == (True, 4, 0)
    assert turn.score.total == 7, "though the first roll was worth 35"


def test_r3_2_any_three_is_to_stop_or_to_roll_any_of_the_dice_again() -> None:
    turn = played(THREE, "5 5 4 V 2 1 1")
    expected = {Roll(dice) for size in range(1, 8) for dice in combinations(range(7), size)}
    assert set(list_choices(turn)) == {Stop(), *expected}
    assert len(list_choices(turn)) == 128
    with pytest.raises(IllegalChoice, match="Pick at least one die"):
        make_choice(turn, Roll(()))


def test_r3_2_dice_kept_before_may_be_rolled_later() -> None:
    turn = played(THREE, "5 5 4 V 2 1 1", "roll 4 5 6 7", "3 3 3 3", "roll 1")
    assert str(turn) == "three | *5 5 4 3 3 3 3 | 2"
    assert str(roll_dice(turn, Dice.parse("1").faces)) == "three | 1 5 4 3 3 3 3 | 3"


def test_r3_2_any_three_has_at_most_three_rolls_and_the_final_faces_count() -> None:
    turn = played(THREE, "5 5 4 V 2 1 1", "roll 7", "5", "roll 1", "2")
    assert (turn.over, turn.rolls, str(turn.dice), turn.score.total) == (True, 3, "2 5 4 V 2 1 5", 19)


def test_r3_3_after_each_roll_at_least_one_die_is_set_aside() -> None:
    turn = played(ASIDE, "5 5 4 V 2 1 1")
    assert set(list_choices(turn)) == {SetAside(dice) for size in range(1, 8) for dice in combinations(range(7), size)}
    with pytest.raises(IllegalChoice, match="Set aside at least one die of this roll"):
        make_choice(turn, SetAside(()))
    with pytest.raises(IllegalChoice, match="you stop by setting all your dice aside"):
        make_choice(turn, Stop())
    stopped = make_choice(turn, SetAside((0, 1, 2, 3, 4, 5, 6)))
    assert (stopped.over, stopped.rolls, stopped.score.total) == (True, 1, 18)


def test_r3_3_the_rest_is_rolled_again_and_dice_set_aside_never_move() -> None:
    turn = played(ASIDE, "5 5 4 V 2 1 1", "set 1 2")
    assert str(turn) == "aside | (5) (5) *4 *V *2 *1 *1 | 1"
    turn = roll_dice(turn, Dice.parse("5 1 2 3 4").faces)
    assert str(turn) == "aside | (5) (5) 5 1 2 3 4 | 2"
    with pytest.raises(IllegalChoice, match="A die that was set aside stays there"):
        make_choice(turn, parse_choice("set 1 3"))


def test_r3_3_a_turn_has_at_most_seven_rolls_for_each_further_one_costs_a_die() -> None:
    moves = [move for step in range(7) for move in (" ".join("1" * (7 - step)), f"set {step + 1}")]
    turn = played(ASIDE, *moves[:-1])
    assert (turn.rolls, turn.over) == (7, True)
    turn = played(ASIDE, "5 5 4 V 2 1 1")
    assert turn.rolls_left == 6
    turn = make_choice(turn, parse_choice("set 1 2 3"))
    assert turn.rolls_left == 4
    assert roll_dice(turn, Dice.parse("1 2 3 4").faces).rolls_left == 3
    frozen = played(ASIDE_FROZEN, "5 5 4 V 2 1 1")
    assert frozen.rolls_left == 6, "the vortex has paid for this roll"


@pytest.mark.parametrize("card", [FULL_FROZEN, THREE_FROZEN, ASIDE_FROZEN], ids=lambda card: card.id)
def test_r3_4_a_frozen_vortex_is_set_aside_at_once_and_never_moves(card: Card) -> None:
    turn = played(card, "5 V 4 V 2 1 1")
    assert [state is DieState.FROZEN for state in turn.states] == [False, True, False, True, False, False, False]
    assert turn.score.total == 13, "and is worth 0"
    move = SetAside((1,)) if card.roll_type is RollType.SET_ASIDE else Roll((0, 1))
    with pytest.raises(IllegalChoice, match="A frozen vortex cannot be moved any more"):
        make_choice(turn, move)
    assert played(THREE, "5 V 4 V 2 1 1", "roll 2 4").to_roll == (1, 3), "one that is not frozen may be rolled again"


def test_r3_4_ruling_in_four_full_all_dice_are_those_that_are_not_frozen() -> None:
    turn = played(FULL_FROZEN, "5 V 4 V 2 1 1")
    assert list_choices(turn) == (Stop(), Roll((0, 2, 4, 5, 6)))
    with pytest.raises(IllegalChoice):
        make_choice(turn, Roll((0, 1, 2, 3, 4, 5, 6)))


def test_r3_4_ruling_in_set_aside_a_frozen_vortex_satisfies_at_least_one() -> None:
    turn = played(ASIDE_FROZEN, "5 V 4 2 2 1 1")
    assert turn.froze
    turn = make_choice(turn, parse_choice("set -"))
    assert str(turn) == "aside-frozen | *5 [V] *4 *2 *2 *1 *1 | 1 froze"
    turn = roll_dice(turn, Dice.parse("5 5 5 5 5 5").faces)
    assert not turn.froze, "only a vortex frozen by the last roll does"
    with pytest.raises(IllegalChoice, match="Set aside at least one"):
        make_choice(turn, SetAside(()))


@pytest.mark.parametrize("card", [FULL_FROZEN, THREE_FROZEN, ASIDE_FROZEN], ids=lambda card: card.id)
def test_r3_4_ruling_a_turn_is_over_when_all_dice_are_frozen_or_set_aside(card: Card) -> None:
    turn = played(card, "V V V V V V V")
    assert (turn.over, turn.rolls, turn.rolls_left, turn.score.total) == (True, 1, 0, 0)
    assert list_choices(turn) == ()
    with pytest.raises(IllegalChoice, match="This turn is over"):
        verify_choice(turn, Stop())


def test_r3_5_a_last_single_die_is_set_aside_by_itself_unless_a_vortex_has_just_frozen() -> None:
    turn = played(ASIDE, "5 5 5 5 5 5 1", "set 1 2 3 4 5 6", "4")
    assert str(turn) == "aside | (5) (5) (5) (5) (5) (5) (4) | 2"
    assert turn.over
    turn = played(ASIDE_FROZEN, "5 5 5 5 5 1 1", "set 1 2 3 4 5", "V 2")
    assert list_choices(turn) == (SetAside(()), SetAside((6,)))
    assert turn.rolls_left == 1
    assert not turn.over


@pytest.mark.parametrize(
    ("position", "choice", "reason"),
    [
        ("full | 5 5 4 V 2 1 1 | 1", SetAside((0,)), "On this card, no dice are set aside. Roll again or keep"),
        ("three | 5 5 4 V 2 1 1 | 1", SetAside((0,)), "On this card, no dice are set aside. Roll again or keep"),
        ("aside | 5 5 4 V 2 1 1 | 1", Roll((0,)), "On this card, you set dice aside after each roll"),
        ("three | 5 5 4 V 2 1 1 | 1", Roll((0, 7)), "Pick from the dice there are, each at most once"),
        ("three | 5 5 4 V 2 1 1 | 1", Roll((-1,)), "Pick from the dice there are, each at most once"),
        ("three | 5 5 4 V 2 1 1 | 1", Roll((2, 2)), "Pick from the dice there are, each at most once"),
        ("three | 5 5 4 V 2 1 1 | 1", Roll((2, 1)), "Pick from the dice there are, each at most once"),
        ("three | 5 5 4 V 2 1 1 | 1 stopped", Roll((1,)), "This turn is over"),
        ("three | *5 5 4 V 2 1 1 | 1", Roll((1,)), "The dice have to be rolled first"),
    ],
)
def test_an_illegal_choice_is_refused_with_the_reason(position: str, choice: Choice, reason: str) -> None:
    turn = at(position)
    with pytest.raises(IllegalChoice, match=reason):
        make_choice(turn, choice)
    assert str(turn) == position


def test_a_roll_with_the_wrong_number_of_dice_is_a_bad_event() -> None:
    for faces in ("", "1", "1 1 1 1 1 1"):
        with pytest.raises(errors.BadEvent, match="dice were rolled where 7 were due"):
            roll_dice(begin_turn(FULL), Dice.parse(faces).faces)
        with pytest.raises(errors.BadEvent, match="where 0 were due"):
            roll_dice(at("three | 5 5 4 V 2 1 1 | 1"), Dice.parse(faces).faces)


@given(turns(), choices)
def test_legal_choices_are_exactly_those_that_are_accepted_and_change_no_turn(turn: Turn, choice: Choice) -> None:
    before, legal = str(turn), list_choices(turn)
    assert can_choose(turn, choice) == (choice in legal)
    assert all(can_choose(turn, each) for each in legal)
    assert len(set(legal)) == len(legal)
    assert bool(legal) == (not turn.over and not turn.to_roll)
    if can_choose(turn, choice):
        after = make_choice(turn, choice)
        assert after != turn
        assert after.faces == turn.faces
    else:
        with pytest.raises(IllegalChoice):
            make_choice(turn, choice)
    assert str(turn) == before


@given(turns())
def test_rolls_left_is_what_a_player_gets_who_gives_up_as_little_as_possible(turn: Turn) -> None:
    promised = turn.rolls + turn.rolls_left
    while not turn.over:
        if turn.to_roll:
            turn = roll_dice(turn, (Face.ONE,) * len(turn.to_roll))
        else:
            turn = max(
                (make_choice(turn, choice) for choice in list_choices(turn)), key=lambda after: len(after.to_roll)
            )
    assert turn.rolls == promised


@given(turns(), choices)
def test_turns_and_choices_read_back_from_their_text(turn: Turn, choice: Choice) -> None:
    assert parse_turn(str(turn), [turn.card]) == turn
    assert parse_choice(str(choice)) == choice


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("three | 5 5 4 V 2 1 1", "is no turn"),
        ("three | 5 5 4 V 2 1 1 | 1 | 2", "is no turn"),
        ("three | 5 5 4 V 2 1 1 1 | 1", "is no turn"),
        ("three | 5 5 4 V 2 1 1 | 8", "is no turn"),
        ("three | 5 5 4 V 2 1 1 | ٢", "is no turn"),
        ("three | 5 5 4 V 2 1 1 | " + "9" * 5_000, "is no turn"),
        ("three | 5 5 4 V 2 1 1 | 1 stopped stopped", "is no turn"),
        ("other | 5 5 4 V 2 1 1 | 1", "there is no card 'other'"),
        ("aside | (5 5 4 V 2 1 1 | 2", "'\\(5' is no die of a turn"),
        ("aside | (5] 5 4 V 2 1 1 | 2", "is no die of a turn"),
        ("aside-frozen | [5] 5 4 1 2 1 1 | 1 froze", "'\\[5\\]' is no die of a turn"),
        ("three | 6 5 4 V 2 1 1 | 1", "is no die of a turn"),
        ("three | *? *? *? *? *? *? *? | 1", "before the first roll, and only then"),
        ("three | 5 5 4 V 2 1 1 | 0", "before the first roll, and only then"),
        ("three | 5 5 4 V 2 1 1 | 4", "there are at most 3 rolls"),
        ("three | *5 5 4 V 2 1 1 | 3", "there are at most 3 rolls"),
        ("three-frozen | 5 5 4 V 2 1 1 | 1", "frozen exactly where the card freezes it"),
        ("three-frozen | 5 5 4 4 2 1 1 | 1 froze", "the frozen dice and the last roll do not fit"),
        ("three-frozen | 5 5 4 [V] 2 1 1 | 1", "the frozen dice and the last roll do not fit"),
        ("full | *5 5 4 V 2 1 1 | 1", "all dice that can move are rolled"),
        ("three | *5 5 4 V 2 1 1 | 1 stopped", "nobody can stop here"),
        ("aside | 5 5 4 V 2 1 1 | 1 stopped", "nobody can stop here"),
        ("three | (5) 5 4 V 2 1 1 | 1", "no dice are set aside on this card"),
        ("aside | 5 5 4 V 2 1 1 | 2", "each roll sets a die aside"),
        ("aside-frozen | 5 5 4 [V] 2 1 1 | 2 froze", "each roll sets a die aside"),
        ("aside | (5) 5 4 V 2 1 1 | 1", "the dice set aside and the rolls do not fit"),
        ("aside | (5) (5) (5) (5) (5) (5) 1 | 2", "the dice set aside and the rolls do not fit"),
    ],
)
def test_a_position_that_no_turn_comes_to_is_refused(text: str, reason: str) -> None:
    with pytest.raises(errors.NotationError, match=reason):
        at(text)


@given(turns(st.sampled_from(CARDS)), st.data())
def test_a_position_with_a_changed_character_is_refused_or_sound(turn: Turn, data: st.DataObject) -> None:
    text = str(turn)
    where = data.draw(st.integers(0, len(text) - 1))
    changed = text[:where] + data.draw(st.sampled_from("12345V?*()[]| 0")) + text[where + 1 :]
    try:
        read = at(changed)
    except errors.NotationError:
        return
    assert at(str(read)) == read
    assert read.over or read.to_roll or list_choices(read)
