from datetime import timedelta

import pytest

from bot.domain import errors, timing
from bot.domain.table import Status, Table
from bot.services import lobby
from bot.services.core import Core, Person, get_table
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, NOW, open_one, seated


async def choose(
    core: Core, table_id: str, person: Person, order: TurnOrder | None = None, pace: timing.Pace | None = None
) -> Table:
    """Choose an order, or what fits the pace, and perhaps a pace; the other options stay."""
    table = await get_table(core, table_id)
    wishes = lobby.NewTable(table.max_seats, pace, order, starts_when_full=table.options.starts_when_full)
    return await lobby.change_options(core, table_id, person, wishes)


async def test_the_turn_order_follows_a_pace_unless_it_was_chosen(core: Core) -> None:
    table = await open_one(core, seats=3, starts_when_full=True)
    assert (table.options.pace, table.turn_order) == (timing.Pace.DAY, TurnOrder.OWN_PACE)
    for pace in (timing.Pace.LIVE, timing.Pace.RELAXED, timing.Pace.DAY):
        table = await choose(core, table.id, ADA, pace=pace)
        assert (table.options.pace, table.turn_order) == (pace, pace.usual_order)
        assert table.options.allowed_seconds == core.paces[pace].allowed(pace.usual_order)
        assert table.options.hold_seconds == core.paces[pace].hold
    table = await choose(core, table.id, ADA, TurnOrder.OPEN)
    table = await choose(core, table.id, ADA, TurnOrder.OPEN, timing.Pace.LIVE)
    assert (table.options.pace, table.turn_order) == (timing.Pace.LIVE, TurnOrder.OPEN)
    assert table.options.allowed_seconds == core.paces[timing.Pace.LIVE].round
    # The other options stay, and are stored.
    assert (table.max_seats, table.options.starts_when_full) == (3, True)
    assert await get_table(core, table.id) == table


async def test_start_waits_until_a_change_was_there_for_ten_seconds(core: Core) -> None:
    """Also where it was changed back, the host has left, or the last seat is taken by somebody, or by the house."""
    opened = await open_one(core, seats=4, starts_when_full=True)
    for person in (BEN, CEM):
        await lobby.join_table(core, opened.id, person)
    turn = opened.turn_order
    await choose(core, opened.id, ADA, TurnOrder.OPEN)
    core.now = lambda: NOW + timedelta(seconds=9)
    await choose(core, opened.id, ADA, turn)
    core.now = lambda: NOW + timedelta(seconds=9 + lobby.SECONDS_TO_SEE, microseconds=1)
    presses = [
        lobby.start_game(core, opened.id, ADA),
        lobby.add_house_player(core, opened.id, BEN),
        lobby.join_table(core, opened.id, DOT),
    ]
    for press in presses:
        with pytest.raises(errors.Refused, match="Give everybody a few seconds"):
            await press
    await lobby.leave_lobby(core, opened.id, ADA)
    with pytest.raises(errors.Refused, match="have just changed"):
        await lobby.start_game(core, opened.id, BEN)
    core.now = lambda: NOW + timedelta(seconds=20)
    started = await lobby.start_game(core, opened.id, BEN)
    assert (started.status, started.turn_order, started.news) == (Status.PLAYING, turn, ())


async def test_only_the_host_decides_and_only_in_the_lobby(core: Core) -> None:
    table = await seated(core, 2)
    with pytest.raises(errors.Refused, match="Only the host"):
        await choose(core, table.id, BEN, pace=timing.Pace.LIVE)
    await lobby.start_game(core, table.id, ADA)
    with pytest.raises(errors.Stale):
        await choose(core, table.id, ADA, TurnOrder.OPEN)


async def test_seats_hints_and_the_start_can_be_changed_which_is_no_news(core: Core) -> None:
    table = await seated(core, 3)
    before = table.options
    wishes = lobby.NewTable(2, None, table.turn_order, hints=not before.hints, starts_when_full=False)
    table = await lobby.change_options(core, table.id, ADA, wishes)
    assert (table.max_seats, table.options.hints) == (3, not before.hints), "nobody loses a seat"
    assert table.changed_at is not None, "everybody should know whether there are hints"
    core.now = lambda: NOW + timedelta(seconds=60)
    wishes = lobby.NewTable(4, None, table.turn_order, hints=table.options.hints, starts_when_full=True)
    changed = await lobby.change_options(core, table.id, ADA, wishes)
    assert (changed.max_seats, changed.options.starts_when_full) == (4, True)
    assert changed.changed_at == table.changed_at
    assert await get_table(core, table.id) == changed
    wishes = lobby.NewTable(3, None, table.turn_order, hints=table.options.hints, starts_when_full=True)
    assert (await lobby.change_options(core, table.id, ADA, wishes)).status is Status.PLAYING, "it is full now"
