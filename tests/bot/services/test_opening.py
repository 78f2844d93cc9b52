from collections.abc import Awaitable, Callable

import pytest

from bot.domain.table import Status, Table
from bot.domain.timing import NewsKind
from bot.services import away, cancelling, lobby, privacy
from bot.services.core import Core, get_table
from bot.services.lobby import set_lucky_word
from bot.services.proof import prove_table
from bot.ui.table import render_table
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, MOD, OPENING_ID, seated

Going = Callable[[Core, str], Awaitable[object]]
WAYS: dict[str, Going] = {
    "leave": lambda core, table_id: away.leave_game(core, table_id, BEN),
    "kick": lambda core, table_id: away.kick_player(core, table_id, MOD, BEN.user_id),
    "deletion": lambda core, _table_id: privacy.erase_person(core, BEN),
}


async def opening(core: Core) -> Table:
    table = await seated(core, 3, TurnOrder.OWN_PACE)
    await set_lucky_word(core, table.id, BEN, "clover")
    table = await lobby.start_game(core, table.id, ADA)
    assert table.awaits_opening
    return table


@pytest.mark.parametrize("way", WAYS)
async def test_the_game_begins_without_whoever_goes_meanwhile(core: Core, way: str) -> None:
    table = await opening(core)
    await WAYS[way](core, table.id)
    waiting = await get_table(core, table.id)
    assert waiting.awaits_opening
    assert waiting.lock == table.lock
    render_table(waiting)
    begun = await lobby.begin_game(core, table.id, OPENING_ID)
    assert begun.seats[1].house is not None
    told = NewsKind.KICKED if way == "kick" else NewsKind.LEFT
    assert [news.kind for news in begun.news] == [told], "on the first page that can say so"
    assert begun.game is not None
    render_table(begun)
    await cancelling.cancel_table(core, table.id, ADA)
    proof, _document = await prove_table(core, table.id)
    assert (proof.export.words_deleted, proof.export.opening) == (way == "deletion", OPENING_ID)


async def test_a_game_that_is_cancelled_before_its_opening_is_there_is_not_begun_by_it(core: Core) -> None:
    table = await opening(core)
    cancelled = await cancelling.cancel_table(core, table.id, ADA)
    assert (cancelled.status, cancelled.awaits_opening) == (Status.ABANDONED, False)
    assert await lobby.begin_game(core, table.id, OPENING_ID) == cancelled
    render_table(cancelled)
    proof, _document = await prove_table(core, table.id)
    assert (proof.rolls, proof.export.opening) == (0, None)
