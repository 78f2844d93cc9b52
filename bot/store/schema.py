"""The schema's version: where the database is, where this program wants it, and the way from one to the other."""

from contextlib import nullcontext
from dataclasses import dataclass
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

from bot.store.database import Database, DatabaseError
from bot.store.locks import LockScope, lock

_alembic = Lock()
"""Alembic keeps what it is about in globals, and several files may be migrated at once, each in its own thread."""
VERSIONS = "migrations:versions"
"""The packages and folders of migrations, one a line."""
_STATISTICS = {("table", "sqlite_stat1"), ("table", "sqlite_stat4")}
"""Made by SQLite's ANALYZE, of which it does not matter whether anybody has called it."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The revisions of database and program. ``current`` is None for an empty database."""

    current: str | None
    wanted: str
    known: bool
    """Whether this program knows the database's revision; if not, a newer program made it."""

    @property
    def up_to_date(self) -> bool:
        """Whether nothing is to be done."""
        return self.current == self.wanted


def _config() -> Config:
    config = Config()
    # By the installed package, wherever the program was started.
    for name, value in (
        ("script_location", "migrations:"),
        ("version_locations", VERSIONS),
        ("path_separator", "newline"),
    ):
        config.set_main_option(name, value)
    return config


def state_of(connection: Connection) -> SchemaState:
    """Compare the database of a connection and program, changing nothing."""
    scripts = ScriptDirectory.from_config(_config())
    wanted = scripts.get_current_head()
    if wanted is None:
        raise DatabaseError("the program was installed without its migrations; install it again")
    heads = MigrationContext.configure(connection).get_current_heads()
    if len(heads) > 1:
        raise DatabaseError("the database says that it has several schemas at once; restore a backup")
    current = heads[0] if heads else None
    known = current is None or current in {script.revision for script in scripts.walk_revisions()}
    return SchemaState(current, wanted, known)


async def schema_state(database: Database) -> SchemaState:
    """Compare database and program, changing nothing. Raises DatabaseError for a server that does not answer."""
    try:
        return await database.read(state_of)
    except OSError as error:
        if not database.shared:
            raise
        raise DatabaseError(
            f"the PostgreSQL that DATABASE_URL names cannot be reached ({error}); is it running, and does it listen"
            " where the URL says?"
        ) from error


async def migrate(database: Database) -> SchemaState:
    """Bring the database to this program's schema and return the state it was in before.

    Raises DatabaseError when a newer program made the database: running on it could lose what this one does not know.
    """
    state = await schema_state(database)
    _check_known(state)
    if not state.up_to_date:
        await database.write(migrate_within)
    return state


def migrate_within(connection: Connection) -> None:
    """The same in the caller's transaction, which undoes it when it fails."""
    # Two processes that start together: the second finds nothing left to be done.
    lock(connection, LockScope.SCHEMA, 0)
    _check_known(state_of(connection))
    _upgrade(connection)


def _check_known(state: SchemaState) -> None:
    if not state.known:
        raise DatabaseError(
            f"the database was made by a newer version of this bot (schema {state.current}, this one knows up to"
            f" {state.wanted}); install the newer version, or restore a backup from before"
        )


def _upgrade(connection: Connection, revision: str = "head") -> None:
    config = _config()
    config.attributes["connection"] = connection
    # On PostgreSQL all of them are on the event loop, which must not wait for a lock of threads.
    with _alembic if connection.dialect.name == "sqlite" else nullcontext():
        command.upgrade(config, revision)


def check_objects(connection: Connection) -> None:
    """Raise DatabaseError where SQLite's schema is not just what the migrations make.

    A trigger or a view of somebody else's would act when the bot reads and writes.
    """
    objects = _objects(connection)
    # Nothing is read before it is known that it is no view.
    strange = {each for each in objects if each[0] not in ("table", "index")}
    if not strange and (state := state_of(connection)).known and state.current is not None:
        with create_engine("sqlite://").begin() as fresh:
            _upgrade(fresh, state.current)
            strange = objects ^ _objects(fresh)
    if strange:
        kind, name, _sql = min(strange, key=str)
        raise DatabaseError(f"its {kind} {name!r} is not as this bot makes it")


def _objects(connection: Connection) -> set[tuple[str, str, str | None]]:
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master")
    return {(kind, name, sql) for kind, name, sql in rows if (kind, name) not in _STATISTICS}
