"""Two processes in which people do things at the same moment: whoever comes first, what is stored is legal.

Two cores on one database, with connections of their own. test_interactions.py has the same interaction in both.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.config import Settings
from bot.domain.errors import Refused
from bot.domain.table import Status, Table
from bot.services import away, lobby, privacy
from bot.services import turn as playing
from bot.services.core import Core, Person, get_table
from bot.store import table as store
from highscore import IllegalChoice, list_decisions, replay_events
from tests.bot.cores import BEN, CEM, begun, on_turn, open_one
from tests.bot.databases import columns_with
from tests.bot.games import Club, people

pytestmark = pytest.mark.both_databases

AT_ONCE = 12
CROWD = [Person(5001 + at, f"Guest {at}") for at in range(AT_ONCE)]
ZOE = Person(987654321012345678, "Zoe of Betelgeuse")


async def together(work: list[Awaitable[object]]) -> Counter[type]:
    return Counter(map(type, await asyncio.gather(*work, return_exceptions=True)))


class Waiting:
    """Work that has to wait for the transaction in which it is begun; it is done when that has ended."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[object]] = []

    async def __aenter__(self) -> Callable[[Coroutine[Any, Any, object]], Coroutine[Any, Any, None]]:
        return self._begin

    async def __aexit__(self, *_error: object) -> None:
        await asyncio.gather(*self._tasks)

    async def _begin(self, work: Coroutine[Any, Any, object]) -> None:
        if not self._tasks:
            self._tasks.append(asyncio.create_task(work))
            done, _waiting = await asyncio.wait(self._tasks, timeout=0.2)
            assert not done


async def check_log(core: Core, table_id: str) -> Table:
    async with core.database.reading() as connection:
        table = await connection.run_sync(store.load_table, table_id)
        events = await connection.run_sync(store.load_events, table_id)
    assert table is not None
    assert replay_events(len(table.seats), table.turn_order, events) == table.game
    return table


def traces_of(settings: Settings, person: Person) -> set[str]:
    return columns_with(settings, person.user_id, person.name)


async def _game_with_zoe(core: Core) -> Table:
    table = await open_one(core, ZOE)
    await lobby.join_table(core, table.id, BEN)
    table = await lobby.join_table(core, table.id, CEM)
    await lobby.set_lucky_word(core, table.id, ZOE, "periwinkle")
    return await begun(core, table.id, ZOE)


async def _click_on(core: Core, table_id: str, user_ids: list[int]) -> None:
    for click in range(12):
        table = await get_table(core, table_id)
        if table.game is None or not table.status.open:
            return
        with suppress(Refused, IllegalChoice):
            decision = list_decisions(table.game, table.game.may_act[0])[-1]
            await playing.decide_turn(core, table_id, user_ids[click % len(user_ids)], decision, version=table.version)


async def _play_to_the_end(core: Core, table_id: str) -> None:
    """Let those who are left play on, and the house for the others."""
    while (table := await get_table(core, table_id)).status is Status.PLAYING:
        assert table.game is not None
        at = table.game.may_act[0]
        if table.house_plays(at):
            await away.skip_turn(core, table_id, replace(BEN, moderator=True))
        else:
            decision = list_decisions(table.game, at)[-1]
            await playing.decide_turn(core, table_id, on_turn(table), decision, version=table.version)


async def test_somebody_is_forgotten_while_they_play(cores: tuple[Core, Core], settings: Settings) -> None:
    one, other = cores
    table = await _game_with_zoe(one)
    await asyncio.gather(
        privacy.erase_person(one, ZOE),
        _click_on(other, table.id, [ZOE.user_id, BEN.user_id, CEM.user_id]),
        _click_on(one, table.id, [BEN.user_id, ZOE.user_id]),
    )
    assert traces_of(settings, ZOE) == set()
    after = await check_log(other, table.id)
    assert after.status is Status.PLAYING
    await _play_to_the_end(one, table.id)
    await check_log(other, table.id)
    assert traces_of(settings, ZOE) == set()


async def test_somebody_is_forgotten_while_their_games_end(cores: tuple[Core, Core], settings: Settings) -> None:
    one, other = cores
    clubs = [Club(one), Club(other)]
    tables = [await clubs[0].open(people(ZOE.user_id, 11, 12)) for _game in range(4)]
    ended = await asyncio.gather(
        privacy.erase_person(one, ZOE),
        *(clubs[at % 2].play_on(table) for at, table in enumerate(tables)),
        return_exceptions=True,
    )
    # A game that Zoe had left already when the move came is another one: that move may not count.
    assert all(not isinstance(answer, BaseException) for answer in ended), ended
    assert traces_of(settings, ZOE) == set()
    _wishes, counted = await privacy.count_about(other, ZOE.user_id)
    assert {name for name, number in counted.items() if number} == {"marks"}, "for 30 days (R9.6)"
    for table in tables:
        await check_log(other, table.id)
    assert (await clubs[0].standing(11))["games"] == len(tables)
