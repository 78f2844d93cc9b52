"""Dear computing beside the clicks: remembered, one thing at a time a person, in a process that may die."""

import asyncio
import gc
import logging
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.domain.errors import Refused
from bot.services import helper as module
from bot.services.helper import Helper, HelperError, HelperProcess


@pytest.fixture
async def process() -> AsyncIterator[HelperProcess]:
    helper = HelperProcess()
    yield helper
    await helper.close()


async def begin_endless_work(process: HelperProcess, folder: Path) -> asyncio.Task[None]:
    """Give the process work that ends only if it is done a second time. Return when the process is at it."""
    begun = folder / "begun"
    os.mkfifo(begun)
    code = f"""
import os, time
if os.path.exists({str(begun)!r}):
    open({str(begun)!r}, "w").close()
    time.sleep(3600)
"""
    working = asyncio.create_task(process.run(exec, code))
    await asyncio.to_thread(begun.read_text)
    begun.unlink()
    return working


async def test_a_result_is_computed_in_another_process_and_remembered(process: HelperProcess) -> None:
    assert await process.run(os.getpid) != os.getpid()
    remembered = await process.run(time.monotonic)
    assert await process.run(time.monotonic) == remembered
    process.forget()
    assert await process.run(time.monotonic) > remembered
    with pytest.raises(ValueError, match="invalid literal"):
        await process.run(int, "seven")
    # Whoever no longer waits does not mix up the results.
    impatient = asyncio.create_task(process.run(int, "seven"))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await process.run(str, 2) == "2"
    # An error that nobody looks at would be logged now.
    gc.collect()


async def test_what_was_computed_beforehand_is_there_and_a_stop_meanwhile_is_no_error(process: HelperProcess) -> None:
    await process.warm_up(int, ["7", "8"])
    await process.close()
    assert (await process.run(int, "7"), await process.run(int, "8")) == (7, 8)
    await process.warm_up(int, ["9"])
    with pytest.raises(HelperError):
        await process.run(int, "9")
    # A program that serves nobody meanwhile does nothing beforehand.
    await Helper().warm_up(int, ["seven"])


async def test_what_is_computed_while_all_is_forgotten_is_not_remembered() -> None:
    helper, begun, goes_on = Helper(), threading.Event(), threading.Event()

    def compute() -> object:
        begun.set()
        goes_on.wait(60)
        return object()

    computing = asyncio.create_task(helper.run(compute))
    await asyncio.to_thread(begun.wait, 60)
    helper.forget()
    goes_on.set()
    assert await computing is not (again := await helper.run(compute))
    assert await helper.run(compute) is again


async def test_a_process_that_dies_is_replaced_and_the_piece_done_again(
    process: HelperProcess, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    first = await process.run(os.getpid)
    working = await begin_endless_work(process, tmp_path)
    os.kill(first, signal.SIGKILL)
    await working
    assert "died while computing exec" in caplog.text


async def test_a_piece_that_goes_wrong_twice_is_given_up(
    process: HelperProcess, error_log: list[logging.LogRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The piece kills its process, or never ends."""
    with pytest.raises(HelperError):
        await process.run(os._exit, 1)
    assert "died while computing" in error_log.pop().getMessage()
    with monkeypatch.context() as impatient:
        impatient.setattr(module, "LONGEST_SECONDS", 0.1)
        with pytest.raises(HelperError):
            await process.run(time.sleep, 60)
    assert "died while computing" in error_log.pop().getMessage()
    assert await process.run(int, "7") == 7


async def test_a_person_has_one_dear_thing_done_at_a_time_and_rests_as_long_as_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    helper, now, rests = Helper(), 1000.0, list[float]()

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(module, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": rest}))
    async with helper.one_at_a_time(1):
        second = asyncio.create_task(helper.one_at_a_time(1).__aenter__())
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="working on your last request"):
            await helper.one_at_a_time(1).__aenter__()
        async with helper.one_at_a_time(2):
            pass
        assert not second.done(), "one after the other"
        rests.clear()
        now += 7
    now += 2
    await second
    assert rests == [5.0], "as long as the first took, without the two seconds that have passed since"
