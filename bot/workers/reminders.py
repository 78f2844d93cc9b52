"""Pings people, for example when it is their turn, and reminds them once, in the way that each of them prefers.

Most pings are made by the message that shows a table's screen (workers.steps). This worker sends the others: direct
messages, pings that were delayed by quiet hours, and reminders. A person who has just pressed something at the table is
reminded later. A message is deleted when everybody whom it pings has acted, but stays if the game was over before.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

import discord
from sqlalchemy import Connection

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.messages import Offer, mention_role, mention_users
from bot.domain.calendar import add_awake
from bot.domain.deadlines import is_overdue, seats_waited_for
from bot.domain.notify import Call, CallKind, Notify, Wishes, is_still_called
from bot.domain.screens import OPENING, OldMessage
from bot.domain.table import Table
from bot.observing.logs import add_log_fields, set_log_fields
from bot.observing.metrics import Where
from bot.services.core import Core, get_server_settings
from bot.services.facts import MessagesReplaced
from bot.store.claims import UNSENT_REMINDERS, claim_reminders
from bot.store.reminders import drop_call, load_due_calls, mark_sent, postpone_call
from bot.store.settings import load_wishes
from bot.store.table import load_table
from bot.ui.cancelling import cancel_request_text
from bot.ui.message import Rendered
from bot.ui.reminders import make_table_link, ping_text, players_wanted_text, reminder_text
from bot.workers.worker import Client, Clock, PutOff, Worker

log = logging.getLogger(__name__)

PRESENT = timedelta(minutes=5)
"""A person who has pressed anything at the table within this time counts as present, and is reminded later."""
RETRY_SECONDS = 60.0
OVERDUE_SECONDS = 5.0
"""The seconds to wait if the time of a table is up but workers.deadlines has not acted yet, or if the end of a game
cannot be shown yet.
"""
PAUSED_SECONDS = 600.0
"""The seconds until a paused table is checked again."""
SEND_SECONDS = 30.0
"""The time limit for sending the reminders of a table. Shorter than their lease."""


class Say(Enum):
    """The kinds of pings. The values begin their nonces."""

    BEGUN = "b"
    TURN = "t"
    REMINDER = "r"
    CANCEL = "c"
    """The host has asked whether to cancel the game."""
    PLAYERS = "p"
    """The table has free seats. It pings a role."""


class Reminding(Worker[str]):
    """Sends the pings and reminders that are due. Several people at a table who need the same text in the channel share
    a message.
    """

    name = "reminders"
    rows = UNSENT_REMINDERS
    slots = 32

    def __init__(
        self, core: Core, clock: Clock, client: Client, show: Callable[[Table, Offer], Awaitable[int | None]]
    ) -> None:
        super().__init__(core, clock)
        self._client = client
        self._show = show
        """Shows a table by a message that this worker sends (``Delivery.show_by_answer``)."""

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[str]:
        return claim_reminders(connection, now, limit, self.share)

    async def handle(self, item: str) -> None:
        set_log_fields(game=item)
        begun = self._core.now()
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._call(item, begun)
        except DISCORD_ERRORS as error:
            self._core.metrics.count_failure(Where.REMINDER, error)
            log.warning("a ping or reminder at table %s could not be sent: %s", item, error)
            if trouble_of(error) is Trouble.PASSING:
                raise PutOff(RETRY_SECONDS) from error
            due = await self._core.database.read(load_due_calls, item, begun)
            await self._core.database.write(mark_sent, item, [call.user_id for call in due], self._core.now())

    async def _call(self, table_id: str, now: datetime) -> None:
        table, due, wishes = await self._core.database.read(_load_due, table_id, now)
        if table is None:
            return
        add_log_fields(guild=table.guild_id, channel=table.channel_id)
        quiet = (await get_server_settings(self._core, table.guild_id)).quiet_hours
        if quiet is not None and quiet.contains(now):
            raise PutOff((add_awake(now, 0, quiet) - now).total_seconds())
        if table.timing.paused_at is not None:
            raise PutOff(PAUSED_SECONDS)
        if is_overdue(table, now):
            # Wait until workers.deadlines has acted on the deadline. After an outage it moves the deadline, and a
            # reminder sent now would show the old one.
            raise PutOff(OVERDUE_SECONDS)
        in_channel: dict[Say, list[int]] = {}
        for user_id in dict.fromkeys(call.user_id for call in due):
            calls = [call for call in due if call.user_id == user_id and is_still_called(table, call)]
            say = _choose_words(table, user_id, calls)
            there_until = self._find_end_of_presence(table_id, user_id) if say is Say.REMINDER else None
            # This call may have waited for the end of quiet hours, and the person may have switched off pings since.
            wanted = wishes[user_id].notify is not Notify.NONE if table.game else wishes[user_id].invited
            if not calls or not wanted:
                # Delete the call, so that another table can remind the person.
                await self._core.database.write(drop_call, table_id, user_id)
            elif there_until is not None:
                await self._core.database.write(postpone_call, table_id, user_id, there_until)
                self._clock.note_due(there_until, self)
            elif wishes[user_id].notify is Notify.CHANNEL or not await self._send_directly(table, user_id, say):
                in_channel.setdefault(say, []).append(user_id)
        for say, users in in_channel.items():
            await self._send_in_channel(table, users, say)

    def _find_end_of_presence(self, table_id: str, user_id: int) -> datetime | None:
        """Return until when a person counts as present. None if they do not, or if the machine's clock was set back
        after their last press.
        """
        clicked, now = self._core.clicks.get((table_id, user_id)), self._core.now()
        return None if clicked is None or not clicked <= now < clicked + PRESENT else clicked + PRESENT

    async def _send_directly(self, table: Table, user_id: int, say: Say) -> bool:
        try:
            message = await self._client.send_directly(
                user_id, _text_of(table, (), say), _nonce_of(table, say, user_id), make_table_link(table)
            )
        except discord.HTTPException as error:
            if trouble_of(error) is Trouble.PASSING:
                raise
            # The person accepts no direct messages, or has no account any more.
            return False
        # Stored now, so that a problem with the next person does not repeat this message.
        await self._note_sent(table, [user_id], message)
        return True

    async def _send_in_channel(self, table: Table, user_ids: Sequence[int], say: Say) -> None:
        # The nonce contains a person, because later another message may ask other people the same question.
        asked = user_ids[0] if say is Say.CANCEL else None

        async def send(**said: Any) -> int:
            message = await self._client.get_partial_messageable(table.channel_id).send(
                **said,
                nonce=_nonce_of(table, say, asked),
                allowed_mentions=mention_role(user_ids[0]) if say is Say.PLAYERS else mention_users(*user_ids),
            )
            await self._note_sent(table, user_ids, message)
            return message.id

        async def send_standings(standings: Rendered | None) -> int | None:
            return None if standings is None else await send(**await standings.prepare_message())

        if table.status.open:
            await send(content=_text_of(table, user_ids, say), view=make_table_link(table))
        # At the end of a game, the standings are sent again with the ping, and replace those without it.
        elif await self._show(table, Offer(send_standings)) is None:
            raise PutOff(OVERDUE_SECONDS)

    async def _note_sent(self, table: Table, user_ids: Sequence[int], message: discord.Message) -> None:
        """Store that a message has pinged people. It is deleted when all of them have acted, unless the table is
        closed.
        """
        old = OldMessage(message.id, message.channel.id, table.id) if table.status.open else None
        if await self._core.database.write(mark_sent, table.id, user_ids, self._core.now(), old):
            self._core.facts.publish(MessagesReplaced())


def _load_due(
    connection: Connection, table_id: str, now: datetime
) -> tuple[Table | None, list[Call], dict[int, Wishes]]:
    """Read the due calls before the table. In the other order, a call that is added in between would be compared with
    an older table, for which it is not needed, and be dropped.
    """
    due = load_due_calls(connection, table_id, now)
    return load_table(connection, table_id), due, load_wishes(connection, [call.user_id for call in due])


def _choose_words(table: Table, user_id: int, calls: Sequence[Call]) -> Say:
    kinds = {call.kind for call in calls}
    if CallKind.CANCEL.value in kinds:
        return Say.CANCEL
    if kinds == {CallKind.REMINDER.value}:
        return Say.REMINDER
    if kinds == {CallKind.PLAYERS.value}:
        return Say.PLAYERS
    begun = all(call.deadline_scope == OPENING for call in calls) and table.seat_of(user_id) not in seats_waited_for(
        table
    )
    return Say.BEGUN if begun else Say.TURN


def _text_of(table: Table, user_ids: Sequence[int], say: Say) -> str:
    if say is Say.REMINDER:
        return reminder_text(table, user_ids)
    if say is Say.PLAYERS:
        return players_wanted_text(table, user_ids[0])
    if say is Say.CANCEL:
        return cancel_request_text(table, user_ids)
    return ping_text(table, user_ids, begun=say is Say.BEGUN)


def _nonce_of(table: Table, say: Say, user_id: int | None = None) -> str:
    """Return a nonce, by which Discord recognizes a repeated send. It accepts 25 characters.

    The direct messages to two people have different nonces. Discord documents a nonce as the author's, not the
    channel's, so the second message could be taken for a repetition of the first.
    """
    whose = "" if user_id is None else f".{table.seat_of(user_id)}"
    what = {Say.TURN: table.screen, Say.CANCEL: table.timing.cancel_asked_at_version}.get(say, table.deadline_scope)
    return f"{say.value}{table.id}.{abs(what)}{whose}"
