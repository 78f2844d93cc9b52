"""The posts of a daily challenge, which tell nobody another's dice before they have finished it, to the last byte."""

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import insert

from bot.cogs.daily import DAILY
from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, Finisher, daily_number, make_ranking
from bot.domain.ledger import CardStanding
from bot.services.core import Core
from bot.store.models import card_standings
from bot.store.rows import to_row
from bot.ui.challenge import render_private
from bot.ui.daily import daily_page, render_podium, render_shared_score
from highscore import STANDARD_DECK
from highscore.cards import Card
from highscore.dice import Dice
from highscore.events import CardRevealed, Decided, Event, Rolled, StartPlayerDrawn, TakeDice
from highscore.fairness import Source, play_event
from highscore.game import Game, list_decisions, replay_events
from highscore.turn import SetAside
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, NOW
from tests.bot.services.days import Days, any_decision, make_day
from tests.bot.ui.limits import check_message
from tests.bot.ui.test_run import content


def finished(seed: int) -> Attempt[Daily]:
    """Return an attempt; another seed means other dice and decisions."""
    source = Source(bytes([seed]) * 32, "0123456789ab")
    day = make_day(source, date(2026, 3, 9), (20.0,) * 7, ends_at=NOW)
    chance = random.Random(seed)
    game, _events = play_event(Game(1, TurnOrder.OWN_PACE), None, day.source, day.deck)
    while not game.complete:
        decided = Decided(0, chance.choice(list_decisions(game, 0)))
        game, _events = play_event(game, decided, day.source, day.deck)
    finished_at = NOW - timedelta(hours=1)
    return Attempt(day, 1, "Ada", 2, (), game, finished_at, ranked=True, streak=3)


def with_results_of(attempt: Attempt[Daily], other: Attempt[Daily]) -> Attempt[Daily]:
    """Return the attempt with another's dice, as if they had brought the same results."""
    turns = [
        replace(ended, turns=(replace(ended.turns[0], dice=theirs.turns[0].dice),))
        for ended, theirs in zip(attempt.game.finished, other.game.finished, strict=True)
    ]
    return replace(attempt, game=replace(attempt.game, finished=tuple(turns)))


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


def test_a_day_that_nobody_finished_has_no_picture() -> None:
    podium = render_podium(finished(1).challenge, ())
    assert podium.picture is None
    assert "Nobody finished it in time." in str(podium.embeds[0].description)


def test_whoever_shares_a_place_of_the_podium_stands_below_a_picture_that_is_full() -> None:
    ranking = make_ranking([Finisher(at, name, 90 - at // 4, 1) for at, name in enumerate(("A", "B", "C", "D", "Eve"))])
    told = render_podium(finished(1).challenge, ranking).embeds[0].description
    assert "🥇 D **90**" in str(told)
    assert "Eve" not in str(told), "four share the first place"


def test_decisions_are_offered_where_somebody_has_made_them_all() -> None:
    played, unplayed = [
        render_podium(finished(1).challenge, make_ranking(days)) for days in ([Finisher(1, "Ada", 90, 1)], [])
    ]
    offered = [[each.to_component_dict()["label"] for each in rendered.buttons] for rendered in (played, unplayed)]
    assert offered == [["Play today's challenge", "Decisions", "Proof"], ["Play today's challenge", "Proof"]]


@pytest.mark.parametrize(
    ("streak", "label"), [(0, "Play #67, unranked"), (1, "Play #67, unranked"), (2, "Back to #67")]
)
def test_the_day_before_is_offered_to_be_played_or_to_be_looked_at(streak: int, label: str) -> None:
    page = render_private(daily_page(replace(finished(1), streak=streak), NOW))
    assert page.buttons[-1].to_component_dict()["label"] == label


async def test_a_page_is_the_same_whatever_others_have_played(core: Core) -> None:
    days = Days(core)
    attempt = await days.begin(ADA)
    others = [await days.begin(BEN), await days.begin(CEM)]
    while not attempt.game.complete:
        before = content(render_private(await DAILY.make_page(core, attempt)))
        for at, other in enumerate(others):
            if not other.game.complete:
                others[at] = await days.decide(other, any_decision(other, None))
        assert content(render_private(await DAILY.make_page(core, attempt))) == before
        attempt = await days.decide(attempt, any_decision(attempt, None))
    assert all(other.game.complete for other in others)
    told = str(content(render_private(await DAILY.make_page(core, attempt))))
    assert all(other.name in told for other in others)


async def test_a_page_has_ones_own_best_on_the_card(core: Core) -> None:
    attempt = await Days(core).begin(ADA)
    card, guild_id = str(attempt.run.card), attempt.challenge.guild_id
    other = str(next(each for each in STANDARD_DECK.cards if str(each) != card))
    best = {
        (guild_id, ADA.user_id, card): 31,
        (guild_id, ADA.user_id, other): 50,
        (guild_id, BEN.user_id, card): 40,
        (guild_id + 1, ADA.user_id, card): 45,
    }
    rows = [to_row(CardStanding(*whose, result, 0, turns=2)) for whose, result in best.items()]
    await core.database.write(lambda connection: connection.execute(insert(card_standings), rows))
    picture = render_private(await DAILY.make_page(core, attempt)).picture
    assert picture is not None
    assert "Own best result on this card: 31." in picture.alt


def test_a_rare_card_is_told_in_private_until_the_next_one_is_begun() -> None:
    card = CardRevealed(Card.parse("odd: TOTAL 0 SET_ASIDE"))
    events: list[Event] = [StartPlayerDrawn(0), card, Decided(0, TakeDice()), Rolled(Dice.parse("3333333").faces)]
    events += [Decided(0, SetAside(tuple(range(7)))), CardRevealed(STANDARD_DECK.cards[0])]
    game = replay_events(1, TurnOrder.OWN_PACE, events)
    attempt = replace(finished(1), game=game, events=tuple(events), finished_at=None, name="A*da")
    page = render_private(daily_page(attempt, NOW, rare=True))
    check_message(page)
    assert page.inset is not None
    assert page.inset.alt.startswith("A*da: 21 points. Dice: 3, 3, 3, 3, 3, 3, 3. A*da has seven dice alike")
    assert page.embeds[0].title == "A\\*da\\: 21 points"
    in_words = render_private(daily_page(attempt, NOW, pictures=False, rare=True))
    assert (in_words.picture, in_words.inset, len(in_words.embeds)) == (None, None, len(page.embeds) + 1)
    assert content(render_private(daily_page(attempt, NOW))) == content(
        replace(page, embeds=page.embeds[1:], inset=None)
    )
    begun = replay_events(1, TurnOrder.OWN_PACE, [*events, *events[2:4]])
    assert render_private(daily_page(replace(attempt, game=begun), NOW, rare=True)).inset is None


def test_a_number_is_of_the_day() -> None:
    assert [daily_number(day) for day in (date(2026, 1, 1), date(2026, 12, 31), date(2027, 1, 1))] == [1, 365, 366]
