"""The messages of tables that Discord has acknowledged: known at once, and stored in the database soon after."""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from bot.domain.display import NOTHING_KNOWN, KnownMessages
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.observing.logs import set_log_fields
from bot.services.core import Core
from bot.services.facts import CallsAdded, MessagesReplaced
from bot.store.table import DisplayLease, Shown, mark_shown
from bot.workers.worker import as_running

log = logging.getLogger(__name__)

REMEMBERED = 4096
"""The number of tables whose messages are remembered, more than are played in the same second."""
NONCE_KNOWN = timedelta(minutes=2)
"""A time for which Discord surely knows a nonce; it says "the past few minutes"."""
OTHERS = timedelta(seconds=10)
"""The time for another process to finish what it was just sending."""
NO_NONCE = ""
"""Stands for messages that others may have sent without one, such as the answer to a command."""


class DisplayState:
    """Knows each table's last message and its content version, its records, and what is in doubt."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._shown: Recent[str, Shown] = Recent(REMEMBERED)
        self._logs: Recent[str, tuple[int, ...]] = Recent(REMEMBERED)
        """Records that were shown here, which the database may not know of yet."""
        self._known: Recent[str, KnownMessages] = Recent(REMEMBERED)
        self._sent: Recent[str, dict[str, datetime]] = Recent(REMEMBERED)
        """The moments at which messages were sent that may not have arrived, by table and nonce."""
        self._others: Recent[str, tuple[int, datetime]] = Recent(REMEMBERED)
        """The content version that another process may be showing, and the end of the wait for it, by table."""
        self._unwritten: list[Shown] = []
        self._writing: asyncio.Task[None] | None = None

    @property
    def writing(self) -> set[asyncio.Task[None]]:
        """The task that writes notes, if any. More notes may follow it."""
        return as_running(self._writing)

    async def wait_for_calls(self, table_id: str) -> None:
        """Wait until the calls by a table's messages are in the database."""
        while self.writing and any(one.calls and one.table_id == table_id for one in self._unwritten):
            await asyncio.wait(self.writing)

    def current(self, table: Table) -> Table:
        """Return the table with what is known of its messages, which may be newer than the database."""
        log = self._logs.get(table.id, ())
        if len(log) > len(table.log):
            table = replace(table, log=log)
        shown = self._shown.get(table.id)
        if shown is None or shown.content_version < table.shown_content_version:
            return table
        if shown.content_version == table.shown_content_version and (table.message_id or 0) > shown.message_id:
            # Another process has moved the table since: ids grow with time, and a table lives on its newest message.
            return table
        return replace(
            table, shown_content_version=shown.content_version, shown_screen=shown.screen, message_id=shown.message_id
        )

    # ----------------------------------------------------------------------------------------------- what is in doubt

    def get_known(self, table: Table, nonces: Collection[str] = ()) -> KnownMessages:
        """Return what else is known of a table's messages; ``nonces`` are those of what would be sent now.

        Discord answers a repeated nonce with the message it has made before, while it knows the nonce. Before its first
        message to a table this process looks whether another one has sent it.
        """
        lately = self._core.now() - NONCE_KNOWN
        sent = self._sent.get(table.id, {}).items()
        unconfirmed_send = any(nonce not in nonces or since <= lately for nonce, since in sent)
        content_version, until = self._others.get(table.id, (-1, lately))
        shown = self._shown.get(table.id)
        theirs = max(content_version, table.shown_content_version)
        shown_by_other_process = theirs >= 0 and (shown is None or shown.content_version < theirs)
        other_process_until = (
            until if table.shown_content_version < content_version and self._core.now() < until else None
        )
        known = self._known.get(table.id, NOTHING_KNOWN)
        return replace(
            known,
            unconfirmed_send=unconfirmed_send,
            shown_by_other_process=shown_by_other_process,
            other_process_until=other_process_until,
        )

    def wait_for_other(self, before: Table, lease: DisplayLease) -> None:
        """Wait for another process that may be showing what this one has just changed."""
        now = self._core.now()
        self._others[before.id] = before.content_version, min(lease.until or now, now + OTHERS)

    def note_known(self, table_id: str, **known: Any) -> None:
        self._known[table_id] = replace(self._known.get(table_id, NOTHING_KNOWN), **known)

    def doubt(self, table_id: str, message_id: int) -> None:
        """Note that a message may show something else than is known."""
        doubtful = self._known.get(table_id, NOTHING_KNOWN).doubtful
        self.note_known(table_id, doubtful=doubtful | {message_id})

    def trust(self, table_id: str, message_id: int) -> None:
        """Note that a message shows what is known."""
        if (known := self._known.get(table_id)) is not None:
            self._known[table_id] = replace(
                known, doubtful=known.doubtful - {message_id}, lost=None, without_buttons=None
            )

    def note_sending(self, table_id: str, nonce: str = NO_NONCE) -> None:
        """Note that a message may arrive from now on."""
        if table_id not in self._sent:
            self._sent[table_id] = {}
        self._sent[table_id].setdefault(nonce, self._core.now())

    def note_arrived(self, table_id: str, nonce: str = NO_NONCE) -> None:
        """Note that a message that was sent is known now."""
        self._sent.get(table_id, {}).pop(nonce, None)

    def note_all_found(self, table: Table) -> None:
        """Note that the channel has no unknown message of a table."""
        self._sent.pop(table.id, None)
        self._others.pop(table.id, None)
        if table.message_id is not None:
            self._shown[table.id] = Shown(table.id, table.shown_content_version, table.shown_screen, table.message_id)

    # ------------------------------------------------------------------------------------------------- what was shown

    def note_shown(self, table: Table, shown: Shown) -> None:
        """Note what was shown last, and write it soon, the notes of several tables in one transaction.

        A record's note waits for the screen that follows it, whose step calls ``write_soon`` in any case.
        """
        if shown.record and shown.message_id not in self.current(table).log:
            self._logs[shown.table_id] = (*self.current(table).log, shown.message_id)
        self._shown[shown.table_id] = shown
        self.trust(shown.table_id, shown.message_id)
        self._unwritten.append(shown)
        if not shown.record:
            self.write_soon()

    def write_soon(self) -> None:
        """Write the notes that are not written, unless that is being done."""
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
                    self._core.facts.publish(MessagesReplaced())
                if any(call.sent_at is None for shown in batch for call in shown.calls):
                    self._core.facts.publish(CallsAdded())
        except Exception:
            # A lost note costs one repeated edit after a restart; a lost task would cost every later note.
            log.exception("could not note which tables were shown")
