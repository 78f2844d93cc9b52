"""The version of the database's schema, the version that this program needs, and the migrations between them."""

from contextlib import nullcontext
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Literal

from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.pool import NullPool

from bot.store.database import Database, LockScope, lock_subjects
from bot.store.errors import DatabaseError

_alembic = Lock()
"""Alembic keeps its state in globals, so only one thread may use it at a time."""
VERSIONS = [str(files("migrations") / "versions")]
"""The folders with migrations. The name of each file begins with its revision. The newest revision sorts last."""
_STATISTICS = {("table", "sqlite_stat1"), ("table", "sqlite_stat4")}
"""Tables that SQLite's ANALYZE creates. A database may or may not have them."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    current: str | None
    """The revision of the database, or None if it is empty."""
    wanted: str
    """The newest revision that this program knows."""
    known: bool
    """False if this program does not know ``current``, because a newer version of the program has migrated the
    database.
    """

    @property
    def up_to_date(self) -> bool:
        return self.current == self.wanted


def list_revisions() -> list[str]:
    """Return every revision that this program knows, newest last."""
    return sorted(path.stem.partition("_")[0] for folder in VERSIONS for path in Path(folder).glob("[0-9]*.py"))


def load_state(connection: Connection) -> SchemaState:
    """Compare the database's revision with this program's, and change nothing.

    Raise DatabaseError if the program has no migrations, or if the database has several revisions at once.
    """
    known = list_revisions()
    if not known:
        raise DatabaseError("the program was installed without its migrations; install it again")
    heads: list[str] = []
    if inspect(connection).has_table("alembic_version"):
        heads += connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars()
    if len(heads) > 1:
        raise DatabaseError("the database is marked with several schema versions at once; restore a backup")
    current = heads[0] if heads else None
    return SchemaState(current, known[-1], current is None or current in known)


async def load_schema_state(database: Database) -> SchemaState:
    """Run ``load_state`` on a connection for reading. Raise DatabaseError also if PostgreSQL cannot be reached."""
    try:
        return await database.read(load_state)
    except OSError as error:
        if not database.shared:
            raise
        raise DatabaseError(
            f"the PostgreSQL that DATABASE_URL names cannot be reached ({error}); is it running, and does it listen"
            " where the URL says?"
        ) from error


async def migrate_database(database: Database) -> SchemaState:
    """Migrate a database to the newest revision. Return its state from before.

    Raise DatabaseError if ``load_state`` does, or if a newer version of the program has migrated the database.
    """
    state = await load_schema_state(database)
    if not state.up_to_date:
        await database.write(migrate_within)
    return state


def migrate_within(connection: Connection) -> None:
    """Migrate inside the caller's transaction, which undoes the migration if it fails.

    Raise DatabaseError in the same cases as ``migrate_database``.
    """
    # Of two processes that start together, the second one waits here and then finds nothing to migrate.
    lock_subjects(connection, LockScope.SCHEMA, 0)
    state = load_state(connection)
    if not state.known:
        raise DatabaseError(
            f"the database was made by a newer version of this bot (schema {state.current}, this one knows up to"
            f" {state.wanted}); install the newer version, or restore a backup from before"
        )
    run_alembic(connection, "upgrade", "head")


def run_alembic(connection: Connection, command: Literal["upgrade", "downgrade"], revision: str) -> None:
    # Imported here, because a start needs Alembic only if there is something to migrate.
    import alembic.command
    from alembic.config import Config

    config = Config()
    # The package name finds the migrations from every working directory.
    for name, value in (
        ("script_location", "migrations:"),
        ("version_locations", "\n".join(VERSIONS)),
        ("path_separator", "newline"),
    ):
        config.set_main_option(name, value)
    config.attributes["connection"] = connection
    # On PostgreSQL the migrations run on the event loop, which must not wait for a thread's lock.
    with _alembic if connection.dialect.name == "sqlite" else nullcontext():
        (alembic.command.upgrade if command == "upgrade" else alembic.command.downgrade)(config, revision)


def check_objects(connection: Connection) -> None:
    """Raise DatabaseError if an SQLite schema has triggers or views, or differs from what the migrations create.

    If the database has no revision, or one that this program does not know, look only for triggers and views.
    """
    objects = _read_objects(connection)
    # First of all, because ``load_state`` would read through a view that is named like a table.
    strange = {each for each in objects if each[0] not in ("table", "index")}
    if not strange and (state := load_state(connection)).known and state.current is not None:
        with create_engine("sqlite://", poolclass=NullPool).begin() as fresh:
            run_alembic(fresh, "upgrade", state.current)
            strange = objects ^ _read_objects(fresh)
    if strange:
        kind, name, _sql = min(strange, key=str)
        raise DatabaseError(f"its {kind} {name!r} differs from what this bot creates")


def _read_objects(connection: Connection) -> set[tuple[str, str, str | None]]:
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master")
    return {(kind, name, sql) for kind, name, sql in rows if (kind, name) not in _STATISTICS}
