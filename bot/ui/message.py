"""A message as the bot shows it: text, embeds and their colours, buttons, a picture."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import discord

from bot.locales import current_language, speaking_in
from bot.ui.buttons import ActionItem, make_view
from bot.ui.pictures.colours import PIECES

log = logging.getLogger(__name__)

ACCENT = discord.Colour(0x2A9D8F)
"""The colour of something to do."""
QUIET = discord.Colour(0x6B7280)
"""The colour of something that is over."""
GOLD = discord.Colour(0xE9B44C)
"""The colour of chips and victories."""
SEAT_COLOURS = tuple(map(discord.Colour.from_str, PIECES))
"""The colours of the pieces: whose turn it is."""
_DRAWING = ThreadPoolExecutor(1, "pictures")
"""The one thread that draws: each thread that computes can keep Python's lock from the event loop for 5 ms."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that goes with a message."""

    name: str
    alt: str
    """The picture in words, for those who cannot see it; at most 1024 characters."""
    draw: Callable[..., bytes]
    """The function that draws the PNG, in any thread or process; for one that takes long see ``draw_first``."""
    view: tuple[object, ...] = ()
    """The arguments of ``draw``."""
    quick: bool = False
    """True for a picture drawn on the event loop: it takes about as long as the way to a thread and back."""

    async def attach(self) -> discord.File:
        """Draw it, for one sending."""
        if self.quick:
            data = self.draw(*self.view)
        else:
            data = await asyncio.get_running_loop().run_in_executor(_DRAWING, self.draw, *self.view)
        return discord.File(io.BytesIO(data), self.name, description=self.alt)


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Rendered:
    """A message to send, or to edit another one to."""

    embeds: list[discord.Embed] = field(default_factory=list)
    content: str | None = None
    buttons: list[ActionItem] = field(default_factory=list)
    notify: tuple[int, ...] = ()
    """The users to notify when the message is sent; an edit notifies nobody."""

    picture: Picture | None = None
    """The picture, drawn when the message is sent. No embed shows it, so that it stands above all of them."""
    in_words: Callable[[], Rendered] | None = field(default=None, compare=False)
    """The function that makes the same message without its picture, for one that cannot be drawn."""
    inset: Picture | None = None
    """Another picture, which the first embed shows."""
    document: Document | None = None
    language: str = field(default_factory=current_language, compare=False)

    async def sending(self) -> dict[str, Any]:
        shown, files = self, list[discord.File]()
        if self.document is not None:
            files = [discord.File(io.BytesIO(self.document.content), self.document.name)]
        for picture in filter(None, (self.picture, self.inset)):
            try:
                files.append(await picture.attach())
                if picture is self.inset:
                    shown.embeds[0].set_image(url=f"attachment://{picture.name}")
            except Exception as error:
                shown = self.without(picture, error)
        return {"content": shown.content, "embeds": shown.embeds, "view": make_view(shown.buttons), "files": files}

    def without(self, picture: Picture, error: Exception) -> Rendered:
        """Return the message without a picture whose drawing raised this error, and log it."""
        log.error("the picture %s could not be drawn; the message goes without it", picture.name, exc_info=error)
        with speaking_in(self.language):
            return replace(self, picture=None) if self.in_words is None else self.in_words()

    async def editing(self) -> dict[str, Any]:
        """Return the keyword arguments for one editing; buttons and pictures that are not here go."""
        fields = await self.sending()
        fields["attachments"] = fields.pop("files")
        return fields


def make_embed(
    title: str | None,
    *lines: str | None,
    colour: discord.Colour = ACCENT,
    fields: Iterable[tuple[str, str]] = (),
    footer: str | None = None,
) -> discord.Embed:
    """Make an embed of these lines, without those that are None, and of fields of a name and a text."""
    description = "\n".join(line for line in lines if line is not None)
    embed = discord.Embed(title=title, description=description or None, colour=colour)
    for name, value in fields:
        embed.add_field(name=name, value=value, inline=False)
    if footer is not None:
        embed.set_footer(text=footer)
    return embed
