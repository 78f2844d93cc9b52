"""Rules of all workers: each item by itself, once, as many as there is room for, and again when it fails."""

import asyncio
import logging
import os

import pytest

import bot.workers.worker
from bot.workers.worker import AFTER_ERROR, FIRST_RETRY, LAST_RETRY, LOCKED_SECONDS
from tests.bot.workers.turned import START, Rows, Time, rest

MANY = 2000 if os.environ.get("HIGHSCORE_LARGE") == "1" else 200


def numbered(number: int = MANY) -> list[str]:
    return [f"row {at}" for at in range(number)]


async def test_what_is_due_is_handled_once_and_in_no_larger_number_than_there_are_slots(time: Time) -> None:
    rows = Rows(time, *numbered())
    time.clock.start()
    await rows.settle()
    assert rows.done == numbered()
    assert rows.most == rows.slots


async def test_one_that_raises_neither_stops_nor_delays_the_others(
    time: Time, error_log: list[logging.LogRecord]
) -> None:
    rows = Rows(time, "broken", *numbered(10))
    rows.raising = {"broken"}
    time.clock.start()
    await rows.settle()
    assert rows.done == numbered(10)
    assert time.now == START
    assert len(error_log) == 1
    error_log.clear()


async def test_one_that_raises_is_tried_again_with_longer_and_longer_breaks(
    time: Time, error_log: list[logging.LogRecord]
) -> None:
    rows = Rows(time, "broken")
    rows.raising = {"broken"}
    time.clock.start()
    breaks = []
    for _ in range(8):
        await rest()
        breaks.append((rows.waiting["broken"] - time.now).total_seconds())
        await time.turn(breaks[-1])
    assert breaks == [min(FIRST_RETRY * 2**failures, LAST_RETRY) for failures in range(8)]
    rows.raising.clear()
    await time.turn(LAST_RETRY)
    assert rows.done == ["broken"]
    error_log.clear()


async def test_one_that_hangs_takes_one_slot_and_is_not_begun_again(time: Time) -> None:
    rows = Rows(time, "hanging", *numbered(20))
    rows.hanging = {"hanging"}
    time.clock.start()
    await time.turn(rows.lease.total_seconds() * 3)
    assert rows.done == numbered(20)
    assert rows.begun.count("hanging") == 1
    rows.hangs.set()
    await rows.settle()


async def test_one_that_is_asked_for_again_while_it_is_handled_is_handled_again(time: Time) -> None:
    rows = Rows(time)
    rows.hanging = {"row"}
    for _ in range(5):
        rows.wake("row")
        await rest()
    rows.hangs.set()
    await rows.settle()
    assert rows.done == ["row", "row"]


async def claimed_twice(time: Time) -> Rows:
    """Return a row that was given back, as by a press at its table, and claimed again while it is being handled."""
    rows = Rows(time, "row")
    rows.hanging = {"row"}
    time.clock.start()
    await rest()
    rows.waiting["row"] = time.now
    rows.wake()
    await rest()
    assert rows.waiting["row"] == time.now + rows.lease
    assert rows.begun == ["row"]
    return rows


async def test_one_that_is_claimed_again_while_it_is_handled_is_handled_again(time: Time) -> None:
    """Or its lease would be nobody's until it runs out."""
    rows = await claimed_twice(time)
    rows.hangs.set()
    await rows.settle()
    assert rows.begun == ["row", "row"]


async def test_one_that_is_claimed_again_while_it_is_handled_is_given_back_at_the_end(time: Time) -> None:
    rows = await claimed_twice(time)
    closing = asyncio.create_task(rows.close())
    await rest()
    rows.hangs.set()
    await closing
    assert rows.waiting["row"] == time.now


async def test_what_is_kept_in_memory_is_bounded(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.workers.worker, "REMEMBERED", 10)
    rows = Rows(time)
    rows.hanging = set(numbered())
    for name in numbered():
        rows.wake(name)
    assert len(rows._tasks) == rows.slots
    assert len(rows._asked) == 10
    rows.hangs.set()
    await rows.settle()
    assert rows.done == numbered(rows.slots + 10)


async def test_those_who_rest_take_no_slot_and_are_bounded(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.workers.worker, "REMEMBERED", 10)
    rows = Rows(time, *numbered())
    rested: dict[str, bool] = {}

    async def handle(item: str) -> None:
        rested[item] = await rows._rest(item, 3600)

    monkeypatch.setattr(rows, "handle", handle)
    time.clock.start()
    while len(rested) < MANY - 10:
        await rest()
    assert list(rested.values()) == [False] * (MANY - 10)
    assert len(rows._resting) == len(rows._tasks) == 10
    await rows.close()
    assert all(rows.waiting[name] == time.now for name in numbered(10)), "given back"


async def test_a_database_that_fails_is_asked_again_and_tells_in_the_health(
    time: Time, error_log: list[logging.LogRecord]
) -> None:
    rows = Rows(time, "row")
    rows.database.broken = 2
    time.clock.start()
    await time.turn(AFTER_ERROR + 10)
    assert rows.done == []
    assert time.clock.late() == AFTER_ERROR + 10
    await time.turn(AFTER_ERROR)
    assert rows.done == ["row"]
    assert time.clock.late() == 0
    assert len(error_log) == 2
    error_log.clear()


async def test_a_worker_without_a_free_slot_is_late_for_as_long_as_nothing_ends(time: Time) -> None:
    rows = Rows(time, *numbered(10))
    rows.hanging = set(rows.waiting)
    time.clock.start()
    await time.turn(70)
    assert time.clock.late() == 70
    rows.hangs.set()
    await rows.settle()
    assert time.clock.late() == 0


async def test_what_somebody_else_is_just_claiming_is_looked_for_again_soon(
    time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Rows(time, "row")
    with monkeypatch.context() as locked:

        def nothing(*_arguments: object, **_more: object) -> list[str]:
            return []

        locked.setattr(rows, "claim", nothing)
        time.clock.start()
        await rest()
    assert time.next_in == LOCKED_SECONDS
    await time.turn(LOCKED_SECONDS)
    assert rows.done == ["row"]


async def test_a_stop_lets_finish_what_was_begun_and_gives_back_the_rest(time: Time) -> None:
    rows = Rows(time, *numbered(10))
    rows.hanging = {"row 0", "row 1"}
    time.clock.start()
    await rest()
    closing = asyncio.create_task(rows.close())
    await rest()
    assert not closing.done()
    rows.hangs.set()
    await closing
    assert {"row 0", "row 1"} <= set(rows.done)
    assert all(at <= time.now for at in rows.waiting.values())
    rows.wake()
    rows.wake("row 0")
    await rest()
    assert len(rows.begun) == len(rows.done)


async def test_a_stop_does_not_wait_for_ever(time: Time, error_log: list[logging.LogRecord]) -> None:
    rows = Rows(time, "hanging", "broken")
    rows.hanging, rows.raising = {"hanging"}, {"broken"}
    time.clock.start()
    await rest()
    await rows.close(0.01)
    assert rows.waiting == {"hanging": time.now, "broken": time.now}, "the next process need not wait for them"
    error_log.clear()
