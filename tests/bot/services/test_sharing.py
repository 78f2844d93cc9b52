from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.errors import AlreadyHandled
from bot.domain.shards import Share
from bot.services import coaching, lobby
from bot.services.core import Core
from bot.store.claims import SHARED_MESSAGES, claim_due
from tests.bot.cores import ADA, BEN, CHANNEL
from tests.bot.services.clocked import Clocked

pytestmark = pytest.mark.both_databases

OUTSIDE, MESSAGE = CHANNEL + 1, 4711


@pytest.fixture
async def play(core: Core) -> Clocked:
    """Return a table whose lobby is in another channel, too."""
    clocked = Clocked(core)
    await lobby.save_lobby_copy(core, await clocked.seat(1), OUTSIDE, MESSAGE)
    return clocked


async def owed(play: Clocked, minutes: float = 0) -> list[int]:
    now = play.now + timedelta(minutes=minutes)
    return await play.core.database.write(claim_due, SHARED_MESSAGES, now, 10, Share())


async def test_a_lobby_elsewhere_is_drawn_anew_some_seconds_after_the_table_has_changed(play: Clocked) -> None:
    assert await owed(play, 1) == []
    await lobby.join_table(play.core, play.table_id, BEN)
    assert await owed(play) == []
    assert await owed(play, 1) == [MESSAGE]
    await lobby.save_lobby_copy(play.core, await play.table(), OUTSIDE, MESSAGE)
    assert await owed(play, 9) == []


async def test_who_goes_on_changing_it_does_not_put_it_off(play: Clocked) -> None:
    await lobby.join_table(play.core, play.table_id, BEN)
    play.now += timedelta(seconds=20)
    await lobby.add_house_player(play.core, play.table_id, ADA)
    assert len(await owed(play, 1 / 4)) == 1


@pytest.mark.only_sqlite("tests/bot/services/test_interactions.py has how it is stored")
async def test_a_report_is_posted_once_for_an_interaction(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = SimpleNamespace(), SimpleNamespace()

    async def report(_core: Core, _table_id: str) -> object:
        return made

    monkeypatch.setattr("bot.services.coaching.report_game", report)
    for interaction_id in (1, 2):
        assert await coaching.share_report(core, "", interaction_id) == made
    with pytest.raises(AlreadyHandled):
        await coaching.share_report(core, "", 2)


async def test_an_older_picture_of_it_is_not_the_last_one(play: Clocked) -> None:
    """Two edits may cross, and an answer may be overtaken."""
    older = await play.table()
    await lobby.join_table(play.core, play.table_id, BEN)
    await lobby.save_lobby_copy(play.core, await play.table(), OUTSIDE, MESSAGE)
    await lobby.save_lobby_copy(play.core, older, OUTSIDE, MESSAGE)
    assert len(await owed(play, 1)) == 1
