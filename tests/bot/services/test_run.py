"""Own pace: everybody plays their run, and the time of the game is up (R9.5)."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.errors import Refused, Stale
from bot.domain.table import Status, Table
from bot.services import lobby
from bot.services.absence import leave_game, skip
from bot.services.core import Core, Person, load
from bot.services.deadlines import act
from bot.services.privacy import export as export_data
from bot.services.proof import export as export_game
from bot.services.run import MovedOn, decide, look, waiting
from bot.services.turn import decide as decide_at_table
from bot.store.table import load_events
from highscore import replay
from highscore.events import LeftOut, TakeDice
from highscore.game import Game, legal_decisions
from highscore.proof import verify
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, GUILD, NOW, PEOPLE, begun, seated, started

OWN = TurnOrder.OWN_PACE
FIRST = random.Random("always the first decision")


def game_of(table: Table) -> Game:
    assert table.game is not None
    return table.game


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
    assert game_of(moved.value.table).run(0).step == 1
    assert not game_of(moved.value.table).run(1).finished


async def test_the_own_data_do_not_tell_how_often_others_have_rolled(core: Core) -> None:
    table = await started(core, 2, OWN)
    await go_on(core, table, BEN, 2)
    await decide(core, table.id, ADA, TakeDice(), step=0)
    rows = json.loads((await export_data(core, ADA.user_id)).content)["tables"]["events"]
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
    async with core.database.read() as connection:
        logged = await load_events(connection, table.id)
    assert [event for event in logged if isinstance(event, LeftOut)] == [LeftOut(2)]


async def test_cancelling_is_for_the_host_and_only_before_a_round_is_complete(core: Core) -> None:
    table = await started(core, 2, OWN)
    with pytest.raises(Refused, match="Only the host"):
        await lobby.cancel(core, table.id, replace(BEN, moderator=True))
    table = await go_on(core, table, ADA, 1)
    table = await go_on(core, table, BEN, 1)
    with pytest.raises(Refused, match="complete"):
        await lobby.cancel(core, table.id, ADA)


async def test_play_leads_to_the_table_that_waits(core: Core) -> None:
    assert await waiting(core, GUILD, ADA.user_id) is None
    table = await started(core, 2, OWN)
    found = await waiting(core, GUILD, ADA.user_id)
    assert found is not None
    assert found.id == table.id
    assert await waiting(core, GUILD, CEM.user_id) is None
    await go_on(core, table, ADA, 7)
    assert await waiting(core, GUILD, ADA.user_id) is None
