"""Marks that a deletion leaves: whom they are found by, how often, and until when."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bot.config import Settings
from bot.domain.shards import Share
from bot.services.core import Core
from bot.store.marks import EVERYWHERE, MarkKind, Subject, add_marks, load_marks, load_marks_of
from bot.store.models import mark_keys, marks
from bot.workers import privacy, worker
from tests.bot.cores import GUILD, NOW
from tests.bot.databases import columns_with

ADA, BEN = 987654321012345678, 987654321012345679
KIND = MarkKind.DAILY


def _hour(number: int) -> datetime:
    return NOW + timedelta(hours=number)


async def _mark(core: Core, *subjects: Subject, at: int = 0, until: int = 12, guild_id: int = GUILD) -> None:
    await core.database.write(add_marks, KIND, subjects, _hour(at), ends_at=_hour(until), guild_id=guild_id)


async def _moments(core: Core, subject: Subject, at: int = 0, guild_id: int = GUILD) -> list[datetime]:
    return (await core.database.read(load_marks, KIND, [subject], _hour(at), guild_id=guild_id))[subject]


async def _all(core: Core) -> list[Any]:
    async with core.database.reading() as connection:
        return [[*(await connection.execute(select(table))).all()] for table in (mark_keys, marks)]


async def test_what_is_marked_is_found_by_those_it_is_about_and_counted(core: Core, settings: Settings) -> None:
    await _mark(core, (ADA,), (ADA, BEN))
    await _mark(core, (ADA,), at=3)
    assert await _moments(core, (ADA,), at=4) == [_hour(0), _hour(3)]
    assert await _moments(core, (ADA, BEN)) == [_hour(0)]
    for other in ((BEN,), (BEN, ADA), (ADA, BEN, ADA)):
        assert await _moments(core, other) == []
    for guild_id in (GUILD + 1, EVERYWHERE):
        assert await _moments(core, (ADA,), guild_id=guild_id) == []
    assert columns_with(settings, ADA, BEN) == set()
    found = await core.database.read(load_marks_of, ADA, NOW)
    assert sorted(found, key=str) == [{"guild_id": GUILD, "kind": KIND.value, "at": _hour(at)} for at in (0, 3)]


async def test_a_mark_is_found_under_every_key_that_has_not_ended_and_the_keys_tell_nothing_of_each_other(
    core: Core,
) -> None:
    await _mark(core, (ADA,), at=10, until=18)
    await _mark(core, (ADA,), at=13, until=36)
    assert await _moments(core, (ADA,), at=13) == [_hour(10), _hour(13)]
    assert await _moments(core, (ADA,), at=18) == [_hour(13)]
    keys, rows = await _all(core)
    assert len({key.key for key in keys}) == len({row.mark for row in rows}) == 2


async def test_keys_go_with_their_marks_at_their_moment_whoever_looks_after_the_server(core: Core) -> None:
    now = NOW
    core.now = lambda: now
    core.share = Share(2, frozenset({GUILD % 2 ^ 1}))
    ended = privacy.EndedMarks(core, worker.Clock(core.now))
    for guild_id in (GUILD, EVERYWHERE):
        await _mark(core, (ADA,), guild_id=guild_id)
    await _mark(core, (ADA,), until=36)
    before = await _all(core)
    for hour, left in ((11, (3, 3)), (12, (1, 1)), (36, (0, 0))):
        now = _hour(hour)
        ended.wake()
        await ended.settle()
        keys, rows = await _all(core)
        assert (len(keys), len(rows)) == left
    assert core.database.shared or not _readable(core, [row.key for row in before[0]] + [row.mark for row in before[1]])


def _readable(core: Core, secret: list[bytes]) -> bool:
    """Return whether any of these stands in the database's file or its log."""
    file = Path(str(core.database.url.database))
    content = b"".join(part.read_bytes() for part in file.parent.glob(file.name + "*"))
    return any(one in content for one in secret)
