"""The buttons of dares."""

from contextlib import suppress
from datetime import timedelta

import discord
from discord.utils import snowflake_time

from bot.cogs.challenge import ChallengeGame, add_best
from bot.cogs.common import Private, UserRequest
from bot.discord_api.messages import edit_message, post_quietly
from bot.discord_api.permissions import find_visible
from bot.domain.challenge import Attempt
from bot.domain.dare import Dare, Dares
from bot.domain.errors import Refused
from bot.locales import _, speaking_in
from bot.services.core import Core, get_closed_table, get_server_settings
from bot.services.dare import DARES, find_dare, not_offered, offer_dare, save_message, take_dare
from bot.ui.buttons import ChallengePress, TablePress
from bot.ui.challenge import PrivatePage, render_private
from bot.ui.dare import dare_page, dare_title, offered_text, render_dares
from bot.ui.message import Rendered

RECENT = timedelta(hours=1)
"""Discord allows few edits of an older message."""


async def dare_others(request: UserRequest, press: TablePress) -> Private:
    """Offer the user's dice of a finished game to others, and show all dares of the game in one message."""
    table = await get_closed_table(request.core, press.table_id)
    if request.channel_id != table.channel_id:
        raise Refused(
            _("You can dare others only in the channel of the game: {channel}").format(channel=f"<#{table.channel_id}>")
        )
    await request.check_may_share()
    async with request.one_at_a_time():
        dares, earlier = await offer_dare(request.core, table.id, request.person)
        with speaking_in(table.locale):
            message_id = await _show_dares(request, dares, earlier)
        await save_message(request.core, dares, message_id)
    return Private(Rendered(content=offered_text(table, message_id)))


async def _show_dares(request: UserRequest, dares: Dares, earlier: int | None) -> int:
    """Show the dares of a game in its channel, and return the id of the message.

    Edit a recent message, so that pressing the button again and again does not fill the channel with posts.
    """
    table, rendered = dares.table, render_dares(dares)
    channel = request.interaction.client.get_partial_messageable(table.channel_id)
    if earlier is not None and snowflake_time(earlier) > request.core.now() - RECENT:
        # If the message was deleted or its thread is archived, post. A post reopens the thread.
        with suppress(discord.HTTPException):
            await edit_message(channel, earlier, rendered)
            return earlier
    # If two players press at the same time, only one message is posted, because both posts have the same key.
    key = f"dares:{table.id}:{earlier}"
    return (await post_quietly(channel, key, **await rendered.prepare_message())).id


async def open_dare(request: UserRequest, press: ChallengePress) -> Private:
    """Show the user's page of a dare, which begins their attempt. The user must see the channel of the game."""
    dare = await find_dare(request.core, press.challenge_id)
    if not await find_visible(request.interaction, [dare.table.channel_id]):
        raise Refused(not_offered())
    attempt = await take_dare(request.core, dare.id, request.person, request.channel_id)
    return Private(render_private(await _make_page(request.core, attempt)))


async def _make_page(core: Core, attempt: Attempt[Dare]) -> PrivatePage:
    settings = await get_server_settings(core, attempt.challenge.guild_id)
    page = dare_page(attempt, pictures=settings.pictures)
    return await add_best(core, page, attempt.challenge.guild_id, attempt.user_id)


DARE = ChallengeGame(DARES, _make_page, dare_title)
