import asyncio
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from bot.domain.challenge import Attempt
from bot.domain.cup import CupLeg, CupPost, Ending, LegChallenge, Status, find_reminder
from bot.domain.cup_leg import Format, decide_group, make_table
from bot.domain.errors import Refused
from bot.domain.server_settings import ServerSettings
from bot.services import cup, cup_leg, privacy, setup
from bot.services.core import Core, Person
from bot.services.cup import NewCup
from bot.store.models import cup_posts
from tests.bot import attempts
from tests.bot.cores import ADA, GUILD, MOD
from tests.bot.services.cups import WILD, Cups, everybody, open_leg, people

HOUR = timedelta(hours=1)
LEAGUE = NewCup("League", Format.LEAGUE, length=3)
KNOCKOUT = NewCup("Knockout", Format.KNOCKOUT)


async def begun(cups: Cups, entrants: int = 5, wishes: NewCup = LEAGUE) -> CupLeg:
    await cups.open(entrants, wishes)
    return open_leg(await cups.turn_to_end())


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


@pytest.mark.parametrize(("begins", "hours"), [("2026-03-28T12:00", 23), ("2026-10-24T12:00", 25)])
async def test_legs_end_at_the_servers_morning_when_its_clocks_are_changed(cups: Cups, begins: str, hours: int) -> None:
    await setup.change_settings(cups.core, GUILD, zone="Europe/Berlin", daily_at=time(7))
    cups.now = datetime.fromisoformat(begins).replace(tzinfo=UTC) - timedelta(days=1)
    leg = await begun(cups)
    assert leg.began_at is not None
    assert leg.ends_at - leg.began_at == timedelta(hours=hours)
    following = open_leg(await cups.turn_to_end())
    assert following.began_at == leg.ends_at
    assert following.ends_at - leg.ends_at == timedelta(hours=24)


async def test_a_leg_keeps_its_end_when_the_zone_moves_and_the_next_one_follows_it(cups: Cups) -> None:
    leg = await begun(cups)
    for zone in ("Asia/Tokyo", "America/Los_Angeles", "Asia/Tokyo"):
        await setup.change_settings(cups.core, GUILD, zone=zone)
        assert open_leg(await cups.look()).ends_at == leg.ends_at
    following = open_leg(await cups.turn_to_end())
    assert following.ends_at == datetime(2026, 1, 5, 0, tzinfo=UTC), "at 9:00 in Tokyo, and not six hours long"


async def test_a_leg_begins_when_its_post_has_been_sent(cups: Cups) -> None:
    """Nobody can play before. It has its whole time from then on, and the reminder follows from that."""
    first = await begun(cups)
    cups.now = first.ends_at
    await cups.advance()
    view = await cups.view()
    assert (view.open_leg, view.cup.leg) == (None, 2)
    with pytest.raises(Refused, match="No leg is open"):
        await cups.play(people(1)[0], 0, random.Random(1))
    with pytest.raises(Refused, match="No leg is open"):
        await cups.prolong()
    cups.now += 30 * HOUR
    planned = await cup_leg.plan_leg(cups.core, cups.id)
    assert planned is not None
    leg = open_leg(await cups.look())
    assert (leg.number, leg.began_at) == (2, cups.now)
    assert planned.drawn_leg == replace(leg, began_at=None), "the post names the end that counts"
    assert leg.ends_at == datetime(2026, 1, 5, 9, tzinfo=UTC), "the first morning at least 18 hours later"
    assert (await cups.play(people(1)[0], 0, random.Random(1))).challenge.ends_at == leg.ends_at
    assert (await find_post(cups, CupPost.REMINDER))["post_at"] == datetime(2026, 1, 4, 18, tzinfo=UTC)


@pytest.mark.parametrize(("late", "ends"), [(0, None), (60, None), (61, 24), (14 * 60, 24), (3 * 24 * 60 + 1, 4 * 24)])
async def test_a_leg_whose_end_the_bot_slept_through_ends_a_morning_later_once(
    cups: Cups, late: int, ends: int | None
) -> None:
    leg = await begun(cups)
    cups.now = leg.ends_at + timedelta(minutes=late)
    await cups.advance()
    view = await cups.view()
    assert (view.open_leg is None) == (ends is None)
    if ends is None:
        assert view.legs[0].closed_at == cups.now
        return
    moved = open_leg(view)
    assert (moved.number, moved.ends_at, moved.moved) == (1, leg.ends_at + ends * HOUR, True)
    assert (await find_post(cups, CupPost.LEG))["post_at"] == cups.now, "its post is drawn again"
    assert (await find_post(cups, CupPost.REMINDER))["post_at"] == find_reminder(moved.ends_at, ServerSettings())
    attempt = await cups.play(people(1)[0], 0, random.Random(1))
    assert attempt.challenge.ends_at == moved.ends_at
    cups.now = moved.ends_at + 5 * HOUR
    await cups.advance()
    assert (await cups.view()).legs[0].closed_at == cups.now, "only once"


@pytest.mark.parametrize("leg", [0, 1, 2, 3])
async def test_a_cup_whose_post_cannot_be_sent_waits_and_ends_without_a_winner_after_three_days(
    cups: Cups, leg: int
) -> None:
    """The post that starts it (0) or a leg."""
    opened = await cups.open(4, LEAGUE)
    cups.now = opened.begins_at
    for number in range(1, leg + 1):
        if number > 1:
            cups.now = open_leg(await cups.view()).ends_at
        await cups.advance()
        if number == 1:
            await cups.post()  # which starts the cup
            await cups.advance()
        if number < leg:
            await cups.post()
            await cups.play_at_once(dict.fromkeys(range(4), 7), random.Random(number))
    await cups.advance()
    since = cups.now
    assert (await cups.view()).cup.wake_at == since + timedelta(days=3)
    cups.now = since + timedelta(days=3, seconds=-1)
    await cups.advance()
    view = await cups.view()
    assert (view.cup.status.running, view.open_leg) == (True, None)
    cups.now += timedelta(seconds=1)
    await cups.advance()
    view = await cups.view()
    assert (view.cup.status, view.winners, view.drawn_leg) == (Status.ENDED, (), None)
    assert (await find_post(cups, CupPost.ENDED))["argument"] == Ending.NO_POST
    assert bool(await cup.list_cups(cups.core, GUILD)) == (leg > 1), "a leg begins when its post has been sent"


@pytest.mark.both_databases
async def test_a_moderator_prolongs_a_leg_once_by_a_day(cups: Cups) -> None:
    await setup.change_settings(cups.core, GUILD, zone="Europe/Berlin")
    cups.now = datetime(2026, 10, 23, 12, tzinfo=UTC)  # the leg has 25 hours
    leg = await begun(cups)
    await cups.prolong()
    for _press in range(2):
        with pytest.raises(Refused, match="already been extended"):
            await cups.prolong()
    await cups.look()
    assert open_leg(await cups.view()).ends_at == leg.ends_at + 24 * HOUR
    attempt = await cups.play(people(1)[0], 0, random.Random(1))
    assert attempt.challenge.ends_at == leg.ends_at + 24 * HOUR, "on the page of those who play"
    assert cups.posted.count(CupPost.PROLONGED) == 1
    reminder = await find_post(cups, CupPost.REMINDER)
    assert reminder["post_at"].astimezone(ZoneInfo("Europe/Berlin")).time() == time(18)
    assert timedelta() < open_leg(await cups.view()).ends_at - reminder["post_at"] <= 24 * HOUR
    await cups.turn_to_end()
    with pytest.raises(Refused, match="leg is over"):
        await cup.prolong_leg(cups.core, cups.id, MOD, leg.number)
    await cups.prolong()


@pytest.mark.parametrize("state", ["entry", "leg"])
async def test_a_moderator_who_takes_part_has_no_powers_over_the_cup_until_they_withdraw(
    cups: Cups, state: str
) -> None:
    core, player = cups.core, replace(people(5)[4], manages_server=True)
    if state == "leg":
        await begun(cups)
    else:
        await cups.open(5, LEAGUE)
    for forbidden in (
        cup.remove_entrant(core, cups.id, player, 0),
        cup.prolong_leg(core, cups.id, player, 1),
        cup.end_cup(core, cups.id, player),
    ):
        with pytest.raises(Refused, match="You are in this cup"):
            await forbidden
    assert (await cups.view()).cup.present == (0, 1, 2, 3, 4)
    await cup.withdraw_from_cup(core, cups.id, player)
    await cup.remove_entrant(core, cups.id, player, 0)
    await cup.end_cup(core, cups.id, player)
    assert (await cups.view()).cup.status is Status.ENDED


async def find_post(cups: Cups, what: CupPost) -> Any:
    query = select(cup_posts).where(cup_posts.c.what == what.value).order_by(cup_posts.c.number.desc())
    return await cups.core.database.read(lambda connection: connection.execute(query).mappings().first())


@pytest.mark.parametrize("leaving", ["withdraws", "is removed", "deletes their data"])
@pytest.mark.parametrize("form", [LEAGUE, KNOCKOUT])
async def test_whoever_leaves_changes_no_closed_leg_also_between_its_end_and_the_next_draw(
    cups: Cups, form: NewCup, leaving: str
) -> None:
    leg = await begun(cups, 4, form)
    await cups.play_at_once(everybody(leg), random.Random(1))
    cups.now = leg.ends_at
    await cups.close_leg()
    before = (await cups.view()).closed[0]
    leader = decide_group(before.groups[0], before).advancing[0]
    if form is LEAGUE:
        leader = make_table((await cups.view()).cup.contest, [before])[0].entrant
    user_id = (await cups.view()).cup.entrants[leader].user_id
    assert user_id is not None
    match leaving:
        case "withdraws":
            await cup.withdraw_from_cup(cups.core, cups.id, Person(user_id, "x"))
        case "is removed":
            await cup.remove_entrant(cups.core, cups.id, MOD, leader)
        case _:
            await privacy.erase_person(cups.core, Person(user_id, "x"))
    view = await cups.look()
    assert view.closed[0] == before
    if form is KNOCKOUT:
        (winner,) = decide_group(before.groups[1], before).advancing
        assert (view.cup.status, view.winners) == (Status.OVER, (winner,)), "whom nobody meets in a final"
    else:
        assert leader not in open_leg(view).leg.groups[0].entrants
        assert make_table(view.cup.contest, view.closed)[0].entrant == leader
    await cups.finish()
    assert await cups.differences() == []


@pytest.mark.both_databases
@pytest.mark.parametrize("state", ["entry", "starting", "leg", "closed"])
async def test_a_moderator_ends_a_cup_in_any_state_and_nobody_wins(cups: Cups, state: str) -> None:
    opened = await cups.open(4, LEAGUE)
    if state != "entry":
        cups.now = opened.begins_at
        await cups.advance()
    if state in ("leg", "closed"):
        leg = open_leg(await cups.look())
        await cups.play_at_once(everybody(leg), random.Random(1))
    if state == "closed":
        cups.now = leg.ends_at
        await cups.close_leg()
    with pytest.raises(Refused, match="Manage Server"):
        await cup.end_cup(cups.core, cups.id, ADA)
    await cup.end_cup(cups.core, cups.id, MOD)
    view = await cups.look()
    assert (view.cup.status, view.winners, view.open_leg) == (Status.ENDED, (), None)
    assert cups.posted[-1] is CupPost.ENDED
    assert await cups.count_due() == 0
    cups.now += timedelta(days=40)
    await cups.look()
    assert cups.posted[-1] is CupPost.ENDED
    with pytest.raises(Refused, match="over"):
        await cup.end_cup(cups.core, cups.id, MOD)


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
    cups.now = leg.ends_at

    async def play_on(at: int, attempt: Attempt[LegChallenge]) -> int:
        while not attempt.game.complete:
            decision = attempts.any_decision(attempt, chance, WILD)
            try:
                attempt = await attempts.decide(cores[at % 2], cup_leg.RULES, attempt, decision)
            except Refused:
                told["refused"] += 1
                break
        return len(attempt.run.finished)

    async def close() -> int:
        await asyncio.sleep(0.05 * number)
        await other.close_leg()
        return -1

    begun_by = [await cups.play(person, 0, chance) for person in people(12)]
    *finished, _closing = await asyncio.gather(*(play_on(*each) for each in enumerate(begun_by)), close())
    played = (await cups.view()).closed[0].played
    assert [len(played[at].results) if at in played else 0 for at in range(12)] == finished
    told["cards"] += sum(finished)
    return told
