"""Databases that older versions wrote: the README in the folder of each says how it was made, and what is in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date, datetime, time
from enum import Enum
from hashlib import sha256
from math import isclose
from pathlib import Path
from typing import Any

import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, MetaData, insert, select

from bot.store.models import metadata
from bot.store.schema import run_alembic
from highscore import Deck, Game, notation

RENAMED = {
    "picture": "content_version",
    "shown_picture": "shown_content_version",
    "shown_page": "shown_screen",
    "page_since": "screen_since",
    "kept_until": "seats_reserved_until",
    "early_at": "early_end_at",
    "house_at": "house_plays_at",
    "warnings": "pause_warnings",
    "pressed": "turns_at_last_press",
    "asked": "cancel_asked_at_version",
    "span": "deadline_scope",
    "planned_at": "ends_at",
    "words_digest": "lock",
    "digest": "published_lock",
}
"""The present names of fields that older versions named differently."""
REMOVED = {"agrees_at", "silence_at", "last_presses", "pause_reason", "given_away", "outages"}
"""The fields that only older versions have."""
Row = dict[str, Any]
Rows = dict[str, dict[str, Row]]
"""Rows with all columns, by table and key."""


@dataclass(frozen=True, slots=True)
class Older:
    """The rows of the older version, what it read from them, and the Discord around it."""

    about: Mapping[str, Any]
    """The moment, and the ids of everything by name."""
    rows: Mapping[str, list[Row]]
    """The rows of each table, without the columns that have no value."""
    messages: list[Row]
    """The bot's messages in the channels that rows name."""
    seen: Mapping[str, Row]
    """Tables and cups as the older version had them in memory, by id."""

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self.about["now"])


def read_older(revision: str = "0001") -> Older:
    about: Row = {}
    rows: dict[str, list[Row]] = {}
    messages: list[Row] = []
    seen: dict[str, Row] = {}
    file = Path(__file__).parent / f"version_{revision}" / "rows.jsonl"
    for line in file.read_text("utf-8").splitlines():
        read: Row = json.loads(line)
        match read:
            case {"row": table}:
                del read["row"]
                if read.get("deck") == "":
                    read["deck"] = about["deck"]
                rows.setdefault(table, []).append(read)
            case {"message": message}:
                messages.append(message)
            case {"seen": name, "value": value}:
                seen[name.split()[1]] = _rename_fields(value)
            case {"about": found}:
                about = found
    return Older(about, rows, messages, seen)


def _rename_fields(value: Any) -> Any:
    """Return a value with the present names of its fields, without the fields that only older versions have."""
    if isinstance(value, list):
        return [_rename_fields(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {name: _rename_fields(each) for name, each in value.items() if name not in REMOVED}
    return {RENAMED.get(name, name): each for name, each in kept.items()}


def load_rows(connection: Connection, rows: Mapping[str, list[Row]], revision: str = "0001") -> None:
    """Make the schema of the older version in an empty database, and store its rows."""
    run_alembic(connection, "upgrade", revision)
    for table in _reflect(connection):
        columns = table.c.items()
        made = [{name: _parse(column, row.get(name)) for name, column in columns} for row in rows.get(table.name, ())]
        if made:
            connection.execute(insert(table), made)


def dump_rows(connection: Connection) -> Rows:
    found: Rows = {}
    for table in _reflect(connection):
        keys = list(table.primary_key)
        for row in connection.execute(select(table).order_by(*keys)).mappings():
            key = " ".join(str(describe(row[each.name])) for each in keys)
            found.setdefault(table.name, {})[key] = {name: describe(value) for name, value in row.items()}
    return found


def find_changed_columns(before: Rows, after: Rows) -> set[str]:
    """Return the columns, of those that both have, in which any row differs, and the rows that only one of them has."""
    found: set[str] = set()
    for table in before.keys() | after.keys():
        old, new = before.get(table, {}), after.get(table, {})
        found |= {f"{table} {key}" for key in old.keys() ^ new.keys()}
        both = [(old[key], new[key]) for key in old.keys() & new.keys()]
        found |= {f"{table}.{name}" for one, two in both for name in one.keys() & two.keys() if one[name] != two[name]}
    return found


def find_differences(connection: Connection) -> list[object]:
    """Return where the schema is not what the models say."""
    context = MigrationContext.configure(connection, opts={"compare_type": True, "render_as_batch": True})
    return list(compare_metadata(context, metadata))


def _reflect(connection: Connection) -> list[sqlalchemy.Table]:
    found = MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != "alembic_version"]


def _parse(column: sqlalchemy.Column[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column.type, sqlalchemy.DateTime):
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if column.type.timezone else moment
    if isinstance(column.type, sqlalchemy.Date):
        return date.fromisoformat(value)
    return bytes.fromhex(value) if isinstance(column.type, sqlalchemy.LargeBinary) else value


def describe(value: Any) -> Any:
    """Return a value of either version as JSON. Its type is not told, but all of its fields are."""
    match value:
        case Game():
            return sha256(json.dumps(notation.encode_game(value), sort_keys=True).encode()).hexdigest()
        case Deck():
            return value.name
        case Enum():
            return value.value
        case datetime():
            return (value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)).isoformat()
        case date() | time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case Mapping():
            return {str(key): describe(each) for key, each in value.items()}
        case frozenset() | set():
            return sorted(map(describe, value))
        case tuple() | list():
            return [describe(each) for each in value]
    if is_dataclass(value):
        return {each.name: describe(getattr(value, each.name)) for each in fields(value)}
    return value


def find_changes(before: Any, after: Any, path: str = "") -> list[str]:
    """Return where two values differ. Fields that only the later version has are not compared."""
    if isinstance(before, dict) and isinstance(after, dict):
        missing = [f"{path}.{key}: missing" for key in sorted(before.keys() - after.keys())]
        common = sorted(before.keys() & after.keys())
        return missing + [one for key in common for one in find_changes(before[key], after[key], f"{path}.{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [one for at, (old, new) in pairs for one in find_changes(old, new, f"{path}.{at}")]
    if isinstance(before, float) and isinstance(after, float) and isclose(before, after, rel_tol=1e-12):
        return []  # From Python 3.12 on, sum() rounds less.
    return [] if before == after else [f"{path}: {before} -> {after}"]
