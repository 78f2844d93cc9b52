"""Whether the bot is well, as a service manager asks: which part is ill, and since when."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path

import pytest

import bot.operations.health
from bot.config import Settings
from bot.observing.gateway import Gateway
from bot.observing.metrics import Metrics
from bot.operations.health import GATEWAY_SECONDS
from bot.operations.server import PortError
from bot.store import sqlite
from tests.bot.cli.process import highscore_bot
from tests.bot.observing.scraping import get, health
from tests.bot.server import Server, serve
from tests.discord import TOKEN, Discord
from tests.discord.bots import Tavern, connected
from tests.discord.bots import settings as tavern_settings

WELL = {"gateway": "ok", "database": "ok", "clock": "ok"}


@pytest.mark.parametrize("path", ["/health", "/ready"])
async def test_a_bot_that_plays_is_well(watched: Server, path: str) -> None:
    await watched.begin(2)
    assert await health(watched.bot, path) == (200, {"status": "ok", "ill": [], "parts": WELL})


async def test_it_is_not_well_before_it_is_connected(tmp_path: Path) -> None:
    fake = Discord()
    fake.add_guild("Tavern", [])
    async with fake.serving(), connected(fake, tavern_settings(tmp_path, metrics_port=0)) as bot:
        # The servers come one after the other, and who waits for the last is not ready.
        status, told = await health(bot)
        assert (status, told["ill"]) == (503, ["gateway"])
        assert told["parts"]["gateway"] == "not connected to Discord yet"
        await fake.until(bot.is_ready)
        assert (await health(bot))[0] == 200


async def test_a_shard_may_be_cut_off_for_a_minute_but_is_not_ready_then() -> None:
    ticks = [0.0]
    gateway = Gateway(Metrics(), lambda: ticks[0])
    gateway.happened("shard_disconnect", 3)
    ticks[0] = 50.0
    # It tries to connect again, in vain.
    gateway.happened("shard_disconnect", 3)
    ticks[0] = GATEWAY_SECONDS + 1
    assert gateway.down == {3: 61.0}
    gateway.happened("shard_resumed", 3)
    assert gateway.down == {}


async def test_a_connection_that_is_lost_shows_at_once_in_ready_and_is_forgiven_in_health(tavern: Tavern) -> None:
    tavern.bot.gateway.happened("shard_disconnect", 0)
    assert (await health(tavern.bot))[0] == 200
    status, told = await health(tavern.bot, "/ready")
    assert (status, told["parts"]["gateway"]) == (503, "shard 0 has been cut off for 0 s")
    tavern.bot.gateway.happened("shard_resumed", 0)
    assert (await health(tavern.bot, "/ready"))[0] == 200


async def test_a_real_reconnect_is_noticed_and_over_again(tavern: Tavern) -> None:
    tavern.discord.hub.break_off(tavern.discord.hub.connected[0])
    await tavern.discord.until(lambda: bool(tavern.bot.gateway.down))
    await tavern.discord.until(lambda: not tavern.bot.gateway.down)
    assert (await health(tavern.bot, "/ready"))[0] == 200
    assert tavern.bot.metrics.registry.get_sample_value("highscore_gateway_disconnects_total") == 1


async def test_a_database_that_does_not_answer_within_a_second_is_ill(tavern: Tavern) -> None:
    time = asyncio.get_running_loop().time
    async with AsyncExitStack() as others:
        for _ in range(sqlite.READERS):
            await others.enter_async_context(tavern.bot.core.database.read())
        began = time()
        answers = await asyncio.gather(*(health(tavern.bot) for _ in range(5)))
        assert time() - began < 3
        assert {status for status, _told in answers} == {503}
        assert answers[0][1]["ill"] == ["database"]
        assert answers[0][1]["parts"]["database"] == "TimeoutError: no answer within 1 s"
    assert (await health(tavern.bot))[0] == 200


async def test_a_database_that_says_no_is_ill_and_its_words_are_not_repeated(tavern: Tavern) -> None:
    await tavern.bot.clock.close()  # It would say that it misses its database.
    await tavern.bot.core.database.close()
    status, told = await health(tavern.bot)
    assert (status, told["ill"]) == (503, ["database"])
    assert "DatabaseError" in told["parts"]["database"]


class Hangs:
    """Something due that is not done with before it is told so."""

    def __init__(self) -> None:
        self.done = asyncio.Event()

    async def next_moment(self) -> datetime | None:
        return None

    async def run_due(self, _now: datetime) -> None:
        await self.done.wait()


async def test_a_clock_that_is_stuck_is_ill(tavern: Tavern, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.operations.health, "CLOCK_SECONDS", 0.2)
    hanging = Hangs()
    tavern.bot.clock.add(hanging)
    tavern.bot.clock.notice(tavern.bot.core.now())
    await asyncio.sleep(0.3)
    status, told = await health(tavern.bot)
    assert (status, told["ill"], told["parts"]["clock"]) == (503, ["clock"], "0 s late")
    hanging.done.set()
    await asyncio.sleep(0.1)
    assert (await health(tavern.bot))[0] == 200


async def test_a_port_that_is_taken_ends_the_start_with_a_sentence(settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            PortError, match=f"^port {port} of 127.0.0.1 is taken by another program; choose another METR"
        ):
            async with serve(settings.model_copy(update={"metrics_port": port})):
                pass


def test_the_sentence_is_all_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fake = Discord()
    with socket.socket() as taken, fake.running():
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = highscore_bot("run", fake=fake, DISCORD_TOKEN=TOKEN, METRICS_PORT=port, LOG_LEVEL="WARNING")
    assert done.returncode == 2
    assert done.stderr == (
        f"The bot stops: port {port} of 127.0.0.1 is taken by another program; choose another METRICS_PORT, or none.\n"
    )


async def test_an_address_that_is_not_ours_is_named(settings: Settings) -> None:
    elsewhere = settings.model_copy(update={"metrics_port": 0, "metrics_host": "203.0.113.1"})
    with pytest.raises(
        PortError, match=r"port 0 of 203\.0\.113\.1 cannot be opened .*; check METRICS_PORT and METRICS_"
    ):
        async with serve(elsewhere):
            pass


async def test_without_the_setting_no_port_is_opened(server: Server) -> None:
    assert server.bot.observing is None


async def test_it_is_opened_for_this_machine_only(watched: Server) -> None:
    assert watched.bot.observing is not None
    port = watched.bot.observing.port
    with socket.create_connection(("127.0.0.1", port or 0), timeout=10):
        pass
    # Another address of this machine stands for that of a network: who listens everywhere listens there too.
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port or 0), timeout=10)


async def test_other_paths_and_methods_are_nothing(watched: Server) -> None:
    assert (await get(watched.bot, "/"))[0] == 404
    assert (await get(watched.bot, "/metrics"))[1] == "text/plain"


async def test_a_look_changes_nothing(watched: Server) -> None:
    await watched.begin(2)
    before = watched.rows("select id, version, updated_at, wake_at from games")
    requests = len(watched.env.http_requests)
    await asyncio.gather(*(get(watched.bot, path) for path in ("/metrics", "/health", "/ready") for _ in range(10)))
    assert watched.rows("select id, version, updated_at, wake_at from games") == before
    assert len(watched.env.http_requests) == requests
