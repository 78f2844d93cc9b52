"""Discord's limits for a message, asked of what is rendered; they are those of the fake Discord."""

from collections.abc import Sequence

import discord

from bot.ui.buttons import make_view
from bot.ui.message import Rendered
from tests.discord import contract, validation
from tests.discord.state import Json
from tests.discord.validation import length

__all__ = ["check_embeds", "check_message", "length"]


def check_embeds(embeds: Sequence[discord.Embed]) -> None:
    assert embeds
    assert all(len(embed) or embed.image.url for embed in embeds), "Discord refuses an embed with nothing in it"
    # Pictures are drawn and counted elsewhere.
    pictures = [
        {"filename": url.removeprefix("attachment://"), "size": 0} for embed in embeds if (url := embed.image.url)
    ]
    _check({"embeds": [embed.to_dict() for embed in embeds], "attachments": []}, pictures)


def check_message(rendered: Rendered) -> None:
    for shown in (rendered, rendered.adapt(pictures=False)):
        check_embeds(shown.embeds)
    rows = make_view(rendered.buttons).to_components()
    alts = [] if rendered.picture is None else [{"id": 0, "description": rendered.picture.alt}]
    assert all(each["description"] for each in alts)
    _check({"content": rendered.content, "components": rows, "attachments": alts})


def _check(body: Json, files: Sequence[Json] = ()) -> None:
    assert contract.problems(body, {"$ref": "MessageCreateRequest"}, requests=True) == []
    validation.check_message(body, [*files], new=False)
