"""How one table gets onto its channel: its page is edited, or sent as a new message, once; records of rounds stay."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

import discord

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import custom_ids, edit, edited, mentions
from bot.domain.notify import Call, CallKind, Notify, Wishes, goes_on, page_calls
from bot.domain.pages import record_of, records_after
from bot.domain.quiet_hours import add_awake
from bot.domain.recent import Recent
from bot.domain.table import Status, Table
from bot.services.core import Core, server_settings
from bot.services.lobby import begin
from bot.store.old_messages import add_old
from bot.store.pages import StoredPage, load_page
from bot.store.reminders import drop_page
from bot.store.table import Shown, load_table
from bot.ui.message import Rendered
from bot.ui.table import render_page
from bot.workers.display_state import REMEMBERED, DisplayState
from bot.workers.old_messages import Channels
from bot.workers.sent import looks_like, nonce_of, shows_page

NONCE_KNOWN = timedelta(minutes=2)
"""So long Discord surely knows a nonce; it says "the past few minutes"."""
NO_NONCE = ""
"""Stands for what others may have sent, as the answer to a command, for example."""
LOOKED_BACK = 100
"""Messages among which one that was sent before would be: as many as one request can ask for."""


class Client(Channels, Protocol):
    """What is needed of the client."""

    @property
    def user(self) -> discord.ClientUser | None:
        """The bot."""

    def may_post(self, channel_id: int) -> bool:
        """Whether the bot has every permission it needs there, as far as it knows."""


class Pages:
    """Sends and edits the messages of tables, and knows what it has sent."""

    def __init__(self, core: Core, channels: Client, redraw: Callable[[str], None]) -> None:
        self.state = DisplayState(core)
        self._core = core
        self._channels = channels
        self._redraw = redraw
        self._unseen: Recent[str, dict[str, datetime]] = Recent(REMEMBERED)
        """By table what was sent and is not known to have arrived, by its nonce, and since when."""
        self._overwritten: Recent[str, set[int]] = Recent(REMEMBERED)
        """Records that an older picture has come over."""

    def inherit(self, table_id: str) -> None:
        """An earlier process, or another one, may have sent this table's page without noting it."""
        self._may_arrive(table_id, NO_NONCE)

    def _may_arrive(self, table_id: str, nonce: str) -> None:
        if table_id not in self._unseen:
            self._unseen[table_id] = {}
        self._unseen[table_id].setdefault(nonce, self._core.now())

    def note(self, table: Table, message_id: int, calls: Sequence[Call] = ()) -> None:
        """Note that a table was shown on a message, and whom that calls.

        Two answers can cross on their way: when a newer version was shown before this one, the channel now has the
        older picture, and the newest is shown once more.
        """
        if self.state.newer(table) is not None:
            self._redraw(table.id)
            return
        self.state.note(
            table, Shown(table.id, table.version, table.page, message_id, calls=_standing(table, message_id, calls))
        )

    def note_record(self, table: Table, message_id: int, page: int) -> Table:
        """Note that a message is the record of a round from now on; what follows it is still owed."""
        self.state.note(table, Shown(table.id, table.page_since - 1, page, message_id, record=True))
        return self.state.current(table)

    async def discard(self, table: Table, message_id: int) -> None:
        """Have a message deleted that is not the table's any more."""
        if message_id in self.state.current(table).kept:
            return
        await self._core.database.write(add_old, table.id, table.channel_id, message_id, self._core.now())
        self._core.tidy()

    # ------------------------------------------------------------------------------------------------------ records

    def overwritten(self, table: Table, message_id: int) -> None:
        """Note that an older picture has come over a record, which is to be put back."""
        self._overwritten[table.id] = {*self._overwritten.get(table.id, ()), message_id}

    def has_overwritten(self, table_id: str) -> bool:
        """Whether there is anything of that kind."""
        return table_id in self._overwritten

    async def put_back(self, table: Table) -> None:
        """Put back the records that an older picture has come over. Raises what Discord answers."""
        table = self.state.current(table)
        channel = self._channels.get_partial_messageable(table.channel_id)
        for message_id in [*self._overwritten.get(table.id, ())]:
            if table.game is not None and message_id in table.log:
                page = record_of(table.game, table.log.index(message_id))
                await edited(channel, message_id, render_page(table, page))
            self._overwritten[table.id].discard(message_id)
        self._overwritten.pop(table.id, None)

    # ------------------------------------------------------------------------------------------------------ showing

    async def load(self, table_id: str) -> StoredPage | None:
        """A table and what showing it needs, with what is known here of its messages."""
        await self.state.calls_written(table_id)
        page = await self._core.database.read(load_page, table_id)
        return None if page is None else replace(page, table=self.state.current(page.table))

    async def show(self, page: StoredPage) -> None:
        """Show a table, after opening its thread again where that is archived."""
        try:
            await self._show(page)
        except discord.HTTPException as error:
            if trouble(error) is not Trouble.ARCHIVED:
                raise
            await self._channels.reopen(page.table.channel_id)
            await self._show(replace(page, table=self.state.current(page.table)))

    async def _show(self, page: StoredPage) -> None:
        table = page.table
        channel = self._channels.get_partial_messageable(table.channel_id)
        records = () if table.game is None else records_after(table.game, table.shown_page)
        found: int | None = None
        bare: Sequence[discord.Message] = ()
        if self._uncertain(table, records):
            found, bare = await self._find(channel, table)
        for record in records:
            table = await self._show_record(channel, table, record, bare)
        if found is not None:
            table = self._shown_already(table, found, () if table.opening else await self.calls(table, page.wishes))
        if table.opening and found is not None:
            # What opened the game is never edited: Discord would mark it, see docs/fairness.md.
            await self._arrived(table, found)
            return
        # A game in own pace lives on one message all day: it owes nothing where Discord takes no more edits.
        lasting = table.status is Status.PLAYING and not table.turn_order.shared
        if _stays(table) and await edited(
            channel, table.message_id or 0, render_page(table, table.page), too_old=lasting
        ):
            await self._arrived(table, table.message_id or 0)
            return
        await self._send(channel, replace(page, table=table))

    def _uncertain(self, table: Table, records: Sequence[int]) -> bool:
        """Whether there may be a message of the table that is not known here.

        Discord answers what is sent again with the message it has made of it, while it knows the nonce. Messages of
        other processes are looked for where another one would follow them.
        """
        repeated = {nonce_of(table, page) for page in (*records, table.page)}
        lately = self._core.now() - NONCE_KNOWN
        follows = records or not _stays(table)
        return any(
            nonce not in repeated or since <= lately for nonce, since in self._unseen.get(table.id, {}).items()
        ) or (bool(follows) and table.shown_page >= 0 and not self.state.knows(table))

    async def _find(
        self, channel: discord.PartialMessageable, table: Table
    ) -> tuple[int | None, Sequence[discord.Message]]:
        """Look for what was sent of a table and not noted: the message that shows its page, and those without buttons.

        What shows an earlier page goes, and what a page that was sent meanwhile has followed.
        """
        known, found, bare = table.message_id or 0, None, []
        async for message in channel.history(limit=LOOKED_BACK):
            if message.author != self._channels.user or message.id in (known, *table.kept):
                continue
            shows = shows_page(message, table)
            if shows is None:
                bare += [message] if message.id > known else []
            elif shows and found is None and message.id > known:
                found = message.id
            else:
                await self.discard(table, message.id)
        self._unseen.pop(table.id, None)
        return found, bare

    def _shown_already(self, table: Table, message_id: int, calls: Sequence[Call] = ()) -> Table:
        """The table after a message of its page that was sent and not noted, or that it is to follow."""
        before = self.state.current(table).shown_version
        self.state.note(
            table, Shown(table.id, before, table.page, message_id, calls=_standing(table, message_id, calls))
        )
        return replace(table, shown_version=before, shown_page=table.page, message_id=message_id)

    async def _show_record(
        self, channel: discord.PartialMessageable, table: Table, page: int, bare: Sequence[discord.Message]
    ) -> Table:
        """The record of a round takes the place of its last turn; where that is gone or too old, it goes, with its
        buttons, and the record is sent."""
        rendered = render_page(table, page)
        shown = table.message_id if table.shows_round(page) else None
        if shown is not None and await edited(channel, shown, rendered):
            return self.note_record(table, shown, page)
        sent = next((message.id for message in bare if looks_like(message, rendered)), None)
        if sent is None:
            sent = (await self._post(channel, table, page, rendered)).id
        noted = self.note_record(table, sent, page)
        if shown is not None:
            await self.discard(noted, shown)
        return noted

    async def _send(self, channel: discord.PartialMessageable, page: StoredPage) -> None:
        table = page.table
        rendered = render_page(table, table.page)
        # A page that was shown before, and whose message is gone, notifies nobody a second time.
        repeated = table.shown_page == table.page
        calls = () if repeated else await self.calls(table, page.wishes)
        await self.close(table, page.calling)
        by_page = [call.user_id for call in calls if call.kind == CallKind.PAGE.value]
        message = await self._post(channel, table, table.page, rendered, by_page)
        if custom_ids(message) == [button.custom_id for button in rendered.buttons]:
            await self._arrived(table, message.id, calls, new=True)
        else:
            # Discord had taken an earlier try whose answer was lost, and the table has moved on: that one is edited.
            self._shown_already(table, message.id, calls)
            self._redraw(table.id)

    async def _post(
        self,
        channel: discord.PartialMessageable,
        table: Table,
        page: int,
        rendered: Rendered,
        called: Sequence[int] = (),
    ) -> discord.Message:
        """Send a page. Where it raises, or is cut off, Discord may have made a message of it all the same."""
        nonce = nonce_of(table, page)
        self._may_arrive(table.id, nonce)
        message = await channel.send(**await rendered.sending(), nonce=nonce, allowed_mentions=mentions(*called))
        self._unseen.get(table.id, {}).pop(nonce, None)
        return message

    async def _arrived(self, table: Table, message_id: int, calls: Sequence[Call] = (), *, new: bool = False) -> None:
        if table.opening:
            # Before it is noted as shown: until its id is stored, the opening is owed.
            await begin(self._core, table.id, message_id)
            self.note(table, message_id, calls)
            self._redraw(table.id)
            return
        known = self.state.current(table)
        elsewhere = known.message_id
        if message_id in known.kept:
            # It has become a record while this picture was on its way.
            self.overwritten(table, message_id)
            self._redraw(table.id)
            return
        behind = known.shown_page > table.page and message_id != elsewhere
        moved = elsewhere not in (None, table.message_id, message_id)
        later = known.shown_version >= table.version and (elsewhere or 0) > message_id
        if behind or (moved and (message_id == table.message_id or later)):
            # One message too many: `/highscore show` has moved the table meanwhile, or a press has made a record of the
            # page whose place this one was to take.
            await self.discard(table, message_id)
            if behind or message_id == table.message_id:
                self._redraw(table.id)
            return
        self.note(table, message_id, calls)
        if not new and not self.state.is_newest(table):
            # An answer with a newer picture may have been overtaken. None was before on a message that is new: whoever
            # changes the table shows it, and one more edit would put back the dice that were picked on it since.
            self._redraw(table.id)
        elif self._core.database.shared:
            await self._check_newest(table, message_id)

    async def _check_newest(self, table: Table, message_id: int) -> None:
        """Another process may have gone on meanwhile, and have left this page before this picture came."""
        newest = await self._core.database.read(load_table, table.id)
        if newest is None or newest.page <= table.page:
            return
        if message_id in newest.kept:
            self.overwritten(newest, message_id)
            self._redraw(table.id)
        elif newest.shown_page > table.page and message_id != newest.message_id:
            await self.discard(table, message_id)

    async def calls(self, table: Table, wishes: Mapping[int, Wishes]) -> tuple[Call, ...]:
        """Whom the table's page calls by itself, and who is called by a message: a direct one, or after quiet hours."""
        if not wishes:
            return ()
        quiet = (await server_settings(self._core, table.guild_id)).clock_rules.quiet
        now = self._core.now()
        later = quiet is not None and quiet.holds(now)
        calls = []
        for user_id, wish in wishes.items():
            if wish.notify is Notify.CHANNEL and not later and page_calls(table):
                calls.append(Call(user_id, table.id, CallKind.PAGE.value, table.span, now, sent_at=now))
            elif wish.notify is not Notify.NONE:
                due = add_awake(now, 0, quiet)
                calls.append(Call(user_id, table.id, CallKind.MESSAGE.value, table.span, due))
        return tuple(calls)

    async def close(self, table: Table, calling: AbstractSet[int]) -> None:
        """A page that has called somebody who has not acted stays until they do: without buttons, once another follows.

        ``calling`` are the messages that have. Where the page cannot be edited, it goes.
        """
        if table.message_id is None or table.message_id in table.kept or table.message_id not in calling:
            return
        channel = self._channels.get_partial_messageable(table.channel_id)
        try:
            if table.shown_page == table.page:
                await channel.get_partial_message(table.message_id).edit(view=None)
            else:
                # It says that the turn is over.
                await edit(channel, table.message_id, render_page(table, table.shown_page))
        except DISCORD_ERRORS as error:
            if trouble(error) is Trouble.ARCHIVED:
                raise
            await self._core.database.write(drop_page, table.id, table.message_id)


def _stays(table: Table) -> bool:
    """Whether the table is shown where it is."""
    return table.message_id is not None and (table.shown_page == table.page or goes_on(table))


def _standing(table: Table, message_id: int, calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls that are to be noted: those that are to be sent, and those of a page that may have to wait for them."""
    waits = table.status is Status.PLAYING and table.turn_order.shared and not table.opening
    return tuple(
        call if call.sent_at is None else replace(call, message_id=message_id)
        for call in calls
        if call.sent_at is None or waits
    )
