import asyncio
import time
from pathlib import Path

import pytest

from playground import PlaygroundError, playground
from tests.playground import stub, visitor


def was_made(path: Path) -> bool:
    return path.exists()


async def test_a_wrong_port_is_refused_before_anything_is_done(state: Path) -> None:
    with pytest.raises(PlaygroundError, match="70000 is not a port"):
        async with playground(stub.StubBot, state=state, port=70000):
            pass
    assert not was_made(state)


async def test_it_runs_until_cancelled_and_closes_the_bot(state: Path) -> None:
    bots: list[stub.StubBot] = []

    def make() -> stub.StubBot:
        bots.append(stub.StubBot())
        return bots[-1]

    addresses: list[str] = []
    ready = asyncio.Event()

    def tell(address: str) -> None:
        addresses.append(address)
        ready.set()

    serving = asyncio.create_task(stub.serve(make, state, tell))
    await asyncio.wait_for(ready.wait(), 10)
    async with visitor.visit(addresses[0], "Ada") as ada:
        silent = asyncio.create_task(ada.post("slash", channel=ada.channel, command="stub silent", options={}))
        await asyncio.sleep(0.05)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(serving, 10)
        await asyncio.gather(silent, return_exceptions=True)
    assert bots[0].is_closed()


async def test_a_bot_that_is_too_busy_to_close_is_stopped_anyway(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.simulated.engine._CLOSE_WITHIN", 1.5)

    class Busy(stub.StubBot):
        async def close(self) -> None:
            loop = asyncio.get_running_loop()
            # simcord's clock moves to this timer, but does not find the bot idle in time.
            loop.call_later(0.05, lambda: None)
            await asyncio.to_thread(time.sleep, 1)
            await asyncio.wait([loop.create_future()], timeout=0.2)

    async def serve() -> None:
        async with visitor.run(state, bot=Busy):
            pass

    await asyncio.wait_for(serve(), 20)


async def test_a_bot_which_cannot_start_is_not_hidden(state: Path) -> None:
    class Broken(stub.StubBot):
        async def setup_hook(self) -> None:
            raise LookupError("no deck of cards")

    with pytest.raises(LookupError, match="no deck of cards"):
        async with playground(Broken, state=state):
            pass
    async with visitor.run(state) as address, visitor.visit(address, "Ada") as ada:
        assert await ada.table()
