"""The port for operators: who reaches it, and what it counts while people play."""

import asyncio
import json
import logging
import math
import socket
import threading

import pytest

from bot.config import Settings
from bot.operations.health import MOST_CONNECTIONS, PortError
from bot.store import sqlite
from bot.ui.buttons import Verb
from tests.bot.databases import execute
from tests.bot.operations.scraping import Scrape, get, scrape
from tests.bot.server import RETRY, Server, serve
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


async def test_whoever_never_ends_a_request_keeps_nobody_out(tavern: Tavern, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many connections with half a header: the newest few stay, for a while, and others are answered meanwhile."""
    monkeypatch.setattr("bot.operations.health.CONNECTION_SECONDS", 2.0)
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
    seen, (status, _type, health) = await scrape(tavern.bot), await get(tavern.bot, "/health")
    held.set()
    await asyncio.gather(*others)
    assert math.isnan(seen("owed_tables"))
    assert [seen("healthy", part=part) for part in ("gateway", "database", "clock")] == [1, 0, 1]
    assert (status, json.loads(health)["ill"]) == (503, ["database"])
    assert (await get(tavern.bot, "/elsewhere"))[0] == 404
