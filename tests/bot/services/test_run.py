"""Own pace: everybody plays their run, and the time of the game is up (R9.5)."""

import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import time, timedelta

import pytest
from sqlalchemy import text

from bot.domain.deadlines import EARLY_SHARE
from bot.domain.errors import MovedOn, Refused, Stale
from bot.domain.run import cancelling, yet_to_agree
from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.services import lobby
from bot.services.absence import come_back, gone, kick, leave_game, skip
from bot.services.core import Core, Person, load
from bot.services.deadlines import act
from bot.services.privacy import export as export_data
from bot.services.privacy import forget
from bot.services.proof import export as export_game
from bot.services.run import agree_to_cancel, decide, end_early, look, waiting
from bot.services.setup import change_settings
from bot.services.turn import decide as decide_at_table
from bot.store.table import load_events
from bot.ui.table import render
from highscore import replay
from highscore.events import LeftOut, TakeDice
from highscore.game import legal_decisions
from highscore.proof import verify
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, GUILD, NOW, PEOPLE, begun, game_of, seated, started

OWN = TurnOrder.OWN_PACE
FIRST = random.Random("always the first decision")


async def go_on(core: Core, table: Table, person: Person, cards: int, chance: random.Random = FIRST) -> Table:
    """A person plays so many cards; without chance of their own always the first decision there is."""
    seat = table.seat_of(person.user_id)
    assert seat is not None
    done = game_of(table).progress(seat) + cards
    while (game := game_of(table)).progress(seat) < done:
        legal = legal_decisions(game, seat)
        decision = legal[0] if chance is FIRST else chance.choice(legal)
        await decide(core, table.id, person, decision, step=game.run(seat).step)
        table = await load(core, table.id)
    return table


async def at(core: Core, table: Table, later: timedelta) -> Table:
    """What the clock makes of a table then, one thing after the other."""
    core.now = lambda: NOW + later
    while (due := (table := await load(core, table.id)).timing.wake_at) is not None and due <= core.now():
        await act(core, table)
    return table


async def test_a_game_is_stored_as_what_its_events_lead_to_whoever_plays_when(core: Core) -> None:
    chance = random.Random("own pace")
    table = await started(core, 3, OWN)
    while table.status is Status.PLAYING:
        person = chance.choice(PEOPLE[:3])
        seat = table.seat_of(person.user_id)
        assert seat is not None
        if seat in game_of(table).may_act:
            table = await go_on(core, table, person, 1, chance)
    assert table.status is Status.FINISHED
    document = await export_game(core, table.id)
    assert replay(3, OWN, document.events) == verify(document).state == table.game


async def test_one_players_press_makes_nobody_elses_button_stale(core: Core) -> None:
    table = await started(core, 2, OWN)
    _seen, ada = await look(core, table.id, ADA.user_id)
    await go_on(core, table, BEN, 2)
    seen, seat = await decide(core, table.id, ADA, TakeDice(), step=0)
    assert (seat, game_of(seen).run(ada).step) == (0, 1)


async def test_the_version_counts_only_what_everybody_may_see(core: Core) -> None:
    table = await started(core, 2, OWN)
    await decide(core, table.id, ADA, TakeDice(), step=0)
    taken = await load(core, table.id)
    assert (taken.version, game_of(taken).run(0).step) == (table.version, 1)
    finished = await go_on(core, taken, ADA, 1)
    assert finished.version == table.version + 1, "everybody sees that she has finished a card"


async def test_an_older_copy_of_a_page_is_told_where_the_run_is_now(core: Core) -> None:
    table = await started(core, 2, OWN)
    await decide(core, table.id, ADA, TakeDice(), step=0)
    with pytest.raises(MovedOn) as moved:
        await decide(core, table.id, ADA, TakeDice(), step=0)
    seen, seat = moved.value.now
    assert game_of(seen).run(seat).step == 1
    assert not game_of(seen).run(1).finished


async def test_the_own_data_do_not_tell_how_often_others_have_rolled(core: Core) -> None:
    table = await started(core, 2, OWN)
    await go_on(core, table, BEN, 2)
    await decide(core, table.id, ADA, TakeDice(), step=0)
    rows = json.loads((await export_data(core, ADA.user_id))[1])["tables"]["events"]
    assert len([row for row in rows if row["lines"].startswith("0 take")]) == 1
    assert all(set(row) == {"game_id", "lines", "created_at", "yours"} for row in rows)


async def test_who_does_not_play_here_is_refused(core: Core) -> None:
    table = await started(core, 3, OWN)
    with pytest.raises(Refused, match="not playing"):
        await look(core, table.id, DOT.user_id)
    await leave_game(core, table.id, CEM)
    with pytest.raises(Refused, match="left"):
        await look(core, table.id, CEM.user_id)
    with pytest.raises(Stale):
        await decide_at_table(core, table.id, ADA.user_id, TakeDice(), version=table.version + 1)
    with pytest.raises(Refused, match="own pace"):
        await skip(core, table.id, ADA)
    rulebook = await lobby.open_table(core, ADA, guild_id=GUILD, channel_id=7, locale="en")
    with pytest.raises(Refused, match="not started"):
        await look(core, rulebook.id, ADA.user_id)


async def test_the_house_plays_a_card_after_the_last_person_has(core: Core) -> None:
    lobby_of_two = await seated(core, 2, OWN)
    await lobby.add_house_player(core, lobby_of_two.id, ADA)
    table = await begun(core, lobby_of_two.id)
    table = await at(core, await go_on(core, table, ADA, 3), timedelta(minutes=1))
    assert game_of(table).progress(2) == 0
    await go_on(core, table, BEN, 2)
    table = await at(core, table, timedelta(minutes=2))
    assert game_of(table).progress(2) == 2
    assert not any(turn.by_house for _card, turn in game_of(table).run(2).finished), "it is nobody's stand-in"


async def test_when_the_time_is_up_the_house_plays_for_who_has_begun_and_leaves_out_who_has_not(core: Core) -> None:
    table = await started(core, 3, OWN)
    await go_on(core, table, ADA, 7)
    table = await go_on(core, table, BEN, 2)
    deadline = table.timing.deadline
    assert deadline is not None
    assert table.timing.wake_at is not None
    await at(core, table, deadline - NOW)
    ended = await at(core, table, deadline - NOW + timedelta(minutes=5))
    assert ended.status is Status.FINISHED
    assert game_of(ended).left_out == (2,)
    assert [turn.by_house for _card, turn in game_of(ended).run(1).finished] == [False] * 2 + [True] * 5
    assert not any(turn.by_house for _card, turn in game_of(ended).run(0).finished)
    document = await export_game(core, table.id)
    assert verify(document).state == ended.game


async def test_nobody_has_begun_so_the_game_is_closed(core: Core) -> None:
    table = await started(core, 2, OWN)
    assert table.timing.deadline is not None
    closed = await at(core, table, table.timing.deadline - NOW)
    assert closed.status is Status.ABANDONED


async def test_whoever_leaves_without_a_finished_card_was_never_there(core: Core) -> None:
    table = await started(core, 3, OWN)
    table = await go_on(core, table, ADA, 1)
    table = await go_on(core, table, BEN, 1)
    await leave_game(core, table.id, CEM)
    left = await load(core, table.id)
    assert game_of(left).left_out == (2,)
    assert len(game_of(left).finished) == 1
    await leave_game(core, table.id, BEN)
    kept = await load(core, table.id)
    assert game_of(kept).left_out == (2,)
    assert kept.seats[1].house is not None
    logged = await core.database.read(load_events, table.id)
    assert [event for event in logged if isinstance(event, LeftOut)] == [LeftOut(2)]


async def test_cancelling_is_for_the_host_and_needs_everybody_once_a_round_is_complete(core: Core) -> None:
    table = await started(core, 4, OWN)
    with pytest.raises(Refused, match="Only the host"):
        await lobby.cancel(core, table.id, replace(BEN, moderator=True))
    with pytest.raises(Refused, match="does not want to"):
        await agree_to_cancel(core, table.id, BEN)
    for person in (ADA, BEN, CEM):
        table = await go_on(core, table, person, 1)
    await leave_game(core, table.id, DOT)
    asked = await lobby.cancel(core, table.id, ADA)
    assert (asked.status, cancelling(asked), yet_to_agree(asked)) == (Status.PLAYING, True, (1, 2))
    assert asked.owed, "everybody is told"
    for person in (BEN, BEN, BEN):
        asked = await agree_to_cancel(core, table.id, person)
    assert yet_to_agree(asked) == (2,), "agreed, taken back, agreed"
    ended = await agree_to_cancel(core, table.id, CEM)
    assert ended.status is Status.ABANDONED
    assert ended.news == (News(NewsKind.LEFT, 3, 2), News(NewsKind.CANCELLED_BY_ALL, 0))
    assert game_of(ended).finished


async def test_who_has_asked_to_cancel_can_take_that_back(core: Core) -> None:
    table = await started(core, 2, OWN)
    for person in (ADA, BEN):
        table = await go_on(core, table, person, 1)
    await lobby.cancel(core, table.id, ADA)
    assert not cancelling(await agree_to_cancel(core, table.id, ADA))
    with pytest.raises(Refused, match="does not want to"):
        await agree_to_cancel(core, table.id, BEN)


GOING: dict[str, Callable[[Core, str], Awaitable[object]]] = {
    "leaves": lambda core, table_id: leave_game(core, table_id, CEM),
    "is removed": lambda core, table_id: kick(core, table_id, ADA, CEM.user_id),
    "leaves the server": lambda core, table_id: gone(core, table_id, CEM.user_id),
    "deletes their data": lambda core, _table_id: forget(core, CEM),
}


async def asked_to_cancel(core: Core) -> Table:
    """A game of three with a complete round, which the first one wants to cancel."""
    table = await started(core, 3, OWN)
    for person in (ADA, BEN, CEM):
        table = await go_on(core, table, person, 1)
    return await lobby.cancel(core, table.id, ADA)


@pytest.mark.parametrize("way", GOING)
@pytest.mark.parametrize("first", [True, False])
async def test_the_game_is_cancelled_when_all_who_are_left_agree_whoever_goes_before_or_last(
    core: Core, way: str, first: bool
) -> None:
    table = await asked_to_cancel(core)
    for step in (False, True):
        table = await load(core, table.id)
        assert table.status is Status.PLAYING
        if step is first:
            await agree_to_cancel(core, table.id, BEN)
        else:
            await GOING[way](core, table.id)
    ended = await load(core, table.id)
    assert (ended.status, ended.news[-1]) == (Status.ABANDONED, News(NewsKind.CANCELLED_BY_ALL, 0))
    assert "had a say agreed" in str(render(ended).embeds[0].description)
    if way != "deletes their data":
        assert verify(await export_game(core, table.id)).state == ended.game


async def test_who_has_asked_to_cancel_and_is_alone_then_has_cancelled(core: Core) -> None:
    table = await asked_to_cancel(core)
    assert (await leave_game(core, table.id, BEN)).status is Status.PLAYING
    assert (await leave_game(core, table.id, CEM)).status is Status.ABANDONED


async def test_with_who_has_asked_to_cancel_go_the_agreements(core: Core) -> None:
    table = await asked_to_cancel(core)
    await agree_to_cancel(core, table.id, CEM)
    left = await leave_game(core, table.id, ADA)
    assert (left.status, left.host_id, cancelling(left)) == (Status.PLAYING, BEN.user_id, False)
    asked = await lobby.cancel(core, table.id, BEN)
    assert (asked.status, yet_to_agree(asked)) == (Status.PLAYING, (2,)), "Cem agreed to something else"


async def test_who_takes_back_that_they_want_to_cancel_takes_back_the_agreements(core: Core) -> None:
    table = await asked_to_cancel(core)
    for person in (BEN, ADA):
        await agree_to_cancel(core, table.id, person)
    assert yet_to_agree(await lobby.cancel(core, table.id, ADA)) == (1, 2)


@pytest.mark.parametrize("order", [TurnOrder.CLOCKWISE, TurnOrder.OPEN])
async def test_with_shared_dice_nobody_is_asked_and_a_game_goes_on_with_whoever_is_left(
    core: Core, order: TurnOrder
) -> None:
    table = await started(core, 3, order)
    for person in (BEN, CEM):
        table = await leave_game(core, table.id, person)
    assert table.status is Status.PLAYING
    assert (await lobby.cancel(core, table.id, ADA)).status is Status.ABANDONED


async def done_but_for_cem(core: Core, *, house: bool = False) -> Table:
    """A game in which two have played all their cards, and the third none; perhaps with a house player."""
    lobby_of_three = await seated(core, 3, OWN)
    if house:
        await lobby.add_house_player(core, lobby_of_three.id, ADA)
    table = await go_on(core, await begun(core, lobby_of_three.id), ADA, 7)
    return await go_on(core, table, BEN, 7)


async def test_who_is_done_may_end_the_game_some_hours_after_the_others_were_reminded(core: Core) -> None:
    table = await go_on(core, await started(core, 3, OWN), ADA, 7)
    with pytest.raises(Refused, match="have played"):
        await end_early(core, table.id, BEN)
    table = await go_on(core, table, BEN, 1)
    with pytest.raises(Refused, match="still playing"):
        await end_early(core, table.id, ADA)
    table = await go_on(core, table, BEN, 6)
    with pytest.raises(Refused, match="a reminder first"):
        await end_early(core, table.id, ADA)
    hours = timedelta(seconds=table.options.allowed_seconds * EARLY_SHARE)
    table = await at(core, table, hours - timedelta(seconds=1))
    assert await reminded(core) == set(), "they were called when the game began, just now"
    table = await at(core, table, hours)
    assert await reminded(core) == {CEM.user_id}
    early = 2 * hours
    assert table.timing.early_at == NOW + early
    table = await at(core, table, early - timedelta(seconds=1))
    with pytest.raises(Refused, match="from <t:"):
        await end_early(core, table.id, BEN)
    table = await at(core, table, early)
    ended = await end_early(core, table.id, BEN)
    assert ended.status is Status.FINISHED
    assert game_of(ended).left_out == (2,)
    assert ended.news[0] == News(NewsKind.ENDED, 1)
    assert verify(await export_game(core, table.id)).state == ended.game


async def test_who_ended_the_game_is_told_with_the_standings_also_after_the_house_has_played(core: Core) -> None:
    table = await done_but_for_cem(core, house=True)
    early = 2 * timedelta(seconds=table.options.allowed_seconds * EARLY_SHARE)
    table = await at(core, await at(core, table, early / 2), early)
    playing = await end_early(core, table.id, BEN)
    assert playing.status is Status.PLAYING
    ended = await at(core, playing, early + timedelta(minutes=5))
    assert ended.status is Status.FINISHED
    assert News(NewsKind.ENDED, 1) in ended.news


async def test_nobody_is_reminded_twice_and_who_begins_in_time_is_waited_for(core: Core) -> None:
    table = await started(core, 3, OWN)
    half = timedelta(seconds=table.options.allowed_seconds / 2)
    table = await at(core, table, half)
    assert await reminded(core) == {ADA.user_id, BEN.user_id, CEM.user_id}
    for person in (ADA, BEN):
        table = await go_on(core, table, person, 7)
    table = await at(core, table, half + timedelta(hours=4))
    assert await reminded(core) == {CEM.user_id}, "the one that was there"
    table = await go_on(core, table, CEM, 1)
    with pytest.raises(Refused, match="still playing"):
        await end_early(core, table.id, ADA)


async def test_without_reminders_there_are_some_hours_all_the_same(core: Core) -> None:
    await change_settings(core, GUILD, remind_percent=0)
    table = await done_but_for_cem(core)
    assert table.timing.early_at == NOW + timedelta(seconds=table.options.allowed_seconds * EARLY_SHARE)
    assert await reminded(core) == set()


async def test_the_limit_in_the_middle_of_a_turn(core: Core) -> None:
    """The house plays on with the dice of who has begun; who was at the first card is left out."""
    table = await go_on(core, await started(core, 3, OWN), ADA, 7)
    table = await go_on(core, table, BEN, 1)
    for person, step in ((BEN, 110), (CEM, 200)):
        await decide(core, table.id, person, TakeDice(), step=step)
    table = await load(core, table.id)
    rolled = game_of(table).run(1).turn
    assert table.timing.deadline is not None
    assert rolled is not None
    core.now = lambda: table.timing.deadline or NOW
    late = await act(core, table)
    assert game_of(late).left_out == (2,)
    # The seat is the house's from then on, also before it has played.
    with pytest.raises(MovedOn, match="the house plays"):
        await decide(core, table.id, BEN, legal_decisions(game_of(late), 1)[0], step=game_of(late).run(1).step)
    with pytest.raises(Refused, match="the house plays"):
        await come_back(core, table.id, BEN)
    with pytest.raises(Refused, match="without you"):
        await look(core, table.id, CEM.user_id)
    ended = await at(core, table, table.timing.deadline - NOW + timedelta(minutes=5))
    assert ended.status is Status.FINISHED
    assert [turn.by_house for _card, turn in game_of(ended).run(1).finished] == [False] + [True] * 6


async def test_one_person_left_gets_no_chips(core: Core) -> None:
    table = await go_on(core, await started(core, 3, OWN), ADA, 3)
    for person in (BEN, CEM):
        await leave_game(core, table.id, person)
    ended = await go_on(core, await load(core, table.id), ADA, 4)
    assert (ended.status, game_of(ended).seats) == (Status.FINISHED, (0,))
    assert not any(one.chips for one in game_of(ended).finished)


async def test_everybody_gone_before_anybody_has_finished_a_card_closes_the_game(core: Core) -> None:
    table = await started(core, 2, OWN)
    await decide(core, table.id, ADA, TakeDice(), step=0)
    await leave_game(core, table.id, ADA)
    assert (await leave_game(core, table.id, BEN)).status is Status.ABANDONED


@pytest.mark.parametrize("deleted", [False, True])
async def test_when_everybody_has_gone_what_somebody_has_finished_counts_and_the_house_plays_the_rest(
    core: Core, deleted: bool
) -> None:
    table = await go_on(core, await started(core, 3, OWN), ADA, 7)
    played = game_of(await go_on(core, table, BEN, 2)).run(1).finished
    await decide(core, table.id, BEN, TakeDice(), step=120)
    for person in (ADA, CEM):
        await leave_game(core, table.id, person)
    # In the middle of a turn.
    await (forget(core, BEN) if deleted else leave_game(core, table.id, BEN))
    ended = await at(core, table, timedelta(minutes=5))
    assert (ended.status, ended.people) == (Status.FINISHED, ())
    assert game_of(ended).seats == (0, 1)
    assert game_of(ended).run(1).finished[:2] == played
    assert deleted or all(turn.by_house for _card, turn in game_of(ended).run(1).finished[2:])
    assert not any(turn.by_house for _card, turn in game_of(ended).run(0).finished)
    verify(await export_game(core, ended.id))


async def test_who_deletes_their_data_in_mid_run_has_their_cards_played_by_the_house(core: Core) -> None:
    table = await go_on(core, await started(core, 2, OWN), ADA, 3)
    await decide(core, table.id, ADA, TakeDice(), step=30)
    await forget(core, ADA)
    table = await load(core, table.id)
    played = game_of(table).run(0).finished
    assert (len(played), table.seats[0].user_id) == (3, None)
    ended = await at(core, await go_on(core, table, BEN, 7), timedelta(minutes=5))
    assert ended.status is Status.FINISHED
    assert game_of(ended).run(0).finished[:3] == played


async def test_a_server_that_changes_its_time_zone_moves_no_limit_that_was_told(core: Core) -> None:
    table = await go_on(core, await started(core, 2, OWN), ADA, 7)
    before = table.timing
    await change_settings(core, GUILD, zone="Asia/Tokyo", quiet_from=time(21), quiet_to=time(8))
    table = await at(core, table, timedelta(minutes=1))
    assert table.timing.deadline == before.deadline
    # It is 21:01 there now: the reminder, and with it what follows, waits for the morning.
    assert table.timing.early_at is None
    table = await at(core, table, timedelta(hours=11))
    assert await reminded(core) == {BEN.user_id}
    assert table.timing.early_at == NOW + timedelta(hours=11 + 24 * EARLY_SHARE)


async def reminded(core: Core) -> set[int]:
    """Who is to be reminded now."""
    async with core.database.reading() as connection:
        return set((await connection.execute(text("select user_id from reminders"))).scalars())


async def test_play_leads_to_the_table_that_waits(core: Core) -> None:
    assert await waiting(core, GUILD, ADA.user_id) is None
    table = await started(core, 2, OWN)
    found = await waiting(core, GUILD, ADA.user_id)
    assert found is not None
    assert found.id == table.id
    assert await waiting(core, GUILD, CEM.user_id) is None
    await go_on(core, table, ADA, 7)
    assert await waiting(core, GUILD, ADA.user_id) is None
