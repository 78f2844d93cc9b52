"""The leaves of leaderboards and of the hall of fame: figures, own lines, names, buttons."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import Fame, HallOfFame, Leaderboard, Line, Order
from bot.domain.ledger import PlayerStanding, Record
from bot.ui.leaderboard import render_hall_of_fame, render_leaderboard
from bot.ui.message import Rendered
from highscore.deck import STANDARD_DECK
from tests.bot.ui.cups import entry_of
from tests.bot.ui.limits import check_message

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SEASON = "2026-Q1"


def _standing(name: str, **figures: Any) -> PlayerStanding:
    return PlayerStanding(1, SEASON, 1, name, **figures)


def _rated(place: int, name: str, rating: float) -> Line:
    return Line(place, _standing(name, games=6, rated=6, rating=rating))


def _text(page: Rendered) -> str:
    check_message(page)
    (embed,) = page.embeds
    return "\n".join((embed.title or "", embed.description or "", embed.footer.text or ""))


def _labels(page: Rendered) -> list[str]:
    return [str(item.to_component_dict()["label"]) for item in page.buttons]


def test_the_first_page_names_the_leaders_of_the_season() -> None:
    lines = [_rated(place, f"Guest {place}", 31 - place) for place in range(1, 5)]
    page = render_leaderboard(Leaderboard(SEASON, Order.RATING, 0, lines, False, None), 1)
    text = _text(page)
    assert text.splitlines()[:6] == [
        "🏆 Rating",
        "**1st quarter 2026**",
        "🥇 Guest 1 **2200** · 6 games",
        "🥈 Guest 2 **2160** · 6 games",
        "🥉 Guest 3 **2120** · 6 games",
        "`4.` Guest 4 **2080** · 6 games",
    ]
    assert "You have no finished game in this period." in text
    assert "Rated: games that two people begin." in text
    assert "Different opponents needed for a rank: 3, or everybody who plays here." in text
    assert _labels(page) == []


def test_who_is_rated_and_not_ranked_is_told_what_it_takes() -> None:
    own = Line(None, _standing("Ada", games=5, rated=5, rating=4.0, opponents=1))
    text = _text(render_leaderboard(Leaderboard(SEASON, Order.RATING, 0, [], False, own), 1))
    assert "You: `–` Ada · No rank yet: 1 of 3" in text


def test_pages_lead_to_the_one_before_and_after() -> None:
    own = _rated(13, "Ada", -5)
    for number, more, labels in ((0, True, ["Next"]), (1, True, ["Back", "Next"]), (2, False, ["Back"])):
        page = render_leaderboard(Leaderboard(SEASON, Order.RATING, number, [_rated(1, "Ben", 1)], more, own), 1)
        assert _labels(page) == labels
        assert "You: `13.` Ada **800** · 6 games" in _text(page)
    with_own = render_leaderboard(Leaderboard(SEASON, Order.RATING, 1, [own], False, own), 1)
    assert "You:" not in _text(with_own)
    beyond = render_leaderboard(Leaderboard(SEASON, Order.RATING, 9, [], False, None), 1)
    assert "Nobody has a rank here." in _text(beyond)
    assert _labels(beyond) == ["Back"]
    empty = render_leaderboard(Leaderboard(ALL_TIME, Order.WINS, 0, [], False, None), 1)
    assert "Nobody has a rank here." in _text(empty)


def test_who_is_not_ranked_is_told_why() -> None:
    own = Line(None, _standing("Ada", games=3, rated=2, decisions=31))
    for order, reason in (
        (Order.RATING, "You: `–` Ada · No rank yet: 0 of 3"),
        (Order.WIN_RATE, "No rank yet: 2 of 5"),
        (Order.LOSS, "No rank yet: 31 of 50"),
        (Order.BEST, "You: `–` Ada –"),
    ):
        assert reason in _text(render_leaderboard(Leaderboard(SEASON, order, 0, [], False, own), 1))


def test_every_order_shows_its_figure() -> None:
    figures = {
        Order.RATING: "**1200** · 7 games",
        Order.WINS: "**2** · 7 games",
        Order.WIN_RATE: "**25%** · 7 games",
        Order.CHIPS: "**40** · 🥇×9 🥈×4 🥉×5",
        Order.BEST: "**44**",
        Order.LOSS: "**0.031** · 1 game",
    }
    zoe = _standing("Zoe", games=8, wins=2, points=40, gold=9, silver=4, bronze=5, best=44, rated=7, rating=5.0)
    zoe.reviewed, zoe.decisions, zoe.loss_rate, zoe.win_rate = 1, 60, 0.0314, 0.25
    for order in Order:
        text = _text(render_leaderboard(Leaderboard(ALL_TIME, order, 0, [Line(1, zoe)], False, None), 1))
        assert f"🥇 Zoe {figures[order]}" in text.splitlines()
        assert "**All time**" in text


def test_the_hall_of_fame_keeps_records_of_former_players() -> None:
    card = STANDARD_DECK.cards[0]
    record = Record(1, str(card), 41, 1, "0123456789ab", 0, 3, NOW)
    page = render_hall_of_fame(HallOfFame(0, [Fame(card, record, "_Zoe_"), Fame(card, record, None)], True), 1)
    text = _text(page)
    assert text.count("**41**") == 2
    assert "\\_Zoe\\_" in text
    assert "Deleted account" in text
    assert _labels(page) == ["Next"]
    assert "No game has been finished here yet." in _text(render_hall_of_fame(HallOfFame(0, [], False), 1))


def test_the_hall_of_fame_begins_with_the_winners_of_the_newest_cups() -> None:
    cup = entry_of(["Ada", "_Ben_", "Cem"])
    won = [replace(cup.with_entrant(1, won=True), name=f"Cup {number}") for number in range(7)]
    first, second = [render_hall_of_fame(HallOfFame(leaf, [], False), 1, [cup, *won]).embeds[0] for leaf in range(2)]
    (field,) = first.fields
    assert str(field.value).splitlines() == [f"🏆 Cup {number} · \\_Ben\\_" for number in range(5)]
    assert not second.fields
    assert not render_hall_of_fame(HallOfFame(0, [], False), 1, [cup]).embeds[0].fields, "nobody has won it"
