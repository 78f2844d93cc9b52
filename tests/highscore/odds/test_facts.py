from pathlib import Path

import pytest

from highscore import STANDARD_DECK, Card
from highscore.odds import facts, results
from highscore.odds.policy import COUNTED, POINTS, aim_at_least, solve_card
from tests.sampling import sample

DOCS = Path(__file__).parents[3] / "docs" / "odds.md"


def row(card: Card) -> str:
    known = facts.compute_facts(card)
    chances = " | ".join(f"{100 * known.find_chance(result):.1f}" for result in (10, 20, 30))
    return f"| `{card.id}` | {known.average:.6f} | {known.deviation:.2f} | {chances} | {known.find_result(0.25)} |"


@pytest.mark.parametrize("card", sample(STANDARD_DECK.cards, 4), ids=lambda card: card.id)
def test_the_facts_of_a_card_are_those_of_its_policies(card: Card) -> None:
    known = facts.compute_facts(card)
    assert known.average == solve_card(card, POINTS).start
    assert (known.lowest, known.highest) == (results.list_results(card).min(), results.list_results(card).max())
    for result in (1, 10, 17, 24, 30, known.highest):
        assert known.find_chance(result) == pytest.approx(solve_card(card, aim_at_least(result)).start, abs=1e-12)
    assert known.find_chance(known.highest + 1) == 0.0
    chances = [chance for _, chance in known.reach]
    assert chances == sorted(chances, reverse=True)
    assert known.deviation > 0.0
    assert known.counted == solve_card(card, COUNTED).start
    assert known.average - 1e-12 <= known.counted <= known.average + 2.0
    with pytest.raises(ValueError, match="from 1 on"):
        known.find_chance(0)


def test_a_result_within_a_chance_is_the_highest_one() -> None:
    known = facts.compute_facts(STANDARD_DECK.find_card("same-frozen"))
    result = known.find_result(0.5)
    assert result is not None
    assert known.find_chance(result) >= 0.5 > known.find_chance(result + 1)
    assert known.find_result(1.1) is None


def test_the_table_in_the_documentation_has_the_computed_figures() -> None:
    assert {row(card) for card in STANDARD_DECK} <= set(DOCS.read_text(encoding="utf-8").splitlines())
