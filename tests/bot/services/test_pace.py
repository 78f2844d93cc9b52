"""The host decides in the lobby how fast, and in which order, a table is played."""

import pytest

from bot.domain.errors import Refused, Stale
from bot.domain.pace import Pace
from bot.domain.timing import News, NewsKind
from bot.services.core import Core, get_table
from bot.services.lobby import NewTable, open_table, start_game
from bot.services.pace import choose_order, choose_pace
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CHANNEL, GUILD, seated

pytestmark = pytest.mark.only_sqlite("decided from the stored state; other tests of the services run its SQL")


async def test_the_turn_order_follows_a_pace_unless_it_was_chosen(core: Core) -> None:
    table = await open_table(
        core, ADA, guild_id=GUILD, channel_id=CHANNEL, locale="en", wishes=NewTable(seats=3, starts_when_full=True)
    )
    assert (table.options.pace, table.turn_order) == (Pace.DAY, TurnOrder.OWN_PACE)
    for pace in (Pace.LIVE, Pace.RELAXED, Pace.DAY):
        table = await choose_pace(core, table.id, ADA, pace, core.paces)
        assert (table.options.pace, table.turn_order) == (pace, pace.usual_order)
        assert table.options.allowed_seconds == core.paces[pace].allowed(pace.usual_order)
        assert table.options.hold_seconds == core.paces[pace].hold
    table = await choose_order(core, table.id, ADA, TurnOrder.OPEN, core.paces)
    table = await choose_pace(core, table.id, ADA, Pace.LIVE, core.paces)
    assert (table.options.pace, table.turn_order) == (Pace.LIVE, TurnOrder.OPEN)
    assert table.options.allowed_seconds == core.paces[Pace.LIVE].round
    # The other options stay, and are stored.
    assert (table.max_seats, table.options.starts_when_full) == (3, True)
    assert await get_table(core, table.id) == table


async def test_what_is_changed_is_told_once_and_only_as_long_as_people_gather(core: Core) -> None:
    table = await seated(core, 2)
    same = await choose_order(core, table.id, ADA, table.turn_order, core.paces)
    assert (same.version, same.news) == (table.version, ())
    for order in (TurnOrder.OPEN, TurnOrder.OWN_PACE):
        before, table = table, await choose_order(core, table.id, ADA, order, core.paces)
        assert table.version == before.version + 1
        assert table.news == (News(NewsKind.CHANGED, 0),)
    assert (await start_game(core, table.id, ADA)).news == ()


async def test_only_the_host_decides_and_only_in_the_lobby(core: Core) -> None:
    table = await seated(core, 2)
    with pytest.raises(Refused, match="Only the host"):
        await choose_pace(core, table.id, BEN, Pace.LIVE, core.paces)
    await start_game(core, table.id, ADA)
    with pytest.raises(Stale, match="started already"):
        await choose_order(core, table.id, ADA, TurnOrder.OPEN, core.paces)
