"""What is stored, read after every step, and rules for it that hold whatever people decide."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from bot.domain.deadlines import plan_timing, visible_times
from bot.domain.screens import OPENING
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Table
from bot.domain.timing import NO_TIMING, Timing
from bot.store.models import metadata
from bot.store.table import load_table
from highscore.game import Game, apply_event
from highscore.notation import decode_game, parse_event
from tests.faults.model.service import Service

Rows = frozenset[tuple[Any, ...]]
OF_GAMES: Mapping[str, str] = {"games": "id", "seats": "game_id", "events": "game_id"}
"""The tables whose rows belong to a game, with the column of its id."""
WATCHED = frozenset({*OF_GAMES, "reminders", "absences", "interactions"})
"""The tables read after every step if each query travels to a server."""


class Stored:
    """Everything that was stored at the last look."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.tables: dict[str, Table] = {}
        self.logs: dict[str, list[dict[str, Any]]] = {}
        """The events of each table, one row per committed change, the oldest first."""
        self.reminders: list[dict[str, Any]] = []
        self.absences: dict[tuple[int, int], dict[str, Any]] = {}
        """The absences by server and person."""
        self.known: set[int] = set()
        """The interactions that have been handled."""
        self._columns = {
            name: [column.name for column in table.columns]
            for name, table in metadata.tables.items()
            if not service.core.database.shared or name in WATCHED
        }
        self._rows: dict[tuple[str, str | None], Rows] = {}

    def look(self, *, silent: set[str] | None) -> None:
        """Look again. Only announced and ``silent`` tables may have changed, or all of them if it is None."""
        before, self._rows = self._rows, self._read()
        changed = {at for at in before.keys() | self._rows.keys() if before.get(at) != self._rows.get(at)}
        games = {key for _name, key in changed if key is not None}
        announced, self.service.announced = self.service.announced, {}
        assert silent is None or games <= announced.keys() | silent, "a table has changed silently"
        self.reminders = self._named("reminders")
        self.absences = {(one["guild_id"], one["user_id"]): one for one in self._named("absences")}
        self.known = {one["interaction_id"] for one in self._named("interactions")}
        for table_id in games:
            earlier = self.tables.pop(table_id, None)
            log = self.logs.pop(table_id, [])
            if ("games", table_id) not in self._rows:
                assert silent is None, "a table is gone"
                continue
            table = self.tables[table_id] = self._load(table_id)
            self.logs[table_id] = self._named("events", table_id)
            if silent is None:
                continue
            if table_id not in silent:
                assert announced[table_id] == table, "something else was stored than announced"
            self._check_step(earlier, table, log)
        for log in self.logs.values():
            self.known |= {row["interaction_id"] for row in log}
        all_tables = not changed.isdisjoint({("reminders", None), ("absences", None)})
        for table in self.tables.values():
            if all_tables or table.id in games:
                self._check(table)
        assert len(self._people_reminded()) == len(set(self._people_reminded())), "one reminder at a time"

    def is_unchanged(self) -> bool:
        return self._read() == self._rows

    def _read(self) -> dict[tuple[str, str | None], Rows]:
        found: dict[tuple[str, str | None], set[tuple[Any, ...]]] = defaultdict(set)
        for name, columns in self._columns.items():
            quoted = ", ".join(f'"{column}"' for column in columns)
            at = columns.index(OF_GAMES[name]) if name in OF_GAMES else None
            for row in self.service.ask(f"select {quoted} from {name}"):  # noqa: S608 - our own names
                found[name, None if at is None else row[at]].add(tuple(row))
        return {key: frozenset(rows) for key, rows in found.items()}

    def _named(self, name: str, key: str | None = None) -> list[dict[str, Any]]:
        found = [dict(zip(self._columns[name], row, strict=True)) for row in self._rows.get((name, key), ())]
        return sorted(found, key=lambda row: row["seq"]) if name == "events" else found

    def _load(self, table_id: str) -> Table:
        """Load the table as another process reads it, with its game from the stored text."""
        found = self.service.read(lambda connection: load_table(connection, table_id))
        assert found is not None
        (row,) = self._named("games", table_id)
        assert found.game == (None if row["state"] is None else decode_game(json.loads(row["state"])))
        return found

    def _people_reminded(self) -> list[int]:
        return [one["user_id"] for one in self.reminders if one["kind"] == "reminder"]

    # ------------------------------------------------------------------------------------------------ of one table

    def _check_step(self, before: Table | None, after: Table, log: list[dict[str, Any]]) -> None:
        """Check a changed table: its log leads there, and one version has one public content."""
        assert self.logs[after.id][: len(log)] == log, "the log has lost something"
        new = self.logs[after.id][len(log) :]
        if before is None:
            assert (after.version, log) == (0, [])
            return
        assert before.status.open or after.game == before.game, "a closed table has changed"
        assert after.version >= before.version
        assert after.shown_content_version >= before.shown_content_version, "old content hides newer content"
        seqs = [row["seq"] for row in new]
        if after.turn_order.shared:
            assert seqs == sorted({*seqs})
            assert all(before.version < seq <= after.version for seq in seqs)
        else:
            assert seqs == list(range(len(log), len(log) + len(seqs)))
        if after.game is not None:
            game = before.game or Game(len(after.seats), after.turn_order)
            for line in (line for row in new for line in row["lines"].split("\n")):
                game = apply_event(game, parse_event(line))
            assert after.game == game, "the log leads to another state"
        if public(before) != public(after):
            assert after.version > before.version, "something else is public"
        if (after.version, visible_times(after)) != (before.version, visible_times(before)):
            assert after.content_version > before.content_version, "people see something else"

    def _check(self, table: Table) -> None:
        """Check what is always true of a table."""
        assert table.seal == table.source.seal, "the seal is of another seed"
        users = [seat.user_id for seat in table.seats if seat.user_id is not None]
        assert len(users) == len(set(users)), "a person sits twice"
        calls = [one for one in self.reminders if one["game_id"] == table.id]
        if not table.status.open:
            assert (table.timing, calls) == (NO_TIMING, []), "something is due at a closed table"
            return
        # A table that everybody has left after playing sleeps, or in own pace the house plays the rest.
        alone = not table.people and table.game is not None
        assert table.host_id in table.people or alone, "no host is there"
        assert table.awaits_opening or table.timing.wake_at is not None, "an open table is forgotten"
        for one in calls:
            assert one["kind"] in ("page", "cancel") or one["deadline_scope"] in (table.deadline_scope, OPENING), (
                "a reminder is for a turn that is over"
            )
        for seat in (one for one in table.seats if not one.left):
            absence = self.absences.get((table.guild_id, seat.user_id or 0))
            if absence is None or absence["post_at"] == absence["until"] > words(self.service.now):
                until = None if seat.away_until is None else words(seat.away_until)
                assert until == (absence and absence["until"]), "a table has another end of an absence"
        planned = plan_timing(table, table, self.service.now, ServerSettings())
        assert due(table.timing) == due(planned), "a deadline is missing"


def due(timing: Timing) -> set[str]:
    """Return the names of the times that are set."""
    return {one.name for one in fields(timing) if isinstance(getattr(timing, one.name), datetime)}


def public(table: Table) -> object:
    """Return what everybody may see of a table, without the message and the language in which it is shown."""
    seats = tuple(replace(seat, hints=0) for seat in table.seats)
    shown = {"message_id": None, "content_version": 0, "shown_content_version": 0, "shown_screen": 0, "log": ()}
    played = replace(table.seen_by(None), seats=seats, timing=NO_TIMING, locale="", version=0, screen_since=0)
    return replace(played, **shown)  # type: ignore[arg-type]


def words(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f")
