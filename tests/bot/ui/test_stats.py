"""The screen of somebody's statistics: wins, and games without one."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.domain.badges import Badge
from bot.domain.history import DaysPlayed, Statistics
from bot.ui.stats import render_stats
from bot.ui.text import BADGE

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_who_has_finished_daily_challenges_alone_sees_these_and_their_badges() -> None:
    page = render_stats(Statistics(None, [], [], (Badge.WEEK,), DaysPlayed("*Ada*", 9, 7)))
    (embed,) = page.embeds
    assert embed.title == r"📈 \*Ada\*"
    assert embed.description == "Daily challenge: **9** days · longest streak: 7"
    assert [field.name for field in embed.fields] == [f"{BADGE} Badges"]
    assert page.picture is not None
    assert page.picture.alt.startswith("Badges: Seven days running. Badges still to earn: Thirty days running, ")


def test_without_pictures_the_words_name_the_badges_to_earn() -> None:
    figures = Statistics(None, [], [], (Badge.WEEK,), DaysPlayed("Ada", 9, 7))
    page = render_stats(figures).adapt(pictures=False)
    _week, to_earn = str(page.embeds[0].description).split("\n")
    assert page.picture is None
    assert to_earn.startswith("Badges still to earn\\: Thirty days running, ")
    assert to_earn.count(",") == len(Badge) - 2
    everything = render_stats(replace(figures, badges=tuple(Badge))).adapt(pictures=False)
    assert "still to earn" not in str(everything.embeds[0].to_dict())


def test_a_cup_is_told_as_often_as_it_was_won_and_to_somebody_who_has_done_nothing_else() -> None:
    (embed,) = render_stats(Statistics(None, [], [], cups=["Spring *cup*", "Spring *cup*"]), "Ada").embeds
    assert embed.title == "📈 Ada"
    assert str(embed.fields[0].value).splitlines() == ["🎖️ **Cup won** · Spring \\*cup\\*"] * 2
