"""What this process has shown of the tables: known at once, and noted in the database soon after."""

import asyncio
import logging
from dataclasses import replace

from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.observing.context import work_on
from bot.services.core import Core
from bot.store.table import Shown, mark_shown

log = logging.getLogger(__name__)

REMEMBERED = 4096
"""Tables of which the last picture is remembered. More than are played in the same second is enough."""


class DisplayState:
    """On which message each table was shown last, at which version; and which messages are records."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._shown: Recent[str, Shown] = Recent(REMEMBERED)
        self._logs: Recent[str, tuple[int, ...]] = Recent(REMEMBERED)
        """Records that were shown here, which the database may not know of yet."""
        self._committed: Recent[str, int] = Recent(REMEMBERED)
        self._unwritten: list[Shown] = []
        self._being_written: list[Shown] = []
        self._writing: asyncio.Task[None] | None = None

    @property
    def writing(self) -> set[asyncio.Task[None]]:
        """What is to be waited for until all notes are in the database; there may be more afterwards."""
        return set() if self._writing is None else {self._writing}

    async def calls_written(self, table_id: str) -> None:
        """Wait until the database knows whom the messages call that were shown of a table."""
        while self._writing is not None and any(
            one.calls and one.table_id == table_id for one in (*self._being_written, *self._unwritten)
        ):
            await asyncio.wait({self._writing})

    def current(self, table: Table) -> Table:
        """The table with what is known of its messages, which may be newer than the database's note."""
        log = self._logs.get(table.id, ())
        if len(log) > len(table.log):
            table = replace(table, log=log)
        shown = self._shown.get(table.id)
        if shown is None or shown.version < table.shown_version:
            return table
        if shown.version == table.shown_version and (table.message_id or 0) > shown.message_id:
            # Another process has moved the table since. Ids grow with time, and a table lives on its newest message.
            return table
        return replace(table, shown_version=shown.version, shown_page=shown.page, message_id=shown.message_id)

    def knows(self, table: Table) -> bool:
        """Whether what was shown of a table last was shown here, so that nobody else has sent anything since."""
        shown = self._shown.get(table.id)
        return shown is not None and shown.version >= table.shown_version

    def committed(self, table: Table) -> None:
        """Called with every table that this process has changed."""
        self._committed[table.id] = table.version

    def is_newest(self, table: Table) -> bool:
        """Whether no newer version of a table was committed or shown here. Otherwise two edits may have crossed."""
        return self._committed.get(table.id, 0) <= table.version and self.newer(table) is None

    def newer(self, table: Table) -> Shown | None:
        """What was shown of a table, where that was a newer version of it."""
        known = self._shown.get(table.id)
        return known if known is not None and known.version > table.version else None

    def note(self, table: Table, shown: Shown) -> None:
        """Note what was shown last. Written soon, the notes of several tables in one transaction.

        That of a record waits for the page that follows it: whoever shows that calls ``write_soon`` in any case.
        """
        known = self._shown.get(shown.table_id)
        if known is not None and known.version > shown.version:
            return
        log = self.current(table).log
        if shown.record and shown.message_id not in log:
            self._logs[shown.table_id] = (*log, shown.message_id)
        self._shown[shown.table_id] = shown
        self._unwritten.append(shown)
        if not shown.record:
            self.write_soon()

    def write_soon(self) -> None:
        """Write what is noted and not written, unless that is being done."""
        if self._unwritten and self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="note shown tables")

    async def _write(self) -> None:
        work_on()
        try:
            while self._unwritten:
                batch = self._being_written = self._unwritten
                self._unwritten = []
                if await self._core.database.write(mark_shown, batch, self._core.now()):
                    self._core.tidy()
                if any(call.sent_at is None for shown in batch for call in shown.calls):
                    self._core.remind()
        except Exception:
            # Not noting it costs one repeated picture after a restart; losing the task would cost every later note.
            log.exception("could not note which tables were shown")
        finally:
            self._being_written = []
            self._writing = None
