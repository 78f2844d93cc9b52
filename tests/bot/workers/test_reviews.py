"""Luck and skill of finished games: worked out afterwards, once, also if it was pending before a restart."""

import logging

import pytest

from bot.domain.outcome import MILLIONTHS
from bot.domain.table import Table
from bot.services.facts import GameFinished
from bot.store import table as table_store
from bot.workers import reviews, worker
from highscore.odds.analysis import analyse_game
from tests.bot.games import Club, house, people


async def _reviewed(games: Club) -> None:
    reviewing = reviews.Reviewing(games.core, worker.Clock(games.core.now))
    games.after(seconds=1)
    reviewing.wake()
    await reviewing.settle()
    await reviewing.close()


async def _report(games: Club, table: Table) -> list[tuple[int, int, int]]:
    events = await games.core.database.read(table_store.load_events, table.id)
    report = analyse_game(len(table.seats), table.turn_order, events)
    return [
        (round(one.luck * MILLIONTHS), round(one.loss * MILLIONTHS), one.decisions)
        for one in sorted(report.players, key=lambda one: one.seat)
    ]


async def test_a_finished_game_is_reviewed_as_its_report_says(games: Club) -> None:
    table = await games.finish([*people(1, 2), house()])
    await _reviewed(games)
    rows = await games.rows("select luck, loss, decisions from results order by seat")
    assert rows == await _report(games, table)
    line = await games.standing(1)
    assert (line["luck"], line["loss"], line["decisions"], line["reviewed"]) == (*rows[0], 1)
    assert await games.rows("select review_owed from finished_games") == [(0,)]


@pytest.mark.both_databases
async def test_a_game_that_ends_is_noticed(games: Club) -> None:
    reviewing = reviews.Reviewing(games.core, worker.Clock(games.core.now))
    games.core.facts.subscribe(GameFinished, reviewing.notice)
    await games.play_on(await games.open(people(1, 2)), rounds=3)
    await reviewing.settle()
    await games.finish(people(1, 2))
    await reviewing.settle()
    assert await games.rows("select count(*) from results where decisions is not null") == [(2,)]
    await reviewing.close()


@pytest.mark.both_databases
async def test_a_game_that_cannot_be_reviewed_holds_up_no_other(
    games: Club, error_log: list[logging.LogRecord]
) -> None:
    broken = await games.finish(people(1, 2))
    await games.write("update events set lines = 'nonsense' where game_id = :game and seq = 2", game=broken.id)
    games.after(hours=1)
    await games.finish(people(1, 2))
    await _reviewed(games)
    assert (await games.standing(1))["reviewed"] == 1
    assert await games.rows("select count(*) from finished_games where review_owed") == [(0,)]
    assert [record.args for record in error_log] == [(broken.id,)]
    error_log.clear()
