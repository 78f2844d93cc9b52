"""Takes the steps that bring a table into its channel, by a request to the channel or by an answer to an interaction.

``DisplayState`` knows which messages Discord has confirmed. It knows them immediately, and stores them in the database
soon after.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.discord_api import messages
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.messages import Offer
from bot.domain import display
from bot.domain.notify import Call, CallKind
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.observing.logs import set_log_fields
from bot.services.core import Core, get_server_settings
from bot.services.facts import CallsAdded, MessagesReplaced
from bot.store.reminders import drop_calls_by_screen
from bot.store.sharing import add_old_message
from bot.store.table import DisplayLease, Shown, TableToShow, load_table_to_show, mark_shown
from bot.ui.buttons import RunPress, TablePress
from bot.ui.message import Rendered
from bot.ui.table import render_screen, render_table, render_tap
from bot.workers.worker import Client, as_running
from highscore.fairness import format_code

log = logging.getLogger(__name__)

REMEMBERED = 4096
"""The number of tables whose messages are remembered: more than are played in the same second."""
OTHER_PROCESS_PATIENCE = timedelta(seconds=10)
"""How long to wait for the process that showed a table before, because it may just be sending a message. Then the
channel is searched for the message. The other times before a search are ``SHOW_LEASE`` in store.claims, if that
process died, and ``NONCE_KNOWN`` in discord_api.messages, if this process sent a message and got no answer.
"""
NO_NONCE = ""
"""Stands for all messages that may have been sent without a nonce, by this process or another: an answer has none."""

ANSWER_SECONDS = 3.0
"""The time limit for an answer. Discord accepts no later one."""
_LOST = (Trouble.MESSAGE_GONE, Trouble.TOO_OLD)
"""After these troubles a message cannot be used any more."""
_NOTHING_DONE = (Trouble.FORBIDDEN, Trouble.CHANNEL_GONE, Trouble.ARCHIVED, Trouble.REFUSED)
"""After these troubles a message is known to show what it showed before."""


class DisplayState:
    """Knows each table's last message, its content version, its records, and what is doubtful."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._shown: Recent[str, Shown] = Recent(REMEMBERED)
        self._logs: Recent[str, tuple[int, ...]] = Recent(REMEMBERED)
        """The ids of a table's records, including those of this process that may not be in the database yet."""
        self._known: Recent[str, display.KnownMessages] = Recent(REMEMBERED)
        self._sent: Recent[str, dict[str, datetime]] = Recent(REMEMBERED)
        """The times at which messages were sent whose outcome is unknown, by table and nonce."""
        self._others: Recent[str, tuple[int, datetime]] = Recent(REMEMBERED)
        """By table, the content version that another process may be showing, and until when to wait for it."""
        self._unwritten: list[Shown] = []
        self.writing: asyncio.Task[None] | None = None
        """The task that stores what was shown, or the last such task."""

    async def wait_for_calls(self, table_id: str) -> None:
        """Wait until this process has stored whom its messages at a table have pinged."""
        while any(one.calls and one.table_id == table_id for one in self._unwritten) and (
            writing := as_running(self.writing)
        ):
            await asyncio.wait(writing)

    def current(self, table: Table) -> Table:
        """Return the table with what this process knows of its messages, if that is newer than the row.

        The database is updated a little later.
        """
        log = self._logs.get(table.id, ())
        if len(log) > len(table.log):
            table = replace(table, log=log)
        shown = self._shown.get(table.id)
        if shown is None or shown.content_version < table.shown_content_version:
            return table
        if shown.content_version == table.shown_content_version and (table.message_id or 0) > shown.message_id:
            # Another process has sent a newer message since then: ids grow with time. The newest message shows the
            # table.
            return table
        return replace(
            table, shown_content_version=shown.content_version, shown_screen=shown.screen, message_id=shown.message_id
        )

    # ----------------------------------------------------------------------------------------------- what is in doubt

    def get_known(self, table: Table, nonces: Collection[str] = ()) -> display.KnownMessages:
        """Return what is known of a table's messages in addition to its row. ``nonces`` are those of the messages that
        would be sent next.

        A message whose outcome is unknown can be sent again while Discord knows its nonce: if the message exists,
        Discord answers with it. Later, or if the nonce would be another one, ``unconfirmed_send`` is True.
        """
        lately = self._core.now() - messages.NONCE_KNOWN
        sent = self._sent.get(table.id, {}).items()
        unconfirmed_send = any(nonce not in nonces or since <= lately for nonce, since in sent)
        content_version, until = self._others.get(table.id, (-1, lately))
        shown = self._shown.get(table.id)
        theirs = max(content_version, table.shown_content_version)
        shown_by_other_process = theirs >= 0 and (shown is None or shown.content_version < theirs)
        other_process_until = (
            until if table.shown_content_version < content_version and self._core.now() < until else None
        )
        known = self._known.get(table.id, display.NOTHING_KNOWN)
        return replace(
            known,
            unconfirmed_send=unconfirmed_send,
            shown_by_other_process=shown_by_other_process,
            other_process_until=other_process_until,
        )

    def wait_for_other(self, before: Table, lease: DisplayLease) -> None:
        """Note that another process may be showing ``before``. Until its lease ends, but at most for
        ``OTHER_PROCESS_PATIENCE``, this process sends no new message to the table.
        """
        now = self._core.now()
        self._others[before.id] = before.content_version, min(lease.until or now, now + OTHER_PROCESS_PATIENCE)

    def note_known(self, table_id: str, **known: Any) -> None:
        self._known[table_id] = replace(self._known.get(table_id, display.NOTHING_KNOWN), **known)

    def mark_doubtful(self, table_id: str, message_id: int) -> None:
        """Note that a message may show something else than this process expects, so that it is edited again."""
        doubtful = self._known.get(table_id, display.NOTHING_KNOWN).doubtful
        self.note_known(table_id, doubtful=doubtful | {message_id})

    def note_sending(self, table_id: str, nonce: str = NO_NONCE) -> None:
        """Note that a message may appear in the channel from now on."""
        if table_id not in self._sent:
            self._sent[table_id] = {}
        self._sent[table_id].setdefault(nonce, self._core.now())

    def note_arrived(self, table_id: str, nonce: str = NO_NONCE) -> None:
        """Note that Discord has created a message that was sent, or has refused it."""
        self._sent.get(table_id, {}).pop(nonce, None)

    def note_all_found(self, table: Table) -> None:
        """Note that a search has found no unknown message of a table, or that they are known now."""
        self._sent.pop(table.id, None)
        self._others.pop(table.id, None)
        if table.message_id is not None:
            self._shown[table.id] = Shown(table.id, table.shown_content_version, table.shown_screen, table.message_id)

    # ------------------------------------------------------------------------------------------------- what was shown

    def note_shown(
        self, table: Table, message_id: int, screen: int, calls: tuple[Call, ...] = (), *, is_outdated: bool = False
    ) -> None:
        """Note that a message shows a screen of a table, and store it soon, together with those of other tables.

        ``is_outdated`` means that the message shows another content version of the table's present screen. A new record
        is stored together with the screen that follows it. If an old record was edited, nothing has to be stored.
        """
        if (known := self._known.get(table.id)) is not None:
            doubtful = known.doubtful - {message_id}
            self._known[table.id] = replace(known, doubtful=doubtful, lost=None, without_buttons=None)
        if screen == table.screen:
            calls = display.calls_to_store(table, message_id, calls)
            content_version = table.shown_content_version if is_outdated else table.content_version
            shown = Shown(table.id, content_version, screen, message_id, calls=calls)
        elif screen > table.shown_screen:
            shown = Shown(table.id, table.content_version - 1, screen, message_id, record=True)
            log = self.current(table).log
            self._logs[table.id] = log if message_id in log else (*log, message_id)
        else:
            return
        self._shown[table.id] = shown
        self._unwritten.append(shown)
        if not shown.record:
            self.write_soon()

    def write_soon(self) -> None:
        """Start to store what was shown, unless a task is doing it already or everything is stored."""
        if self._unwritten and (self.writing is None or self.writing.done()):
            self.writing = asyncio.create_task(self._write(), name="note shown tables")

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
            # Do not try again. After a restart, the tables are only edited once more.
            log.exception("which tables were shown could not be stored; some messages are edited again after a restart")


def nonce_of(table: Table, screen: int) -> str:
    """Return the nonce of a screen, by which Discord recognizes a repeated send by this process or another.

    discord.py sets ``enforce_nonce``: https://discord.com/developers/docs/resources/message#create-message ("If another
    message was created by the same author with the same nonce, that message will be returned"). The table's version is
    not in it, because it may have grown since a try whose answer was lost. The id of the previous message is not in it,
    because another process may not know it yet; only a screen whose message was lost gets a different nonce. Discord
    accepts 25 characters.
    """
    lost = table.message_id if table.shown_screen == screen else None
    return f"{table.id}.{screen}.{(lost or 0) % 10**9}"


def shows_screen(message: discord.Message, table: Table) -> bool | None:
    """Return whether a message shows the table's current screen. None if its buttons and lock are not the table's."""
    lock = format_code(table.source.lock)
    if table.awaits_opening and any(lock in (embed.description or "") for embed in message.embeds):
        return True
    for custom_id in messages.custom_ids_of(message):
        if custom_id is None or f":{table.id}:" not in custom_id:
            continue
        if TablePress.matches(custom_id):
            return TablePress.parse(custom_id).version >= table.screen_since
        if RunPress.matches(custom_id):
            return table.status.open
    return None


class Steps:
    def __init__(self, core: Core, client: Client) -> None:
        self.state = DisplayState(core)
        self._core = core
        self._client = client
        self._found: Recent[str, tuple[int | None, Sequence[discord.Message]]] = Recent(REMEMBERED)
        """The results of searches, by table: the message with the current screen, and newer messages without the
        table's buttons."""

    async def load(self, table_id: str) -> TableToShow | None:
        """Return a table with what is needed to show it, and its messages as this process knows them. None if the table
        does not exist.
        """
        await self.state.wait_for_calls(table_id)
        to_show = await self._core.database.read(load_table_to_show, table_id)
        return None if to_show is None else replace(to_show, table=self.state.current(to_show.table))

    def find_step(
        self, table: Table, calling: frozenset[int], request: display.Request = display.CHANNEL
    ) -> display.Step:
        """Return the next step of a table that this kind of request can take."""
        nonces = [nonce_of(table, screen) for screen in (*display.unsent_records(table), table.screen)]
        return display.next_step(table, replace(self.state.get_known(table, nonces), calling=calling), request)

    def is_in_doubt(self, table: Table) -> bool:
        """Return whether a message of a table, known or perhaps sent, has to be checked. Also True if the table is open
        and paused because the bot may not post.
        """
        known = self.state.get_known(table, [nonce_of(table, table.screen)])
        return bool(known.doubtful) or known.unconfirmed_send or (table.timing.cannot_post and table.status.open)

    # ------------------------------------------------------------------------------------------------ by the channel

    async def take_step(self, step: display.Step, to_show: TableToShow) -> None:
        """Take a step by a request to the channel. Raise Discord's errors, after noting what they mean.

        If a message to edit was deleted or is too old, no error is raised, and the next step sends a new message.
        A record is left as it is, and so is a message of own pace that is too old.
        """
        table = to_show.table
        channel = self._client.get_partial_messageable(table.channel_id)
        match step:
            case display.Edit(message_id):
                try:
                    await messages.edit_message(channel, message_id, render_screen(table, step.screen))
                except BaseException as error:
                    self._note_failed_edit(table.id, message_id, error)
                    if (reason := trouble_of(error)) not in _LOST:
                        raise
                    lasting = reason is Trouble.TOO_OLD and display.does_screen_last(table)
                    if not lasting and message_id not in table.log:
                        return
                self.state.note_shown(table, message_id, step.screen)
            case display.RemoveButtons(message_id):
                await self._close(channel, table, message_id)
            case display.Send():
                await self._send(channel, to_show, step.screen)
            case display.FindMessages():
                found, bare = await self._find(channel, table)
                self.state.note_all_found(table)
                if found is not None and display.does_message_stay(table) and not table.awaits_opening:
                    # The newest message found becomes the table's message. It may show an older version, so it is
                    # edited next.
                    self.state.note_shown(table, found, table.screen, is_outdated=True)
                    self.state.mark_doubtful(table.id, found)
                    found = None
                self._found[table.id] = found, bare
            case display.SimpleStep.REOPEN_THREAD:
                await self._client.reopen(table.channel_id)
                self.state.note_known(table.id, obstacle=None)

    async def _send(self, channel: discord.PartialMessageable, to_show: TableToShow, number: int) -> None:
        table = to_show.table
        rendered = render_screen(table, number)
        found, bare = self._found.get(table.id, (None, ()))
        if number != table.screen:
            sent = next((message.id for message in bare if messages.looks_like(message, rendered)), None)
            self.state.note_shown(table, sent or (await self._post(channel, table, number, rendered)).id, number)
            if table.message_id is not None and table.shows_round(number):
                await self.discard(table, table.message_id)
            return
        # If the screen's message was deleted, the new one pings nobody a second time.
        calls = () if table.shown_screen == table.screen else await self._make_calls(to_show)
        self._found.pop(table.id, None)
        if found is not None:
            self.state.note_shown(table, found, number, () if table.awaits_opening else calls, is_outdated=True)
            return
        by_screen = [call.user_id for call in calls if call.kind == CallKind.SCREEN.value]
        message = await self._post(channel, table, number, rendered, by_screen)
        # Because of the nonce, Discord may answer with the message of an earlier try, which may show an older version
        # and is edited next. An opening counts as unshown until the game has begun, which needs the opening's id.
        is_newest = messages.custom_ids_of(message) == [button.custom_id for button in rendered.buttons]
        self.state.note_shown(table, message.id, number, calls, is_outdated=table.awaits_opening or not is_newest)

    async def _post(
        self,
        channel: discord.PartialMessageable,
        table: Table,
        screen: int,
        rendered: Rendered,
        called: Sequence[int] = (),
    ) -> discord.Message:
        """Send a screen. Even if this raises or is cancelled, Discord may have created the message."""
        nonce = nonce_of(table, screen)
        self.state.note_sending(table.id, nonce)
        message = await channel.send(
            **await rendered.prepare_message(), nonce=nonce, allowed_mentions=messages.mention_users(*called)
        )
        self.state.note_arrived(table.id, nonce)
        return message

    async def _find(
        self, channel: discord.PartialMessageable, table: Table
    ) -> tuple[int | None, Sequence[discord.Message]]:
        """Search the channel for the bot's messages that this process does not know. Only messages newer than the
        table's are returned: the id of the newest one that shows the table's screen, and all without the table's
        buttons.

        Other messages that show the table's screen, and messages that show an earlier one, are deleted.
        """
        known, found, bare = table.message_id or 0, None, []
        async for message in channel.history(limit=messages.LOOKED_BACK):
            if message.author != self._client.user or message.id in (known, *table.permanent_messages):
                continue
            shows = shows_screen(message, table)
            if shows is None:
                bare += [message] if message.id > known else []
            elif shows and found is None and message.id > known:
                found = message.id
            else:
                await self.discard(table, message.id)
        return found, bare

    async def _close(self, channel: discord.PartialMessageable, table: Table, message_id: int) -> None:
        """Remove the buttons of a message that still pings somebody. If it cannot be edited, forget its pings, so that
        it is deleted. Raise Discord's error if the thread is archived.
        """
        try:
            if table.shown_screen == table.screen:
                await channel.get_partial_message(message_id).edit(view=None)
            else:
                # An earlier screen is rendered without buttons. If it showed a turn, it now says that the turn is over.
                await messages.edit_message(channel, message_id, render_screen(table, table.shown_screen))
        except DISCORD_ERRORS as error:
            if trouble_of(error) is Trouble.ARCHIVED:
                raise
            await self._core.database.write(drop_calls_by_screen, table.id, message_id)
        # Note this after an error, too. If the message was deleted, it has no buttons any more.
        self.state.note_known(table.id, without_buttons=message_id)

    # ------------------------------------------------------------------- showing a table by answering an interaction

    async def take_by_answer(self, step: display.Step, to_show: TableToShow, offer: Offer) -> int | None:
        """Take a step by answering an interaction. Raise Discord's errors.

        Return the id of the message that was sent or changed. Return None if an answer cannot take this step, or if the
        step was taken but the id of the new message is unknown.
        """
        table = to_show.table
        match step:
            case display.Edit(message_id, number):
                picked = number == table.screen and offer.request.picked_in == table.version
                tap = picked and not table.is_unshown and message_id not in self.state.get_known(table).doubtful
                if tap:
                    rendered = render_tap(table, offer.positions, asking=offer.asking)
                elif picked:
                    rendered = render_table(table, offer.positions, asking=offer.asking)
                else:
                    rendered = render_screen(table, number)
                try:
                    await _show(offer, rendered)
                except BaseException as error:
                    self._note_failed_edit(table.id, message_id, error)
                    raise
                if not tap:
                    self.state.note_shown(table, message_id, number)
                return message_id
            case display.RemoveButtons(message_id):
                live = message_id == table.message_id
                await _show(offer, render_screen(table, table.shown_screen) if live else None)
                if live:
                    self.state.note_known(table.id, without_buttons=message_id)
                else:
                    await self.discard(table, message_id)
                return message_id
            case display.Send():
                calls = () if table.message_id is not None else await self._make_calls(to_show)
                self.state.note_sending(table.id)
                try:
                    sent = await _show(offer, render_table(table))
                except DISCORD_ERRORS as error:
                    if trouble_of(error) is not Trouble.PASSING:
                        self.state.note_arrived(table.id)  # Discord has refused it, so it will not appear.
                    raise
                self.state.note_arrived(table.id)
                if sent is not None:
                    self.state.note_shown(table, sent, table.screen, calls)
                if table.message_id in to_show.calling - table.permanent_messages:
                    channel = self._client.get_partial_messageable(table.channel_id)
                    await self._close(channel, table, table.message_id or 0)
                return sent
        return None

    # ---------------------------------------------------------------------------------------------------- the outcome

    def _note_failed_edit(self, table_id: str, message_id: int, error: BaseException) -> None:
        """Note that a message is lost, or what it shows is doubtful, after an edit has raised or was cancelled."""
        reason = trouble_of(error)
        if reason in _LOST:
            self.state.note_known(table_id, lost=message_id)
        elif reason not in _NOTHING_DONE:
            self.state.mark_doubtful(table_id, message_id)

    async def discard(self, table: Table, message_id: int) -> None:
        """Have a message deleted that the table does not use any more, unless it is permanent."""
        if message_id in self.state.current(table).permanent_messages:
            return
        await self._core.database.write(add_old_message, table.id, table.channel_id, message_id, self._core.now())
        self._core.facts.publish(MessagesReplaced())

    async def _make_calls(self, to_show: TableToShow) -> tuple[Call, ...]:
        if not to_show.wishes:
            return ()
        quiet = (await get_server_settings(self._core, to_show.table.guild_id)).quiet_hours
        return display.calls_of(to_show.table, to_show.wishes, quiet, self._core.now())


async def _show(offer: Offer, rendered: Rendered | None) -> int | None:
    async with asyncio.timeout(ANSWER_SECONDS):
        return await offer.show(rendered)
