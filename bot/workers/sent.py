"""Recognizes pages that were sent: by the nonce, and by what a message in the channel shows."""

import re

import discord

from bot.discord_api.messages import custom_ids_of
from bot.domain.table import Table
from bot.ui.buttons import Kind, Press
from bot.ui.message import Rendered


def nonce_of(table: Table, page: int) -> str:
    """Return a nonce, by which Discord answers a repeated send with the message it has already made, of any process.

    discord.py sets ``enforce_nonce``: https://discord.com/developers/docs/resources/message#create-message ("If another
    message was created by the same author with the same nonce, that message will be returned"). The version is not in
    it, as it may have grown since an attempt whose answer was lost. Nor is the message before, which another process
    may not know yet: only a page whose message was lost has a further nonce. Discord takes 25 characters.
    """
    lost = table.message_id if table.shown_page == page else None
    return f"{table.id}.{page}.{(lost or 0) % 10**9}"


def shows_page(message: discord.Message, table: Table) -> bool | None:
    """Return whether a message shows the table's present page; None if it is neither a page nor an opening."""
    if table.awaits_opening and any(table.seal in str(embed.to_dict()) for embed in message.embeds):
        return True
    for custom_id in custom_ids_of(message):
        if custom_id is not None and f":{table.id}:" in custom_id and re.fullmatch(Press.pattern, custom_id):
            press = Press.parse(custom_id)
            return table.status.open if press.kind is Kind.RUN else press.version >= table.page_since
    return None


def looks_like(message: discord.Message, rendered: Rendered) -> bool:
    """Return whether a message has the words of what was to be sent."""
    sent = [(embed.title, embed.description) for embed in message.embeds]
    return sent == [(embed.title, embed.description) for embed in rendered.embeds]
