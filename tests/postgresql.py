"""A PostgreSQL for the tests that need one: where it is, and databases of their own on it."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store.database import parse_url

VARIABLE = "HIGHSCORE_TEST_POSTGRESQL"


def server_url() -> URL:
    """Return the server on which tests may create databases; skip the test where nobody has named one."""
    given = os.environ.get(VARIABLE)
    if not given:
        reason = f"no PostgreSQL: set {VARIABLE} to the URL of one on which tests may create databases"
        if os.environ.get("HIGHSCORE_REQUIRE_ALL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)  # README: the test command passes without a server; .ci/run fails above
    url = parse_url(given)
    if "ssl" not in url.query and url.host in ("127.0.0.1", "::1", "localhost"):
        # Within one machine encryption protects nothing, and it would be most of the time of connecting.
        url = url.update_query_dict({"ssl": "disable"})
    return url


@asynccontextmanager
async def new_database(url: URL | None = None) -> AsyncIterator[str]:
    """Create an empty database on this server, or on that of the tests; yield its URL, and drop it in the end."""
    url = url or server_url()
    name = f"highscore_{uuid4().hex[:12]}"
    server = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with server.connect() as connection:
            await connection.exec_driver_sql(f"CREATE DATABASE {name}")
        try:
            yield url.set(database=name).render_as_string(hide_password=False)
        finally:
            async with server.connect() as connection:
                await connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await server.dispose()
