"""Pace, deadlines and the order of play: how long people have, and that they see it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.config import Settings
from bot.domain.pace import Pace
from bot.ui.buttons import Verb
from bot.ui.lobby import order_sentence
from bot.ui.reminders import duration
from highscore.game import TurnOrder
from tests.bot.server import Server, private, serve
from tests.bot.time.passing import (
    ORDERS,
    pages,
    play_turn,
    press,
    remarks,
    shown,
    stamp,
    stamps,
    text,
    wait,
    wait_until,
)


@pytest.mark.parametrize(
    ("pace", "order", "minutes", "hold"),
    [
        ("live", None, 3, None),
        ("day", None, 120, 15),
        ("day", "clockwise", 40, None),
        ("relaxed", None, 24 * 60, 15),
        ("relaxed", "clockwise", 24 * 60, None),
    ],
)
async def test_the_numbers_of_the_pace_are_shown_before_anybody_joins(
    server: Server, pace: str, order: str | None, minutes: int, hold: int | None
) -> None:
    options: dict[str, Any] = {} if order is None else {"order": order}
    await server.slash(server.members[0], "new", pace=pace, **options)
    table = await server.table()
    assert table.options.allowed_seconds == minutes * 60
    assert f"{duration(minutes * 60)} for a" in shown(server)
    assert (hold is not None) == ("holding" in shown(server))
    if hold is not None:
        assert f"{hold} min for holding" in shown(server)


async def test_the_numbers_can_be_configured(settings: Settings) -> None:
    changed = settings.model_copy(update={"day_round_minutes": 90, "hold_minutes": 7})
    async with serve(changed) as server:
        table = await server.begin(2, order="open")
        assert (table.options.allowed_seconds, table.options.hold_seconds) == (90 * 60, 7 * 60)
        opened = server.requests("POST", "/callback")[0].json
        assert "1 h 30 min for a round, 7 min for holding" in str(opened)
        assert table.timing.deadline == server.env.now() + timedelta(minutes=90)


async def test_a_game_keeps_the_numbers_it_was_opened_with(server: Server) -> None:
    table = await server.begin(2)
    server.bot.core.paces = server.settings.model_copy(update={"day_round_minutes": 1}).paces
    await play_turn(server)
    await play_turn(server)
    assert (await server.table()).options == table.options


async def test_a_server_that_has_set_nothing_plays_within_a_day(server: Server) -> None:
    await server.slash(server.members[0], "new")
    assert (await server.table()).options.pace is Pace.DAY


@pytest.mark.parametrize(
    ("pace", "order"),
    [("live", TurnOrder.CLOCKWISE), ("day", TurnOrder.OPEN), ("relaxed", TurnOrder.OPEN)],
)
async def test_each_pace_has_the_order_that_fits_and_explains_it(server: Server, pace: str, order: TurnOrder) -> None:
    await server.slash(server.members[0], "new", pace=pace)
    assert (await server.table()).turn_order is order
    assert order_sentence(order) in shown(server)
    # One sentence.
    assert order_sentence(order).rstrip(".").count(". ") == 0


async def test_the_rulebooks_order_is_available_at_any_pace(server: Server) -> None:
    await server.slash(server.members[0], "new", pace="day", order="clockwise")
    assert (await server.table()).turn_order is TurnOrder.CLOCKWISE


@pytest.mark.parametrize("order", ORDERS)
async def test_the_deadline_can_always_be_seen(server: Server, order: str) -> None:
    table = await server.seat(2, order=order)
    assert stamps(server) == {stamp(table.timing.deadline)}
    await press(server, server.members[0], Verb.START)
    for _turn in range(3):
        table = await server.table()
        assert stamp(table.timing.deadline) in stamps(server)
        await wait(server, minutes=5)
        await press(server, server.on_turn(table), Verb.TAKE)
        table = await server.table()
        assert stamp(table.timing.hold_deadline or table.timing.deadline) in stamps(server)
        await play_turn(server)


async def test_in_open_order_whoever_has_time_takes_the_dice(server: Server) -> None:
    await server.begin(3, order="open")
    played = [server.members[at] for at in (2, 0, 1)]
    for member in played:
        await play_turn(server, member)
    table = await server.table()
    assert table.game is not None
    first = [turn.seat for turn in table.game.finished[0].turns]
    assert [table.seats[seat].user_id for seat in first] == [member.id for member in played]


async def test_in_open_order_nobody_takes_dice_that_are_held(server: Server) -> None:
    table = await server.begin(3, order="open")
    custom_id = server.buttons(Verb.TAKE)[0].custom_id
    assert custom_id is not None
    await press(server, server.members[1], Verb.TAKE)
    assert private(await server.send(server.members[2], custom_id))
    held = await server.table()
    assert held.game is not None
    assert held.game.seat == 1
    assert held.timing.hold_deadline == server.env.now() + timedelta(seconds=table.options.hold_seconds)


async def test_in_open_order_nobody_plays_twice_in_a_round(server: Server) -> None:
    await server.begin(3, order="open")
    await play_turn(server, server.members[1])
    assert "already" in private(await press(server, server.members[1], Verb.TAKE))


async def test_dice_held_for_too_long_are_played_by_the_house_and_free_for_the_next(server: Server) -> None:
    await server.begin(3, order="open")
    await press(server, server.members[1], Verb.TAKE)
    table = await server.table()
    await wait_until(server, table.timing.hold_deadline, -1)
    assert (await server.table()).version == table.version
    await wait(server, seconds=1)
    after = await server.table()
    assert after.game is not None
    assert [(turn.seat, turn.by_house) for turn in after.game.played] == [(1, True)]
    assert after.timing.deadline == table.timing.deadline
    await play_turn(server, server.members[2])


async def test_in_rulebook_order_the_house_plays_when_time_is_up_and_says_so(server: Server) -> None:
    table = await server.begin(3, order="clockwise")
    slow = server.on_turn(table)
    await wait_until(server, table.timing.deadline, -1)
    assert (await server.table()).version == table.version
    await wait(server, seconds=1)
    after = await server.table()
    assert after.game is not None
    (turn,) = after.game.played
    assert (after.seats[turn.seat].user_id, turn.by_house) == (slow.id, True)
    assert after.timing.deadline == server.env.now() + timedelta(minutes=40)
    assert "Played by the house" in text(pages(server)[-2])
    assert slow.name.capitalize() in shown(server)
    assert "the house played the turn" in shown(server)
    assert remarks(server, after) == [f"the time of seat {turn.seat} was up"]


async def test_in_open_order_the_house_plays_for_everybody_who_has_let_the_round_pass(server: Server) -> None:
    table = await server.begin(3, order="open")
    await play_turn(server, server.members[1])
    await wait_until(server, table.timing.deadline, -1)
    before = await server.table()
    assert before.game is not None
    assert before.game.round == 1
    await wait(server, seconds=1)
    after = await server.table()
    assert after.game is not None
    assert after.game.round == 2
    turns = {turn.seat: turn.by_house for turn in after.game.finished[0].turns}
    assert turns == {0: True, 1: False, 2: True}
    assert after.game.finished[0].turns[0].seat == 1
    assert after.timing.deadline == server.env.now() + timedelta(hours=2)


async def test_whoever_holds_the_dice_when_the_round_ends_is_played_for_first(server: Server) -> None:
    table = await server.begin(3, order="open")
    await wait_until(server, table.timing.deadline, -60)
    await press(server, server.members[2], Verb.TAKE)
    held = await server.table()
    assert stamps(server) == {stamp(held.timing.deadline)}
    await wait(server, seconds=60)
    after = await server.table()
    assert after.game is not None
    assert next(turn.seat for turn in after.game.finished[0].turns) == 2


async def test_a_game_nobody_plays_ends_by_itself(server: Server) -> None:
    await server.begin(2, pace="live")
    await wait(server, hours=3)
    table = await server.table()
    assert not table.status.open
    assert table.game is not None
    assert table.game.complete
    assert not table.owed
