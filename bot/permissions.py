"""What the bot has to be allowed to do, by the names a server's settings show."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.locales import _, listed

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)
"""What play needs, and nothing else."""
SCOPES = ("bot", "applications.commands")


def invite_link(application_id: int) -> str:
    """The link that adds the bot to a server with the permissions play needs."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def lacking(given: discord.Permissions, needed: discord.Permissions = PERMISSIONS) -> list[str]:
    """The names of the needed permissions that are not given. An administrator has all of them."""
    if given.administrator:
        return []
    return [name for name, wanted in needed if wanted and not getattr(given, name)]


def lacking_here(interaction: discord.Interaction[discord.Client]) -> list[str]:
    """What the bot lacks to play in the channel of an interaction."""
    thread = isinstance(interaction.channel, discord.Thread)
    unneeded = "send_messages" if thread else "send_messages_in_threads"
    return [name for name in lacking(interaction.app_permissions) if name not in (unneeded, "read_message_history")]


def permission_names(names: Iterable[str]) -> str:
    """Permissions by the names a server's settings use, in one phrase; empty for none."""
    known = {
        "view_channel": _("View Channel"),
        "send_messages": _("Send Messages"),
        "create_public_threads": _("Create Public Threads"),
        "send_messages_in_threads": _("Send Messages in Threads"),
        "embed_links": _("Embed Links"),
        "attach_files": _("Attach Files"),
        "read_message_history": _("Read Message History"),
    }
    return listed(known[name] for name in names)
