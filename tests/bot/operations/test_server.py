"""The port for operators: who reaches it, and what it counts while people play."""

import asyncio
import logging
import math
import socket
import threading

import pytest

import bot.operations.server
from bot.config import Settings
from bot.observing.metrics import Metrics
from bot.operations.server import MOST_CONNECTIONS, PortError
from bot.store import sqlite
from bot.ui.buttons import Verb
from highscore.events import Decided, TakeDice
from highscore.turn import Roll, Stop
from tests.bot.dailies import Player
from tests.bot.databases import execute
from tests.bot.operations.scraping import Scrape, get, observed, scrape
from tests.bot.server import RETRY, Server, serve
from tests.discord import fault
from tests.discord.bots import Tavern


async def test_a_port_that_cannot_be_opened_ends_the_start_with_a_sentence(settings: Settings) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        taken = f"^port {port} of 127.0.0.1 is taken by another program; choose another METRICS_PORT, or none"
        elsewhere = r"port 0 of 203\.0\.113\.1 cannot be opened .*; check METRICS_PORT and METRICS_HOST"
        for host, number, sentence in (("127.0.0.1", port, taken), ("203.0.113.1", 0, elsewhere)):
            wrong = settings.model_copy(update={"metrics_port": number, "metrics_host": host})
            with pytest.raises(PortError, match=sentence):
                async with serve(wrong):
                    pass


async def test_without_the_setting_no_port_is_opened(server: Server) -> None:
    assert server.bot.observing is None


async def test_a_look_from_this_machine_only_changes_nothing(watched: Server) -> None:
    assert watched.bot.observing is not None
    port = watched.bot.observing.port or 0
    # Another address of this machine stands for that of a network: who listens everywhere listens there too.
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port), timeout=10)
    await watched.begin(2)
    before = watched.rows("select id, version, updated_at, wake_at from games")
    requests = len(watched.env.http_requests)
    await asyncio.gather(*(get(watched.bot, path) for path in ("/metrics", "/health", "/ready") for _ in range(10)))
    assert watched.rows("select id, version, updated_at, wake_at from games") == before
    assert len(watched.env.http_requests) == requests
    assert (await get(watched.bot, "/"))[0] == 404
    assert (await get(watched.bot, "/metrics"))[1] == "text/plain"


async def test_whoever_never_ends_a_request_keeps_nobody_out(tavern: Tavern, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many connections with half a header: the newest few stay, for a while, and others are answered meanwhile."""
    monkeypatch.setattr(bot.operations.server, "CONNECTION_SECONDS", 2.0)
    assert tavern.bot.observing is not None
    port = tavern.bot.observing.port
    slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4 * MOST_CONNECTIONS)]
    for _reader, writer in slow:
        writer.write(b"GET /health HTTP/1.1\r\nHost: ")
    assert (await get(tavern.bot, "/health"))[0] == 200
    ended = [asyncio.create_task(reader.read()) for reader, _writer in slow]
    await asyncio.wait(ended[:-MOST_CONNECTIONS], timeout=1)
    assert 0 < sum(not task.done() for task in ended) <= MOST_CONNECTIONS
    _done, late = await asyncio.wait(ended, timeout=10)
    for _reader, writer in slow:
        writer.transport.abort()
    await asyncio.gather(*ended, *(writer.wait_closed() for _reader, writer in slow), return_exceptions=True)
    assert not late
    assert (await get(tavern.bot, "/health"))[0] == 200


def test_moves_of_the_house_are_counted_as_its_own() -> None:
    metrics = Metrics()
    # Seat 1 is a house player; for seat 0 the house stands in once.
    metrics.count_moves([Decided(0, TakeDice()), Decided(0, Stop(), by_house=True), Decided(1, TakeDice())], {1})
    metrics.count_decision(Roll(()))
    counted = {
        tuple(sample.labels.values()): sample.value
        for family in metrics.moves.collect()
        for sample in family.samples
        if sample.name.endswith("_total") and sample.value
    }
    assert counted == {
        ("table", "take", "player"): 1,
        ("table", "stop", "house"): 1,
        ("table", "take", "house"): 1,
        ("challenge", "roll", "player"): 1,
    }


async def test_every_click_is_counted_by_how_it_ends_and_timed(watched: Server) -> None:
    seen = await scrape(watched.bot)
    for name in ("owed_reminders", "owed_posts", "owed_reviews", "guilds", "build_info", "gateway_disconnects_total"):
        assert seen.has(name), name
    assert seen("guilds") == 1
    assert [seen("healthy", part=part) for part in ("gateway", "database", "clock")] == [1, 1, 1]
    await watched.seat(2)
    ada = watched.members[0]
    await ada.autocomplete(watched.channel, "highscore rules", "card", "ascending")
    dialog = await watched.press(ada, Verb.LUCKY_WORD)
    await ada.submit_modal(dialog, {"word": "clover"})
    await watched.press(ada, Verb.START)
    table = await watched.table()
    take, first = str(watched.buttons(Verb.TAKE)[0].custom_id), watched.shown.id
    seen = await scrape(watched.bot)
    assert seen("click_to_commit_seconds_count") == 4, "opened, sat down, a lucky word, started"
    for asked, count in (("autocomplete", 1), ("modal", 1), ("command", 1), ("button", 4)):
        assert seen("interactions_total", asked=asked, outcome="done") == count
        assert seen("click_to_answer_seconds_count", asked=asked) == count

    await watched.send(watched.off_turn(table), take)
    await watched.send(watched.on_turn(table), take)
    await watched.press(watched.on_turn(table), Verb.TOGGLE)
    # Whoever would keep nothing is asked first, which depends on the dice.
    unsure = len(watched.buttons(Verb.ASK))
    await watched.send(watched.on_turn(table), await watched.end_turn())
    await watched.send(watched.on_turn(table), take, first)
    seen = await scrape(watched.bot)
    assert seen("interactions_total", asked="button", outcome="refused") == 1
    assert seen("interactions_total", asked="button", outcome="stale") == 1
    assert seen("interactions_total", asked="button", outcome="done") == 7 + unsure
    # To be told why not is an answer, too; and picking dice commits nothing.
    assert seen("click_to_answer_seconds_count", asked="button") == 9 + unsure
    assert seen("click_to_commit_seconds_count") == 6
    assert (
        0
        < seen("click_to_commit_seconds_sum")
        < sum(seen("click_to_answer_seconds_sum", asked=asked) for asked in ("button", "modal", "command"))
    )
    assert seen("moves_total", game="table", decision="take", by="player") == 1
    assert seen("interactions_in_flight") == 0


async def test_moves_of_a_daily_challenge_are_counted_beside(watched: Server) -> None:
    ada = await Player.begin(watched, watched.members[0])
    take = str(ada.buttons(Verb.TAKE)[0].custom_id)
    await ada.send(take)
    await ada.send(take)
    seen = await scrape(watched.bot)
    assert seen("moves_total", game="challenge", decision="take", by="player") == 1
    assert seen("interactions_total", asked="button", outcome="stale") == 1
    assert seen("click_to_commit_seconds_count") == 2, "the command and the button"


async def test_trouble_is_counted_by_what_failed(watched: Server, error_log: list[logging.LogRecord]) -> None:
    table = await watched.begin(2)
    before = await scrape(watched.bot)
    assert [before(name) for name in ("owed_tables", "overdue_tables", "oldest_overdue_seconds")] == [0, 0, 0]

    def more(now: Scrape, name: str, **labels: str) -> float:
        return now(name, **labels) - before(name, **labels)

    execute(watched.settings, "alter table events rename to elsewhere")
    await watched.press(watched.on_turn(table), Verb.TAKE)
    execute(watched.settings, "alter table elsewhere rename to events")
    error_log.clear()
    seen = await scrape(watched.bot)
    assert seen("interactions_total", asked="button", outcome="failed") == 1
    assert seen("moves_total", game="table", decision="take", by="player") == 0

    watched.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062, times=1)
    await watched.press(watched.on_turn(table), Verb.TAKE, acknowledged=False)
    seen = await scrape(watched.bot)
    assert seen("discord_errors_total", where="answer", status="404", code="10062") == 1
    assert seen("interactions_total", asked="button", outcome="unanswered") == 1
    # The failed press was answered with a sentence, this one was not.
    assert more(seen, "click_to_answer_seconds_count", asked="button") == 1
    assert more(seen, "click_to_commit_seconds_count") == 1

    watched.env.inject_error("POST", "/channels/*/messages", status=503, times=None)
    await watched.send(watched.on_turn(table), await watched.end_turn())
    seen = await scrape(watched.bot)
    assert seen("owed_tables") == 1
    assert seen("discord_errors_total", where="table", status="503", code="0") == 1
    watched.env.backend.faults.clear()
    await watched.env.advance_time(RETRY + 1)
    assert (await scrape(watched.bot))("owed_tables") == 0

    watched.bot.clock.close()
    await watched.env.advance_time(3 * 3600)
    seen = await scrape(watched.bot)
    assert seen("overdue_tables") == 1
    assert 0 < seen("oldest_overdue_seconds") < 3 * 3600


async def test_a_database_that_cannot_be_asked_makes_no_zeros(tavern: Tavern, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.operations.health.DATABASE_SECONDS", 0.05)
    database, held = tavern.bot.core.database, threading.Event()
    others = [asyncio.create_task(database.read(lambda _connection: held.wait())) for _ in range(sqlite.READERS)]
    seen = await scrape(tavern.bot)
    held.set()
    await asyncio.gather(*others)
    assert math.isnan(seen("owed_tables"))
    assert [seen("healthy", part=part) for part in ("gateway", "database", "clock")] == [1, 0, 1]


async def test_two_bots_in_a_process_count_for_themselves(settings: Settings) -> None:
    async with observed(settings) as first:
        await first.seat(1)
        await first.restart()
        commands = {"asked": "command", "outcome": "done"}
        assert first.bot.metrics.registry.get_sample_value("highscore_interactions_total", commands) == 0


async def test_requests_that_the_library_repeats_by_itself_are_counted(tavern: Tavern) -> None:
    tavern.discord.faults.next.append(("POST", "/interactions/*/*/callback", fault("503")))
    command = await tavern.people[0].slash(tavern.channel, "highscore help")
    assert command.acknowledged
    seen = await scrape(tavern.bot)
    assert seen("discord_requests_total", status="503") == 1
    assert seen("discord_requests_total", status="200") > 1
    assert seen("discord_requests_total", status="101") == 1, "the gateway"
    assert seen("click_to_answer_seconds_count", asked="command") == 1
    assert not seen.has("discord_errors_total"), "none has reached the bot"


MALFORMED = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 40 + b"\r\n\r\n",
    b"\r\n\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET /metrics\r\n\r\n",
    b"GET /metrics HTTP/9.9\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nno colon\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nHost: a\r\nHost : b\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nContent-Length: many\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    b"POST /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\n\r\n",
    b"GET //[x HTTP/1.1\r\n\r\n",
    b"GET /%zz%00\xff HTTP/1.1\r\n\r\n",
    b"G\x00T /metrics HTTP/1.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"CONNECT a:b:c HTTP/1.1\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nExpect: the unexpected\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\n\r\nGET\r\n\r\n",
)


async def test_a_malformed_request_is_no_error_of_the_bot(tavern: Tavern, caplog: pytest.LogCaptureFixture) -> None:
    assert tavern.bot.observing is not None
    for request in MALFORMED:
        reader, writer = await asyncio.open_connection("127.0.0.1", tavern.bot.observing.port)
        writer.write(request)
        writer.write_eof()
        await asyncio.wait_for(reader.read(), 20)
        writer.close()
        assert [record for record in caplog.records if record.exc_info] == [], request
    assert (await get(tavern.bot, "/health"))[0] == 200
