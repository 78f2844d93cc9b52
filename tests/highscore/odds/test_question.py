import json

import pytest

from highscore import STANDARD_DECK, Card, HighScoreError
from highscore.odds import policy, question

FULL, ANY, ASIDE = (STANDARD_DECK.find_card(name) for name in ("tens-minus-ten", "same-frozen", "odd-frozen"))


def test_without_dice_it_is_the_value_of_the_card() -> None:
    answer = question.answer_question(ANY)
    assert answer.value == policy.solve_card(ANY, policy.POINTS).start
    assert answer.ranked == ()
    assert answer.format_lines() == (
        "same-frozen | *? *? *? *? *? *? *? | 0",
        "value (points): 17.264466",
        "The dice are to be rolled.",
    )


def test_dice_are_ranked_with_what_each_choice_loses() -> None:
    answer = question.answer_question(ANY, "5 5 4 V 2 1 1")
    assert str(answer.turn) == "same-frozen | 5 5 4 [V] 2 1 1 | 1 froze"
    assert [str(option.choice) for option in answer.ranked[:2]] == ["roll 5 6 7", "roll 6 7"]
    lines = answer.format_lines(top=2)
    assert lines[2:] == (
        "  1.  19.552169   +0.000000  roll 5 6 7         keeps 4 5 5 V",
        "  2.  18.688014   -0.864155  roll 6 7           keeps 2 4 5 5 V",
        f"     and {len(answer.ranked) - 2} more",
    )


def test_json_has_all_choices_and_survives_a_round_trip() -> None:
    answer = question.answer_question(ASIDE, "5 5 4 2 1", set_aside="V 5", utility=policy.aim_at_least(20))
    document = json.loads(json.dumps(answer.encode_json()))
    assert document["turn"] == "odd-frozen | [V] (5) 5 5 4 2 1 | 2"
    assert document["utility"] == "at least 20"
    assert len(document["choices"]) == len(answer.ranked)
    assert document["choices"][0] == {
        "choice": str(answer.ranked[0].choice),
        "keeps": " ".join(map(str, answer.ranked[0].kept)),
        "ends_turn": False,
        "value": answer.value,
        "loss": 0.0,
    }
    assert any(choice["ends_turn"] for choice in document["choices"])


@pytest.mark.parametrize(
    ("card", "dice", "rolls_left", "set_aside", "reason"),
    [
        (ANY, "5 5 5 5 5 5 5 5", None, "", "8 dice are too many"),
        (ASIDE, "5 5 5 5", None, "1 1 1 1", "8 dice are too many"),
        (ANY, "5 5 5 5 5 5", None, "1", "no dice are set aside on same-frozen"),
        (ASIDE, "5 5 5 5 5 5 1", 2, "", "leave --rolls-left out"),
        (ANY, "5 5 5 5 5 5 1", 3, "", "0 to 2 rolls can be left, not 3"),
        (FULL, "5 5 5 5 5 5 1", -1, "", "0 to 3 rolls can be left, not -1"),
        (ANY, "", 1, "", "give the dice"),
        (ANY, "5 5 9", None, "", "no die face"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(
    card: Card, dice: str, rolls_left: int | None, set_aside: str, reason: str
) -> None:
    with pytest.raises(HighScoreError, match=reason):
        question.answer_question(card, dice, rolls_left=rolls_left, set_aside=set_aside)
