import re
from dataclasses import replace

import pytest

from bot.domain.badges import Badge
from bot.domain.history import DaysPlayed, Statistics
from bot.domain.ledger import CardStanding, PlayerStanding
from bot.locales import languages, speaking_in
from bot.ui.buttons import FiguresPress
from bot.ui.highlights import badge_name
from bot.ui.history import render_figures, render_stats
from bot.ui.message import Rendered
from highscore import STANDARD_DECK
from tests import hostile
from tests.bot.ui.limits import check_message

ADA = PlayerStanding(1, "all", 7, "Ada", games=20, wins=9, points=80, gold=20, silver=9, bronze=2, best=41, rated=18)
CARDS = [CardStanding(1, 7, str(card), 41, -3, 3, 55) for card in STANDARD_DECK]
DAYS = DaysPlayed("Ada", 1, 1)
EARNED = (Badge.HAT_TRICK, Badge.LAP_OF_HONOUR)


def statistics(*badges: Badge, name: str = "Ada") -> Statistics:
    line = replace(ADA, name=name, rating=4.2, reviewed=18, decisions=300, luck=1_234_567, loss=7_654_321)
    return Statistics(line, CARDS, [], badges, DaysPlayed(name, 12, 7), cups=["Spring"])


def page_of(shown: Rendered) -> str:
    """Return the text of a message in the order in which it is read."""
    parts = [
        part
        for embed in shown.embeds
        for part in (embed.title, embed.description, *(f"{field.name}\n{field.value}" for field in embed.fields))
    ]
    return "\n".join(str(part) for part in parts if part)


def test_the_badges_come_first_then_the_names_of_those_to_earn_then_whole_figures() -> None:
    shown = render_stats(statistics(*EARNED))
    title, *lines = page_of(shown).splitlines()
    assert title == "📈 Ada"
    assert [line.split("**")[1] for line in lines[:3]] == ["Cup won", "Hat-trick", "Lap of honour"]
    missing = [badge_name(badge) for badge in Badge if badge not in EARNED]
    assert lines[3] == f"-# Still to earn: {', '.join(missing)}"
    assert lines[4].startswith("**20 games**")
    assert not re.search(r"\d\.\d", page_of(shown)), "decimals are behind More"
    (more,) = shown.buttons
    assert more.custom_id == FiguresPress(7).custom_id
    # Nothing is said twice on a server without pictures.
    assert page_of(shown.adapt(pictures=False)).count("Hat-trick") == 1
    assert "Still to earn" not in page_of(render_stats(statistics(*Badge)))


def test_more_has_luck_the_rules_of_the_badges_to_earn_and_every_card() -> None:
    known = statistics(*EARNED)
    assert known.standing is not None
    shown = render_figures(known, known.standing)
    text = page_of(shown)
    assert "luck per game **+0.07**" in text
    assert "High flyer** · 45 or more on one card." in text
    assert "Hat-trick" not in text
    assert text.count("×3") == len(CARDS)


def test_somebody_with_cups_or_days_alone_has_no_further_figures() -> None:
    for alone, embeds in ((Statistics(None, [], [], cups=["Spring"]), 1), (Statistics(None, [], [], (), DAYS), 2)):
        shown = render_stats(alone, "Ada")
        assert shown.buttons == []
        assert len(shown.embeds) == embeds
        check_message(shown)


@pytest.mark.parametrize("language", languages())
def test_any_name_fits(language: str) -> None:
    with speaking_in(language):
        for name in (*hostile.NAMES, "W" * 32):
            for badges in ((), EARNED, tuple(Badge)):
                known = statistics(*badges, name=name)
                assert known.standing is not None
                check_message(render_stats(replace(known, cups=[name] * 30)))
                check_message(render_figures(known, known.standing))
