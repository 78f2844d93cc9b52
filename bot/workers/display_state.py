"""What Discord has acknowledged of the tables: known at once, and noted in the database soon after."""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from bot.domain.display import NOTHING_ELSE, There
from bot.domain.happened import Happened
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.observing.context import set_log_fields
from bot.services.core import Core
from bot.store.table import DisplayLease, Shown, mark_shown
from bot.workers.worker import as_running

log = logging.getLogger(__name__)

REMEMBERED = 4096
"""Tables of which the last picture is remembered. More than are played in the same second is enough."""
NONCE_KNOWN = timedelta(minutes=2)
"""So long Discord surely knows a nonce; it says "the past few minutes"."""
OTHERS = timedelta(seconds=10)
"""How long another process may take for what it was just sending."""
NO_NONCE = ""
"""Stands for what others may have sent, as the answer to a command, for example."""


class DisplayState:
    """Knows on which message each table was shown last, which picture, the records, and what is in doubt."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._shown: Recent[str, Shown] = Recent(REMEMBERED)
        self._logs: Recent[str, tuple[int, ...]] = Recent(REMEMBERED)
        """Records that were shown here, which the database may not know of yet."""
        self._there: Recent[str, There] = Recent(REMEMBERED)
        self._sent: Recent[str, dict[str, datetime]] = Recent(REMEMBERED)
        """By table what was sent and is not known to have arrived, by its nonce, and since when."""
        self._others: Recent[str, tuple[int, datetime]] = Recent(REMEMBERED)
        """By table the picture that another process may be showing, and until when that is waited for."""
        self._unwritten: list[Shown] = []
        self._writing: asyncio.Task[None] | None = None

    @property
    def writing(self) -> set[asyncio.Task[None]]:
        """What is to be waited for until all notes are in the database; there may be more afterwards."""
        return as_running(self._writing)

    async def calls_written(self, table_id: str) -> None:
        """Wait until the database knows whom the messages call that were shown of a table."""
        while self.writing and any(one.calls and one.table_id == table_id for one in self._unwritten):
            await asyncio.wait(self.writing)

    def current(self, table: Table) -> Table:
        """Return the table with what is known of its messages, which may be newer than the database's note."""
        log = self._logs.get(table.id, ())
        if len(log) > len(table.log):
            table = replace(table, log=log)
        shown = self._shown.get(table.id)
        if shown is None or shown.picture < table.shown_picture:
            return table
        if shown.picture == table.shown_picture and (table.message_id or 0) > shown.message_id:
            # Another process has moved the table since. Ids grow with time, and a table lives on its newest message.
            return table
        return replace(table, shown_picture=shown.picture, shown_page=shown.page, message_id=shown.message_id)

    # ----------------------------------------------------------------------------------------------- what is in doubt

    def there(self, table: Table, nonces: Collection[str] = ()) -> There:
        """Return what is known besides; ``nonces`` are those of what would be sent now.

        Discord answers what is sent again with the message it has made of it, while it knows the nonce. Before a first
        message of this process it is looked whether another one has sent it.
        """
        lately = self._core.now() - NONCE_KNOWN
        sent = self._sent.get(table.id, {}).items()
        unseen = any(nonce not in nonces or since <= lately for nonce, since in sent)
        picture, until = self._others.get(table.id, (-1, lately))
        shown = self._shown.get(table.id)
        theirs = max(picture, table.shown_picture)
        stranger = theirs >= 0 and (shown is None or shown.picture < theirs)
        other_until = until if table.shown_picture < picture and self._core.now() < until else None
        known = self._there.get(table.id, NOTHING_ELSE)
        return replace(known, unseen=unseen, stranger=stranger, other_until=other_until)

    def wait_for_other(self, before: Table, lease: DisplayLease) -> None:
        """Note that another process may be showing what this one has just changed."""
        now = self._core.now()
        self._others[before.id] = before.picture, min(lease.until or now, now + OTHERS)

    def note_there(self, table_id: str, **known: Any) -> None:
        """Note what is known besides of a table's messages."""
        self._there[table_id] = replace(self._there.get(table_id, NOTHING_ELSE), **known)

    def doubt(self, table_id: str, message_id: int) -> None:
        """Note that a message may show something else than was noted."""
        doubtful = self._there.get(table_id, NOTHING_ELSE).doubtful
        self.note_there(table_id, doubtful=doubtful | {message_id})

    def trust(self, table_id: str, message_id: int) -> None:
        """Note that a message shows what is noted."""
        if (there := self._there.get(table_id)) is not None:
            self._there[table_id] = replace(there, doubtful=there.doubtful - {message_id}, lost=None, closed=None)

    def begin_to_send(self, table_id: str, nonce: str = NO_NONCE) -> None:
        """Note that a message may arrive from now on."""
        if table_id not in self._sent:
            self._sent[table_id] = {}
        self._sent[table_id].setdefault(nonce, self._core.now())

    def has_arrived(self, table_id: str, nonce: str = NO_NONCE) -> None:
        """Note that a message is known now that was sent."""
        self._sent.get(table_id, {}).pop(nonce, None)

    def all_found(self, table: Table) -> None:
        """Note that the channel has no message of a table that is not known."""
        self._sent.pop(table.id, None)
        self._others.pop(table.id, None)
        if table.message_id is not None:
            self._shown[table.id] = Shown(table.id, table.shown_picture, table.shown_page, table.message_id)

    # ------------------------------------------------------------------------------------------------- what was shown

    def note(self, table: Table, shown: Shown) -> None:
        """Note what was shown last. Written soon, the notes of several tables in one transaction.

        That of a record waits for the page that follows it: whoever shows that calls ``write_soon`` in any case.
        """
        if shown.record:
            self._logs[shown.table_id] = (*self.current(table).log, shown.message_id)
        self._shown[shown.table_id] = shown
        self.trust(shown.table_id, shown.message_id)
        self._unwritten.append(shown)
        if not shown.record:
            self.write_soon()

    def write_soon(self) -> None:
        """Write what is noted and not written, unless that is being done."""
        if self._unwritten and not self.writing:
            self._writing = asyncio.create_task(self._write(), name="note shown tables")

    async def _write(self) -> None:
        set_log_fields()
        try:
            while batch := [*self._unwritten]:
                try:
                    over = await self._core.database.write(mark_shown, batch, self._core.now())
                finally:
                    del self._unwritten[: len(batch)]
                if over:
                    self._core.happened(Happened.MESSAGES_OVER)
                if any(call.sent_at is None for shown in batch for call in shown.calls):
                    self._core.happened(Happened.CALLED)
        except Exception:
            # Not noting it costs one repeated picture after a restart; losing the task would cost every later note.
            log.exception("could not note which tables were shown")
