"""What is counted when people play, as Prometheus sees it."""

from __future__ import annotations

import logging
import math
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.config import Settings
from bot.store import sqlite
from bot.ui.buttons import Verb
from tests.bot.dailies import Player
from tests.bot.databases import execute
from tests.bot.observing.scraping import Scrape, observed, scrape
from tests.bot.passing import HOUSE, play_turn
from tests.bot.server import RETRY, Server
from tests.discord import fault
from tests.discord.bots import a_tavern
from tests.faults.tools import ANSWER, NEW_MESSAGE, Failure, fail, mend


async def test_moves_are_counted_by_what_was_decided(watched: Server) -> None:
    table = await watched.begin_turn(2)
    await watched.send(watched.on_turn(table), watched.end_turn())
    seen = await scrape(watched.bot)
    ends = [seen("moves_total", game="table", decision=end, by="player") for end in ("stop", "set_aside")]
    assert seen("moves_total", game="table", decision="take", by="player") == 1
    assert sorted(ends) == [0, 1]
    assert seen("moves_total", game="table", decision="take", by="house") == 0


async def test_moves_of_the_house_are_counted_as_its_own(watched: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.domain.deadlines.HOUSE_SECONDS", HOUSE)
    await watched.begin(1, house=1)
    table = await watched.table()
    if table.game is not None and table.game.may_act == (0,):
        await play_turn(watched)
    before = await scrape(watched.bot)
    await watched.env.advance_time(HOUSE + 1)
    after = await scrape(watched.bot)
    assert after("moves_total", game="table", decision="take", by="house") == 1
    assert before("moves_total", game="table", decision="take", by="house") == 0
    # It was nobody's click.
    assert after("click_to_commit_seconds_count") == before("click_to_commit_seconds_count")


async def test_moves_of_a_daily_challenge_are_counted_beside(watched: Server) -> None:
    ada = await Player.begin(watched, watched.members[0])
    take = str(ada.buttons(Verb.TAKE)[0].custom_id)
    await ada.send(take)
    seen = await scrape(watched.bot)
    assert seen("moves_total", game="daily", decision="take", by="player") == 1
    assert seen("click_to_commit_seconds_count") == 1
    # The same button once more is out of date.
    await ada.send(take)
    seen = await scrape(watched.bot)
    assert seen("moves_total", game="daily", decision="take", by="player") == 1
    assert seen("interactions_total", asked="button", outcome="stale") == 1


async def test_every_click_is_timed_to_its_answer_and_those_that_change_something_to_their_commit(
    watched: Server,
) -> None:
    table = await watched.begin_turn(2)
    before = await scrape(watched.bot)
    await watched.press(watched.on_turn(table), Verb.TOGGLE)
    picked = await scrape(watched.bot)
    await watched.send(watched.on_turn(table), watched.end_turn())
    ended = await scrape(watched.bot)

    def more(name: str, then: Scrape, now: Scrape, **labels: str) -> float:
        return now(name, **labels) - then(name, **labels)

    assert more("click_to_answer_seconds_count", before, picked, asked="button") == 1
    assert more("click_to_commit_seconds_count", before, picked) == 0
    assert more("click_to_answer_seconds_count", picked, ended, asked="button") == 1
    assert more("click_to_commit_seconds_count", picked, ended) == 1
    to_commit = more("click_to_commit_seconds_sum", picked, ended)
    assert 0 < to_commit < more("click_to_answer_seconds_sum", picked, ended, asked="button")
    assert ended("click_to_answer_seconds_count", asked="command") == 1
    assert ended("interactions_in_flight") == 0


async def test_what_is_typed_and_filled_in_counts_too(watched: Server) -> None:
    await watched.seat(1)
    ada = watched.members[0]
    await ada.autocomplete(watched.channel, "highscore rules", "card", "ascending")
    popped_up = await watched.press(ada, Verb.LUCKY_WORD)
    await ada.submit_modal(popped_up, {"word": "clover"})
    seen = await scrape(watched.bot)
    for asked in ("autocomplete", "modal", "button", "command"):
        assert seen("interactions_total", asked=asked, outcome="done") == 1
        assert seen("click_to_answer_seconds_count", asked=asked) == 1


async def test_presses_that_come_to_nothing_are_counted_by_why(watched: Server) -> None:
    table = await watched.begin(2)
    take = str(watched.buttons(Verb.TAKE)[0].custom_id)
    first = watched.shown.id
    await watched.send(watched.off_turn(table), take)
    await watched.send(watched.on_turn(table), take)
    await watched.send(watched.on_turn(table), take, first)
    seen = await scrape(watched.bot)
    assert seen("interactions_total", asked="button", outcome="refused") == 1
    assert seen("interactions_total", asked="button", outcome="stale") == 1
    # To be told why not is an answer, too.
    done = seen("interactions_total", asked="button", outcome="done")
    assert seen("click_to_answer_seconds_count", asked="button") == done + 2


async def test_an_answer_that_discord_does_not_take_is_counted_with_its_code(watched: Server) -> None:
    table = await watched.begin(2)
    before = await scrape(watched.bot)
    fail(watched, "POST", ANSWER, Failure("unknown-interaction", 404, 10062))
    await watched.press(watched.on_turn(table), Verb.TAKE, acknowledged=False)
    seen = await scrape(watched.bot)
    assert seen("discord_errors_total", where="answer", status="404", code="10062") == 1
    assert seen("interactions_total", asked="button", outcome="unanswered") == 1
    clicks = {"asked": "button"}
    assert seen("click_to_answer_seconds_count", **clicks) == before("click_to_answer_seconds_count", **clicks)
    assert seen("click_to_commit_seconds_count") == before("click_to_commit_seconds_count") + 1


async def test_a_database_that_fails_makes_a_press_fail(watched: Server, error_log: list[logging.LogRecord]) -> None:
    table = await watched.begin(2)
    execute(watched.settings, "alter table events rename to elsewhere")
    try:
        await watched.press(watched.on_turn(table), Verb.TAKE)
    finally:
        execute(watched.settings, "alter table elsewhere rename to events")
    error_log.clear()
    seen = await scrape(watched.bot)
    assert seen("interactions_total", asked="button", outcome="failed") == 1
    assert seen("moves_total", game="table", decision="take", by="player") == 0


async def test_what_could_not_be_shown_is_owed_until_it_is_shown(watched: Server) -> None:
    table = await watched.begin_turn(2)
    assert (await scrape(watched.bot))("owed_tables") == 0
    fail(watched, "POST", NEW_MESSAGE, Failure("unavailable", 503), times=None)
    await watched.send(watched.on_turn(table), watched.end_turn())
    seen = await scrape(watched.bot)
    assert seen("owed_tables") == 1
    assert seen("discord_errors_total", where="table", status="503", code="0") == 1
    mend(watched)
    await watched.env.advance_time(RETRY + 1)
    assert (await scrape(watched.bot))("owed_tables") == 0


async def test_what_is_due_is_counted_with_the_longest_delay(watched: Server) -> None:
    await watched.begin(2)
    seen = await scrape(watched.bot)
    assert (seen("overdue_tables"), seen("oldest_overdue_seconds")) == (0, 0)
    await watched.bot.clock.close()
    await watched.env.advance_time(3 * 3600)
    seen = await scrape(watched.bot)
    assert seen("overdue_tables") == 1
    assert 0 < seen("oldest_overdue_seconds") < 3 * 3600


async def test_there_is_a_sample_for_everything_before_anything_happens(watched: Server) -> None:
    seen = await scrape(watched.bot)
    for name in ("owed_reminders", "owed_posts", "owed_reviews", "guilds", "build_info", "gateway_disconnects_total"):
        assert seen.has(name), name
    assert seen("guilds") == 1
    assert [seen("healthy", part=part) for part in ("gateway", "database", "clock")] == [1, 1, 1]
    assert seen("interactions_total", asked="button", outcome="stale") == 0
    assert seen.has("interactions_total")


async def test_a_database_that_cannot_be_asked_makes_no_zeros(tmp_path: Path) -> None:
    async with a_tavern(tmp_path, metrics_port=0) as tavern:
        await tavern.discord.until(tavern.bot.is_ready)
        async with AsyncExitStack() as others:
            for _ in range(sqlite.READERS):
                await others.enter_async_context(tavern.bot.core.database.read())
            seen = await scrape(tavern.bot)
        assert math.isnan(seen("owed_tables"))
        assert [seen("healthy", part=part) for part in ("gateway", "database", "clock")] == [1, 0, 1]
        assert (await scrape(tavern.bot))("owed_tables") == 0


async def test_two_bots_in_a_process_count_for_themselves(settings: Settings) -> None:
    async with observed(settings) as first:
        await first.seat(1)
        await first.restart()
        assert (
            first.bot.metrics.registry.get_sample_value(
                "highscore_interactions_total", {"asked": "command", "outcome": "done"}
            )
            == 0
        )


async def test_requests_that_the_library_repeats_by_itself_are_counted(tmp_path: Path) -> None:
    async with a_tavern(tmp_path, metrics_port=0) as tavern:
        tavern.discord.faults.next.append(("POST", "/interactions/*/*/callback", fault("503")))
        command = await tavern.people[0].slash(tavern.channel, "highscore help")
        assert command.acknowledged
        seen = await scrape(tavern.bot)
        assert seen("discord_requests_total", status="503") == 1
        assert seen("discord_requests_total", status="200") > 1
        assert seen("discord_requests_total", status="101") == 1, "the gateway"
        assert seen("click_to_answer_seconds_count", asked="command") == 1
        assert not seen.has("discord_errors_total"), "none has reached the bot"
