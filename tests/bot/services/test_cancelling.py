"""Cancelling: who can do it alone, whose agreement it takes, and what becomes of silence (R9.7)."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import time, timedelta

import pytest

from bot.domain.cancelling import SILENCE_SECONDS, is_cancel_requested, seats_yet_to_agree
from bot.domain.errors import Refused, Stale
from bot.domain.notify import CallKind
from bot.domain.pace import Pace, PaceTimes
from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.services import cancelling as service
from bot.services.absence import kick_player, leave_game, remove_member
from bot.services.away import begin_absence, finish_absence, tell_tables
from bot.services.cancelling import cancel_table, note_called, refuse_agreement
from bot.services.core import Core, Person, get_table
from bot.services.deadlines import act_on_due, pause_table, resume_table
from bot.services.privacy import erase_person
from bot.services.setup import change_settings
from bot.store.away import Absence
from bot.store.reminders import load_due_calls, mark_sent
from bot.ui.table import render_table
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, GUILD, MOD, PEOPLE, game_of
from tests.bot.services.clocked import Clocked

CLOCKWISE, OPEN, OWN = TurnOrder
SILENCE = timedelta(seconds=SILENCE_SECONDS)
SECOND = timedelta(seconds=1)


@pytest.fixture
def play(core: Core) -> Clocked:
    return Clocked(core)


async def finish(play: Clocked, *people: Person) -> Table:
    """Let these finish a turn; in the rulebook's order also all who come before them."""
    for person in people:
        table = await play.table()
        at, game = table.seat_of(person.user_id), game_of(table)
        assert at is not None
        before = game.count_finished(at)
        while game.count_finished(at) == before:
            on_turn = game.may_act[0] if table.turn_order is CLOCKWISE else at
            if table.turn_order is OWN:
                table = await play.cards(person)
            elif table.house_plays(on_turn) or on_turn not in game.may_act:
                await play.press(at)  # The house plays only for who waits for it (R9.3).
                table = await play.wait(seconds=2)
            else:
                table = await play.turn(on_turn)
            game = game_of(table)
    return await play.table()


async def agree(core: Core, table_id: str, person: Person) -> Table:
    """Agree on the newest page."""
    return await service.give_agreement(core, table_id, person, (await get_table(core, table_id)).version)


def agreeing(table: Table) -> list[Person]:
    """Return the seats whose agreement is missing."""
    return [PEOPLE[seat] for seat in seats_yet_to_agree(table)]


async def called(play: Clocked) -> set[int]:
    """Return the people to be called to answer now, and note that they were called."""
    due = await play.core.database.read(load_due_calls, play.table_id, play.now)
    users = sorted(call.user_id for call in due if call.kind == CallKind.CANCEL.value)
    before = await play.table()
    await note_called(play.core, play.table_id, users)
    assert (await play.table()).version == before.version, "what concerns only the clock makes no button stale"
    await play.core.database.write(mark_sent, play.table_id, users, play.now)
    return set(users)


async def asked(play: Clocked, order: TurnOrder, *finished: Person, players: int = 3, house: int = 0) -> Table:
    """Return a game in which these have finished a turn, and its host wants to cancel it."""
    await play.begin(players, order, house)
    await finish(play, *finished)
    return await cancel_table(play.core, play.table_id, ADA)


# ---------------------------------------------------------------------- alone, and with whose agreement


@pytest.mark.parametrize("order", TurnOrder)
async def test_the_host_cancels_alone_until_anybody_has_finished_a_turn(play: Clocked, order: TurnOrder) -> None:
    alone = await play.begin(2, order)
    with pytest.raises(Refused, match="Only the host"):
        await cancel_table(play.core, alone.id, BEN)
    ended = await cancel_table(play.core, alone.id, ADA)
    assert (ended.status, ended.news) == (Status.ABANDONED, (News(NewsKind.CANCELLED, 0),))
    with pytest.raises(Stale):
        await cancel_table(play.core, alone.id, ADA)
    together = await asked(play, order, BEN, players=2)
    assert (together.status, is_cancel_requested(together), agreeing(together)) == (Status.PLAYING, True, [BEN])
    assert together.owed, "everybody is told"
    ended = await agree(play.core, together.id, BEN)
    assert (ended.status, ended.news) == (Status.ABANDONED, (News(NewsKind.CANCELLED_BY_ALL, 0),))
    await play.check_replay()


@pytest.mark.parametrize("order", [OPEN, OWN])
async def test_all_have_to_agree_who_have_finished_a_turn_and_nobody_else(play: Clocked, order: TurnOrder) -> None:
    table = await asked(play, order, BEN, CEM, players=4)
    assert agreeing(table) == [BEN, CEM]
    assert (await agree(play.core, table.id, BEN)).status is Status.PLAYING
    assert (await agree(play.core, table.id, CEM)).status is Status.ABANDONED


@pytest.mark.parametrize("order", [OPEN, OWN])
async def test_a_host_who_alone_has_finished_a_turn_needs_one_of_the_others(play: Clocked, order: TurnOrder) -> None:
    table = await asked(play, order, ADA)
    assert agreeing(table) == [BEN, CEM]
    assert (await refuse_agreement(play.core, table.id, BEN)).status is Status.PLAYING
    assert (await agree(play.core, table.id, CEM)).status is Status.ABANDONED


@pytest.mark.parametrize("order", TurnOrder)
async def test_a_host_with_whom_nobody_else_sits_cancels_alone(play: Clocked, order: TurnOrder) -> None:
    """Turns that the house has played for somebody who left without one are nobody's."""
    table = await play.begin(2, order, house=1)
    await leave_game(play.core, table.id, BEN)
    table = await finish(play, ADA, ADA)
    assert order is OWN or any(turn.by_house for turn in game_of(table).finished[0].turns)
    ended = await cancel_table(play.core, table.id, ADA)
    assert (ended.status, ended.news[-1].kind) == (Status.ABANDONED, NewsKind.CANCELLED)


async def test_an_answer_can_be_changed_until_the_last_one_and_only_players_answer(play: Clocked) -> None:
    await play.begin(3, OWN)
    with pytest.raises(Stale):
        await agree(play.core, play.table_id, BEN)
    await finish(play, BEN, CEM)
    await cancel_table(play.core, play.table_id, ADA)
    with pytest.raises(Refused, match="not playing"):
        await agree(play.core, play.table_id, DOT)
    for answer, missing in ((agree, [CEM]), (agree, [CEM]), (refuse_agreement, [BEN, CEM]), (agree, [CEM])):
        assert agreeing(await answer(play.core, play.table_id, BEN)) == missing
    assert (await agree(play.core, play.table_id, ADA)).status is Status.PLAYING, "the host has said so already"
    assert (await agree(play.core, play.table_id, CEM)).status is Status.ABANDONED
    with pytest.raises(Stale):
        await refuse_agreement(play.core, play.table_id, BEN)


@pytest.mark.parametrize("order", TurnOrder)
async def test_a_request_ends_with_the_next_finished_round(play: Clocked, order: TurnOrder) -> None:
    await play.begin(2, order)
    first = game_of(await play.table()).may_act[0]
    await finish(play, PEOPLE[first])
    await cancel_table(play.core, play.table_id, ADA)
    if first == 0:
        await refuse_agreement(play.core, play.table_id, BEN)
    assert await called(play) == ({BEN.user_id} if first else set())
    table = await finish(play, PEOPLE[1 - first])
    assert len(game_of(table).finished) == 1
    assert (is_cancel_requested(table), table.timing.agrees_at) == (False, ())
    assert not await called(play)
    assert agreeing(await cancel_table(play.core, table.id, ADA)) == [BEN], "what was said before is not counted"
    assert await called(play) == {BEN.user_id}


async def test_who_takes_the_question_back_asks_again_after_the_next_round_so_that_nobody_is_called_for_ever(
    play: Clocked,
) -> None:
    await asked(play, OWN, BEN, CEM)
    await agree(play.core, play.table_id, BEN)
    assert not is_cancel_requested(await refuse_agreement(play.core, play.table_id, ADA))
    assert not await called(play)
    for answer in (agree, refuse_agreement):
        with pytest.raises(Stale):
            await answer(play.core, play.table_id, CEM)
    with pytest.raises(Refused, match="after the next round"):
        await cancel_table(play.core, play.table_id, ADA)
    await finish(play, ADA)
    assert agreeing(await cancel_table(play.core, play.table_id, ADA)) == [BEN, CEM]


async def test_who_agreed_to_an_earlier_request_has_not_agreed_to_the_next(play: Clocked) -> None:
    """A press on an old page that arrives late, or is made twice."""
    old = await asked(play, OWN, BEN)
    await finish(play, ADA, CEM)
    new = await cancel_table(play.core, play.table_id, ADA)
    with pytest.raises(Stale):
        await service.give_agreement(play.core, play.table_id, BEN, old.version)
    assert agreeing(await play.table()) == [BEN, CEM]
    again = await cancel_table(play.core, play.table_id, ADA)
    assert agreeing(await service.give_agreement(play.core, again.id, BEN, new.version)) == [CEM], (
        "asking twice is asking once"
    )
    assert (await service.give_agreement(play.core, again.id, CEM, again.version)).status is Status.ABANDONED


@pytest.mark.parametrize("order", [OPEN, OWN])
async def test_who_wanted_to_ask_the_others_does_not_cancel_once_they_have_gone(
    play: Clocked, order: TurnOrder
) -> None:
    table = await play.begin(2, order, house=1)
    await finish(play, ADA)
    left = await leave_game(play.core, table.id, BEN)
    assert await cancel_table(play.core, table.id, ADA, only_ask=True) == left
    assert (await cancel_table(play.core, table.id, ADA)).status is Status.ABANDONED


# ---------------------------------------------------------------------- who has gone, and moderators

GOING: dict[str, Callable[[Core, str], Awaitable[object]]] = {
    "leaves": lambda core, table_id: leave_game(core, table_id, BEN),
    "is removed": lambda core, table_id: kick_player(core, table_id, MOD, BEN.user_id),
    "leaves the server": lambda core, table_id: remove_member(core, table_id, BEN.user_id),
    "deletes their data": lambda core, _table_id: erase_person(core, BEN),
}


@pytest.mark.parametrize("order", [OPEN, OWN])
@pytest.mark.parametrize("way", GOING)
async def test_where_somebody_who_has_played_is_gone_the_players_cannot_cancel(
    play: Clocked, way: str, order: TurnOrder
) -> None:
    """The exploit: the host asks, gets rid of who has not agreed, and what they have played ends without a result."""
    await asked(play, order, BEN)
    await GOING[way](play.core, play.table_id)
    table = await play.table()
    assert (table.status, is_cancel_requested(table)) == (Status.PLAYING, False)
    for _again in range(2):
        with pytest.raises(Refused, match="given up for good"):
            await cancel_table(play.core, play.table_id, ADA)
        await finish(play, CEM, ADA)
    # Leaving one after the other does not help either.
    for person in (CEM, ADA):
        await leave_game(play.core, play.table_id, person)
    if order is OPEN:
        asleep = await play.wait(hours=12)
        assert (asleep.status, asleep.timing.asleep_until is None) == (Status.PLAYING, False)
        page = render_table(asleep)
        assert "The table closes" in str(page.embeds[0].description)
        assert not [one for one in page.buttons if one.custom_id.startswith("hs:wake")], "there is nobody to press it"
    else:
        assert (await play.wait(hours=1)).status is Status.FINISHED
    if way != "deletes their data":
        await play.check_replay()


@pytest.mark.parametrize("order", [OPEN, OWN])
async def test_with_somebody_who_has_not_played_goes_the_request_but_not_the_right_to_ask(
    play: Clocked, order: TurnOrder
) -> None:
    table = await asked(play, order, ADA, BEN)
    assert await called(play) == {BEN.user_id}
    left = await leave_game(play.core, table.id, CEM)
    assert (left.status, is_cancel_requested(left), left.timing.agrees_at) == (Status.PLAYING, False, ())
    if order is OPEN:
        assert agreeing(await cancel_table(play.core, table.id, ADA)) == [BEN]


async def test_another_host_has_asked_nobody(play: Clocked) -> None:
    await asked(play, OWN, BEN, CEM)
    await agree(play.core, play.table_id, BEN)
    left = await leave_game(play.core, play.table_id, ADA)
    assert (left.status, left.host_id, is_cancel_requested(left)) == (Status.PLAYING, BEN.user_id, False)
    assert agreeing(await cancel_table(play.core, play.table_id, BEN)) == [CEM]


@pytest.mark.parametrize("order", TurnOrder)
async def test_a_moderator_of_the_server_without_a_seat_can_always_cancel_and_is_named(
    play: Clocked, order: TurnOrder
) -> None:
    await play.begin(3, order)
    await finish(play, BEN)
    await leave_game(play.core, play.table_id, BEN)
    for powerless in (
        replace(DOT, moderator=True),
        replace(CEM, manages_server=True),
        replace(BEN, manages_server=True),
    ):
        with pytest.raises(Refused, match="Only the host"):
            await cancel_table(play.core, play.table_id, powerless)
    with pytest.raises(Refused, match="given up for good"):
        await cancel_table(play.core, play.table_id, replace(ADA, manages_server=True))
    ended = await cancel_table(play.core, play.table_id, MOD)
    assert ended.status is Status.ABANDONED
    assert "<@9001> cancels the game for the moderation of this server." in str(
        render_table(ended).embeds[-1].description
    )


# ---------------------------------------------------------------------- calls, and silence


async def test_each_who_has_to_agree_is_called_once_and_who_has_to_later_then(play: Clocked) -> None:
    await asked(play, OWN, BEN, players=4)
    await finish(play, BEN)
    assert await called(play) == {BEN.user_id}, "who plays on has not answered"
    await cancel_table(play.core, play.table_id, ADA)
    await refuse_agreement(play.core, play.table_id, BEN)
    assert await called(play) == set()
    await finish(play, CEM)
    assert await called(play) == {CEM.user_id}, "since then it takes this agreement, too"


async def test_who_is_away_is_called_when_they_are_back(play: Clocked) -> None:
    table = await play.begin(2, OWN)
    await finish(play, BEN)
    until = await begin_absence(play.core, GUILD, BEN.user_id, days=2, until=None)
    await tell_tables(play.core, Absence(GUILD, BEN.user_id, until))
    await cancel_table(play.core, table.id, ADA)
    assert await called(play) == set()
    await finish_absence(play.core, GUILD, BEN.user_id)
    await tell_tables(play.core, Absence(GUILD, BEN.user_id, play.now))
    assert await called(play) == {BEN.user_id}


def with_much_time(play: Clocked) -> Clocked:
    """Give new tables limits that nobody reaches."""
    play.core.paces = {pace: PaceTimes(*[30 * 24 * 3600] * 4) for pace in Pace}
    return play


async def waiting_for(play: Clocked, order: TurnOrder = OPEN) -> Table:
    """Return a game of two in which Ben has played, was asked and called, and has not answered."""
    await asked(with_much_time(play), order, BEN, players=2)
    assert await called(play) == {BEN.user_id}
    return await play.table()


async def silence_ends(play: Clocked, after: timedelta) -> None:
    """Check that Ben counts as agreed at that moment, and not before."""
    assert (await play.wait_until(play.now + after - SECOND)).status is Status.PLAYING
    ended = await play.wait_until(play.now + SECOND)
    assert (ended.status, ended.news[-1].kind) == (Status.ABANDONED, NewsKind.CANCELLED_BY_ALL)


@pytest.mark.parametrize("order", TurnOrder)
async def test_who_was_called_and_is_silent_for_three_days_counts_as_agreed(play: Clocked, order: TurnOrder) -> None:
    await waiting_for(play, order)
    await silence_ends(play, SILENCE)
    await play.check_replay()


async def test_silence_counts_while_a_table_sleeps(play: Clocked) -> None:
    await play.begin(2, OPEN)
    await finish(play, BEN)
    assert (await play.wait(days=1)).timing.asleep_until is not None
    await cancel_table(play.core, play.table_id, ADA)
    assert (await play.wait(days=1)).timing.asleep_until is not None
    assert await called(play) == {BEN.user_id}, "which ends neither with a turn nor because nobody waits"
    await silence_ends(play, SILENCE)


async def test_silence_counts_only_of_who_was_called_and_has_not_said_no(play: Clocked) -> None:
    await asked(with_much_time(play), OPEN, BEN, CEM, players=4)
    await note_called(play.core, play.table_id, [BEN.user_id])
    table = await play.wait(days=4)
    assert (table.status, agreeing(table)) == (Status.PLAYING, [CEM]), "Ben counts as agreed, Cem was not called"
    await note_called(play.core, play.table_id, [CEM.user_id])
    await refuse_agreement(play.core, play.table_id, CEM)
    table = await play.wait(days=4)
    assert (table.status, agreeing(table)) == (Status.PLAYING, [CEM])


async def test_quiet_hours_and_pauses_are_not_counted(play: Clocked) -> None:
    await change_settings(play.core, GUILD, zone="UTC", quiet_from=time(22), quiet_to=time(10))
    await waiting_for(play)
    await play.wait(hours=1)
    await pause_table(play.core, play.table_id)
    await play.wait(days=2)
    await resume_table(play.core, play.table_id)
    # There are 71 hours left of three days: nine today, five times twelve, and two.
    await silence_ends(play, timedelta(days=6) - timedelta(hours=1))


async def outage(play: Clocked, **time: float) -> Table:
    """Have the bot down for so long, from the moment on at which it would have looked at the table again."""
    due = (await play.table()).timing.silence_at
    assert due is not None
    await play.wait_until(due - SECOND)
    play.now = due + timedelta(**time)
    return await act_on_due(play.core, await play.table(), reachable_since=play.now)


async def test_a_day_in_which_the_bot_is_down_is_no_day_of_silence(play: Clocked) -> None:
    begun = (await waiting_for(play)).timing.agrees_at[1]
    assert begun is not None
    await play.wait(days=1)
    table = await outage(play, days=1)
    assert table.timing.agrees_at == (None, begun + timedelta(days=1))
    assert (await outage(play, hours=1)).status is Status.PLAYING
    await silence_ends(play, begun + timedelta(days=1, hours=1) - play.now)


async def test_an_outage_at_the_end_leaves_what_was_left(play: Clocked) -> None:
    await waiting_for(play)
    await play.wait(days=2, hours=23)
    await outage(play, days=1)
    await silence_ends(play, timedelta(minutes=45))


async def test_an_outage_with_which_quiet_hours_begin_does_not_count_these_twice(play: Clocked) -> None:
    await change_settings(play.core, GUILD, zone="UTC", quiet_from=time(22), quiet_to=time(10))
    await waiting_for(play)
    await play.wait(hours=1)
    await outage(play, days=1, minutes=-15)
    # At 13:00 there are 70:45 hours left of three days: nine today, five times twelve, and an hour and three quarters.
    await silence_ends(play, timedelta(days=5, hours=22, minutes=45))


async def test_a_pause_that_begins_as_an_outage_is_over_is_not_counted_either(play: Clocked) -> None:
    await waiting_for(play)
    due = (await play.table()).timing.silence_at
    assert due is not None
    play.now = due + timedelta(days=1)
    await pause_table(play.core, play.table_id)
    await play.wait(days=1)
    await resume_table(play.core, play.table_id)
    await silence_ends(play, SILENCE - timedelta(minutes=15))


@pytest.mark.parametrize("order", TurnOrder)
async def test_a_host_does_not_end_alone_what_others_have_played(play: Clocked, order: TurnOrder) -> None:
    """The exploits: with a seat that has never begun, in own pace; before the last turn, with shared dice."""
    table = await play.begin(3, order)
    while len(game_of(table).finished) < 6 and (order is not OWN or game_of(table).count_finished(1) < 7):
        table = await finish(play, ADA, BEN, *(() if order is OWN else (CEM,)))
    if order is OPEN:
        await finish(play, ADA, BEN)
    table = await cancel_table(play.core, table.id, ADA)
    assert (table.status, agreeing(table)) == (Status.PLAYING, [BEN] if order is OWN else [BEN, CEM])
