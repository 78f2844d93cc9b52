"""The Discord client as workers use it."""

from typing import Protocol

import discord


class Client(Protocol):
    """Asks Discord, by ids alone."""

    @property
    def user(self) -> discord.ClientUser | None:
        """The bot's user."""

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        """Return a channel by its id."""

    def may_post(self, channel_id: int) -> bool:
        """Return whether the bot has every permission it needs there, as far as it knows."""

    async def reopen(self, channel_id: int) -> None:
        """Open an archived thread again."""

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Return whether a person is still in a server; also True if that is not known."""

    async def send_directly(self, user_id: int, text: str, nonce: str) -> discord.Message:
        """Send a direct message. Raise discord.Forbidden if the person takes none."""
