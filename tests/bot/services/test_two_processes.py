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
from bot.domain.challenge import Attempt
from bot.domain.errors import Refused, Stale
from bot.domain.rating import GAMES_A_DAY
from bot.domain.server_settings import ServerSettings
from bot.domain.table import MAX_SEATS, Status, Table
from bot.services import away, daily, lobby, privacy, results
from bot.services import setup as preferences
from bot.services import turn as playing
from bot.services.core import TABLES_PER_HOST, Change, Core, Person, change_table, get_table
from bot.services.lobby import TableTaken
from bot.services.rebuild import rebuild
from bot.store import table as store
from bot.store.locks import LockScope, lock_subjects
from bot.store.privacy import FORMER_NAME, forget_remarks, load_remarks_on
from bot.store.settings import save_server_settings
from highscore import replay_events
from highscore.errors import IllegalChoice
from highscore.game import Game, list_decisions
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, DOT, GUILD, NOW, begun, on_turn, open_one, seated
from tests.bot.databases import columns_with, rows
from tests.bot.games import Club, people, scored, wins
from tests.bot.services.test_setup import stored_settings

pytestmark = pytest.mark.both_databases

AT_ONCE = 12
CROWD = [Person(5001 + at, f"Guest {at}") for at in range(AT_ONCE)]
ZOE = Person(987654321012345678, "Zoe of Betelgeuse")


def taking_turns(
    cores: tuple[Core, Core], work: Callable[[Core, Person], Awaitable[object]]
) -> list[Awaitable[object]]:
    """Return the work of the crowd, every second person's by the other process."""
    return [work(cores[at % 2], person) for at, person in enumerate(CROWD)]


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


async def test_the_last_seat_is_one_persons(cores: tuple[Core, Core]) -> None:
    table = await seated(cores[0], MAX_SEATS - 1)
    answers = await together(taking_turns(cores, lambda core, one: lobby.join_table(core, table.id, one)))
    assert answers == {Table: 1, Refused: AT_ONCE - 1}
    after = await get_table(cores[1], table.id)
    sitting = [seat.user_id for seat in after.seats]
    assert len(set(sitting)) == len(sitting) == MAX_SEATS
    assert after.version == table.version + 1


async def test_a_channel_gets_one_table(cores: tuple[Core, Core], settings: Settings) -> None:
    answers = await together(
        taking_turns(
            cores, lambda core, one: lobby.open_table(core, one, guild_id=GUILD, channel_id=CHANNEL, locale="en")
        )
    )
    assert answers == {Table: 1, TableTaken: AT_ONCE - 1}
    assert rows(settings, "select count(*) from games") == rows(settings, "select count(*) from seats") == [(1,)]


async def test_somebody_who_opens_tables_everywhere_at_once_hosts_as_many_as_they_may(cores: tuple[Core, Core]) -> None:
    def open_one(core: Core, number: int) -> Awaitable[Table]:
        return lobby.open_table(core, ADA, guild_id=GUILD, channel_id=CHANNEL + number, locale="en")

    answers = await together([open_one(cores[number % 2], number) for number in range(AT_ONCE)])
    assert answers == {Table: TABLES_PER_HOST, Refused: AT_ONCE - TABLES_PER_HOST}


async def test_of_games_that_start_at_once_as_many_count_as_one_after_the_other(
    cores: tuple[Core, Core], settings: Settings
) -> None:
    for core in cores:
        core.tables_per_host = AT_ONCE
    tables = [await seated(cores[0], 2, channel_id=CHANNEL + number) for number in range(AT_ONCE)]
    await together([lobby.start_game(cores[at % 2], table.id, ADA) for at, table in enumerate(tables)])
    assert AT_ONCE > GAMES_A_DAY
    assert rows(settings, "select count(*) from seats where counts") == [(2 * GAMES_A_DAY,)]
    assert rows(settings, "select count(*) from games where day_ends_at is not null") == [(GAMES_A_DAY,)]


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


async def test_a_game_that_begins_while_people_come_and_go_has_those_who_sit(cores: tuple[Core, Core]) -> None:
    one, other = cores
    table = await seated(one, 3)
    work: list[Awaitable[object]] = [
        lobby.start_game(one, table.id, ADA),
        lobby.leave_lobby(other, table.id, BEN),
        lobby.join_table(other, table.id, DOT),
        away.kick_player(one, table.id, ADA, CEM.user_id),
    ]
    answers = await together(work)
    assert set(answers) <= {Table, Stale, Refused}
    after = await check_log(other, table.id)
    assert after.status is Status.PLAYING
    assert after.game is not None
    assert after.game.players == len(after.seats)


# ------------------------------------------------------------------------------------------------- the daily challenge


async def test_everybody_begins_the_same_day_once(cores: tuple[Core, Core], settings: Settings) -> None:
    def begin(core: Core, one: Person) -> Awaitable[object]:
        return daily.begin_attempt(core, one, guild_id=GUILD, channel_id=CHANNEL, locale="en")

    answers = await together([*taking_turns(cores, begin), *taking_turns((cores[1], cores[0]), begin)])
    assert answers == {Attempt: 2 * AT_ONCE}
    assert rows(settings, "select count(*) from dailies") == [(1,)]
    assert rows(settings, "select count(*) from attempts") == [(AT_ONCE,)]


# ------------------------------------------------------------------------------------------------------------ the books


async def test_games_of_the_same_people_that_end_at_once_are_booked_one_after_the_other(
    cores: tuple[Core, Core],
) -> None:
    clubs = [Club(core) for core in cores]
    clubs[1].rng.seed(2)
    tables = [await clubs[0].open(people(11, 12, 13)) for _game in range(6)]
    await asyncio.gather(*(clubs[at % 2].play_on(table) for at, table in enumerate(tables)))
    standing = await clubs[0].standing(11)
    assert (standing["games"], standing["rated"]) == (6, 6)
    assert await clubs[0].rows("select count(distinct finished_at) from finished_games") == [(6,)]
    # Each game was rated with what the one before had left: a rebuild takes one after the other.
    written = await clubs[0].books()
    assert (await rebuild(cores[1])).failed == []
    assert await clubs[0].books() == written


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
async def test_a_change_of_settings_begins_with_what_another_has_left(cores: tuple[Core, Core]) -> None:
    one, other = cores

    def change(connection: Connection) -> None:
        lock_subjects(connection, LockScope.GUILD, GUILD)
        one.database.await_within(waiting(preferences.change_settings(other, GUILD, tables_per_channel=3)))
        save_server_settings(connection, GUILD, ServerSettings(zone="Europe/Berlin"), NOW)

    async with Waiting() as waiting:
        await one.database.write(change)
    assert await stored_settings(one) == ServerSettings(zone="Europe/Berlin", tables_per_channel=3)


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
