"""Advances cups when something is due, and posts messages about them (R9.8).

Entrants are pinged when a leg opens, and once before it ends if they have not finished, usually on the last evening.
The pings are in the channel or direct messages, as each entrant wishes. The message about the end of a cup pings those
who have played its last leg.

A cup also has a scheduled event on its server if the bot has the permission for it. The bot stores no id of the event:
it is the bot's own event whose place is a message in the cup's channel, where only one cup runs at a time. So an event
that was made just before a kill is found, and one that somebody has deleted stays deleted.
https://discord.com/developers/docs/resources/guild-scheduled-event
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import discord
from sqlalchemy import Connection, RowMapping

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.permissions import FOR_EVENTS, explain_forbidden, missing_permissions
from bot.domain.calendar import add_awake
from bot.domain.cup import HELD, LATE, REMIND_LEAST, CupPost, CupView, Status
from bot.domain.notify import Notify
from bot.locales import speaking_in
from bot.observing.logs import set_log_fields
from bot.observing.metrics import Where
from bot.services.core import get_server_settings
from bot.services.cup import add_league_table, end_unposted
from bot.services.cup_leg import advance_cup, note_posted, plan_leg
from bot.store.away import load_away
from bot.store.claims import CUP_POSTS, DUE_CUPS
from bot.store.cup import find_finished, load_view
from bot.store.settings import load_wishes
from bot.ui.cup import (
    direct_message_text,
    event_texts,
    make_cup_link,
    not_posted_text,
    render_cup_ping,
    render_cup_post,
)
from bot.ui.message import Rendered
from bot.workers.sharing import WORTH_ANOTHER_TRY, redraw_message
from bot.workers.worker import ChannelPosts, Client, PutOff, Worker

log = logging.getLogger(__name__)

CALLED_TOGETHER = 70
"""The most people that one message mentions. Each mention takes about 22 of its 2,000 characters."""
SIGN_UP_PATIENCE = timedelta(minutes=10)
"""How long a cup waits for the permission to post its sign-up."""
EVENT_SECONDS = 10.0
"""The time limit for updating the event. The cup goes on without it."""
_NEEDED_WHILE = {CupPost.ENTRY: Status.ENTRY, CupPost.LEG: Status.PLAYING}
"""The messages whose buttons a cup needs while it has this status. If one was deleted, it is sent again."""
_HOLDING = (CupPost.START, CupPost.LEG)
"""Without these messages a cup waits. They are tried again after every kind of trouble (``CupView.held_until``)."""


class Recipient(NamedTuple):
    number: int
    """Their number among the entrants."""
    user_id: int
    direct: bool
    """True if they want a direct message."""


class CupPosts(ChannelPosts):
    name = "cup posts"
    rows = CUP_POSTS
    patience = HELD + LATE

    async def post(self, row: RowMapping) -> bool:
        """Send or redraw the message of a row, and ping people. Return False to be called again soon.

        Raise PutOff if some people must be pinged later: after quiet hours, or by another message, because one can
        mention only ``CALLED_TOGETHER``.
        """
        cup_id, what, message_id = row["cup_id"], CupPost(row["what"]), row["message_id"]
        set_log_fields(game=cup_id)
        if what is CupPost.LEG and message_id is None:
            view = await plan_leg(self._core, cup_id)
        else:
            view = await self._core.database.read(load_view, cup_id)
        if view is None:
            return True
        now = self._core.now()
        recipients = await self._core.database.read(_load_recipients, view, what, row["leg"], row["called"], now)
        nobody_pinged = row["called"] == 0 and what is not CupPost.REMINDER
        if message_id is not None and (nobody_pinged or not recipients):
            trouble = await self._redraw(view, row)
            if trouble in WORTH_ANOTHER_TRY:
                return False
            needs_buttons = _NEEDED_WHILE.get(what) is view.cup.status and row["leg"] == view.cup.leg
            if trouble is Trouble.MESSAGE_GONE and needs_buttons:
                message_id = None  # Send it again.
            elif not recipients:
                return True
        return await self._send(view, row, message_id, recipients)

    async def _send(
        self, view: CupView, row: RowMapping, message_id: int | None, recipients: Sequence[Recipient]
    ) -> bool:
        """Send the message of a row if it has no id, and ping the first ``CALLED_TOGETHER`` of these people; in quiet
        hours nobody. A reminder has no message of its own, only pings.

        Return False to be called again soon. Raise PutOff if more people have to be pinged.
        """
        what, now = CupPost(row["what"]), self._core.now()
        quiet = (await get_server_settings(self._core, view.cup.guild_id)).quiet_hours
        asleep = 0.0 if quiet is None else (add_awake(now, 0, quiet) - now).total_seconds()
        is_new = message_id is None and what is not CupPost.REMINDER
        portion = recipients[: 0 if asleep else CALLED_TOGETHER]
        if recipients and not portion and not is_new:
            raise PutOff(asleep)
        in_channel = [each.user_id for each in portion if not each.direct]
        key = f"c:{view.cup.id}:{row['number']}:{row['message_id']}:{row['called']}"
        if in_channel or is_new:
            rendered = await self._render(view, row, message_id, in_channel)
            sent, trouble = await self.send(view.cup.channel_id, key, rendered, in_channel, row["post_at"])
            if trouble is not None:
                if _is_worth_another_try(row, trouble, now):
                    return False
                await self.give_up(row)
                return True
            message_id = message_id or sent
            if row["message_id"] is None and message_id is not None:
                await _show_event(self._client, view, message_id, now, create=what is CupPost.ENTRY)
        # Send the direct messages last. If the message in the channel fails, this function is called again, and would
        # repeat direct messages that were sent before it.
        await self._ping_directly(view, row, [each for each in portion if each.direct], key)
        has_more = len(recipients) > len(portion)
        called = len(view.cup.entrants)
        if has_more:
            called = portion[-1].number + 1 if portion else row["called"]
        await note_posted(self._core, view.cup.id, row["number"], message_id, called)
        if has_more:
            raise PutOff(asleep)
        return True

    async def _ping_directly(self, view: CupView, row: RowMapping, recipients: Sequence[Recipient], key: str) -> None:
        """Ping people by direct messages, unless they have left the server. Ping those who accept none by a message in
        the channel.
        """
        cup, what, leg = view.cup, CupPost(row["what"]), row["leg"]
        refused = []
        for each in recipients:
            with speaking_in(cup.locale):
                text, link = direct_message_text(view, what, leg), make_cup_link(cup)
            nonce = f"c{cup.id}.{row['number']}.{each.number}"
            if not await self.send_to_user(each.user_id, text, nonce, cup.guild_id, link):
                refused.append(each.user_id)
        if refused:
            with speaking_in(cup.locale):
                ping = render_cup_ping(view, what, leg, refused)
            await self.send(cup.channel_id, f"{key}:d", ping, refused, row["post_at"])

    async def give_up(self, row: RowMapping) -> None:
        """If the row is the sign-up of a cup and was never posted, end the cup, so that another one can be opened, and
        send its host the reason. Otherwise do nothing.
        """
        cup = await end_unposted(self._core, row["cup_id"]) if _is_unposted(row) else None
        if cup is not None:
            with speaking_in(cup.locale):
                text = f"{not_posted_text(cup)} {explain_forbidden(cup.channel_id)}"
            await self.send_to_user(cup.host_id, text, f"e{cup.id}")

    async def _render(
        self, view: CupView, row: RowMapping, message_id: int | None, in_channel: Sequence[int]
    ) -> Rendered:
        """Return the message of a row. If it has an id and there are people to ping in the channel, return a message
        that only pings them.
        """
        what, leg = CupPost(row["what"]), row["leg"]
        pictures = (await get_server_settings(self._core, view.cup.guild_id)).pictures
        if what in (CupPost.LEG, CupPost.OVER):
            view = await add_league_table(self._core, view, leg - 1 if what is CupPost.LEG else None)
        with speaking_in(view.cup.locale):
            if message_id is not None and in_channel:
                return render_cup_ping(view, what, leg, in_channel)
            return render_cup_post(view, what, leg, row["argument"], in_channel).adapt(pictures=pictures)

    async def _redraw(self, view: CupView, row: RowMapping) -> Trouble | None:
        """Edit the message of a row. Return what prevented that, or None."""
        rendered = await self._render(view, row, row["message_id"], ())
        try:
            exists = await redraw_message(self._client, view.cup.channel_id, row["message_id"], rendered)
        except DISCORD_ERRORS as error:
            self._core.metrics.count_failure(Where.POST, error)
            log.warning("message %s of cup %s could not be redrawn: %s", row["message_id"], view.cup.id, error)
            return trouble_of(error)
        return None if exists else Trouble.MESSAGE_GONE


def _is_unposted(row: RowMapping) -> bool:
    return CupPost(row["what"]) is CupPost.ENTRY and row["message_id"] is None


def _is_worth_another_try(row: RowMapping, trouble: Trouble, now: datetime) -> bool:
    """Return whether to try again soon to send a message. The bot may get a missing permission later. But a sign-up
    waits for it only ``SIGN_UP_PATIENCE``, because in that time no other cup can be opened.
    """
    if CupPost(row["what"]) in _HOLDING or trouble is Trouble.PASSING:
        return True
    may_wait = not _is_unposted(row) or now - row["post_at"] < SIGN_UP_PATIENCE
    return trouble is Trouble.FORBIDDEN and may_wait


def _load_recipients(
    connection: Connection, view: CupView, what: CupPost, leg: int, called: int, now: datetime
) -> list[Recipient]:
    """Return the people whom a message has to ping. Entrants with numbers below ``called`` were pinged before.

    The post of a leg and its reminder ping the leg's entrants who have not finished it, but a reminder that is sent
    very late pings nobody. The message about the end pings those who have played the last leg. Nobody is pinged who is
    away, has left, wants no pings, or has deleted their data.
    """
    cup, drawn = view.cup, view.drawn_leg
    if what is CupPost.OVER and view.closed:
        numbers = set(view.closed[-1].played)
    elif what in (CupPost.LEG, CupPost.REMINDER) and drawn is not None and drawn.number == leg:
        if what is CupPost.REMINDER and now > drawn.ends_at - REMIND_LEAST:
            return []
        entrants = {number for group in drawn.leg.groups for number in group.entrants}
        numbers = entrants - find_finished(connection, view)
    else:
        return []
    there = ((number, cup.entrants[number].user_id) for number in sorted(numbers - cup.left) if number >= called)
    users = {number: user_id for number, user_id in there if user_id is not None}
    wishes = load_wishes(connection, users.values())
    return [
        Recipient(number, user_id, wishes[user_id].notify is Notify.DIRECT)
        for number, user_id in users.items()
        if wishes[user_id].notify is not Notify.NONE and load_away(connection, cup.guild_id, user_id, now) is None
    ]


async def _show_event(client: Client, view: CupView, message_id: int, now: datetime, *, create: bool) -> None:
    """Update the event of a cup. Delete it if the cup is over, or if not everybody can see its channel. If there is no
    event and ``create`` is given, make it, unless the cup has begun.

    ``message_id`` is the cup's newest post, to which the event links. Errors of Discord are only logged.
    """
    guild = client.get_guild(view.cup.guild_id)
    if guild is None or missing_permissions(guild.me.guild_permissions, FOR_EVENTS):
        return
    try:
        async with asyncio.timeout(EVENT_SECONDS):
            await _update_event(guild, view, message_id, now, create=create)
    except DISCORD_ERRORS as error:
        log.info("the event of cup %s could not be updated: %s", view.cup.id, error)


async def _update_event(guild: discord.Guild, view: CupView, message_id: int, now: datetime, *, create: bool) -> None:
    cup = view.cup
    place = f"https://discord.com/channels/{cup.guild_id}/{cup.channel_id}/"
    found = await guild.fetch_scheduled_events(with_counts=False)
    own = [each for each in found if each.creator_id == guild.me.id and (each.location or "").startswith(place)]
    if not cup.status.running or not _is_public(guild.get_channel_or_thread(cup.channel_id), guild.default_role):
        for event in own:
            await event.delete()
        return
    with speaking_in(cup.locale):
        name, text = event_texts(cup)
    fields: Any = {"name": name, "description": text, "end_time": view.planned_end, "location": f"{place}{message_id}"}
    fields["entity_type"] = discord.EntityType.external
    begins: Any = {"start_time": cup.begins_at} if cup.begins_at > now else {}
    if own:
        # Discord starts the event at its start time, and from then on refuses to change that time.
        await own[0].edit(**fields, **(begins if own[0].status is discord.EventStatus.scheduled else {}))
    elif create and begins:
        await guild.create_scheduled_event(**fields, **begins, privacy_level=discord.PrivacyLevel.guild_only)


def _is_public(channel: discord.abc.GuildChannel | discord.Thread | None, everybody: discord.Role) -> bool:
    """Return whether everybody on the server may see a channel: everybody would see the event. False if the channel is
    not in the cache.
    """
    if channel is None or channel.type is discord.ChannelType.private_thread:
        return False
    return channel.permissions_for(everybody).view_channel


class Cups(Worker[str]):
    name = "cups"
    rows = DUE_CUPS

    async def handle(self, item: str) -> None:
        set_log_fields(game=item)
        await advance_cup(self._core, item)
