"""Values as they are stored."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, create_engine, insert, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import StatementError
from sqlalchemy.pool import NullPool

from bot.store.rows import UtcDateTime

CEST = timezone(timedelta(hours=2))

moments = Table("moments", MetaData(), Column("id", Integer, primary_key=True), Column("at", UtcDateTime))


def _stored(value: datetime | None) -> datetime | None:
    engine = create_engine("sqlite://", poolclass=NullPool)
    with engine.begin() as connection:
        moments.create(connection)
        connection.execute(insert(moments).values(id=1, at=value))
        found: datetime | None = connection.execute(select(moments.c.at)).scalar_one()
    return found


@pytest.mark.parametrize(
    "value",
    [
        datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
        datetime(2026, 3, 29, 3, 30, 0, 123456, tzinfo=CEST),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
        None,
    ],
)
def test_a_time_comes_back_as_the_same_moment_in_utc(value: datetime | None) -> None:
    found = _stored(value)
    assert found == value
    assert found is None or found.tzinfo is UTC


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(StatementError, match="zone"):
        _stored(datetime(2026, 1, 1))  # noqa: DTZ001 - refused because it has no zone


def test_a_time_that_has_its_zone_already_keeps_its_moment() -> None:
    """PostgreSQL hands out aware times."""
    aware = datetime(2026, 1, 1, 2, tzinfo=CEST)
    assert UtcDateTime().process_result_value(aware, sqlite.dialect()) == aware
