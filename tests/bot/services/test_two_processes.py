"""Two processes in which people do things at the same moment: whoever comes first, what is stored is legal.

Two cores on one database, with connections of their own. test_interactions.py has the same interaction in both.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.config import Settings
from bot.domain.errors import Refused
from bot.domain.table import Status, Table
from bot.services import away, lobby, privacy, results
from bot.services import turn as playing
from bot.services.core import Change, Core, Person, change_table, get_table
from bot.services.rebuild import rebuild
from bot.store import table as store
from bot.store.privacy import FORMER_NAME, forget_remarks, load_remarks_on
from highscore import replay_events
from highscore.errors import IllegalChoice
from highscore.game import Game, list_decisions
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, begun, on_turn, open_one, seated
from tests.bot.databases import columns_with, rows
from tests.bot.games import Club, people, scored, wins

pytestmark = pytest.mark.both_databases

AT_ONCE = 12
CROWD = [Person(5001 + at, f"Guest {at}") for at in range(AT_ONCE)]
ZOE = Person(987654321012345678, "Zoe of Betelgeuse")


async def together(work: list[Awaitable[object]]) -> Counter[type]:
    """Return the number of each kind of answer."""
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
    """Check that the events of a game lead to its stored state."""
    async with core.database.reading() as connection:
        table = await connection.run_sync(store.load_table, table_id)
        events = await connection.run_sync(store.load_events, table_id)
    assert table is not None
    assert replay_events(len(table.seats), table.turn_order, events) == table.game
    return table


# ----------------------------------------------------------------------------------------------------------- the lobby


async def test_a_deletion_and_the_end_of_games_with_the_person_leave_the_books_that_a_rebuild_gives(
    cores: tuple[Core, Core], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No two of them wait for each other, and nobody deleted is an opponent afterwards."""
    monkeypatch.setattr("bot.store.database.TRIES", 1)
    one, other = cores
    ends: list[Awaitable[object]] = []
    for number in range(8):
        core = cores[number % 2]
        core.tables_per_host = AT_ONCE
        table = await seated(core, 3, channel_id=CHANNEL + number)
        await begun(core, table.id)
        done = change_table(core, table.id, partial(_over, scored(*wins(number % 3, 3))))
        if number < 4:
            await done
        else:
            ends.append(done)
    await together([*ends, privacy.erase_person(one, BEN), rebuild(other)])
    club = Club(one)
    written = await club.books()
    assert {row[0] for row in await club.rows("select opponents from standings where user_id > 0")} == {1}
    await rebuild(one)
    assert await club.books() == written


def _over(game: Game, table: Table) -> Change:
    return Change(away.continue_table(table, game))


# ------------------------------------------------------------------------------------------------- the daily challenge


# ------------------------------------------------------------------------------------------------------------ the books


# ------------------------------------------------------------------------------------------------------------ reminders


# ------------------------------------------------------------------------------------------- deleting somebody's data


def traces_of(settings: Settings, person: Person) -> set[str]:
    """Return the columns in which anything tells of somebody."""
    return columns_with(settings, person.user_id, person.name)


async def _game_with_zoe(core: Core) -> Table:
    table = await open_one(core, ZOE)
    await lobby.join_table(core, table.id, BEN)
    table = await lobby.join_table(core, table.id, CEM)
    await lobby.set_lucky_word(core, table.id, ZOE, "periwinkle")
    return await begun(core, table.id, ZOE)


async def _click_on(core: Core, table_id: str, user_ids: list[int], clicks: int) -> None:
    """Let people press whatever is there, right or wrong."""
    for click in range(clicks):
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
        _click_on(other, table.id, [ZOE.user_id, BEN.user_id, CEM.user_id], 12),
        _click_on(one, table.id, [BEN.user_id, ZOE.user_id], 12),
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


# -------------------------------------------------------------------------------------------------- a server's settings


@pytest.mark.only_postgresql("on SQLite whoever writes is alone")
async def test_a_game_that_is_ending_is_over_before_somebody_is_forgotten_in_it(
    cores: tuple[Core, Core], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It books its seats as they were read."""
    one, other = cores
    club = Club(one)
    table = await club.open(people(ZOE.user_id, 11))
    await away.leave_game(one, table.id, ZOE)

    def end_late(*about: Any) -> Any:
        one.database.await_within(waiting(privacy.erase_person(other, ZOE)))
        return results.book_round(*about)

    monkeypatch.setattr("bot.services.core.book_round", end_late)
    async with Waiting() as waiting:
        await club.play_on(table)
    assert traces_of(settings, ZOE) == set()


@pytest.mark.only_postgresql("on SQLite whoever writes is alone")
async def test_two_whom_a_remark_names_are_forgotten_at_the_same_moment(
    cores: tuple[Core, Core], settings: Settings
) -> None:
    one, other = cores
    table = await lobby.join_table(one, (await seated(one, 1)).id, ZOE)
    await away.kick_player(one, table.id, ADA, ZOE.user_id)
    remarks = await one.database.read(load_remarks_on, ZOE.user_id)
    assert remarks

    def forget_late(connection: Connection) -> None:
        forget_remarks(connection, remarks, ZOE.user_id)
        one.database.await_within(waiting(other.database.write(forget_remarks, remarks, ADA.user_id)))

    async with Waiting() as waiting:
        await one.database.write(forget_late)
    ((lines,),) = rows(settings, "select lines from events")
    assert lines.count(FORMER_NAME) == 2
