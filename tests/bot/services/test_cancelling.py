"""Cancelling: who can do it alone, whose agreement it takes, and when a request ends (R9.7)."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.domain import cancelling, errors, notify, timing
from bot.domain.table import Status, Table
from bot.services import away, privacy
from bot.services.cancelling import answer_request, cancel_table
from bot.services.core import Core, Person, get_table
from bot.store.reminders import load_due_calls, mark_sent
from bot.ui.cancelling import cancel_lines
from bot.ui.table import render_table
from highscore import TakeDice, TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, MOD, PEOPLE, game_of
from tests.bot.services.clocked import Clocked
from tests.sampling import sample

CLOCKWISE, OPEN, OWN = TurnOrder


@pytest.fixture
def play(core: Core) -> Clocked:
    """Return a table with limits that nobody reaches."""
    core.paces = {pace: timing.PaceTimes(*[30 * 24 * 3600] * 4) for pace in timing.Pace}
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


async def begin(play: Clocked, *people: Person) -> Table:
    """Let these begin, only the last of them without finishing the turn. In the rulebook's order others may have to."""
    await finish(play, *people[:-1])
    last, table = people[-1], await play.table()
    if table.turn_order is OWN:
        return await play.decide_alone(last, TakeDice(), 100 * PEOPLE.index(last))
    while table.turn_order is CLOCKWISE and game_of(table).may_act[0] != PEOPLE.index(last):
        table = await play.turn(game_of(table).may_act[0])
    return await play.decide(PEOPLE.index(last), TakeDice())


async def answer(core: Core, table_id: str, person: Person, *, agrees: bool) -> Table:
    return await answer_request(core, table_id, person, (await get_table(core, table_id)).version, agrees=agrees)


async def agree(core: Core, table_id: str, person: Person) -> Table:
    return await answer(core, table_id, person, agrees=True)


async def decline(core: Core, table_id: str, person: Person) -> Table:
    return await answer(core, table_id, person, agrees=False)


async def check_nothing_to_answer(core: Core, table_id: str, person: Person) -> None:
    for agrees in (True, False):
        with pytest.raises(errors.Stale):
            await answer(core, table_id, person, agrees=agrees)


def agreeing(table: Table) -> list[Person]:
    """Return the people whose agreement the host waits for."""
    users = [table.seats[seat].user_id for seat in cancelling.seats_yet_to_answer(table)]
    return [person for person in PEOPLE if person.user_id in users]


async def called(play: Clocked) -> set[int]:
    """Return the people to be called to answer now, and note that they were called."""
    due = await play.core.database.read(load_due_calls, play.table_id, play.now)
    users = sorted(call.user_id for call in due if call.kind == notify.CallKind.CANCEL.value)
    await play.core.database.write(mark_sent, play.table_id, users, play.now)
    return set(users)


async def asked(play: Clocked, order: TurnOrder, *finished: Person, players: int = 3, house: int = 0) -> Table:
    """Return a game in which these have finished a turn, and its host wants to cancel it."""
    await play.begin(players, order, house)
    await finish(play, *finished)
    return await cancel_table(play.core, play.table_id, ADA)


@pytest.mark.parametrize("order", TurnOrder)
async def test_the_host_cancels_alone_until_anybody_has_taken_the_dice(play: Clocked, order: TurnOrder) -> None:
    for place in (play.seat, play.begin):
        alone = await place(2, order)
        with pytest.raises(errors.Refused, match="Only the host"):
            await cancel_table(play.core, alone.id, BEN)
        ended = await cancel_table(play.core, alone.id, ADA)
        assert (ended.status, ended.news) == (Status.ABANDONED, (timing.News(timing.NewsKind.CANCELLED, 0),))
        with pytest.raises(errors.Stale):
            await cancel_table(play.core, alone.id, ADA)
    table = await play.begin(2, order)
    await begin(play, PEOPLE[game_of(table).may_act[0]])
    together = await cancel_table(play.core, play.table_id, ADA)
    assert (together.status, agreeing(together)) == (Status.PLAYING, [BEN])
    assert together.is_unshown, "everybody is told"
    ended = await agree(play.core, together.id, BEN)
    assert (ended.status, ended.news) == (Status.ABANDONED, (timing.News(timing.NewsKind.CANCELLED, 0),))
    await play.check_replay()


@pytest.mark.parametrize("order", [OPEN, OWN])
async def test_all_who_have_begun_have_to_agree_and_nobody_else_is_asked(play: Clocked, order: TurnOrder) -> None:
    table = await play.begin(4, order)
    await begin(play, BEN, CEM)
    table = await cancel_table(play.core, table.id, ADA)
    assert agreeing(table) == [BEN, CEM]
    for verdict in (agree, decline):
        with pytest.raises(errors.Refused, match="who have started"):
            await verdict(play.core, table.id, DOT)
    assert (await agree(play.core, table.id, BEN)).status is Status.PLAYING
    assert (await agree(play.core, table.id, BEN)).status is Status.PLAYING, "once is enough, twice is not two"
    assert (await agree(play.core, table.id, ADA)).status is Status.PLAYING, "the host has said so already"
    assert (await agree(play.core, table.id, CEM)).status is Status.ABANDONED
    await check_nothing_to_answer(play.core, table.id, BEN)


@pytest.mark.parametrize("order", TurnOrder)
async def test_a_request_ends_with_the_next_finished_round(play: Clocked, order: TurnOrder) -> None:
    await play.begin(2, order)
    first = game_of(await play.table()).may_act[0]
    await finish(play, PEOPLE[first])
    await cancel_table(play.core, play.table_id, ADA)
    assert await called(play) == {BEN.user_id}
    table = await finish(play, PEOPLE[1 - first])
    assert (len(game_of(table).finished), agreeing(table)) == (1, [])
    assert not await called(play)
    await check_nothing_to_answer(play.core, table.id, BEN)
    assert agreeing(await cancel_table(play.core, table.id, ADA)) == [BEN], "what was said before is not counted"
    assert await called(play) == {BEN.user_id}


@pytest.mark.parametrize("agreed_first", [False, True])
@pytest.mark.parametrize("who", [ADA, BEN], ids=["host", "player"])
@pytest.mark.parametrize("order", [OPEN, OWN])
async def test_a_request_ends_when_anybody_declines_and_is_not_made_again_in_this_round(
    play: Clocked, order: TurnOrder, who: Person, agreed_first: bool
) -> None:
    """The exploit: to ask again and again, and to have people called each time, until they give in."""
    table = await asked(play, order, BEN, CEM)
    assert await called(play) == {BEN.user_id, CEM.user_id}
    if agreed_first:
        assert agreeing(await agree(play.core, table.id, BEN)) == [CEM]
    declined = await decline(play.core, table.id, who)
    assert (agreeing(declined), cancelling.is_declined(declined)) == ([], True)
    assert cancel_lines(declined) == [f"🗳️ Against cancelling: {'🔴 Ada' if who is ADA else '🔷 Ben'}"]
    await check_nothing_to_answer(play.core, table.id, CEM)
    for _again in range(2):
        with pytest.raises(errors.Refused, match="when this round is over"):
            await cancel_table(play.core, table.id, ADA)
    assert await called(play) == set()
    await finish(play, ADA)
    assert len(game_of(await play.table()).finished) == 1
    assert agreeing(await cancel_table(play.core, table.id, ADA)) == [BEN, CEM], "nobody has agreed before"


GOING: dict[str, Callable[[Core, str, Person], Awaitable[object]]] = {
    "leaves": away.leave_game,
    "is removed": lambda core, table_id, who: away.kick_player(core, table_id, MOD, who.user_id),
    "leaves the server": lambda core, table_id, who: away.remove_member(core, table_id, who.user_id),
    "deletes their data": lambda core, _table_id, who: privacy.erase_person(core, who),
}


@pytest.mark.parametrize("order", sample(TurnOrder, 3))
@pytest.mark.parametrize("way", sample(GOING, 2))
async def test_if_somebody_who_had_begun_is_gone_the_players_cannot_cancel(
    play: Clocked, way: str, order: TurnOrder
) -> None:
    """The exploit: the host asks, gets rid of who has not agreed, and what they have played ends without a result."""
    await play.begin(3, order)
    await begin(play, BEN)
    await cancel_table(play.core, play.table_id, ADA)
    await GOING[way](play.core, play.table_id, BEN)
    table = await play.table()
    assert (table.status, agreeing(table)) == (Status.PLAYING, [])
    await check_nothing_to_answer(play.core, table.id, CEM)
    for _again in range(2):
        with pytest.raises(errors.Refused, match="has left"):
            await cancel_table(play.core, play.table_id, ADA)
        await finish(play, CEM, ADA)
    # Leaving one after the other does not help either.
    for person in (CEM, ADA):
        await away.leave_game(play.core, table.id, person)
    if order is OWN:
        assert (await play.wait(hours=1)).status is Status.FINISHED
    else:
        asleep = await play.wait(hours=12)
        assert (asleep.status, asleep.timing.asleep_until is None) == (Status.PLAYING, False)
        page = render_table(asleep)
        assert "Closing time" in str(page.embeds[0].description)
        assert not [one for one in page.buttons if one.custom_id.startswith("hs:wake")], "there is nobody to press it"
    if way != "deletes their data":
        await play.check_replay()


@pytest.mark.parametrize("order", TurnOrder)
async def test_a_moderator_of_the_server_without_a_seat_can_always_cancel_and_is_named(
    play: Clocked, order: TurnOrder
) -> None:
    await play.begin(3, order)
    await finish(play, BEN)
    await cancel_table(play.core, play.table_id, ADA)
    await away.leave_game(play.core, play.table_id, BEN)
    for powerless in (
        replace(DOT, moderator=True),
        replace(CEM, manages_server=True),
        replace(BEN, manages_server=True),
    ):
        with pytest.raises(errors.Refused, match="Only the host"):
            await cancel_table(play.core, play.table_id, powerless)
    with pytest.raises(errors.Refused, match="has left"):
        await cancel_table(play.core, play.table_id, replace(ADA, manages_server=True))
    ended = await cancel_table(play.core, play.table_id, MOD)
    assert ended.status is Status.ABANDONED
    assert "<@9001> cancelled the game as a moderator of this server." in str(
        render_table(ended).embeds[-1].description
    )


@pytest.mark.both_databases
async def test_each_who_has_to_agree_is_called_once_and_who_has_to_later_then(play: Clocked) -> None:
    await asked(play, OWN, BEN, players=4)
    await finish(play, BEN)
    assert await called(play) == {BEN.user_id}, "who plays on has not answered"
    await cancel_table(play.core, play.table_id, ADA)
    assert await called(play) == set()
    await finish(play, CEM)
    assert await called(play) == {CEM.user_id}, "since then it takes this agreement, too"
    await agree(play.core, play.table_id, BEN)
    assert await called(play) == set()


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
