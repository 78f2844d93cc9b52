import re

from hypothesis import given
from hypothesis import strategies as st

from bot.ui.guide import _HELP_ORDER, choose_example, render_card, render_guide, render_whole_help
from bot.ui.text import format_signed
from bot.ui.words import (
    VORTEX,
    card_lines,
    card_name,
    explain,
    roll_type_name,
    roll_type_rule,
    scoring_name,
    scoring_rule,
    vortex_rule,
)
from highscore import STANDARD_DECK, Card, RollType, Score, Scoring, VortexValue, errors, score_dice
from highscore.dice import DICE, Face
from tests.bot.ui.limits import check_embeds, check_message

VORTEX_VALUES = (VortexValue.FROZEN, VortexValue.CHOICE, *map(VortexValue.from_number, (-30, -5, 0, 5, 6, 10, 30)))


def _cards() -> list[Card]:
    found = []
    for scoring in Scoring:
        for vortex in VORTEX_VALUES:
            for roll_type in RollType:
                try:
                    found.append(Card("any-card", scoring, vortex, roll_type))
                except errors.CardError:
                    continue  # the rules leave it undefined, and no deck has it
    return found


CARDS = _cards()


def test_every_card_of_the_deck_has_its_texts_and_a_name_of_its_own() -> None:
    assert len({card_name(card) for card in STANDARD_DECK}) == len(STANDARD_DECK)
    for card in STANDARD_DECK:
        lines = card_lines(card)
        assert VORTEX in lines
        for text in (scoring_name(card.scoring), scoring_rule(card.scoring), vortex_rule(card.vortex)):
            assert text in lines
        for text in (roll_type_name(card.roll_type), roll_type_rule(card.roll_type)):
            assert text in lines


def test_the_example_of_a_card_has_dice_that_count_and_shows_what_is_subtracted() -> None:
    for card in STANDARD_DECK:
        scored = score_dice(card, choose_example(card))
        assert scored.counted != 0
        assert (scored.subtracted != 0) is card.scoring.subtracts_rest
        assert format_signed(scored.total) in str(render_card(card, "figures").embeds[0].fields[0].value)


def test_the_pages_of_the_guide_fit_into_discord() -> None:
    pages = [render_guide(number, STANDARD_DECK) for number in range(20)]
    assert len({page.embeds[0].title for page in pages}) == 7
    assert [len(page.buttons) for page in pages[:8]] == [2, 2, 2, 2, 2, 2, 1, 1], "Next, and Back or Learn by playing"
    for page in pages:
        check_message(page)
    check_embeds(render_whole_help(dict.fromkeys(_HELP_ORDER, "W" * 100)).embeds)


_MINUS = re.compile(r"(?P<counting>.*)(?: \((?P<sum>−?\d+)\)|,) minus (?P<lost>.*) \((?P<remainder>−?\d+)\)")


def _numbers(text: str) -> list[int]:
    """Return the dice in a text such as ``5+5, 4+4 and 🌀6+🌀6``."""
    if text == "Nothing counts":
        return []
    words = re.split(r"\+|, | and ", text)
    return [int(word.removeprefix(VORTEX).strip("()").replace("−", "-")) for word in words]


def _check_explained(found: Score) -> None:
    text = explain(found)
    match = _MINUS.fullmatch(text)
    counting = _numbers(text if match is None else match["counting"])
    assert sum(counting) == found.counted
    if match is None:
        assert found.subtracted == 0
        assert found.total == sum(counting)
    else:
        lost = _numbers(match["lost"])
        assert sum(lost) == found.subtracted
        assert (match["sum"] or "0") == format_signed(found.counted)
        assert match["remainder"] == format_signed(found.subtracted)
        assert found.total == sum(counting) - sum(lost)


@given(st.sampled_from(CARDS), st.lists(st.sampled_from(Face), min_size=DICE, max_size=DICE))
def test_the_explanation_of_a_score_adds_up(card: Card, faces: list[Face]) -> None:
    _check_explained(score_dice(card, faces))
