"""Facts: published once for each commit, whatever PostgreSQL tries again and whichever listener fails."""

import logging
from collections.abc import Callable
from typing import Any, get_args

import pytest
from sqlalchemy import Connection, text

from bot.config import Settings
from bot.domain.table import Table
from bot.services import away, turn
from bot.services.core import Core, get_table
from bot.services.facts import CameBack, Fact, TableChanged
from highscore.events import TakeDice
from tests.bot.cores import GUILD, on_turn, started
from tests.bot.databases import rows


def _listen(core: Core) -> list[Fact]:
    published: list[Fact] = []
    for kind in get_args(Fact):
        core.facts.subscribe(kind, published.append)
    return published


def _fail_once(core: Core, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Let the next write fail for a passing reason when all its work is done. Return what each try came to."""
    write, results = core.database.write, list[object]()

    async def failing(work: Callable[[Connection], Any]) -> object:
        def once(connection: Connection) -> object:
            results.append(work(connection))
            if len(results) == 1:
                connection.execute(text("do $$ begin raise exception sqlstate '40001'; end $$"))
            return results[-1]

        return await write(once)

    monkeypatch.setattr(core.database, "write", failing)
    return results


@pytest.mark.only_postgresql("SQLite runs no transaction twice")
async def test_a_move_whose_transaction_is_run_again_is_stored_and_published_once(
    settings: Settings, core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(core)
    await away.begin_absence(core, GUILD, on_turn(table), days=3, until=None)
    before = len(rows(settings, "select seq from events"))
    published, results = _listen(core), _fail_once(core, monkeypatch)
    after = await turn.decide_turn(core, table.id, on_turn(table), TakeDice(), version=table.version, interaction_id=7)
    assert len(results) == 2
    assert after == await get_table(core, table.id)
    assert after.version == table.version + 1
    assert len(rows(settings, "select seq from events")) == before + 1
    changed = [fact for fact in published if isinstance(fact, TableChanged)]
    assert [(fact.before, fact.after) for fact in changed] == [(table, after)]
    assert sum(isinstance(fact, CameBack) for fact in published) == 1
    assert len(published) == len({type(fact) for fact in published})


async def test_a_listener_that_fails_keeps_no_fact_from_the_others_and_no_move_from_the_player(
    core: Core, error_log: list[logging.LogRecord]
) -> None:
    def fail(_fact: Fact) -> None:
        raise ZeroDivisionError

    table = await started(core)
    await away.begin_absence(core, GUILD, on_turn(table), days=3, until=None)
    core.facts.subscribe(TableChanged, fail)
    published = _listen(core)
    after: Table = await turn.decide_turn(core, table.id, on_turn(table), TakeDice(), version=table.version)
    assert after == await get_table(core, table.id)
    assert {TableChanged, CameBack} <= set(map(type, published))
    assert "the change is committed, but a listener failed to handle TableChanged" in error_log.pop().getMessage()
    assert error_log == []
