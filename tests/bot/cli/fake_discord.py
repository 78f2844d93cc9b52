"""The fake Discord as the tests of the command line ask for it: what it answers is set by name."""

from __future__ import annotations

from typing import Any

from tests.discord import APPLICATION, TOKEN, Discord, fault
from tests.discord.calls import Answer
from tests.discord.faults import Fault

__all__ = ["APPLICATION", "TOKEN", "FakeDiscord"]

_PROXY = Fault("400 page", answer=lambda _discord, _call: Answer(400, "<h1>Bad Request</h1>"))


class FakeDiscord(Discord):
    """What it answers, and what it was asked."""

    @property
    def guilds(self) -> list[dict[str, Any]]:
        """The servers the bot is in, as Discord lists them: with the permissions it has there."""
        return [{"name": guild.name, "permissions": str(guild.everybody)} for guild in self.world.guilds.values()]

    @guilds.setter
    def guilds(self, guilds: list[dict[str, Any]]) -> None:
        for each in guilds:
            self.add_guild(each["name"], [], channels=0).everybody = int(each["permissions"])

    @property
    def interactions_endpoint_url(self) -> str | None:
        """Where Discord would send clicks in place of the gateway."""
        return self.world.interactions_endpoint_url

    @interactions_endpoint_url.setter
    def interactions_endpoint_url(self, url: str) -> None:
        self.world.interactions_endpoint_url = url

    @property
    def hang_up(self) -> bool:
        """Whether it breaks every connection off without an answer."""
        return self.faults.always is not None and self.faults.always.name == "closed"

    @hang_up.setter
    def hang_up(self, on: bool) -> None:
        self.faults.always = fault("closed") if on else None

    @property
    def down(self) -> bool:
        """Whether it answers everything with 400 and a page that is no JSON, as a proxy in between may."""
        return self.faults.always is _PROXY

    @down.setter
    def down(self, on: bool) -> None:
        self.faults.always = _PROXY if on else None

    @property
    def refusals(self) -> int:
        """How many connections the gateway refuses before it takes one."""
        return self.hub.refusals

    @refusals.setter
    def refusals(self, number: int) -> None:
        self.hub.refusals = number

    @property
    def close_code(self) -> int | None:
        """What the gateway says goodbye with in place of READY."""
        return self.hub.close_code

    @close_code.setter
    def close_code(self, code: int | None) -> None:
        self.hub.close_code = code

    @property
    def asked(self) -> list[str]:
        """Method and path of every request so far."""
        return [f"{call.method} {call.path}" for call in self.calls]

    @property
    def identified(self) -> list[dict[str, Any]]:
        """What every process introduced itself with."""
        return self.hub.identified
