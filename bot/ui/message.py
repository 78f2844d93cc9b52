"""The parts of a message: text, embeds and their colours, buttons, pictures, files."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import discord

from bot.ui.buttons import ActionItem, make_view
from bot.ui.pictures.colours import PIECES
from bot.ui.text import escape_sentence, shorten

log = logging.getLogger(__name__)

ACCENT = discord.Colour(0x2A9D8F)
"""For messages that ask for an action."""
QUIET = discord.Colour(0x6B7280)
"""For messages about something that is over, and for empty pages."""
GOLD = discord.Colour(0xE9B44C)
"""For results, chips and victories."""
SEAT_COLOURS = tuple(map(discord.Colour.from_str, PIECES))
"""The colours of the pieces by seat, for messages about a player's turn."""
MAX_ALT = 1024
"""Discord's limit for the description of an attachment, in characters."""
_DRAWING = ThreadPoolExecutor(1, "pictures")
"""The only thread that draws. Every thread that computes can withhold Python's lock from the event loop for 5 ms."""


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    sentences: tuple[str, ...]
    """The contents of the picture in plain text, most important first. Names in it come from ``clean_name``."""
    draw: Callable[..., bytes]
    """Draws the PNG, in any thread or process. ``UserRequest.draw_first`` is for pictures that take long."""
    view: tuple[object, ...] = ()
    """The arguments of ``draw``. All of them are hashable."""
    quick: bool = False
    """True if the picture is drawn on the event loop, because drawing takes no longer than handing it to a thread."""

    @property
    def alt(self) -> str:
        """The sentences as a description for screen readers, cut at Discord's limit."""
        return shorten(" ".join(self.sentences), MAX_ALT)

    def embed_words(self, colour: discord.Colour | None) -> discord.Embed:
        """Make an embed of all sentences, to send in place of the picture. Markdown in them is escaped."""
        return make_embed(None, *map(escape_sentence, self.sentences), colour=colour)

    async def attach(self) -> discord.File:
        if self.quick:
            data = self.draw(*self.view)
        else:
            data = await asyncio.get_running_loop().run_in_executor(_DRAWING, self.draw, *self.view)
        return discord.File(io.BytesIO(data), self.name, description=self.alt)


@dataclass(frozen=True, slots=True)
class Rendered:
    embeds: list[discord.Embed] = field(default_factory=list)
    content: str | None = None
    buttons: list[ActionItem] = field(default_factory=list)
    notify: tuple[int, ...] = ()
    """The users to ping when the message is sent. An edit pings nobody."""

    picture: Picture | None = None
    """The picture above all embeds. Discord shows an attachment there if no embed uses it."""
    inset: Picture | None = None
    """A second picture, inside the first embed."""
    document: tuple[str, bytes] | None = None
    """The name and the content of a file."""
    only_buttons: bool = False
    """True for an edit that changes the buttons and nothing else."""

    async def prepare_message(self) -> dict[str, Any]:
        """Draw the pictures and return the keyword arguments for a new message.

        If drawing fails, the message has sentences in place of the pictures.
        """
        files = list[discord.File]()
        if self.document is not None:
            name, content = self.document
            files = [discord.File(io.BytesIO(content), name)]
        for picture in filter(None, (self.picture, self.inset)):
            try:
                files.append(await picture.attach())
            except Exception as error:
                return await self.drop_pictures(picture, error).prepare_message()
        if self.inset is not None:
            self.embeds[0].set_image(url=f"attachment://{self.inset.name}")
        return {"content": self.content, "embeds": self.embeds, "view": make_view(self.buttons), "files": files}

    def drop_pictures(self, failed: Picture, error: Exception) -> Rendered:
        """Log that drawing a picture failed with this error, and return the message in words."""
        log.error("the picture %s could not be drawn; the message goes without it", failed.name, exc_info=error)
        return self.adapt(pictures=False)

    def adapt(self, *, pictures: bool) -> Rendered:
        """Return the message as it is, or with an embed of sentences in place of each picture."""
        if pictures:
            return self
        embeds, colour = self.embeds, self.embeds[0].colour if self.embeds else ACCENT
        if self.inset is not None:
            # The sentences of the inset repeat the text of the first embed, so they replace it.
            embeds = [self.inset.embed_words(colour), *embeds[1:]]
        if self.picture is not None:
            embeds = [self.picture.embed_words(colour), *embeds]
        return replace(self, embeds=embeds, picture=None, inset=None)

    async def prepare_edit(self) -> dict[str, Any]:
        """Return the keyword arguments for an edit. It removes buttons and pictures that this message does not have.

        Discord leaves a field as it is if the edit does not name it:
        https://discord.com/developers/docs/resources/message#edit-message
        """
        if self.only_buttons:
            return {"view": make_view(self.buttons)}
        fields = await self.prepare_message()
        fields["attachments"] = fields.pop("files")
        return fields


def change_buttons(buttons: list[ActionItem]) -> Rendered:
    """Return an edit that changes nothing but the buttons, for example after a die was tapped."""
    return Rendered(buttons=buttons, only_buttons=True)


def make_embed(
    title: str | None,
    *lines: str | None,
    colour: discord.Colour | None = ACCENT,
    fields: Iterable[tuple[str, str]] = (),
    footer: str | None = None,
) -> discord.Embed:
    """Make an embed. Lines that are None are left out; ``fields`` are pairs of a name and a text."""
    description = "\n".join(line for line in lines if line is not None)
    embed = discord.Embed(title=title, description=description or None, colour=colour)
    for name, value in fields:
        embed.add_field(name=name, value=value, inline=False)
    if footer is not None:
        embed.set_footer(text=footer)
    return embed
