"""The Discord client as workers use it."""

from datetime import datetime
from typing import Protocol

import discord

from bot.domain.share import Share


class Client(Protocol):
    """Asks Discord, by ids alone."""

    @property
    def user(self) -> discord.ClientUser | None:
        """The bot's user."""

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        """Return a channel by its id."""

    def may_post(self, channel_id: int) -> bool:
        """Return whether the bot has every permission it needs there, as far as it knows."""

    @property
    def connected_share(self) -> Share:
        """The servers whose presses this process gets now. May be asked in any thread."""

    async def find_reachable_since(self, guild_id: int) -> datetime | None:
        """Return since when a server can be reached; None if it cannot, or not by this process."""

    async def reopen(self, channel_id: int) -> None:
        """Open an archived thread again."""

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Return whether a person is still in a server; also True if that is not known."""

    async def send_directly(self, user_id: int, text: str, nonce: str) -> discord.Message:
        """Send a direct message. Raise discord.Forbidden if the person takes none."""
