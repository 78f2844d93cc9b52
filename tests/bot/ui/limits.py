"""What Discord accepts of a message.

https://discord.com/developers/docs/resources/message#embed-object-embed-limits and
https://discord.com/developers/docs/components/reference
"""

from collections.abc import Sequence
from typing import Any

import discord

from bot.ui.buttons import make_view
from bot.ui.message import Rendered


def length(text: str | None) -> int:
    """Characters as Discord's clients count them at most: a character outside the basic plane is two."""
    return 0 if text is None else len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_embeds(embeds: Sequence[discord.Embed]) -> None:
    assert 1 <= len(embeds) <= 10
    assert sum(map(_check_embed, embeds)) <= 6000


def _check_embed(embed: discord.Embed) -> int:
    texts = [(embed.title, 256), (embed.description, 4096), (embed.footer.text, 2048), (embed.author.name, 256)]
    assert len(embed.fields) <= 25
    for field in embed.fields:
        assert str(field.name).strip()
        assert str(field.value).strip()
        texts += [(field.name, 256), (field.value, 1024)]
    for text, most in texts:
        assert length(text) <= most, text
    return sum(length(text) for text, _most in texts)


def check_message(rendered: Rendered) -> None:
    """Everything Discord would look at before it takes the message."""
    check_embeds(rendered.embeds)
    assert length(rendered.content) <= 2000
    if rendered.picture is not None:
        assert 0 < length(rendered.picture.alt) <= 1024
    rows = make_view(rendered.buttons).to_components()
    assert len(rows) <= 5
    buttons = [button for row in rows for button in row["components"]]
    assert all(len(row["components"]) <= 5 for row in rows)
    custom_ids = [button["custom_id"] for button in buttons]
    assert len(set(custom_ids)) == len(custom_ids)
    for button in buttons:
        assert 1 <= length(button["custom_id"]) <= 100
        assert length(button.get("label")) <= 80
        assert button.get("label") or button.get("emoji") or button.get("options")
        _check_options(button.get("options"))


def _check_options(options: list[dict[str, Any]] | None) -> None:
    assert options is None or 1 <= len(options) <= 25
    for option in options or ():
        assert 1 <= length(option["label"]) <= 100
        assert 1 <= length(option["value"]) <= 100
        assert length(option.get("description")) <= 100
