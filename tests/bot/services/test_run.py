"""Own pace: everybody plays their run, and the time of the game is up (R9.5)."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.domain import deadlines, errors, timing
from bot.domain.table import Status, Table
from bot.services import away, run
from bot.services.core import Person
from bot.services.deadlines import act_on_due
from bot.services.privacy import export_person as export_data
from bot.services.turn import decide_turn as decide_at_table
from bot.store.table import load_events
from highscore import TurnOrder, list_decisions
from highscore.events import LeftOut, TakeDice
from tests.bot.cores import ADA, BEN, CEM, DOT, NOW, game_of, open_one
from tests.bot.services.clocked import Clocked

OWN = TurnOrder.OWN_PACE


def by_house(table: Table, seat: int) -> list[bool]:
    return [turn.by_house for _card, turn in game_of(table).find_run(seat).finished]


async def test_each_run_has_a_step_of_its_own_and_the_version_counts_only_what_everybody_may_see(play: Clocked) -> None:
    table = await play.begin(2, OWN)
    before = await play.cards(BEN, 2)
    seen, seat = await run.decide_run(play.core, table.id, ADA, TakeDice(), step=0)
    assert (seat, game_of(seen).find_run(seat).step.number) == (0, 1), "Ben's cards have made no button of hers stale"
    with pytest.raises(errors.MovedOn) as moved:
        await run.decide_run(play.core, table.id, ADA, TakeDice(), step=0)
    now, seat = moved.value.now
    assert game_of(now).find_run(seat).step.number == 1, "an older copy of a page is told where the run is now"
    assert not game_of(now).find_run(1).finished
    begun = await play.table()
    assert begun.version == before.version + 1, "everybody may see that she has begun"
    assert (await play.cards(ADA)).version == begun.version + 1, "everybody sees that she has finished a card"
    second = await play.cards(ADA)
    assert (await play.decide_alone(BEN, TakeDice(), 120)).version == second.version, "nobody sees a later turn begin"


async def test_the_own_data_do_not_tell_how_often_others_have_rolled(play: Clocked) -> None:
    await play.begin(2, OWN)
    await play.cards(BEN, 2)
    await play.decide_alone(ADA, TakeDice(), 0)
    rows = json.loads((await export_data(play.core, ADA.user_id))[1])["tables"]["events"]
    assert len([row for row in rows if row["lines"].startswith("0 take")]) == 1
    assert all(set(row) == {"game_id", "lines", "created_at", "yours"} for row in rows)


async def test_who_does_not_play_here_is_refused(play: Clocked) -> None:
    core, table = play.core, await play.begin(3, OWN)
    with pytest.raises(errors.Refused, match="not playing"):
        await run.view_run(core, table.id, DOT.user_id)
    await away.leave_game(core, table.id, CEM)
    with pytest.raises(errors.Refused, match="no longer in this game"):
        await run.view_run(core, table.id, CEM.user_id)
    with pytest.raises(errors.Stale):
        await decide_at_table(core, table.id, ADA.user_id, TakeDice(), version=table.version + 1)
    with pytest.raises(errors.Refused, match="own pace"):
        await away.skip_turn(core, table.id, ADA)
    rulebook = await open_one(core, channel_id=7)
    with pytest.raises(errors.Refused, match="not started"):
        await run.view_run(core, rulebook.id, ADA.user_id)


async def test_the_house_plays_a_card_after_the_last_person_has(play: Clocked) -> None:
    table = await play.begin(2, OWN, house=1)
    (house,) = (at for at, seat in enumerate(table.seats) if seat.user_id is None)
    await play.cards(ADA, 3)
    assert game_of(await play.wait(minutes=1)).count_finished(house) == 0
    await play.cards(BEN, 2)
    table = await play.wait(minutes=1)
    assert by_house(table, house) == [False] * 2, "it is nobody's stand-in"


async def test_when_the_time_is_up_the_house_plays_for_who_has_begun_and_leaves_out_who_has_not(play: Clocked) -> None:
    await play.begin(3, OWN)
    await play.cards(ADA, 7)
    await play.cards(BEN, 2)
    await play.miss()
    ended = await play.wait(minutes=5)
    assert (ended.status, game_of(ended).left_out) == (Status.FINISHED, (2,))
    assert (by_house(ended, 0), by_house(ended, 1)) == ([False] * 7, [False] * 2 + [True] * 5)
    await play.check_replay()


async def test_whoever_leaves_before_beginning_was_never_there(play: Clocked) -> None:
    table = await play.begin(3, OWN)
    for person in (ADA, BEN):
        await play.cards(person)
    left = await away.leave_game(play.core, table.id, CEM)
    assert (game_of(left).left_out, len(game_of(left).finished)) == ((2,), 1)
    kept = await away.leave_game(play.core, table.id, BEN)
    assert game_of(kept).left_out == (2,)
    assert kept.seats[1].house is not None
    logged = await play.core.database.read(load_events, table.id)
    assert [event for event in logged if isinstance(event, LeftOut)] == [LeftOut(2)]


async def reminded(play: Clocked) -> set[int]:
    async with play.core.database.reading() as connection:
        return set((await connection.execute(text("select user_id from reminders"))).scalars())


async def test_who_is_done_may_end_the_game_some_hours_after_the_others_were_reminded(play: Clocked) -> None:
    core, table = play.core, await play.begin(3, OWN)

    async def refused(person: Person, reason: str) -> None:
        with pytest.raises(errors.Refused, match=reason):
            await run.end_runs_early(core, table.id, person)

    await play.cards(ADA, 7)
    await refused(BEN, "have started can")
    await play.cards(BEN)
    await refused(ADA, "You can't end the game yet")
    await play.cards(BEN, 6)
    await refused(ADA, "the others get a reminder and some hours")
    hours = timedelta(seconds=table.options.allowed_seconds * deadlines.EARLY_SHARE)
    await play.wait_until(NOW + hours - timedelta(seconds=1))
    assert await reminded(play) == set(), "they were called when the game began, just now"
    assert (await play.wait_until(NOW + hours)).timing.early_end_at == NOW + 2 * hours
    assert await reminded(play) == {CEM.user_id}
    await play.wait_until(NOW + 2 * hours - timedelta(seconds=1))
    await refused(BEN, "after <t:")
    await play.wait_until(NOW + 2 * hours)
    quarter = hours / 4
    await play.wait(seconds=60)
    with pytest.raises(errors.Refused, match=f"<t:{int((play.now + quarter).timestamp())}:f>"):
        await run.end_runs_early(core, table.id, BEN, play.now)
    ended = await run.end_runs_early(core, table.id, BEN, play.now - timedelta(seconds=61))
    assert (ended.status, game_of(ended).left_out) == (Status.FINISHED, (2,))
    assert ended.news[0] == timing.News(timing.NewsKind.ENDED, 1)
    await play.check_replay()


async def test_the_limit_in_the_middle_of_a_turn(play: Clocked) -> None:
    """The house plays on with the dice of who has begun, also on the first card."""
    core = play.core
    await play.begin(4, OWN)
    await play.cards(ADA, 7)
    await play.cards(BEN)
    await play.decide_alone(BEN, TakeDice(), 110)
    table = await play.decide_alone(CEM, TakeDice(), 200)
    play.now = table.timing.deadline or NOW
    late = await act_on_due(core, table)
    assert game_of(late).left_out == (3,)
    # The seat is the house's from then on, also before it has played.
    with pytest.raises(errors.MovedOn):
        await run.decide_run(
            core, table.id, BEN, list_decisions(game_of(late), 1)[0], step=game_of(late).find_run(1).step.number
        )
    with pytest.raises(errors.Refused, match="the house plays"):
        await away.take_seat_back(core, table.id, BEN)
    with pytest.raises(errors.Refused, match="without you"):
        await run.view_run(core, table.id, DOT.user_id)
    ended = await play.wait(minutes=5)
    assert (ended.status, by_house(ended, 1)) == (Status.FINISHED, [False] + [True] * 6)
    assert by_house(ended, 2) == [True] * 7
    assert game_of(ended).begun == {0, 1, 2}
    await play.check_replay()


async def test_a_game_that_nobody_has_begun_is_closed_when_all_go_or_the_time_is_up(play: Clocked) -> None:
    table = await play.begin(2, OWN)
    await away.leave_game(play.core, table.id, ADA)
    assert (await away.leave_game(play.core, table.id, BEN)).status is Status.ABANDONED
    await play.begin(2, OWN)
    assert (await play.miss()).status is Status.ABANDONED


async def test_when_everybody_has_gone_what_somebody_has_finished_counts_and_the_house_plays_the_rest(
    play: Clocked,
) -> None:
    await play.begin(3, OWN)
    await play.cards(ADA, 7)
    table = await play.cards(BEN, 2)
    played = game_of(table).find_run(1).finished
    await play.decide_alone(BEN, TakeDice(), 120)
    # The last one in the middle of a turn.
    for person in (ADA, CEM, BEN):
        await away.leave_game(play.core, table.id, person)
    ended = await play.wait(minutes=5)
    assert (ended.status, ended.people, game_of(ended).seats) == (Status.FINISHED, (), (0, 1))
    assert game_of(ended).find_run(1).finished[:2] == played
    assert by_house(ended, 1)[2:] == [True] * 5
    assert by_house(ended, 0) == [False] * 7
    await play.check_replay()
