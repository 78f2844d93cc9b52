from dataclasses import replace

import discord
import pytest

from bot.domain.cup import CupPost, CupView, Status
from bot.domain.cup_leg import Format, Played
from bot.locales import languages, speaking_in
from bot.ui.challenge import render_private
from bot.ui.cup import direct_message_text, leg_page, render_cup, render_cup_post, render_cups, render_results
from bot.ui.message import Rendered
from bot.workers.cup import CALLED_TOGETHER
from tests import hostile, sampling
from tests.bot.ui.cups import attempts, entry_of, moments, name_people, played_cup, view_of
from tests.bot.ui.limits import check_message
from tests.bot.ui.test_button_rows import look
from tests.bot.ui.test_run import content

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gil", "Hal", "Ivo", "Jan", "Kim", "Lea")
SEVEN = Played((9,) * 7)


def text_of(shown: Rendered) -> str:
    return "\n".join([shown.content or "", *(f"{each.title}\n{each.description}" for each in shown.embeds)])


def test_the_post_that_starts_a_cup_shows_the_lock_and_names_all_in_the_order_of_entering() -> None:
    entered = entry_of(NAMES)
    cup = (
        replace(entered, status=Status.STARTING, published_lock="ABCD" * 8)
        .with_entrant(1, left=0)
        .with_entrant(2, left=1)
    )
    shown = render_cup_post(CupView(cup, ()), CupPost.START, 0, 0)
    assert shown.buttons == []
    assert " ".join(["ABCD"] * 8) in text_of(shown)
    assert str(shown.embeds[0].description).startswith("1. Ada, 2. Cleo, 3. Dora, 4. Emil"), (
        "without who withdrew before"
    )


@pytest.mark.parametrize("names", [["*_" * 16], ["\U0001f980" * 16], ["\u05d0" * 32], [""], hostile.NAMES])
def test_the_post_that_starts_a_cup_of_128_leaves_nobody_out(names: list[str]) -> None:
    cup = replace(entry_of(name_people(names, 128)), status=Status.STARTING, published_lock="AB" * 16)
    shown = render_cup_post(CupView(cup, ()), CupPost.START, 0, 0)
    check_message(shown)
    assert all(f"{number}. " in str(shown.embeds[0].description) for number in range(1, 129))
    assert "…" in str(shown.embeds[0].description) or names == [""]


def test_a_moderator_who_takes_part_sees_no_buttons_for_moderators() -> None:
    view = moments(7, Format.KNOCKOUT, NAMES)[1]
    verbs = {each.custom_id.split(":")[1] for each in render_cup(view, view.cup.present[0], moderates=True).buttons}
    assert verbs == {"play", "leave", "report", "draws"}
    assert "You are in this cup" in text_of(render_cup(view, view.cup.present[0], moderates=True))
    verbs = {each.custom_id.split(":")[1] for each in render_cup(view, 99, moderates=True).buttons}
    assert verbs == {"report", "draws", "remove", "prolong", "end"}
    prolonged = replace(view, legs=(*view.legs[:-1], replace(view.legs[-1], prolonged=True)))
    verbs = {each.custom_id.split(":")[1] for each in render_cup(prolonged, 99, moderates=True).buttons}
    assert "prolong" not in verbs


@pytest.mark.parametrize("language", sampling.sample(sorted(languages()), 8))
@pytest.mark.parametrize("form", Format)
def test_a_cup_of_128_with_the_longest_names_fits_into_discord(form: Format, language: str) -> None:
    names = [*hostile.NAMES[:40], "*" * 32, "w" * 32, "\U0001f980" * 32]
    with speaking_in(language):
        done = played_cup(128, form, 14)
        views = [view_of(done, names, closed) for closed in (0, 1, len(done.legs) - 1)] + [view_of(done, names)]
        views = [replace(view, cup=replace(view.cup, name="_*" * 20)) for view in views]
        called = range(10**18, 10**18 + CALLED_TOGETHER + 5)
        entry = CupView(entry_of(names * 3), ())
        for what in (CupPost.ENTRY, CupPost.WAITS, CupPost.REMOVED):
            fits(render_cup_post(entry, what, 0, 12))
        for view in views:
            fits(render_cup_post(view, CupPost.START, 0, 0))
            fits(render_cup_post(view, CupPost.LEG, view.cup.leg, 0, called))
            fits(render_cup_post(view, CupPost.REMINDER, view.cup.leg, 0, called))
            fits(render_cup_post(view, CupPost.PROLONGED, view.cup.leg, 24))
            for user_id in (0, 99):
                fits(render_cup(view, user_id, moderates=True, page=2))
                for number in {1, len(view.closed)} if view.closed else ():
                    fits(render_results(view, number, user_id, "0" * 12))
        fits(render_cup_post(views[-1], CupPost.OVER, 0, 0))
        fits(render_cups(views[:2], [views[-1].cup] * 23, 0))
        assert len(direct_message_text(views[1], CupPost.REMINDER, 2)) < 500


def fits(shown: Rendered) -> None:
    check_message(replace(shown, embeds=shown.embeds or [discord.Embed(title="-")]))


def test_a_private_page_has_nothing_of_others_but_their_names() -> None:
    view = moments(4, Format.LEAGUE, NAMES)[1]
    first, *_between, last = attempts("Ada")
    leg = replace(view.legs[-1], leg=replace(view.legs[-1].leg, played={1: SEVEN}))
    played = replace(view, legs=(*view.legs[:-1], leg))
    assert content(render_private(leg_page(first, view))) == content(render_private(leg_page(first, played)))
    assert "You play against Ben, Cleo and Dora" in text_of(render_private(leg_page(first, view)))
    told = text_of(render_private(leg_page(last)))
    assert not [name for name in NAMES[1:] if name in told]
    assert not render_private(leg_page(last)).buttons


@pytest.mark.parametrize("form", Format)
def test_the_screens_of_an_open_leg_do_not_depend_on_what_is_played_in_it(form: Format) -> None:
    for view in moments(7, form, NAMES)[:-1]:
        opened = view.legs[-1]
        leg = replace(opened.leg, played={one: SEVEN for each in opened.leg.groups for one in each.entrants})
        other = replace(view, legs=(*view.legs[:-1], replace(opened, leg=leg)))
        number = opened.number
        one, two = [
            [
                *(content(render_cup_post(each, what, number, 0)) for what in CupPost if what is not CupPost.OVER),
                *(content(render_cup(each, user_id)) for user_id in range(8)),
                content(render_cups([each], [], 0)),
            ]
            for each in (view, other)
        ]
        for shown, again in zip(one, two, strict=True):
            assert shown[:-1] == again[:-1]
            assert shown[-1] == again[-1], "the picture"


def test_buttons_are_those_that_somebody_can_press() -> None:
    view = moments(7, Format.KNOCKOUT, NAMES)[1]

    def verbs(user_id: int) -> set[str]:
        return {each.custom_id.split(":")[1] for each in render_cup(view, user_id).buttons}

    assert verbs(99) == {"report", "draws"}
    assert all(verbs(number) == {"play", "leave", "report", "draws"} for number in view.cup.present)
    full = entry_of(NAMES[:4], most=4)
    assert look(render_cup_post(CupView(full, ()), CupPost.ENTRY, 0, 0).buttons[0]).disabled
    assert [look(each).label for each in render_cup(CupView(full, ()), 1).buttons] == ["Withdraw", "Proof"]
    assert [look(each).label for each in render_cup(CupView(full, ()), 99).buttons] == ["Enter", "Proof"]
