"""The pages of leaderboards and of the hall of fame: figures, own lines, names, buttons."""

from datetime import UTC, datetime
from typing import Any

from bot.domain.leaderboard import Fame, HallOfFame, Leaderboard, Line, Order
from bot.domain.ledger import PlayerStanding, Record
from bot.ui.leaderboard import render_hall_of_fame, render_leaderboard
from bot.ui.message import Rendered
from highscore.deck import STANDARD_DECK
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


def test_who_is_rated_and_not_ranked_is_told_what_it_takes() -> None:
    own = Line(None, _standing("Ada", games=5, rated=5, rating=4.0, opponents=1))
    text = _text(render_leaderboard(Leaderboard(SEASON, Order.RATING, 0, [], False, own), 1))
    assert "You: `–` Ada · No rank yet: 1 of 3" in text


def test_who_is_not_ranked_is_told_why() -> None:
    own = Line(None, _standing("Ada", games=3, rated=2, decisions=31))
    for order, reason in (
        (Order.RATING, "You: `–` Ada · No rank yet: 0 of 3"),
        (Order.WIN_RATE, "No rank yet: 2 of 5"),
        (Order.LOSS, "No rank yet: 31 of 50"),
        (Order.BEST, "You: `–` Ada –"),
    ):
        assert reason in _text(render_leaderboard(Leaderboard(SEASON, order, 0, [], False, own), 1))


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
