"""The fake Discord as the tests of the command line use it."""

import discord

from tests.discord import APPLICATION, TOKEN, Discord, fault
from tests.discord.calls import Answer
from tests.discord.faults import Fault

__all__ = ["APPLICATION", "HANG_UP", "PROXY_PAGE", "TOKEN", "FakeDiscord"]

HANG_UP = fault("closed")
"""Breaks every connection off without an answer."""
PROXY_PAGE = Fault("400 page", answer=lambda _discord, _call: Answer(400, "<h1>Bad Request</h1>"))
"""Answers everything with a page that is no JSON, as a proxy in between may."""


class FakeDiscord(Discord):
    """A Discord that says what it was asked."""

    def add_server(self, name: str, permissions: discord.Permissions) -> None:
        """The bot joins a server in which it has these permissions."""
        self.add_guild(name, [], channels=0).everybody = permissions.value

    @property
    def asked(self) -> list[str]:
        """Method and path of every request so far."""
        return [f"{call.method} {call.path}" for call in self.calls]
