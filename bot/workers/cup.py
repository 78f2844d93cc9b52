"""Advances cups when something is due, and posts messages about them (R9.8).

Entrants are pinged when a leg opens, and again on the evening before it ends if they have not finished: by the post or
by a direct message, as they wish. The message about the end of a cup pings those who have played its last leg.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, RowMapping

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.permissions import explain_forbidden
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
from bot.ui.cup import direct_message_text, make_cup_link, not_posted_text, render_cup_ping, render_cup_post
from bot.ui.message import Rendered
from bot.workers.cup_event import show_event
from bot.workers.sharing import WORTH_ANOTHER_TRY, redraw_message
from bot.workers.worker import ChannelPosts, PutOff, Worker

log = logging.getLogger(__name__)

CALLED_TOGETHER = 70
"""The most people that one message mentions. Each mention takes about 22 of its 2,000 characters."""
SIGN_UP_PATIENCE = timedelta(minutes=10)
"""How long a cup waits for the permission to post its sign-up."""
_NEEDED_WHILE = {CupPost.ENTRY: Status.ENTRY, CupPost.LEG: Status.PLAYING}
"""The messages whose buttons a cup needs while it has this status. If one was deleted, it is sent again."""
_HOLDING = (CupPost.START, CupPost.LEG)
"""Without these messages a cup waits. They are tried again after every kind of trouble (``CupView.held_until``)."""


@dataclass(frozen=True, slots=True)
class Caller:
    number: int
    user_id: int
    direct: bool
    """True if they want a direct message."""


class CupPosts(ChannelPosts):
    """Sends and redraws the messages about cups."""

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
        callers = await self._core.database.read(_load_callers, view, what, row["leg"], row["called"], now)
        nobody_pinged = row["called"] == 0 and what is not CupPost.REMINDER
        if message_id is not None and (nobody_pinged or not callers):
            trouble = await self._redraw(view, row)
            if trouble in WORTH_ANOTHER_TRY:
                return False
            if trouble is Trouble.MESSAGE_GONE and _needs_buttons(view, row):
                message_id = None  # Send it again.
            elif not callers:
                return True
        return await self._send(view, row, message_id, callers)

    async def _send(self, view: CupView, row: RowMapping, message_id: int | None, callers: Sequence[Caller]) -> bool:
        """Send the message of a row if it has no id, and ping the first ``CALLED_TOGETHER`` of these people; in quiet
        hours nobody. A reminder has no message of its own, only pings.

        Return False to be called again soon. Raise PutOff if more people have to be pinged.
        """
        what, now = CupPost(row["what"]), self._core.now()
        quiet = (await get_server_settings(self._core, view.cup.guild_id)).clock_rules.quiet
        asleep = 0.0 if quiet is None else (add_awake(now, 0, quiet) - now).total_seconds()
        is_new = message_id is None and what is not CupPost.REMINDER
        portion = callers[: 0 if asleep else CALLED_TOGETHER]
        if callers and not portion and not is_new:
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
                await show_event(self._client, view, message_id, now, create=what is CupPost.ENTRY)
        # After the message in the channel. If that fails, it is tried again, and would repeat the direct messages.
        await self._call_all_directly(view, row, [each for each in portion if each.direct], key)
        has_more = len(callers) > len(portion)
        called = len(view.cup.entrants)
        if has_more:
            called = portion[-1].number + 1 if portion else row["called"]
        await note_posted(self._core, view.cup.id, row["number"], message_id, called)
        if has_more:
            raise PutOff(asleep)
        return True

    async def _call_all_directly(self, view: CupView, row: RowMapping, callers: Sequence[Caller], key: str) -> None:
        """Ping people by direct messages. Ping those who accept none by a message in the channel."""
        refused = [each.user_id for each in callers if not await self._call_directly(view, row, each)]
        if refused:
            with speaking_in(view.cup.locale):
                ping = render_cup_ping(view, CupPost(row["what"]), row["leg"], refused)
            await self.send(view.cup.channel_id, f"{key}:d", ping, refused, row["post_at"])

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

    async def _call_directly(self, view: CupView, row: RowMapping, caller: Caller) -> bool:
        """Ping a person by a direct message, unless they have left the server. Return False if it cannot be sent."""
        with speaking_in(view.cup.locale):
            text, link = direct_message_text(view, CupPost(row["what"]), row["leg"]), make_cup_link(view.cup)
        nonce = f"c{view.cup.id}.{row['number']}.{caller.number}"
        return await self.send_to_user(caller.user_id, text, nonce, view.cup.guild_id, link)

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


def _needs_buttons(view: CupView, row: RowMapping) -> bool:
    """Return whether the cup's present phase needs the buttons of this message."""
    return _NEEDED_WHILE.get(CupPost(row["what"])) is view.cup.status and row["leg"] == view.cup.leg


def _is_worth_another_try(row: RowMapping, trouble: Trouble, now: datetime) -> bool:
    """Return whether to try again soon to send a message. The bot may get a missing permission later. But a sign-up
    waits for it only ``SIGN_UP_PATIENCE``, because in that time no other cup can be opened.
    """
    if CupPost(row["what"]) in _HOLDING or trouble is Trouble.PASSING:
        return True
    may_wait = not _is_unposted(row) or now - row["post_at"] < SIGN_UP_PATIENCE
    return trouble is Trouble.FORBIDDEN and may_wait


def _load_callers(
    connection: Connection, view: CupView, what: CupPost, leg: int, called: int, now: datetime
) -> list[Caller]:
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
        Caller(number, user_id, wishes[user_id].notify is Notify.DIRECT)
        for number, user_id in users.items()
        if wishes[user_id].notify is not Notify.NONE and load_away(connection, cup.guild_id, user_id, now) is None
    ]


class Cups(Worker[str]):
    name = "cups"
    rows = DUE_CUPS

    async def handle(self, item: str) -> None:
        set_log_fields(game=item)
        await advance_cup(self._core, item)
