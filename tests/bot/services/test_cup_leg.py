"""The legs of a cup without Discord: their time, their end, and kills at each of its steps."""

import asyncio
import random
from collections import Counter
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection, select, update

from bot.domain.challenge import Attempt
from bot.domain.cup import CupLeg, CupPost, CupView, LegChallenge, Status
from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Reason, decide_group
from bot.domain.errors import Refused
from bot.services import challenge, cup, cup_leg
from bot.services.core import Core, Person
from bot.services.cup import NewCup
from bot.services.setup import change_settings
from bot.store.cup import load_finished_cards
from bot.store.models import cup_posts
from tests.bot.cores import ADA, CHANNEL, GUILD, MOD
from tests.bot.services.cups import Cups, any_decision, people

HOUR = timedelta(hours=1)
LEAGUE = NewCup("League", Format.LEAGUE, length=3)
KNOCKOUT = NewCup("Knockout", Format.KNOCKOUT)


@pytest.fixture
def cups(core: Core) -> Cups:
    return Cups(core)


async def begun(cups: Cups, entrants: int = 5, wishes: NewCup = LEAGUE) -> CupLeg:
    """Return the first leg of a cup, which is open."""
    await cups.open(entrants, wishes)
    return open_leg(await cups.turn_to_end())


def open_leg(view: CupView) -> CupLeg:
    assert view.open_leg is not None
    return view.open_leg


def everybody(leg: CupLeg, cards: int = 7) -> dict[int, int]:
    return {number: cards for group in leg.leg.groups for number in group.entrants}


# ---------------------------------------------------------------------------------------------------- the beginning


async def test_a_cup_with_too_few_waits_a_day_once_says_so_and_ends(cups: Cups) -> None:
    opened = await cups.open(2, LEAGUE)
    assert opened.begins_at == datetime(2026, 1, 2, 9, tzinfo=UTC)
    view = await cups.turn_to_end()
    assert (view.cup.status, view.cup.begins_at) == (Status.ENTRY, datetime(2026, 1, 3, 9, tzinfo=UTC))
    assert cups.posted == [CupPost.ENTRY, CupPost.WAITS]
    view = await cups.turn_to_end()
    assert (view.cup.status, view.cup.finished_at) == (Status.ENDED, cups.now)
    assert cups.posted == [CupPost.ENTRY, CupPost.WAITS, CupPost.ENDED]
    assert view.winners == ()


async def test_who_enters_while_it_waits_makes_it_begin(cups: Cups) -> None:
    await cups.open(2, LEAGUE)
    await cups.turn_to_end()
    await cup.enter_cup(cups.core, cups.id, ADA)
    view = await cups.turn_to_end()
    assert (view.cup.status, open_leg(view).began_at) == (Status.PLAYING, datetime(2026, 1, 3, 9, tzinfo=UTC))


@pytest.mark.parametrize("days", [1, 3, 10])
async def test_a_cup_whose_beginning_the_bot_slept_through_begins_when_it_is_back(cups: Cups, days: int) -> None:
    opened = await cups.open(4, LEAGUE)
    cups.sleep_until(opened.begins_at + timedelta(days=days))
    await cups.advance()
    await cups.advance()
    assert (await cups.view()).cup.status is Status.STARTING, "its post is still to come"
    assert open_leg(await cups.look()).began_at == cups.now


async def test_a_cup_whose_first_post_discord_never_takes_ends_after_two_days(cups: Cups) -> None:
    opened = await cups.open(4, LEAGUE)
    await cups.turn_to(opened.begins_at)
    await cups.advance()
    cups.now += timedelta(days=2, seconds=-1)
    await cups.advance()
    assert (await cups.view()).cup.status is Status.STARTING
    cups.now += timedelta(seconds=1)
    await cups.advance()
    assert (await cups.view()).cup.status is Status.ENDED


# ------------------------------------------------------------------------------------------------------------- time


@pytest.mark.parametrize(("begins", "hours"), [("2026-03-28T12:00", 23), ("2026-10-24T12:00", 25)])
async def test_legs_end_at_the_servers_morning_when_its_clocks_are_changed(cups: Cups, begins: str, hours: int) -> None:
    await change_settings(cups.core, GUILD, zone="Europe/Berlin", daily_at=time(7))
    cups.now = datetime.fromisoformat(begins).replace(tzinfo=UTC) - timedelta(days=1)
    leg = await begun(cups)
    assert leg.ends_at - leg.began_at == timedelta(hours=hours)
    following = open_leg(await cups.turn_to_end())
    assert following.began_at == leg.ends_at
    assert following.ends_at - following.began_at == timedelta(hours=24)


async def test_a_leg_keeps_its_end_when_the_zone_moves_and_the_next_one_follows_it(cups: Cups) -> None:
    leg = await begun(cups)
    for zone in ("Asia/Tokyo", "America/Los_Angeles", "Asia/Tokyo"):
        await change_settings(cups.core, GUILD, zone=zone)
        assert open_leg(await cups.look()).ends_at == leg.ends_at
    following = open_leg(await cups.turn_to_end())
    assert following.ends_at == datetime(2026, 1, 5, 0, tzinfo=UTC), "at 9:00 in Tokyo, and not six hours long"


async def test_an_outage_over_an_end_of_less_than_half_a_leg_only_closes_it_late(cups: Cups) -> None:
    leg = await begun(cups)
    await cups.turn_to(leg.ends_at - 8 * HOUR)
    cups.sleep_until(leg.ends_at + 3 * HOUR)
    view = await cups.look()
    assert view.legs[0].closed_at == cups.now
    assert (open_leg(view).number, open_leg(view).began_at) == (2, cups.now)


async def test_a_leg_that_lost_more_than_half_of_its_time_gets_it_back(cups: Cups) -> None:
    leg = await begun(cups)
    await cups.turn_to(leg.began_at + HOUR)
    cups.sleep_until(leg.began_at + 14 * HOUR)
    await cups.advance()
    assert (await find_post(cups, CupPost.LEG))["post_at"] == cups.now, "its post is drawn anew"
    view = await cups.look()
    assert open_leg(view).ends_at == leg.ends_at + 13 * HOUR
    assert cups.posted.count(CupPost.LEG) == 1
    view = await cups.turn_to_end()
    assert view.legs[0].closed_at == leg.ends_at + 13 * HOUR


@pytest.mark.parametrize("days", [1, 2, 5])
async def test_an_outage_over_several_ends_skips_no_leg(cups: Cups, days: int) -> None:
    leg = await begun(cups)
    await cups.turn_to(leg.began_at + HOUR)
    cups.sleep_until(leg.ends_at + timedelta(days=days))
    view = await cups.look()
    assert open_leg(view).number == 1
    assert open_leg(view).ends_at - cups.now == leg.ends_at - leg.began_at - HOUR, "what was missing"
    legs = [open_leg(view).number]
    while (view := await cups.turn_to_end()).cup.status.running:
        legs.append(open_leg(view).number)
    assert legs == [1, 2, 3]


async def test_an_outage_counts_also_if_somebody_presses_before_the_clock_has_looked(cups: Cups) -> None:
    leg = await begun(cups)
    cups.sleep_until(leg.began_at + 20 * HOUR)
    await cup.withdraw_from_cup(cups.core, cups.id, people(1)[0])
    assert open_leg(await cups.look()).ends_at > leg.ends_at


async def test_a_post_that_comes_late_takes_time_from_a_leg(cups: Cups) -> None:
    first = await begun(cups)
    await cups.turn_to(first.ends_at)
    await cups.advance()
    leg = open_leg(await cups.view())
    await cups.turn_to(leg.began_at + 13 * HOUR)
    await cups.post()
    after = open_leg(await cups.view())
    assert after.outages == ((leg.began_at, cups.now),)
    assert after.ends_at == leg.ends_at + 13 * HOUR


@pytest.mark.parametrize("posted_first", [True, False])
async def test_the_time_without_a_post_and_an_outage_meanwhile_count_once(cups: Cups, posted_first: bool) -> None:
    first = await begun(cups)
    await cups.turn_to(first.ends_at)
    await cups.advance()
    leg = open_leg(await cups.view())
    cups.sleep_until(leg.began_at + 7 * HOUR)
    await (cups.post() if posted_first else cups.advance())
    await cups.look()
    after = open_leg(await cups.view())
    assert sum((until - since for since, until in after.outages), timedelta()) == 7 * HOUR
    assert after.ends_at == leg.ends_at


async def test_a_post_of_a_leg_that_is_over_takes_nothing_from_the_next_one(cups: Cups) -> None:
    first = await begun(cups)
    await cups.turn_to(first.ends_at)
    await cups.advance()  # the second leg, whose post does not come
    given_up = update(cup_posts).where(cup_posts.c.leg == 2).values(post_at=None)
    await cups.core.database.write(Connection.execute, given_up)
    await cups.turn_to(open_leg(await cups.view()).ends_at)
    await cups.advance()
    third = open_leg(await cups.view())
    await cups.turn_to(third.began_at + HOUR)
    rows = await cups.core.database.read(
        lambda connection: connection.execute(
            select(cup_posts.c.number).where(cup_posts.c.what == "leg", cup_posts.c.leg == 2)
        ).all()
    )
    await cup_leg.note_posted(cups.core, cups.id, rows[0].number, 99, 999)
    assert open_leg(await cups.view()).outages == ()


@pytest.mark.parametrize("hours", [(12,), (24,), (12, 12, 24), (24, 24)])
async def test_a_moderator_gives_a_leg_up_to_two_days_more(cups: Cups, hours: tuple[int, ...]) -> None:
    await change_settings(cups.core, GUILD, zone="Europe/Berlin")
    cups.now = datetime(2026, 10, 23, 12, tzinfo=UTC)  # the leg has 25 hours
    leg = await begun(cups)
    for more in hours:
        await cups.prolong(more)
    await cups.look()
    assert open_leg(await cups.view()).ends_at == leg.ends_at + sum(hours) * HOUR
    attempt = await cups.play(people(1)[0], 0, random.Random(1))
    assert attempt.challenge.ends_at == leg.ends_at + sum(hours) * HOUR, "on the page of those who play"
    assert cups.posted.count(CupPost.PROLONGED) == len(hours)
    reminder = await find_post(cups, CupPost.REMINDER)
    assert reminder["post_at"].astimezone(ZoneInfo("Europe/Berlin")).time() == time(18)
    assert timedelta() < open_leg(await cups.view()).ends_at - reminder["post_at"] <= 24 * HOUR
    if sum(hours) == 48:
        for more in (12, 24):
            with pytest.raises(Refused, match="cannot be made longer"):
                await cups.prolong(more)


async def test_nobody_else_makes_a_leg_longer_nor_anybody_by_other_hours(cups: Cups) -> None:
    await cups.open(4, LEAGUE)
    with pytest.raises(Refused, match="No leg is open"):
        await cups.prolong(12)
    await cups.turn_to_end()
    with pytest.raises(Refused, match="manage the server"):
        await cups.prolong(12, ADA)
    for hours in (1, -12, 48):
        with pytest.raises(Refused, match="cannot be made longer"):
            await cups.prolong(hours)


async def test_hours_that_are_said_twice_or_by_two_at_once_are_added_once(cups: Cups) -> None:
    leg = await begun(cups)
    for _press in range(2):
        await cup.prolong_leg(cups.core, cups.id, MOD, leg.hours + 12)
    assert open_leg(await cups.look()).ends_at == leg.ends_at + 12 * HOUR
    await cup.prolong_leg(cups.core, cups.id, MOD, leg.hours + 24)
    assert open_leg(await cups.look()).ends_at == leg.ends_at + 24 * HOUR
    assert cups.posted.count(CupPost.PROLONGED) == 2


@pytest.mark.parametrize("daily_at", [time(0), time(8), time(23)])
async def test_a_leg_gets_as_many_hours_more_whatever_the_servers_morning_is_now(cups: Cups, daily_at: time) -> None:
    leg = await begun(cups)
    await change_settings(cups.core, GUILD, daily_at=daily_at)
    for _press in range(2):
        await cups.prolong(24)
    with pytest.raises(Refused, match="cannot be made longer"):
        await cups.prolong(12)
    assert open_leg(await cups.look()).ends_at == leg.ends_at + 48 * HOUR


async def test_a_leg_is_prolonged_after_its_end_has_come_as_long_as_it_is_not_closed(cups: Cups) -> None:
    leg = await begun(cups)
    await cups.turn_to(leg.ends_at)
    await cups.prolong(12)
    view = await cups.look()
    assert (open_leg(view).number, open_leg(view).ends_at) == (1, leg.ends_at + 12 * HOUR)


async def find_post(cups: Cups, what: CupPost) -> Any:
    query = select(cup_posts).where(cup_posts.c.what == what.value).order_by(cup_posts.c.number.desc())
    return await cups.core.database.read(lambda connection: connection.execute(query).mappings().first())


# ---------------------------------------------------------------------------------------------------------- the end


async def test_a_level_match_is_decided_by_what_was_given_away(cups: Cups, monkeypatch: pytest.MonkeyPatch) -> None:
    leg = await begun(cups, 4, KNOCKOUT)
    await cups.play_at_once(everybody(leg), random.Random(3), plain=0)

    def level(connection: Connection, view: CupView) -> dict[int, tuple[int, ...]]:
        return {number: (9,) * len(cards) for number, cards in load_finished_cards(connection, view).items()}

    monkeypatch.setattr(cup_leg, "load_finished_cards", level)
    final = open_leg(await cups.turn_to_end())
    await cups.play_at_once(everybody(final), random.Random(4), plain=0)
    view = await cups.turn_to_end()
    assert view.cup.status is Status.OVER
    for closed in view.closed:
        for group in closed.groups:
            lost = [closed.played[number].given_away for number in group.entrants]
            assert len(set(lost)) == 2
            better = group.entrants[lost.index(min(lost))]
            assert decide_group(group, closed) == ((better,), Reason.DECISIONS)
    assert await cups.differences() == []


async def test_whoever_leaves_between_the_closing_and_the_draw_does_not_go_on(cups: Cups) -> None:
    leg = await begun(cups, 4, KNOCKOUT)
    await cups.play_at_once(everybody(leg), random.Random(1))
    await cups.turn_to(leg.ends_at)
    await cups.close_leg()
    view = await cups.view()
    assert view.closed
    (ahead,) = decide_group(leg.leg.groups[0], view.closed[0]).on
    user_id = view.cup.entrants[ahead].user_id
    assert user_id is not None
    await cup.withdraw_from_cup(cups.core, cups.id, Person(user_id, "x"))
    (final,) = open_leg(await cups.look()).leg.groups
    other = next(number for number in leg.leg.groups[0].entrants if number != ahead)
    assert other in final.entrants
    assert ahead not in final.entrants


async def test_nobody_comes_and_nobody_wins(cups: Cups) -> None:
    await begun(cups, 6, KNOCKOUT)
    view = await cups.turn_to_end()
    assert (view.cup.status, view.winners) == (Status.OVER, ())
    assert cups.posted[-1] is CupPost.OVER
    assert await cups.differences() == []


@pytest.mark.parametrize("form", [LEAGUE, KNOCKOUT])
async def test_everybody_leaves(cups: Cups, form: NewCup) -> None:
    await begun(cups, 4, form)
    for person in people(4):
        await cup.withdraw_from_cup(cups.core, cups.id, person)
    view = await cups.turn_to_end()
    assert (view.cup.status, view.winners) == (Status.OVER, ())


async def test_everybody_leaves_before_the_first_draw(cups: Cups) -> None:
    opened = await cups.open(4, LEAGUE)
    await cups.turn_to(opened.begins_at)
    await cups.advance()
    for person in people(3):
        await cup.withdraw_from_cup(cups.core, cups.id, person)
    view = await cups.look()
    assert view.cup.status is Status.ENDED
    assert cups.posted[-1] is CupPost.ENDED


@pytest.mark.parametrize("state", ["entry", "starting", "leg", "closed"])
async def test_a_moderator_ends_a_cup_in_any_state_and_nobody_wins(cups: Cups, state: str) -> None:
    opened = await cups.open(4, LEAGUE)
    if state != "entry":
        await cups.turn_to(opened.begins_at)
        await cups.advance()
    if state in ("leg", "closed"):
        leg = open_leg(await cups.look())
        await cups.play_at_once(everybody(leg), random.Random(1))
    if state == "closed":
        await cups.turn_to(leg.ends_at)
        await cups.close_leg()
    with pytest.raises(Refused, match="manage the server"):
        await cup.end_cup(cups.core, cups.id, ADA)
    await cup.end_cup(cups.core, cups.id, MOD)
    view = await cups.look()
    assert (view.cup.status, view.winners, view.open_leg) == (Status.ENDED, (), None)
    assert cups.posted[-1] is CupPost.ENDED
    assert await cups.count_owed() == 0
    cups.now += timedelta(days=40)
    await cups.look()
    assert cups.posted[-1] is CupPost.ENDED
    with pytest.raises(Refused, match="over"):
        await cup.end_cup(cups.core, cups.id, MOD)


# ------------------------------------------------------------------------------------- decisions at the same moment


@pytest.mark.only_postgresql("on SQLite whoever writes is alone")
async def test_every_decision_at_the_moment_of_the_closing_counts_or_is_refused(cores: tuple[Core, Core]) -> None:
    """All that was not refused is in the results, and nothing else; nobody waits for ever."""
    told = Counter[str]()
    for number in range(4):
        told += await close_while_all_play(cores, number)
        await cup.end_cup(cores[0], (await cup.list_cups(cores[0], GUILD))[0].id, MOD)
    assert told["refused"] > 0
    assert told["cards"] > 0


async def close_while_all_play(cores: tuple[Core, Core], number: int) -> Counter[str]:
    """Close a leg at some moment while twelve people play; return how often that was refused, and the cards."""
    cups, other, told, chance = Cups(cores[0]), Cups(cores[1]), Counter[str](), random.Random(number)
    leg = await begun(cups, 12, LEAGUE)
    other.id, other.now = cups.id, leg.ends_at
    await cups.turn_to(leg.ends_at)

    async def play_on(at: int, attempt: Attempt[LegChallenge]) -> int:
        while not attempt.game.complete:
            decision, step, challenge_id = any_decision(attempt, chance), attempt.step, attempt.challenge.id
            core, person = cores[at % 2], people(12)[at]
            try:
                attempt = await challenge.decide_attempt(
                    core, cup_leg.RULES, challenge_id, person, decision, step=step, channel_id=CHANNEL
                )
            except Refused:
                told["refused"] += 1
                break
        return len(attempt.run.finished)

    async def close() -> int:
        await asyncio.sleep(0.05 * number)
        await other.close_leg()
        return -1

    attempts = [await cups.play(person, 0, chance) for person in people(12)]
    *finished, _closing = await asyncio.gather(*(play_on(*each) for each in enumerate(attempts)), close())
    played = (await cups.view()).closed[0].played
    assert [len(played[at].results) if at in played else 0 for at in range(12)] == finished
    told["cards"] += sum(finished)
    return told


async def test_two_processes_that_advance_a_cup_at_once_draw_it_once(cores: tuple[Core, Core]) -> None:
    cups, other = Cups(cores[0]), Cups(cores[1])
    leg = await begun(cups, 9)
    other.id, other.now = cups.id, leg.ends_at
    await cups.play_at_once(everybody(leg), random.Random(1))
    await cups.turn_to(leg.ends_at)
    await asyncio.gather(*(each.advance() for each in (cups, other) * 3))
    view = await cups.view()
    assert [each.number for each in view.legs] == [1, 2]
    posts = await cups.core.database.read(
        lambda connection: connection.execute(select(cup_posts).where(cup_posts.c.leg == 2)).all()
    )
    assert len(posts) == 2, "its post and its reminder"
