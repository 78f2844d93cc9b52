"""A PostgreSQL for the tests that need one: where it is, and databases of their own on it."""

import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store.database import parse_url
from tests.sampling import lack

VARIABLE = "HIGHSCORE_TEST_POSTGRESQL"


def server_url() -> URL:
    """Return the server on which tests may create databases; skip the test where nobody has named one."""
    given = os.environ.get(VARIABLE)
    if not given:
        lack(f"no PostgreSQL: set {VARIABLE} to the URL of one on which tests may create databases")
    url = parse_url(given)
    if "ssl" not in url.query and url.host in ("127.0.0.1", "::1", "localhost"):
        # Within one machine encryption protects nothing, and it would be most of the time of connecting.
        url = url.update_query_dict({"ssl": "disable"})
    return url


@asynccontextmanager
async def new_database(url: URL | None = None, options: str = "") -> AsyncIterator[str]:
    """Create an empty database on this server, or on that of the tests; yield its URL, and drop it in the end.

    ``options`` are those of CREATE DATABASE.
    """
    url = url or server_url()
    name = f"highscore_{uuid4().hex[:12]}"
    server = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with server.connect() as connection:
            await connection.exec_driver_sql(f"CREATE DATABASE {name} {options}")
        try:
            yield url.set(database=name).render_as_string(hide_password=False)
        finally:
            async with server.connect() as connection:
                await connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await server.dispose()


@pytest.fixture
async def postgresql() -> AsyncIterator[str]:
    async with new_database() as url:
        yield url


@contextmanager
def pgbouncer(url: str, mode: str, folder: Path) -> Iterator[str]:
    """Run PgBouncer in front of a database until the block ends; yield the URL by which it is reached.

    Skip the test if it is not installed.
    """
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        lack("no pgbouncer")
    server = parse_url(url)
    place = {"host": server.host, "port": server.port or 5432, "user": server.username, "password": server.password}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = folder / f"{mode}.ini"
    settings.write_text(
        f"""
        [databases]
        * = {" ".join(f"{name}={value}" for name, value in place.items() if value)}
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = {port}
        unix_socket_dir =
        auth_type = any
        pool_mode = {mode}
        ignore_startup_parameters = jit, lock_timeout, idle_in_transaction_session_timeout
        """.replace("        ", ""),
        "utf-8",
    )
    as_other = ["-u", "nobody"] if os.getuid() == 0 else []  # It refuses to be run by root.
    running = subprocess.Popen([program, *as_other, settings], stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    try:
        log = []
        for line in running.stderr:
            log.append(line)
            if "process up" in line:
                break
        else:
            pytest.fail("".join(log))
        yield server.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)
    finally:
        running.kill()
        running.wait()
        running.stderr.close()
