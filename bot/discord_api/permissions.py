"""The permissions that the bot needs, by the names that a server's settings show."""

from collections.abc import Iterable

import discord

from bot.locales import _, format_list

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)
"""The permissions play needs, and no others."""
FOR_THREADS = discord.Permissions(create_public_threads=True, send_messages_in_threads=True)
"""The permissions to open a thread, also one of an announcement channel: https://discord.com/developers/docs/topics/permissions"""
SENDING = discord.Permissions(send_messages=True)
MENTIONING = discord.Permissions(mention_everyone=True)
"""The permission to mention a role that its settings protect from mentions."""
SCOPES = ("bot", "applications.commands")


def invite_link(application_id: int) -> str:
    """Return the link that adds the bot to a server with the permissions play needs."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def missing_permissions(given: discord.Permissions, needed: discord.Permissions = PERMISSIONS) -> list[str]:
    """Return the names of the needed permissions that are not given. An administrator has all of them."""
    if given.administrator:
        return []
    return [name for name, lacking in needed & ~given if lacking]


def missing_permissions_here(interaction: discord.Interaction[discord.Client]) -> list[str]:
    """Return the names of the permissions that the bot lacks to play in the channel of an interaction."""
    return _lacking_for_play(interaction.app_permissions, in_thread=isinstance(interaction.channel, discord.Thread))


def may_write(interaction: discord.Interaction[discord.Client]) -> bool:
    """Return whether the user of an interaction may write in its channel."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = discord.Permissions(send_messages_in_threads=True) if thread else SENDING
    return not missing_permissions(interaction.permissions, needed)


def may_play_in(channel: object) -> bool:
    """Return whether the bot may show a table in a channel; True for an archived thread, which is not in its cache."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return True
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return True
    return not _lacking_for_play(
        channel.permissions_for(channel.guild.me), in_thread=isinstance(channel, discord.Thread)
    )


def _lacking_for_play(given: discord.Permissions, *, in_thread: bool) -> list[str]:
    unneeded = "send_messages" if in_thread else "send_messages_in_threads"
    return [name for name in missing_permissions(given) if name not in (unneeded, "read_message_history")]


def permission_names(names: Iterable[str]) -> str:
    """Name permissions as a server's settings do, in one phrase; empty for none."""
    known = {
        # Not view_channel, which is only an alias of it in discord.py.
        "read_messages": _("View Channel"),
        "send_messages": _("Send Messages"),
        "create_public_threads": _("Create Public Threads"),
        "send_messages_in_threads": _("Send Messages in Threads"),
        "mention_everyone": _("Mention @everyone, @here, and All Roles"),
        "embed_links": _("Embed Links"),
        "attach_files": _("Attach Files"),
        "read_message_history": _("Read Message History"),
    }
    return format_list(known[name] for name in names)
