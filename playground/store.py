"""The file in which the world is stored."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from playground.errors import PlaygroundError

_FORMAT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS record (
    kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS content (url TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
"""


class Store:
    """A SQLite file with small JSON records and uploaded files.

    Only one process can open it, because a second playground on the same file would give out the same ids.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            if not path.exists():
                path.touch(mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=0.5)
        except (OSError, sqlite3.OperationalError) as error:
            raise PlaygroundError(f"The playground cannot open its file {path}: {error}.") from error
        try:
            self._open()
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> None:
        try:
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            # With these two settings a killed process loses nothing. Only a power cut can lose the last action.
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("BEGIN EXCLUSIVE")
            version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
            if version > _FORMAT:
                raise PlaygroundError(
                    f"{self.path} was written by a newer version of the playground. "
                    "Update this one, or start over with another file."
                )
            self._db.execute("COMMIT")
            self._db.executescript(_TABLES)
            self._db.execute(f"PRAGMA user_version = {_FORMAT}")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise PlaygroundError(f"The playground cannot use its file {self.path}: {error}.") from error
            raise PlaygroundError(
                f"Another playground is using {self.path}. Stop that one first, or choose another file."
            ) from error
        except sqlite3.DatabaseError as error:
            raise PlaygroundError(
                f"{self.path} is not a file of the playground ({error}). Choose another one, or move it away."
            ) from error

    def records(self) -> Iterator[tuple[str, str, Any]]:
        """Yield all records. Messages are in the order in which they were created."""
        rows = self._db.execute("SELECT kind, id, body FROM record ORDER BY kind, length(id), id")
        for kind, record_id, body in rows:
            yield kind, record_id, json.loads(body)

    def content(self) -> Iterator[tuple[str, bytes]]:
        yield from self._db.execute("SELECT url, body FROM content")

    def write(
        self,
        *,
        records: Iterable[tuple[str, str, str]] = (),
        deleted: Iterable[tuple[str, str]] = (),
        content: Iterable[tuple[str, bytes]] = (),
        dropped: Iterable[str] = (),
    ) -> None:
        """Make all of these changes in one transaction."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT OR REPLACE INTO record VALUES (?, ?, ?)", records)
            self._db.executemany("DELETE FROM record WHERE kind = ? AND id = ?", deleted)
            self._db.executemany("INSERT OR REPLACE INTO content VALUES (?, ?)", content)
            self._db.executemany("DELETE FROM content WHERE url = ?", [(url,) for url in dropped])
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()
