"""What was sent of a table: the nonce by which Discord knows a page again, and what a message in its channel shows."""

import re

import discord

from bot.discord_api.messages import custom_ids_of
from bot.domain.table import Table
from bot.ui.buttons import Kind, Press
from bot.ui.message import Rendered


def nonce_of(table: Table, page: int) -> str:
    """Makes Discord answer a repeated send of a page with the message it has already made, also of another process.

    As ``enforce_nonce`` is documented, which discord.py sets: https://discord.com/developers/docs/resources/message#create-message
    ("If another message was created by the same author with the same nonce, that message will be returned").
    Not the version: it may have grown since an attempt whose answer was lost. Nor the message before: another process
    may not know of it yet. Only a page whose message was lost has a further one. Discord takes 25 characters.
    """
    lost = table.message_id if table.shown_page == page else None
    return f"{table.id}.{page}.{(lost or 0) % 10**9}"


def shows_page(message: discord.Message, table: Table) -> bool | None:
    """Whether a message shows the page a table is on; None where it has no button of the table, and is no opening."""
    if table.opening and any(table.seal in (field.value or "") for embed in message.embeds for field in embed.fields):
        return True
    for custom_id in custom_ids_of(message):
        if custom_id is not None and f":{table.id}:" in custom_id and re.fullmatch(Press.pattern, custom_id):
            press = Press.parse(custom_id)
            return table.status.open if press.kind is Kind.RUN else press.version >= table.page_since
    return None


def looks_like(message: discord.Message, rendered: Rendered) -> bool:
    """Whether a message has the words of what was to be sent."""
    sent = [(embed.title, embed.description) for embed in message.embeds]
    return sent == [(embed.title, embed.description) for embed in rendered.embeds]
