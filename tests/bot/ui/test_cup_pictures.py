"""The descriptions of the pictures of cups."""

import re
from dataclasses import replace

import pytest

from bot.domain.cup import CupView
from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Played
from bot.locales import speaking_in
from bot.ui.cup_pictures import make_cup_picture, make_leg_picture, make_match_picture, make_over_picture
from bot.ui.message import Picture
from bot.ui.names import former_player_name
from bot.ui.pictures.alt import MAX_ALT
from tests.bot.ui.pictures.cup_samples import final_of, played_view, renamed
from tests.hostile import NAMES


def words_of(picture: Picture) -> str:
    assert picture.draw(*picture.view).startswith(b"\x89PNG")
    return picture.alt


def test_a_leg_says_which_it_is_how_long_and_who_meets_whom() -> None:
    told = words_of(make_leg_picture(played_view(8, legs=1)))
    assert told.startswith("Spring Cup: leg 2 of 3, 48 hours. 4 players. Leg 1: ")
    assert told.count(" – ") == 2
    assert len(re.findall(r"\d:\d", told)) == 4
    assert (
        words_of(make_leg_picture(played_view(8, Format.LEAGUE, 0))) == "Spring Cup: leg 1 of 7, 48 hours. 8 players."
    )


def test_a_bracket_tells_byes_level_scores_and_matches_without_an_opponent() -> None:
    assert ": bye" in words_of(make_cup_picture(played_view(7), 2))
    level, _pair = final_of(Played((7,) * 7), Played((7,) * 7))
    assert re.search(
        r"Leg 2: \w.* and \w.* 0:0 \(level\)\. Won by \w.* and \w", words_of(make_cup_picture(level, None))
    )
    alone, _pair = final_of(Played(()), None)
    assert " goes on without a match against " in words_of(make_cup_picture(alone, None))
    nobody, _pair = final_of(None, None)
    assert ": nobody goes on." in words_of(make_over_picture(nobody))


def test_a_table_tells_places_sums_moves_and_the_leg_that_does_not_count() -> None:
    told = words_of(make_cup_picture(played_view(12, Format.LEAGUE, 5), 3))
    assert "1. Eve: 269.6, up 1, 83 38 (14) 86 62." in told
    assert "9. Dan: 205.4, down 3," in told
    assert told.endswith("Marked: Jürgen.")
    with speaking_in("de"):
        assert "1. Eve: 269,6, 1 rauf, " in make_cup_picture(played_view(12, Format.LEAGUE, 5), 3).alt


def test_a_group_tells_each_card_and_the_winners_their_way() -> None:
    view, pair = final_of(Played((9, -2)), Played((4,)))
    one, other = (view.cup.entrants[who].name for who in pair)
    told = words_of(make_match_picture(view, 2, 0))
    assert told.startswith(f"Leg 2: {one} 2, {other} 0. ")
    assert ": 9 : 4." in told
    assert ": −2 : –." in told
    assert told.endswith(": – : –.")
    assert words_of(make_over_picture(view)).startswith(f"Won by {one}. 1. ")
    assert words_of(make_over_picture(view)).endswith(f" 2. {other}: 2:0.")


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_description_has_room_for_everybody_in_the_picture(form: Format, language: str) -> None:
    long = renamed(played_view(16, form, 14, length=14), {at: f"{at:02}" + "W" * 30 for at in range(16)})
    before = replace(long, legs=(*long.legs[:-1], replace(long.legs[-1], closed_at=None)))
    with speaking_in(language):
        for picture in (make_leg_picture(before), make_cup_picture(long, 5), make_cup_picture(before, 5)):
            assert len(picture.alt) <= MAX_ALT
            assert all(f"{at:02}W" in picture.alt for at in range(16))
            assert not picture.alt.endswith("…")


@pytest.mark.parametrize("form", Format)
def test_names_that_make_trouble_have_room_and_a_deleted_one_is_told(form: Format) -> None:
    def pictures(view: CupView) -> list[Picture]:
        return [make_leg_picture(view), make_cup_picture(view, 1), make_match_picture(view, 1, 0)]

    for begin in range(0, len(NAMES), 15):
        names = dict(enumerate(("", *NAMES[begin : begin + 15])))
        shown = pictures(renamed(played_view(16, form, 2), names))
        assert all(len(words_of(each).encode("utf-16-le")) <= 2 * MAX_ALT for each in shown)
        assert former_player_name() in shown[1].alt
