"""The descriptions of the pictures of cups."""

import re

import pytest

from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Played
from bot.locales import speaking_in
from bot.ui.cup import make_cup_picture
from bot.ui.message import Picture
from bot.ui.text import former_player_name
from tests.bot.ui.pictures.cup_samples import final_of, played_view, renamed
from tests.hostile import NAMES


def words_of(picture: Picture | None) -> str:
    assert picture is not None
    assert picture.draw(*picture.view).startswith(b"\x89PNG")
    return " ".join(picture.sentences)


def test_a_bracket_tells_who_meets_leg_by_leg_and_whoever_went_on_first() -> None:
    told = words_of(make_cup_picture(played_view(8, legs=1)))
    assert told.startswith("Spring Cup #2. Leg 2. ")
    assert told.count(" – ") == 2
    assert len(re.findall(r"\d:\d", told)) == 4
    assert words_of(make_cup_picture(played_view(8, Format.LEAGUE, 0))) == "Spring Cup #1."


def test_a_bracket_tells_byes_and_matches_without_an_opponent() -> None:
    assert " Bye: " in words_of(make_cup_picture(played_view(7), 2))
    level, _pair = final_of(Played((7,) * 7), Played((7,) * 7))
    told = words_of(make_cup_picture(level))
    assert re.search(r"Win: \w+ and [\w ]+\. Leg 2\. \w+ 0:0 \w", told)
    alone, (one, other) = final_of(Played(()), None)
    names = [alone.cup.entrants[who].name for who in (one, other)]
    assert f"Win: {names[0]}. Leg 2. {' – '.join(names)}." in words_of(make_cup_picture(alone))
    nobody, _pair = final_of(None, None)
    assert "Win:" not in words_of(make_cup_picture(nobody))


def test_a_bracket_that_is_too_large_has_no_picture() -> None:
    assert make_cup_picture(played_view(40, legs=0)) is None
    assert words_of(make_cup_picture(played_view(40))).startswith("Spring Cup #5. Win: Мария 3. Leg 5. ")


def test_a_table_tells_places_sums_moves_and_the_leg_that_does_not_count() -> None:
    told = words_of(make_cup_picture(played_view(12, Format.LEAGUE, 5), 3))
    assert "1. Cleo Day (+1): 247.6." in told
    assert "8. Σωκράτης (−2): 204.8." in told
    assert ": 67 57 (0) 60 36. " in told
    assert "Marked: Jürgen." in told
    with speaking_in("de"):
        assert "1. Cleo Day (+1): 247,6." in words_of(make_cup_picture(played_view(12, Format.LEAGUE, 5), 3))


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_winners_and_the_newest_leg_or_the_table_fit_into_the_description(form: Format, language: str) -> None:
    long = renamed(played_view(16, form, 7), {at: f"{at:02}" + "W" * 30 for at in range(16)})
    with speaking_in(language):
        picture = make_cup_picture(long, 5)
        assert picture is not None
        first = re.findall(r"(\d\d)W", picture.alt)
    assert len(set(first)) >= (16 if form is Format.LEAGUE else 8)
    assert first[:2] == [f"{long.winners[0]:02}", "05"]


@pytest.mark.parametrize("form", Format)
def test_names_that_make_trouble_have_room_and_a_deleted_one_is_told(form: Format) -> None:
    for begin in range(0, len(NAMES), 15):
        names = dict(enumerate(("", *NAMES[begin : begin + 15])))
        told = words_of(make_cup_picture(renamed(played_view(16, form, 2), names), 1))
        assert former_player_name() in told
