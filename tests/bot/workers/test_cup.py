"""The posts of a cup and its calls: each once, through faults, kills and restarts."""

import asyncio
import os
import random
from collections import Counter
from datetime import UTC, datetime, time, timedelta

import pytest
from sqlalchemy import select

from bot.domain.cup import Status
from bot.domain.cup_leg import Format
from bot.domain.notify import Notify
from bot.services import cup, privacy, setup
from bot.services.away import begin_absence, set_wishes
from bot.services.core import Core
from bot.services.cup import NewCup
from bot.store.models import cup_posts
from bot.workers.cup import CALLED_TOGETHER
from highscore.fairness import format_code
from tests.bot.cores import CHANNEL, GUILD, MOD
from tests.bot.services.cups import Cups, everybody, people
from tests.bot.workers.cups import Killer, Running
from tests.bot.workers.posting import FORBIDDEN, HOUR, UNAVAILABLE, refusal
from tests.sampling import sample

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
LEAGUE = NewCup("League", Format.LEAGUE, length=3)
MORNING = datetime(2026, 1, 2, 9, tzinfo=UTC)


@pytest.fixture
async def running(core: Core) -> Running:
    await setup.change_settings(core, GUILD, pictures=False)
    return Running(Cups(core))


async def test_the_sign_up_is_redrawn_once_for_all_who_enter_within_some_seconds(running: Running) -> None:
    await running.cups.open(0, LEAGUE)
    await running.run()
    (entry,) = running.channels.posts
    for person in people(5):
        await cup.enter_cup(running.cups.core, running.cups.id, person)
        await running.pass_by(seconds=0.5)
    assert running.channels.edits == []
    await running.pass_by(seconds=5)
    (edit,) = running.channels.edits
    assert (edit.message_id, edit.buttons) == (entry.message_id, ("Enter", "Withdraw"))
    assert "Player 4" in edit.text
    await running.until(MORNING)
    assert running.shown(entry.message_id).buttons == ()
    assert entry.called == ()


@pytest.mark.parametrize("entrants", sample([CALLED_TOGETHER + 1, 3, 128], 3))
async def test_a_post_starts_the_cup_and_the_first_leg_has_one_of_its_own_that_calls_everybody_once(
    running: Running, entrants: int
) -> None:
    await running.cups.open(entrants, LEAGUE)
    await cup.withdraw_from_cup(running.cups.core, running.cups.id, people(1)[0])
    await cup.enter_cup(running.cups.core, running.cups.id, people(1)[0])
    await running.until(MORNING)
    _entry, start, *legs = running.channels.posts
    assert [len(post.called) for post in legs] == [min(entrants, 70), *([entrants - 70] * (entrants > 70))]
    assert running.called == Counter({person.user_id: 1 for person in people(entrants)})
    assert all(len(post.text) <= 2000 for post in legs[1:])
    assert "Play" in legs[0].buttons
    assert "Open until" in legs[0].text
    view = await running.cups.view()
    assert view.cup.opening == start.message_id
    assert view.cup.published_lock is not None
    assert format_code(view.cup.published_lock) in start.text
    named = [f"{at}. Player {at - 1}" for at in range(1, entrants + 1)]
    assert ", ".join(named) in start.text, "all of them, in the order of entering"
    assert start.buttons == ()
    await privacy.erase_person(running.cups.core, people(entrants)[1])
    await running.pass_by(minutes=1)
    assert "1. Player 0, 2. Deleted account, 3. Player 2" in running.shown(start.message_id).text


async def test_players_who_are_away_or_want_no_calls_get_none_and_others_get_them_as_they_like(
    running: Running,
) -> None:
    core, (none, direct, away, channel, _fifth) = running.cups.core, people(5)
    await set_wishes(core, none.user_id, Notify.NONE)
    await set_wishes(core, direct.user_id, Notify.DIRECT)
    await begin_absence(core, GUILD, away.user_id, days=9, until=None)
    await running.cups.open(5, LEAGUE)
    await running.until(MORNING + 12 * HOUR)
    assert running.called == Counter({direct.user_id: 2, channel.user_id: 2, _fifth.user_id: 2})
    assert running.channels.direct == [direct.user_id] * 2


async def test_a_player_who_takes_no_direct_messages_is_called_in_the_channel(running: Running) -> None:
    direct = people(1)[0]
    await set_wishes(running.cups.core, direct.user_id, Notify.DIRECT)
    running.channels.direct_trouble = refusal(403, 50007)
    await running.cups.open(4, LEAGUE)
    await running.until(MORNING)
    assert running.called == Counter({person.user_id: 1 for person in people(4)})
    await running.until(MORNING + 12 * HOUR)
    assert running.called == Counter({person.user_id: 2 for person in people(4)})


@pytest.mark.both_databases
@pytest.mark.parametrize(("refused", "ends"), [(1, False), (1000, True)], ids=["for a moment", "for good"])
async def test_a_cup_whose_sign_up_cannot_be_posted_makes_room_for_another_one(
    running: Running, refused: int, *, ends: bool
) -> None:
    running.channels.trouble[CHANNEL] = [FORBIDDEN] * refused
    await running.cups.open(0, LEAGUE)
    await running.pass_by(minutes=20)
    cup_now = (await running.cups.view()).cup
    assert (cup_now.status is Status.ENDED) is ends
    assert running.channels.direct == [MOD.user_id] * ends
    assert [("Check my permissions" in text) for text in running.channels.direct_texts] == [True] * ends
    running.channels.trouble[CHANNEL] = []
    await running.pass_by(hours=1)
    assert len(running.channels.posts) == (not ends)
    if ends:
        await running.cups.open(0, LEAGUE)
        await running.run()
        assert len(running.channels.posts) == 1


async def test_no_post_is_sent_twice_when_its_answer_was_lost_and_discord_has_forgotten_the_nonce(
    running: Running,
) -> None:
    channels = running.channels
    channels.remembers = False

    async def lose_next_answer() -> None:
        channels.lost[CHANNEL] = [UNAVAILABLE]
        await running.run()
        assert channels.lost[CHANNEL] == []
        channels.trouble[CHANNEL] = [UNAVAILABLE] * 2
        await running.pass_by(minutes=10)

    await running.cups.open(5, LEAGUE)
    await lose_next_answer()
    for morning in range(4):
        await running.until(MORNING + morning * 24 * HOUR - timedelta(seconds=1))
        running.cups.now += timedelta(seconds=1)
        await lose_next_answer()
    assert (await running.cups.view()).cup.status is Status.OVER
    buttons = Counter(post.buttons[0] for post in channels.posts if post.buttons)
    assert buttons == Counter({"Enter": 1, "Next cup": 1, "Play": 3 + 3}), "three legs and their reminders"
    assert len(running.find("Entrants")) == 1
    assert running.called == Counter({person.user_id: 3 + 3 for person in people(5)}), "nobody has played the last leg"


@pytest.mark.both_databases
async def test_the_end_of_a_cup_mentions_those_who_played_its_last_leg_and_are_still_there(running: Running) -> None:
    core, (played, direct, idle, left, erased) = running.cups.core, people(5)
    await set_wishes(core, direct.user_id, Notify.DIRECT)
    await running.cups.open(5, LEAGUE)
    for leg in range(3):
        await running.until(MORNING + leg * 24 * HOUR + HOUR)
        numbers = [0, 1, 3, 4] if leg == 2 else [0, 2]
        await running.cups.play_at_once(dict.fromkeys(numbers, 7), random.Random(leg))
    await cup.withdraw_from_cup(core, running.cups.id, left)
    await privacy.erase_person(core, erased)
    before, direct_before = len(running.channels.posts), len(running.channels.direct)
    await running.until(MORNING + 72 * HOUR)
    over = running.channels.posts[before:][-1]
    assert over.called == (played.user_id,)
    assert running.channels.direct[direct_before:] == [direct.user_id]
    assert idle.user_id not in over.called
    assert "wins “League”!" in over.text
    assert "wins “League”!" in running.channels.direct_texts[-1]
    assert running.channels.links[-1] in running.channels.direct_texts[-1]
    await running.pass_by(hours=48)
    assert running.channels.posts[-1] == over


async def test_the_reminder_is_one_mention_of_those_who_have_not_finished(running: Running) -> None:
    await running.cups.open(6, LEAGUE)
    await running.until(MORNING + HOUR)
    await running.cups.play_at_once({0: 7, 1: 7, 2: 3}, random.Random(1))
    await cup.withdraw_from_cup(running.cups.core, running.cups.id, people(6)[5])
    await running.until(MORNING + 9 * HOUR - timedelta(seconds=1))
    assert set(running.called.values()) == {1}
    before = len(running.channels.posts)
    await running.until(MORNING + 9 * HOUR)
    (reminder,) = running.channels.posts[before:]
    assert set(reminder.called) == {person.user_id for person in people(6)[2:5]}
    await running.cups.prolong()
    await running.until(MORNING + 47 * HOUR)
    assert max(running.called.values()) == 2, "never more than two in a leg"


@pytest.mark.parametrize(("hour", "later"), [(9, 9), (11, 7), (13, 20), (18, 20), (19, 20), (21, 21)])
async def test_a_reminder_comes_hours_after_a_leg_has_opened_and_hours_before_its_end(
    running: Running, hour: int, later: int
) -> None:
    await setup.change_settings(running.cups.core, GUILD, daily_at=time(hour))
    await running.cups.open(4, LEAGUE)
    opened = MORNING.replace(hour=hour)
    await running.until(opened + later * HOUR - timedelta(seconds=1))
    assert set(running.called.values()) == {1}
    await running.until(opened + later * HOUR)
    assert set(running.called.values()) == {2}


@pytest.mark.parametrize(("hours", "sent"), [(21.0, 1), (21.01, 0), (23.9, 0)])
async def test_a_reminder_that_is_late_leaves_three_hours_or_is_not_sent(
    running: Running, hours: float, sent: int
) -> None:
    await running.cups.open(4, LEAGUE)
    await running.until(MORNING + 8 * HOUR)
    before = len(running.channels.posts)
    running.cups.now = MORNING + hours * HOUR
    await running.run()
    assert len(running.channels.posts) - before == sent


async def run_or_die(running: Running, killer: Killer) -> bool:
    """Do what is due until it is done, or the process is killed. Return whether it was."""
    work, death = asyncio.create_task(running.run()), asyncio.create_task(killer.hangs.wait())
    await asyncio.wait({work, death}, return_when=asyncio.FIRST_COMPLETED)
    killed = death.done()
    if killed:
        await running.kill()
    for task in (work, death):
        if not killed and task is work:
            await task
        task.cancel()
    await asyncio.gather(work, death, return_exceptions=True)
    return killed


@pytest.mark.parametrize(
    "form", [NewCup("League", length=7 if LARGE else 3), NewCup("Knockout", Format.KNOCKOUT, days=1)]
)
@pytest.mark.both_databases
async def test_a_cup_with_a_kill_at_every_transaction_of_every_end_is_as_one_without(
    cores: tuple[Core, Core], monkeypatch: pytest.MonkeyPatch, form: NewCup
) -> None:
    for core in cores:
        await setup.change_settings(core, GUILD, pictures=False)
    entrants = 64 if LARGE else 8
    running, chance, kills = Running(Cups(cores[0])), random.Random(8), 0
    await running.cups.open(entrants, form)
    await running.run()
    view = await running.cups.view()
    while view.cup.status.running:
        await running.until((view.open_leg.ends_at if view.open_leg else view.cup.begins_at) - timedelta(seconds=1))
        running.cups.now += timedelta(seconds=1)
        for number in range(100):
            running.restart(cores[number % 2])
            with monkeypatch.context() as patch:
                killer = Killer(running.cups.core, patch, number // 2, after=bool(number % 2))
                if not await run_or_die(running, killer):
                    break
            kills += 1
            await nothing_is_revealed(running)
            running.cups.now += timedelta(seconds=91)
        view = await running.cups.view()
        if view.open_leg is not None:
            some = {at: chance.choice([7, 7, 4]) for at in sorted(everybody(view.open_leg)) if chance.random() < 0.8}
            await running.cups.play_at_once(some, chance)
    assert view.cup.status is Status.OVER
    assert await running.cups.differences() == []
    legs = len(view.legs)
    assert len(running.find("Open until")) >= legs
    assert len({post.nonce for post in running.channels.posts}) == len(running.channels.posts)
    posts = await running.cups.core.database.read(
        lambda connection: Counter(
            connection.scalars(select(cup_posts.c.what).where(cup_posts.c.message_id.is_not(None)))
        )
    )
    assert posts["leg"] == legs
    assert posts["entry"] == posts["start"] == posts["over"] == 1
    assert kills > 8 * legs
    print(f"\n{form.name}: {entrants} people, {legs} legs, {kills} kills")


async def nothing_is_revealed(running: Running) -> None:
    """Check that no result of an open leg is in the view, and that each leg is there once.

    What a killed process had begun to commit may come while this is read.
    """
    view = await running.cups.view()
    assert [leg.number for leg in view.legs] == list(range(1, len(view.legs) + 1))
    assert len(view.legs) - view.cup.leg in (0, 1)
    if view.open_leg is not None:
        assert view.open_leg.leg.played == {}
