"""The schema's version: that of the database, that of this program, and the migrations between them."""

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
"""A lock: Alembic keeps its state in globals, and several files may be migrated at once, each in its own thread."""
VERSIONS = [str(files("migrations") / "versions")]
"""The folders of migrations. The name of each begins with its revision, and revisions sort in their order."""
_STATISTICS = {("table", "sqlite_stat1"), ("table", "sqlite_stat4")}
"""The tables of SQLite's ANALYZE. A database may have them or not."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The revisions of database and program. ``current`` is None for an empty database."""

    current: str | None
    wanted: str
    known: bool
    """True if this program knows the database's revision; if not, a newer program made it."""

    @property
    def up_to_date(self) -> bool:
        return self.current == self.wanted


def list_revisions() -> list[str]:
    """Return all that this program knows, the newest last."""
    return sorted(path.stem.partition("_")[0] for folder in VERSIONS for path in Path(folder).glob("[0-9]*.py"))


def load_state(connection: Connection) -> SchemaState:
    """Compare the schemas of database and program, changing nothing."""
    known = list_revisions()
    if not known:
        raise DatabaseError("the program was installed without its migrations; install it again")
    heads: list[str] = []
    if inspect(connection).has_table("alembic_version"):
        heads += connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars()
    if len(heads) > 1:
        raise DatabaseError("the database says that it has several schemas at once; restore a backup")
    current = heads[0] if heads else None
    return SchemaState(current, known[-1], current is None or current in known)


async def load_schema_state(database: Database) -> SchemaState:
    """Do the same for a database. Raise DatabaseError for a server that does not answer."""
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
    """Migrate the database and return its state before. Raise DatabaseError if a newer program made it."""
    state = await load_schema_state(database)
    _check_known(state)
    if not state.up_to_date:
        await database.write(migrate_within)
    return state


def migrate_within(connection: Connection) -> None:
    """Migrate in the caller's transaction, which undoes it when it fails."""
    # The lock makes the second of two processes that start together find nothing left to do.
    lock_subjects(connection, LockScope.SCHEMA, 0)
    _check_known(load_state(connection))
    run_alembic(connection, "upgrade", "head")


def _check_known(state: SchemaState) -> None:
    if not state.known:
        raise DatabaseError(
            f"the database was made by a newer version of this bot (schema {state.current}, this one knows up to"
            f" {state.wanted}); install the newer version, or restore a backup from before"
        )


def run_alembic(connection: Connection, command: Literal["upgrade", "downgrade"], revision: str) -> None:
    """Run the migrations up, or down, to a revision. Alembic is imported here: hardly any start needs it."""
    import alembic.command
    from alembic.config import Config

    config = Config()
    # The package's name finds the migrations wherever the program was started.
    for name, value in (
        ("script_location", "migrations:"),
        ("version_locations", "\n".join(VERSIONS)),
        ("path_separator", "newline"),
    ):
        config.set_main_option(name, value)
    config.attributes["connection"] = connection
    # PostgreSQL's migrations run on the event loop, which must not wait for a lock of threads.
    with _alembic if connection.dialect.name == "sqlite" else nullcontext():
        (alembic.command.upgrade if command == "upgrade" else alembic.command.downgrade)(config, revision)


def check_objects(connection: Connection) -> None:
    """Raise DatabaseError unless SQLite's schema is just what the migrations make: no triggers, no views."""
    objects = _read_objects(connection)
    # A view is refused before anything is read of it.
    strange = {each for each in objects if each[0] not in ("table", "index")}
    if not strange and (state := load_state(connection)).known and state.current is not None:
        with create_engine("sqlite://", poolclass=NullPool).begin() as fresh:
            run_alembic(fresh, "upgrade", state.current)
            strange = objects ^ _read_objects(fresh)
    if strange:
        kind, name, _sql = min(strange, key=str)
        raise DatabaseError(f"its {kind} {name!r} is not as this bot makes it")


def _read_objects(connection: Connection) -> set[tuple[str, str, str | None]]:
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master")
    return {(kind, name, sql) for kind, name, sql in rows if (kind, name) not in _STATISTICS}
