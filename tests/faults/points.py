import random
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum

from bot.services.core import Core
from tests.discord import ledger, server, tables
from tests.discord.calls import Call, Hooked, When
from tests.discord.faults import fault
from tests.discord.state import UPDATE, Channel
from tests.faults.bots import Inside, Side, What
from tests.faults.lives import Seat
from tests.faults.posts import POST, owe_day, owe_line, owe_podium

Owing = Callable[[Core, Channel], Awaitable[None]]
OWING: tuple[Owing, ...] = (owe_podium, owe_line, owe_day)


class Request(Enum):
    """A request to Discord by method, path, and the form of its nonce."""

    ANSWER = "the answer to a move", "POST", "/interactions/*/*/callback", None
    PAGE = "a new page", "POST", "/channels/*/messages", r"[0-9a-f]{12}\.\d+\.\d+"
    EDIT = "the edit of a table", "PATCH", "/channels/*/messages/*", None
    DELETION = "the deletion of a page", "DELETE", "/channels/*/messages/*", None
    REMINDER = "a reminder", "POST", "/channels/*/messages", r"r[0-9a-f]{12}\.\d+"
    PODIUM = "a season's podium", "POST", "/channels/*/messages", POST
    DAILY = "a message about the daily challenge", "POST", "/channels/*/messages", POST

    def __init__(self, words: str, method: str, path: str, nonce: str | None) -> None:
        self.words = words
        self.method = method
        self.path = path
        self.nonce = nonce

    def is_in(self, discord: server.Discord, call: Call) -> bool:
        if self is Request.ANSWER:
            interaction = discord.world.interactions[int(call.path.split("/")[2])]
            press = tables.parsed(interaction.custom_id)
            return press is not None and press.verb in ledger.MOVES and call.body["type"] == UPDATE
        return self.nonce is None or re.fullmatch(self.nonce, str(call.body.get("nonce", ""))) is not None


@dataclass(eq=False)
class Outside:
    request: Request
    when: When
    number: int = 1
    """The number of the request among such ones."""
    _hooked: Hooked | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.request.words}, {self.when.value}"

    def arm(self, discord: server.Discord, seat: Seat) -> None:
        """Kill whoever lives in a seat when it comes there."""
        left = [self.number]

        async def kill(call: Call) -> None:
            if not self.request.is_in(discord, call):
                return
            left[0] -= 1
            if left[0] == 0:
                seat.kill()
                self.disarm(discord)
                if self.when is When.BEFORE:
                    # It has arrived, but nothing comes of it.
                    discord.faults.next.append((call.method, call.path, fault("reset")))

        self._hooked = discord.hooks.add(self.when, self.request.method, self.request.path, kill, None)

    def disarm(self, discord: server.Discord) -> None:
        if self._hooked is not None:
            discord.hooks.remove(self._hooked)
            self._hooked = None


@dataclass(frozen=True)
class Point:
    """A named point, and what brings a bot there."""

    at: Inside | Outside
    waiting: bool = False
    """True if those who play in haste have to let their time pass."""
    owing: Owing | None = None
    """The thing that has to be due."""

    def __str__(self) -> str:
        return str(self.at)


def leaves_its_own(at: Inside | Outside) -> bool:
    """Return whether a kill at a point leaves something behind that a kill at no other point leaves.

    Before a commit nothing has happened yet, whatever was to be stored. A request that has arrived and comes to nothing
    leaves what the commit before it has left. Whether an answer was written, the next process does not find.
    """
    if isinstance(at, Inside):
        return at.what is What.MOVE or (at.side is Side.AFTER and at.what not in (What.REMINDER, What.POST_CLAIMED))
    match at.when:
        case When.BEFORE:
            return at.request not in (Request.ANSWER, Request.EDIT, Request.DAILY)
        case When.ACTED:
            return True
        case When.ANSWERED:
            return False


def points(chance: random.Random, *, every: bool) -> list[Point]:
    """Return new points: ``every`` one, or those that leave something of their own.

    What is due where something is posted is left to chance.
    """
    return [point for point in _points(chance) if every or leaves_its_own(point.at)]


def _points(chance: random.Random) -> list[Point]:
    played = (What.MOVE, What.SHOWN)
    passed = (What.DEADLINE, What.HOUSE, What.REMINDER, What.REMINDED)
    posted = (What.POST_CLAIMED, What.POSTED)
    return [
        *(Point(Inside(what, side)) for what in played for side in Side),
        *(Point(Inside(what, side), waiting=True) for what in passed for side in Side),
        *(Point(Inside(what, side), owing=chance.choice(OWING)) for what in posted for side in Side),
        *(
            Point(Outside(request, when))
            for request in (Request.ANSWER, Request.PAGE, Request.DELETION)
            for when in When
        ),
        *(Point(Outside(request, when), waiting=True) for request in (Request.EDIT, Request.REMINDER) for when in When),
        *(Point(Outside(Request.PODIUM, when), owing=owe_podium) for when in When),
        *(Point(Outside(Request.DAILY, when), owing=chance.choice(OWING[1:])) for when in When),
    ]
