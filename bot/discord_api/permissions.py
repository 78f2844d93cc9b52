"""The permissions that the bot needs, their names in Discord's settings, and whether the bot can post in a channel."""

import asyncio
import logging
from collections.abc import Iterable
from itertools import compress

import discord

from bot.discord_api.errors import DISCORD_ERRORS
from bot.locales import _, format_list

log = logging.getLogger(__name__)

ASKING_SECONDS = 2.0
"""The time limit for a request about a channel. A person is waiting for the answer."""

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)
"""The permissions that playing needs. The bot asks for no others when it is invited."""
FOR_THREADS = discord.Permissions(create_public_threads=True, send_messages_in_threads=True, send_messages=True)
"""The permissions to open a thread and write in it, also in an announcement channel:
https://discord.com/developers/docs/topics/permissions
"""
SENDING = discord.Permissions(send_messages=True)
MENTIONING = discord.Permissions(mention_everyone=True)
"""The permission to ping a role whose settings do not allow everybody to ping it."""
FOR_EVENTS = discord.Permissions(create_events=True)
"""The permission to show cups as scheduled events, and to change and delete these events. It is optional."""
SCOPES = ("bot", "applications.commands")


def invite_link(application_id: int) -> str:
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def missing_permissions(given: discord.Permissions, needed: discord.Permissions = PERMISSIONS) -> list[str]:
    """Return the names of the needed permissions that are missing. An administrator has all of them."""
    if given.administrator:
        return []
    return [name for name, lacking in needed & ~given if lacking]


async def explain_obstacle(interaction: discord.Interaction[discord.Client], channel_id: int | None = None) -> str:
    """Return why the bot cannot post in a channel and what people can do about it. Empty if no obstacle is known.

    The channel is by default the interaction's. For a private thread the bot has to ask Discord. Discord refuses
    requests there until the bot was added to the thread, but the permissions that Discord computes do not show this.
    """
    guild, channel = interaction.guild, interaction.channel
    given: discord.Permissions | None = interaction.app_permissions
    if channel_id is None:
        channel_id = interaction.channel_id or 0
    elif channel_id != interaction.channel_id:
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
        given = _permissions_in(channel)
    if given is not None and (missing := _lacking_for_play(channel, given)):
        return explain_missing(channel_id, missing)
    if given is not None and _is_locked(channel, given):
        return explain_locked(channel_id)
    if channel is None or (channel.type is discord.ChannelType.private_thread and not _may_manage_threads(given)):
        try:
            async with asyncio.timeout(ASKING_SECONDS):
                await interaction.client.http.get_channel(channel_id)
        except discord.Forbidden:
            return explain_absent(channel_id, interaction.client.user)
        except discord.NotFound:
            return explain_forbidden(channel_id)
        except DISCORD_ERRORS as error:
            log.info("Discord did not say whether the bot can post in channel %s: %s", channel_id, error)
    return ""


async def find_visible(interaction: discord.Interaction[discord.Client], channel_ids: Iterable[int]) -> set[int]:
    """Return those of these channels that were deleted or that the user of an interaction can see."""
    ids = list(set(channel_ids))
    return set(compress(ids, await asyncio.gather(*(_may_see(interaction, channel_id) for channel_id in ids))))


async def _may_see(interaction: discord.Interaction[discord.Client], channel_id: int) -> bool:
    guild, user = interaction.guild, interaction.user
    if channel_id == interaction.channel_id:
        return True
    if guild is None or not isinstance(user, discord.Member):
        return False
    try:
        async with asyncio.timeout(ASKING_SECONDS):
            try:
                # An archived thread is not in the cache.
                channel = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
            except discord.NotFound:
                return True
            given = _permissions_in(channel, user)
            if given is None or not given.view_channel:
                return False
            if isinstance(channel, discord.Thread) and channel.is_private() and not _may_manage_threads(given):
                await channel.fetch_member(user.id)
    except DISCORD_ERRORS as error:
        log.info("channel %s is hidden from this user, or Discord did not answer: %s", channel_id, error)
        return False
    return True


def explain_forbidden(channel_id: int | None) -> str:
    """Return what people can check if Discord has refused a post for an unknown reason."""
    text = _(
        "Discord doesn't let me post in {channel}. Check my permissions and AutoMod. If it is a private"
        " thread, mention me there."
    )
    return text.format(channel=f"<#{channel_id}>")


def explain_absent(channel_id: int, bot: discord.ClientUser | None) -> str:
    text = _("I'm not in the private thread {channel}, so I can't post there. Mention {bot} in it, then try again.")
    return text.format(channel=f"<#{channel_id}>", bot="" if bot is None else bot.mention)


def explain_locked(channel_id: int) -> str:
    text = _("{channel} is locked, so I can't post there. A moderator can unlock it.")
    return text.format(channel=f"<#{channel_id}>")


def explain_missing(channel_id: int | None, names: Iterable[str]) -> str:
    text = _("I need these permissions in {channel}: {permissions}")
    return text.format(channel=f"<#{channel_id}>", permissions=permission_names(names))


def may_write(interaction: discord.Interaction[discord.Client]) -> bool:
    """Return whether the user of an interaction may write in its channel."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = discord.Permissions(send_messages_in_threads=True) if thread else SENDING
    return not missing_permissions(interaction.permissions, needed)


def may_play_in(channel: object) -> bool:
    """Return whether the bot may show a table in a channel, as far as the cache says. True for an unknown channel.

    Archived threads are not in the cache, and the cache does not know whether the bot is in a private thread.
    """
    given = _permissions_in(channel)
    return given is None or not (_lacking_for_play(channel, given) or _is_locked(channel, given))


def _permissions_in(channel: object, member: discord.Member | None = None) -> discord.Permissions | None:
    """Return a member's permissions, by default the bot's. None if the channel or its parent is not in the cache."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return None
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return None
    return channel.permissions_for(member or channel.guild.me)


def _lacking_for_play(channel: object, given: discord.Permissions) -> list[str]:
    in_thread = isinstance(channel, discord.Thread | discord.ForumChannel)
    unneeded = "send_messages" if in_thread else "send_messages_in_threads"
    return [name for name in missing_permissions(given) if name not in (unneeded, "read_message_history")]


def _is_locked(channel: object, given: discord.Permissions) -> bool:
    """Return whether a thread is locked for the bot, because only moderators may write in it:
    https://discord.com/developers/docs/topics/threads
    """
    return isinstance(channel, discord.Thread) and channel.locked and not _may_manage_threads(given)


def _may_manage_threads(given: discord.Permissions | None) -> bool:
    return given is not None and (given.administrator or given.manage_threads)


def permission_names(names: Iterable[str]) -> str:
    """Return a list of permissions, with the names that Discord's settings use for them."""
    known = {
        # Not view_channel, which is only an alias of it in discord.py.
        "read_messages": _("View Channel"),
        "send_messages": _("Send Messages"),
        "create_public_threads": _("Create Public Threads"),
        "send_messages_in_threads": _("Send Messages in Threads"),
        "mention_everyone": _("Mention @everyone, @here, and All Roles"),
        "embed_links": _("Embed Links"),
        "attach_files": _("Attach Files"),
        "create_events": _("Create Events"),
        "read_message_history": _("Read Message History"),
    }
    return format_list(known[name] for name in names)
