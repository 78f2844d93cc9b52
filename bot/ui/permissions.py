"""Discord's names for permissions, as its settings show them."""

from __future__ import annotations

from collections.abc import Iterable

from bot.locales import _
from bot.ui.text import listed


def permission_names(names: Iterable[str]) -> str:
    """Permissions by the names a server's settings use, in one phrase."""
    known = {
        "view_channel": _("View Channel"),
        "send_messages": _("Send Messages"),
        "send_messages_in_threads": _("Send Messages in Threads"),
        "embed_links": _("Embed Links"),
        "attach_files": _("Attach Files"),
        "read_message_history": _("Read Message History"),
    }
    return listed(f"**{known[name]}**" for name in names)
