"""The posts of a daily challenge, which tell nobody another's dice before they have finished it, to the last byte."""

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.cogs.daily import DAILY
from bot.domain.challenge import Attempt
from bot.domain.daily import Daily
from bot.services.core import Core
from bot.ui.challenge import render_private
from bot.ui.daily import daily_page, render_shared_score
from highscore import Game, Source, TurnOrder
from highscore.fairness import format_code
from tests.bot.cores import ADA, BEN, CEM, NOW
from tests.bot.services.days import Days, make_day
from tests.bot.ui.test_run import content
from tests.highscore.strategies import play_drawn


def finished(seed: int) -> Attempt[Daily]:
    """Return an attempt; another seed means other dice and decisions."""
    source = Source(bytes([seed]) * 32, "0123456789ab")
    day = make_day(source, date(2026, 3, 9), (20.0,) * 7, ends_at=NOW)
    *_earlier, (game, _events) = play_drawn(Game(1, TurnOrder.OWN_PACE), random.Random(seed), day.source, day.deck)
    finished_at = NOW - timedelta(hours=1)
    return Attempt(day, 1, "Ada", 2, (), game, finished_at, ranked=True, streak=3)


def with_results_of(attempt: Attempt[Daily], other: Attempt[Daily]) -> Attempt[Daily]:
    """Return the attempt with another's dice, as if they had brought the same results."""
    turns = [
        replace(ended, turns=(replace(ended.turns[0], dice=theirs.turns[0].dice),))
        for ended, theirs in zip(attempt.game.finished, other.game.finished, strict=True)
    ]
    return replace(attempt, game=replace(attempt.game, finished=tuple(turns)))


def test_the_lock_is_on_the_page_before_the_first_dice_only() -> None:
    attempt = finished(1)
    games = play_drawn(Game(1, TurnOrder.OWN_PACE), random.Random(1), attempt.challenge.source, attempt.challenge.deck)
    (game, _events), (taken, _events), *_later = games
    pages = [replace(attempt, game=each, finished_at=None) for each in (game, taken, attempt.game)]
    code = f"-# 🔏 Lock: {format_code(attempt.challenge.lock)}"
    shown = [content(render_private(daily_page(each, NOW - timedelta(days=1)))) for each in pages]
    assert [code in str(each) for each in shown] == [True, False, False]


def test_what_is_shared_says_nothing_of_dice() -> None:
    mine, theirs = finished(1), finished(2)
    same = with_results_of(mine, theirs)
    assert mine.game != same.game
    shared = [content(render_shared_score(each, place=2)) for each in (mine, same)]
    assert shared[0] == shared[1]
    # On the own page they are what it is about.
    assert content(render_private(daily_page(mine, NOW))) != content(render_private(daily_page(same, NOW)))


def test_a_score_shared_on_the_day_can_be_beaten_and_later_the_button_leads_to_the_day_itself() -> None:
    mine = finished(1)
    labels = [render_shared_score(mine, kept).buttons[0].to_component_dict()["label"] for kept in (None, 0.93)]
    assert labels == [f"Beat {mine.run.total}", "Play today's challenge"]


@pytest.mark.parametrize(("streak", "label"), [(1, "Play #{}, unranked"), (3, "Back to #{}")])
def test_the_button_for_the_day_before_says_whether_it_was_played(streak: int, label: str) -> None:
    attempt = replace(finished(1), streak=streak)
    labels = [button.to_component_dict().get("label") for button in render_private(daily_page(attempt, NOW)).buttons]
    assert label.format(attempt.challenge.number - 1) in labels


async def test_a_page_is_the_same_whatever_others_have_played(core: Core) -> None:
    days = Days(core)
    attempt = await days.begin(ADA)
    others = [await days.begin(BEN), await days.begin(CEM)]
    while not attempt.game.complete:
        before = content(render_private(await DAILY.make_page(core, attempt)))
        for at, other in enumerate(others):
            if not other.game.complete:
                others[at] = await days.decide(other)
        assert content(render_private(await DAILY.make_page(core, attempt))) == before
        attempt = await days.decide(attempt)
    assert all(other.game.complete for other in others)
    told = str(content(render_private(await DAILY.make_page(core, attempt))))
    assert all(other.name in told for other in others)
