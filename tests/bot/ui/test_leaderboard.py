from collections.abc import Sequence

import pytest

from bot.domain.leaderboard import Leaderboard, Line, Order
from bot.domain.ledger import PlayerStanding
from bot.ui.leaderboard import render_counting, render_leaderboard
from bot.ui.message import Rendered
from tests import hostile
from tests.bot.ui.limits import check_embeds, check_message
from tests.bot.ui.pictures.samples import opened

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hal")


def standing(user_id: int, **figures: object) -> PlayerStanding:
    known = PlayerStanding(1, "all", user_id, NAMES[user_id % len(NAMES)], 9, 8 - user_id, 40 - user_id, 3, 2, 1, 30)
    known.rated, known.reviewed, known.opponents, known.decisions = 12, 11, 3, 100
    known.rating, known.win_rate, known.loss_rate = 10 - user_id / 8, 0.5 - user_id / 50, 0.1 + user_id / 100
    for name, figure in figures.items():
        setattr(known, name, figure)
    return known


def board(own: int | None, lines: int = 5, order: Order = Order.RATING) -> Leaderboard:
    """Return the first page of a leaderboard with the line of the user who asks and that of the player before."""
    all_lines = [Line(at + 1, standing(at)) for at in range(8)]
    asking = None if own is None else all_lines[own]
    return Leaderboard("all", order, 0, all_lines[:lines], True, asking, all_lines[own - 1] if own else None)


def shown(view: Leaderboard) -> Rendered:
    return render_leaderboard(view, 1, "Zoe")


def text_of(view: Leaderboard) -> str:
    return str(shown(view).embeds[0].description)


def sentences(view: Leaderboard) -> Sequence[str]:
    picture = shown(view).picture
    assert picture is not None
    return picture.sentences


@pytest.mark.parametrize(
    ("order", "line", "distance"),
    [
        (Order.RATING, "8. Hal: 1365 (12 games).", "Hal is 5 points behind Gil."),
        (Order.WINS, "8. Hal: 1 (12 games).", "Hal is 1 win behind Gil."),
        (Order.WIN_RATE, "8. Hal: 36% (12 games).", "Hal is 2% behind Gil."),
        (Order.CHIPS, "8. Hal: 33 (3 gold chips, 2 silver chips, 1 bronze chip).", "Hal is 1 point behind Gil."),
        (Order.BEST, "8. Hal: 30.", "Hal is just behind Gil."),
        (Order.LOSS, "8. Hal: 0.170 (11 games).", "Hal is 0.010 behind Gil."),
    ],
)
def test_a_reader_further_down_sees_their_line_and_the_distance_to_the_player_just_ahead(
    order: Order, line: str, distance: str
) -> None:
    view = board(7, order=order)
    heading, *lines = sentences(view)
    assert heading.endswith(": All time.")
    assert [each.split(":")[0] for each in lines] == [
        "1. Ada",
        "2. Ben",
        "3. Cleo",
        "4. Dan",
        "5. Eve",
        "7. Gil",
        "8. Hal",
    ]
    assert lines[-1] == line
    assert text_of(view).splitlines() == ["**All time**", distance]
    # The same sentences replace the picture on a server without pictures.
    words = shown(view).adapt(pictures=False)
    assert str(words.embeds[0].description).count("Hal") == 1
    assert words.picture is None


def test_nobody_is_listed_twice() -> None:
    for own, further in ((0, []), (4, []), (5, ["6. Fay"]), (6, ["6. Fay", "7. Gil"])):
        assert [each.split(":")[0] for each in sentences(board(own))[6:]] == further
    # The page and the line of the user who asks are read one after the other, so a game may have ended between them.
    view = board(4)
    view.lines[4].standing.games += 1
    assert len(sentences(view)) == 6


def test_who_leads_or_has_no_rank_or_no_game_is_told_so() -> None:
    assert text_of(board(0)) == "**All time**"
    assert text_of(board(None)).endswith("Zoe has not finished a game in this period.")
    for order, progress in (
        (Order.RATING, " Different opponents so far: 1/3."),
        (Order.WIN_RATE, " Rated games so far: 2/5."),
        (Order.LOSS, " Decisions so far: 7/50."),
        (Order.BEST, ""),
    ):
        unranked = Line(None, standing(6, opponents=1, rated=2, decisions=7))
        view = Leaderboard("all", order, 0, board(0).lines, False, unranked)
        assert text_of(view).endswith(f"Gil has no rank yet.{progress}")
        empty = Leaderboard("all", order, 0, (), False, unranked)
        assert text_of(empty).splitlines()[1] == "Nobody is ranked here."
        assert shown(empty).picture is None


def test_every_order_is_explained_in_full() -> None:
    for order in Order:
        check_embeds(render_counting(order).embeds)
    assert "Different opponents needed for a rank: 3" in str(render_counting(Order.RATING).embeds[0].description)


def test_any_name_fits_into_the_picture_and_into_both_editions() -> None:
    for order in Order:
        for name in (*hostile.NAMES, "W" * 32, "\U0001f980" * 32):
            lines = [Line(at + 1, standing(at, name=name)) for at in range(8)]
            view = Leaderboard("all", order, 0, lines[:5], True, lines[7], lines[6])
            check_message(render_leaderboard(view, 1, name))
            check_message(render_leaderboard(Leaderboard("all", order, 0, (), False, None), 1, name))
        picture = shown(view).picture
        assert picture is not None
        assert opened(picture.draw(*picture.view)).width == 1040
