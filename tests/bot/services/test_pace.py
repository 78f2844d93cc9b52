from datetime import timedelta

import pytest

from bot.domain import errors, timing
from bot.domain.table import Status
from bot.services import lobby
from bot.services.core import Core, Place, get_table
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, DOT, GUILD, NOW, seated


async def test_the_turn_order_follows_a_pace_unless_it_was_chosen(core: Core) -> None:
    table = await lobby.open_table(
        core, ADA, Place(GUILD, CHANNEL, "en"), lobby.NewTable(seats=3, starts_when_full=True)
    )
    assert (table.options.pace, table.turn_order) == (timing.Pace.DAY, TurnOrder.OWN_PACE)
    for pace in (timing.Pace.LIVE, timing.Pace.RELAXED, timing.Pace.DAY):
        table = await lobby.choose_pace(core, table.id, ADA, pace, core.paces)
        assert (table.options.pace, table.turn_order) == (pace, pace.usual_order)
        assert table.options.allowed_seconds == core.paces[pace].allowed(pace.usual_order)
        assert table.options.hold_seconds == core.paces[pace].hold
    table = await lobby.choose_order(core, table.id, ADA, TurnOrder.OPEN, core.paces)
    table = await lobby.choose_pace(core, table.id, ADA, timing.Pace.LIVE, core.paces)
    assert (table.options.pace, table.turn_order) == (timing.Pace.LIVE, TurnOrder.OPEN)
    assert table.options.allowed_seconds == core.paces[timing.Pace.LIVE].round
    # The other options stay, and are stored.
    assert (table.max_seats, table.options.starts_when_full) == (3, True)
    assert await get_table(core, table.id) == table


async def test_start_waits_until_a_change_was_there_for_ten_seconds(core: Core) -> None:
    """Also where it was changed back, the host has left, or the last seat is taken by somebody, or by the house."""
    opened = await lobby.open_table(
        core, ADA, Place(GUILD, CHANNEL, "en"), lobby.NewTable(seats=4, starts_when_full=True)
    )
    for person in (BEN, CEM):
        await lobby.join_table(core, opened.id, person)
    turn = opened.turn_order
    await lobby.choose_order(core, opened.id, ADA, TurnOrder.OPEN, core.paces)
    core.now = lambda: NOW + timedelta(seconds=9)
    await lobby.choose_order(core, opened.id, ADA, turn, core.paces)
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
    with pytest.raises(errors.Refused, match="has just changed"):
        await lobby.start_game(core, opened.id, BEN)
    core.now = lambda: NOW + timedelta(seconds=20)
    started = await lobby.start_game(core, opened.id, BEN)
    assert (started.status, started.turn_order, started.news) == (Status.PLAYING, turn, ())


async def test_only_the_host_decides_and_only_in_the_lobby(core: Core) -> None:
    table = await seated(core, 2)
    with pytest.raises(errors.Refused, match="Only the host"):
        await lobby.choose_pace(core, table.id, BEN, timing.Pace.LIVE, core.paces)
    await lobby.start_game(core, table.id, ADA)
    with pytest.raises(errors.Stale):
        await lobby.choose_order(core, table.id, ADA, TurnOrder.OPEN, core.paces)
