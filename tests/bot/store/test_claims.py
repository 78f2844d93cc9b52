"""Claims of several processes on work: claimed by one, left alone by the others, taken over in the end."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import pytest
from sqlalchemy import Connection, insert, select, update

from bot.domain.shards import Share
from bot.services import lobby
from bot.services import turn as playing
from bot.services.core import Core, get_table
from bot.store import claims, reminders
from bot.store.claims import TAKE_OVER
from bot.store.models import finished_games, games
from bot.store.models import reminders as reminders_table
from bot.store.table import Shown, mark_shown
from highscore import TurnOrder
from highscore.events import TakeDice
from tests.bot.cores import ADA, BEN, GUILD, NOW, begun, on_turn, open_one, started
from tests.bot.played import play_on

SECOND = timedelta(seconds=1)
TABLES = 4
HALF = TABLES // 2
WHOLE = Share()
OURS, THEIRS = Share(2, frozenset({0})), Share(2, frozenset({1}))
THEIR_GUILD = GUILD + (1 << 22)
NEVER = NOW + timedelta(days=365)

Claim = Callable[[Connection, datetime], list[str]]
Found = TypeVar("Found")


def _claim_due(connection: Connection, now: datetime, share: Share = WHOLE) -> list[str]:
    return claims.claim_due(connection, claims.DUE_TABLES, now, HALF, share)


def _claim_unshown(connection: Connection, now: datetime, share: Share = WHOLE) -> list[str]:
    return list(claims.claim_unshown(connection, now, HALF, share, f"process {now}"[:16]))


def _claim_reviews(connection: Connection, now: datetime, share: Share = WHOLE) -> list[str]:
    return claims.claim_due(connection, claims.PENDING_REVIEWS, now, HALF, share)


def _claim_reminders(connection: Connection, now: datetime, share: Share = WHOLE) -> list[str]:
    return claims.claim_reminders(connection, now, HALF, share)


CLAIMS: dict[str, tuple[Claim, claims.Claimable, timedelta]] = {
    "what is due": (_claim_due, claims.DUE_TABLES, claims.DUE_LEASE),
    "what is to be shown": (_claim_unshown, claims.UNSHOWN_TABLES, claims.SHOW_LEASE),
    "luck and loss": (_claim_reviews, claims.PENDING_REVIEWS, claims.REVIEW_LEASE),
    "reminders": (_claim_reminders, claims.UNSENT_REMINDERS, claims.SEND_LEASE),
}
"""Each with how long it lasts."""


async def stock(core: Core, number: int = TABLES, guild_id: int = GUILD) -> list[str]:
    """Store tables of which something has just come due: a deadline, a picture, a reminder, a review."""
    table = await open_one(core, channel_id=guild_id, guild_id=guild_id, order=TurnOrder.OPEN)
    await lobby.join_table(core, table.id, BEN)
    made = [(await play_on(core, await begun(core, table.id))).id]

    def make_due(connection: Connection) -> None:
        # One is played, which takes long; the others are like it.
        for at in range(1, number):
            made.append(f"{at:012}")
            for of, key in ((games, games.c.id), (finished_games, finished_games.c.game_id)):
                row = connection.execute(select(of).where(key == made[0])).mappings().one()
                place = {"channel_id": guild_id + at} if of is games else {"finished_at": NOW - (at + 1) * SECOND}
                connection.execute(insert(of).values({**row, key.name: made[-1], **place}))
        free = {"show_by": None, "show_until": None, "wake_at": NOW}
        connection.execute(update(games).where(games.c.id.in_(made)).values(free))
        for user_id, table_id in enumerate(made):
            ended = {"finished_at": NOW - (user_id + 1) * SECOND}
            connection.execute(update(finished_games).where(finished_games.c.game_id == table_id).values(ended))
            reminders.add_reminders(connection, table_id, 0, [user_id], NOW)

    await core.database.write(make_due)
    return made


async def claim(core: Core, what: Callable[..., Found], now: datetime) -> Found:
    return await core.database.write(what, now=now)


async def test_what_is_due_is_claimed_at_that_very_moment_and_not_before(cores: tuple[Core, Core]) -> None:
    await stock(cores[0], 1)
    for what, (take, rows, _lease) in CLAIMS.items():
        due = await next_moment(cores[0], rows, NOW)
        assert await claim(cores[0], take, due - SECOND) == [], what
        assert len(await claim(cores[0], take, due)) == 1, what


async def test_two_who_claim_at_once_get_different_rows(cores: tuple[Core, Core]) -> None:
    made = await stock(cores[0])
    for what, (take, _rows, _lease) in CLAIMS.items():
        found = await asyncio.gather(*(claim(core, take, NOW) for core in cores))
        # Both ask for half of them. Who came while the other still looked may have got fewer, or none.
        assert any(found), what
        while len(ids := [table_id for some in found for table_id in some]) < TABLES:
            found.append(await claim(cores[0], take, NOW))
            assert found[-1], what
        assert sorted(ids) == sorted(made), what
        assert await claim(cores[1], take, NOW) == [], what


@pytest.mark.only_postgresql("SQLite has one writer at a time")
async def test_what_is_just_being_claimed_is_passed_over(cores: tuple[Core, Core]) -> None:
    one, other = cores
    await stock(one)

    def both(connection: Connection, take: Claim) -> tuple[list[str], list[str]]:
        mine = take(connection, NOW)
        # Not committed yet: a process that waited for it would wait for ever.
        return mine, one.database.await_within(asyncio.wait_for(claim(other, take, NOW), 30))

    for what, (take, _rows, _lease) in CLAIMS.items():
        mine, theirs = await one.database.write(both, take)
        assert len(mine) == len(theirs) == HALF, what
        assert not set(mine) & set(theirs), what


async def test_a_lease_that_has_run_out_is_taken_over_and_a_process_that_is_alone_frees_all(
    cores: tuple[Core, Core],
) -> None:
    one, other = cores
    made = sorted(await stock(one, HALF))
    for what, (take, rows, lease) in CLAIMS.items():
        assert await next_moment(one, rows, NOW) <= NOW, what
        assert sorted(await claim(one, take, NOW)) == made, what
        assert await next_moment(other, rows, NOW) == NOW + lease, what
        assert await claim(other, take, NOW + lease - SECOND) == [], what
        assert sorted(await claim(other, take, NOW + lease)) == made, what
        assert await claim(one, take, NOW + lease) == [], what
    await one.database.write(claims.release_all)
    for what, (take, _rows, lease) in CLAIMS.items():
        assert sorted(await claim(one, take, NOW + lease)) == made, what


async def test_what_is_held_or_given_back(cores: tuple[Core, Core]) -> None:
    one, other = cores
    await stock(one, HALF)
    for what, (take, rows, _lease) in CLAIMS.items():
        held, given_back = await claim(one, take, NOW)
        for key, until in ((held, NOW + timedelta(hours=1)), (given_back, NOW)):
            await one.database.write(partial(claims.hold_claimed, rows=rows, key=key, until=until, begun=NOW))
        assert await claim(other, take, NOW) == [given_back], what
        assert await claim(other, take, NOW + timedelta(minutes=59)) == [given_back], what
        assert await next_moment(other, rows, NOW + timedelta(minutes=59)) <= NOW + timedelta(hours=1), what
        assert held in await claim(other, take, NOW + timedelta(hours=1)), what


async def test_what_was_given_back_or_claimed_since_is_not_held(cores: tuple[Core, Core]) -> None:
    """A worker that fails after the table has changed would put off the next deadline, which nobody has tried yet."""
    one, other = cores
    await stock(one, 1)
    for what, (take, rows, lease) in CLAIMS.items():
        (key,) = await claim(one, take, NOW)
        await one.database.write(claims.release_all)
        hold = partial(claims.hold_claimed, rows=rows, key=key, until=NOW + timedelta(hours=1), begun=NOW)
        await one.database.write(hold)
        assert await claim(other, take, NOW + SECOND) == [key], what
        await one.database.write(hold)
        assert await next_moment(other, rows, NOW + SECOND) == NOW + SECOND + lease, what


async def next_moment(core: Core, rows: claims.Claimable, now: datetime, share: Share = WHOLE) -> datetime:
    moment = await core.database.read(claims.find_next_moment, rows, now, share)
    return moment or NEVER


async def test_those_who_are_reminded_at_one_table_are_claimed_together(cores: tuple[Core, Core]) -> None:
    first, _second = await stock(cores[0], 2)
    more = [ADA.user_id, BEN.user_id]
    await cores[0].database.write(lambda connection: reminders.add_reminders(connection, first, 0, more, NOW))
    found = await asyncio.gather(
        *(core.database.write(lambda connection: claims.claim_reminders(connection, NOW, 1, WHOLE)) for core in cores)
    )
    assert [table_id for some in found for table_id in some].count(first) == 1
    theirs = select(reminders_table.c.user_id, reminders_table.c.send_until).where(reminders_table.c.game_id == first)
    rows = await cores[0].database.read(lambda connection: connection.execute(theirs).all())
    assert sorted((user, until) for user, until in rows) == [(user, NOW + claims.SEND_LEASE) for user in (0, *more)]


async def test_another_shards_servers_are_left_to_it_until_it_is_late(cores: tuple[Core, Core]) -> None:
    one, other = cores
    made = await stock(one, 2, THEIR_GUILD)
    ours, theirs = partial(_claim_reminders, share=OURS), partial(_claim_reminders, share=THEIRS)
    assert not OURS.includes(THEIR_GUILD)
    assert await claim(one, ours, NOW) == []
    assert await claim(one, ours, NOW + TAKE_OVER - SECOND) == []
    assert sorted(await claim(one, ours, NOW + TAKE_OVER)) == sorted(made)
    # Then it is somebody's, also for the process whose servers they are.
    assert await claim(other, theirs, NOW + TAKE_OVER) == []


async def test_nobody_touches_the_clock_of_a_table_whose_shard_is_not_connected(cores: tuple[Core, Core]) -> None:
    one, other = cores
    made = await stock(one, 2, THEIR_GUILD)
    late = NOW + 100 * TAKE_OVER
    assert await claim(one, partial(_claim_due, share=OURS), late) == []
    assert await claim(other, partial(_claim_due, share=Share(THEIRS.count, frozenset())), late) == []
    assert sorted(await claim(other, partial(_claim_due, share=THEIRS), late)) == sorted(made)


async def test_a_change_gives_a_table_back(cores: tuple[Core, Core]) -> None:
    one, other = cores
    table = await started(one)
    await one.database.write(lambda connection: connection.execute(update(games).values(wake_at=NOW)))
    assert await claim(one, _claim_due, NOW) == [table.id]
    await playing.decide_turn(one, table.id, on_turn(table), TakeDice(), version=table.version)
    await one.database.write(lambda connection: connection.execute(update(games).values(wake_at=NOW)))
    assert await claim(other, _claim_due, NOW) == [table.id]


async def test_a_process_that_stops_leaves_its_tables_to_the_others(cores: tuple[Core, Core]) -> None:
    one, other = cores
    made = await stock(one, 3)
    mine = partial(claims.claim_unshown, limit=2, share=WHOLE, process=one.process)
    theirs = partial(claims.claim_unshown, limit=2, share=WHOLE, process=other.process)
    held = await claim(one, mine, NOW)
    (kept,) = await claim(other, theirs, NOW)
    await one.database.write(partial(claims.release_unshown, process=one.process))
    assert await claim(other, theirs, NOW) == dict.fromkeys(held), "no other process may have sent them"
    assert sorted([*held, kept]) == sorted(made)
    assert {*(await claim(one, mine, NOW + timedelta(days=1))).values()} == {other.process}


async def _may_show(core: Core, table_id: str, now: datetime, until: datetime) -> bool:
    return await core.database.write(claims.claim_display, table_id, now, until, core.process)


async def test_a_table_is_shown_by_one_process_as_long_as_it_keeps_at_it(cores: tuple[Core, Core]) -> None:
    one, other = cores
    (table_id,) = await stock(one, 1)
    answers = await asyncio.gather(*(_may_show(core, table_id, NOW, NOW + 30 * SECOND) for core in cores))
    assert sorted(answers) == [False, True]
    shows, waits = (one, other) if answers[0] else (other, one)
    assert await _may_show(shows, table_id, NOW + 20 * SECOND, NOW + 60 * SECOND)
    assert not await _may_show(waits, table_id, NOW + 59 * SECOND, NOW + 90 * SECOND)
    assert await _may_show(waits, table_id, NOW + 60 * SECOND, NOW + 90 * SECOND)
    assert not await _may_show(shows, table_id, NOW + 61 * SECOND, NOW + 90 * SECOND)


async def test_who_commits_shows(cores: tuple[Core, Core]) -> None:
    one, other = cores
    table = await started(one)
    assert await claim(other, _claim_unshown, NOW) == []
    assert not await _may_show(other, table.id, NOW, NOW + SECOND)
    # A click that the other process gets makes it its own.
    await playing.decide_turn(other, table.id, on_turn(table), TakeDice(), version=table.version)
    assert not await _may_show(one, table.id, NOW, NOW + SECOND)
    assert await _may_show(one, table.id, NOW + claims.SHOW_LEASE, NOW + claims.SHOW_LEASE + SECOND)


async def test_what_was_shown_is_claimed_by_nobody(cores: tuple[Core, Core]) -> None:
    one, other = cores
    (table_id,) = await stock(one, 1)
    table = await get_table(one, table_id)
    shown = Shown(table.id, table.content_version, table.screen, 5)
    await one.database.write(mark_shown, [shown], NOW)
    assert await claim(other, _claim_unshown, NOW + timedelta(days=1)) == []
