"""Starting and stopping."""

import asyncio
from pathlib import Path

import pytest

from playground import PlaygroundError, serve
from tests.playground.stub import StubBot
from tests.playground.visitor import run, visit


def was_made(path: Path) -> bool:
    """Return True if there is such a file."""
    return path.exists()


async def test_a_wrong_port_is_refused_before_anything_is_done(state: Path) -> None:
    with pytest.raises(PlaygroundError, match="70000 is not a port"):
        await serve(StubBot, state=state, port=70000)
    assert not was_made(state)


async def test_it_runs_until_cancelled_and_closes_the_bot(state: Path) -> None:
    bots: list[StubBot] = []

    def make() -> StubBot:
        bots.append(StubBot())
        return bots[-1]

    addresses: list[str] = []
    ready = asyncio.Event()

    def tell(address: str) -> None:
        addresses.append(address)
        ready.set()

    serving = asyncio.create_task(serve(make, state=state, port=0, ready=tell))
    await asyncio.wait_for(ready.wait(), 10)
    async with visit(addresses[0], "Ada") as ada:
        silent = asyncio.create_task(ada.post("slash", channel=ada.channel, command="stub silent", options={}))
        await asyncio.sleep(0.05)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(serving, 10)
        await asyncio.gather(silent, return_exceptions=True)
    assert bots[0].closed_properly
    assert bots[0].is_closed()


async def test_a_bot_which_cannot_start_is_not_hidden(state: Path) -> None:
    class Broken(StubBot):
        async def setup_hook(self) -> None:
            raise LookupError("no deck of cards")

    with pytest.raises(LookupError, match="no deck of cards"):
        await serve(Broken, state=state, port=0)
    async with run(state) as address, visit(address, "Ada") as ada:
        assert await ada.table()
