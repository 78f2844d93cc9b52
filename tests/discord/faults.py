"""Faults between the bot and Discord, and how often they happen.

Three families: Discord does nothing of what it was asked (an error of its own, a rate limit, a connection that breaks);
it does it, but the answer is lost; and the world is as Discord's error code says (the message really is gone, the
permission really is missing for a while), so that what the bot concludes from it is true.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import discord as library

from tests.discord.calls import Answer, Call, limited
from tests.discord.state import LATER, UPDATE_LATER, Channel, Interaction

if TYPE_CHECKING:
    from tests.discord.server import Discord


class Ending(Enum):
    ANSWER = "an answer"
    RESET = "reset"
    CLOSED = "closed"
    HANG = "left hanging"


@dataclass(frozen=True)
class Fault:
    name: str
    acts: bool = False
    """True if Discord does what it was asked in spite of it."""
    ending: Ending = Ending.ANSWER
    answer: Callable[[Discord, Call], Answer] | None = None
    """Makes the answer, in place of acting."""
    happens: Callable[[Discord, Call], bool] | None = None
    """Makes the world so that Discord's own answer is the error; tells whether that can be here."""
    suits: Callable[[Discord, Call], bool] = lambda _discord, _call: True
    """Returns True for requests to which it can happen."""
    code: int | None = None
    """The code it has to come to, of one that happens to the world."""


def answered(status: int, body: Any, **headers: str) -> Callable[[Discord, Call], Answer]:
    return lambda _discord, _call: Answer(status, body, headers)


def _json(status: int) -> Callable[[Discord, Call], Answer]:
    return answered(status, {"message": f"{status}: out of order", "code": 0})


def _html(status: int, words: str) -> Callable[[Discord, Call], Answer]:
    return answered(status, f"<html><head><title>{status} {words}</title></head><body>{words}</body></html>")


def _limited(scope: str, *, header: bool = True, fraction: bool = False) -> Callable[[Discord, Call], Answer]:
    def answer(discord: Discord, _call: Call) -> Answer:
        return limited(discord.faults.chance.uniform(0.05, 2.0), scope=scope, header=header, fraction=fraction)

    return answer


_BLOCKED = answered(429, {"code": 0, "message": "blocked for a while"}, Via="")
"""The refusal after too many refused requests: JSON without ``retry_after``, which discord.py only reads with ``Via``.

https://github.com/Rapptz/discord.py/issues/5221
"""
_BANNED = answered(429, "<html><body>error code: 1015</body></html>", **{"Retry-After": "1", "Via": ""})
"""The refusal by Cloudflare, in front of Discord: a page, and no ``Via``."""


# ---------------------------------------------------------------------------------------------------- the world


def _message_call(_discord: Discord, call: Call) -> bool:
    return call.path.startswith("/channels/") and "/messages" in call.path


def _new_message(_discord: Discord, call: Call) -> bool:
    return call.is_like("POST", "/channels/*/messages")


def _private_message(discord: Discord, call: Call) -> bool:
    channel = _channel(discord, call) if _new_message(discord, call) else None
    return channel is not None and channel.recipient is not None


def _edit(_discord: Discord, call: Call) -> bool:
    return call.is_like("PATCH", "/channels/*/messages/*")


def _answer_of(_discord: Discord, call: Call) -> bool:
    return call.is_like("POST", "/interactions/*/*/callback")


def _token_use(_discord: Discord, call: Call) -> bool:
    return call.path.startswith("/webhooks/")


def _channel(discord: Discord, call: Call) -> Channel | None:
    return discord.world.channel(int(call.path.split("/")[2]))


def _interaction(discord: Discord, call: Call) -> Interaction | None:
    parts = call.path.split("/")
    return discord.world.by_token.get(parts[3])


def _message_becomes(state: str) -> Callable[[Discord, Call], bool]:
    """Make a world in which the message is gone, or too old, just before it is edited."""

    def happens(discord: Discord, call: Call) -> bool:
        channel = _channel(discord, call)
        message = None if channel is None else channel.messages.get(int(call.path.split("/")[4]))
        if message is None or message.deleted:
            return False
        setattr(message, state, True)
        return True

    return happens


def _channel_goes(discord: Discord, call: Call) -> bool:
    channel = _channel(discord, call)
    if channel is None or channel.guild is None:
        return False
    discord.remove_channel(channel, announce=discord.faults.chance.random() < 0.5)
    return True


def _denied(**permissions: bool) -> Callable[[Discord, Call], bool]:
    """Make a world in which a permission is missing for a while."""

    def happens(discord: Discord, call: Call) -> bool:
        channel = _channel(discord, call)
        if channel is None or channel.guild is None or discord.world.bot.id in channel.overwrites:
            return False
        announce = discord.faults.chance.random() < 0.5
        discord.deny(channel, library.Permissions(**permissions), announce=announce)

        def give_back() -> None:
            del channel.overwrites[discord.world.bot.id]
            if channel.id in discord.world.channels:
                discord.hub.tell_channel(channel, "CHANNEL_UPDATE")

        asyncio.get_running_loop().call_later(discord.faults.denied_seconds, give_back)
        return True

    return happens


def _automod_blocks(discord: Discord, call: Call) -> bool:
    """Make a world in which a rule blocks every message for a while."""
    channel = _channel(discord, call)
    if channel is None or channel.guild is None or channel.guild.blocked_words:
        return False
    channel.guild.blocked_words.append("")
    asyncio.get_running_loop().call_later(discord.faults.denied_seconds, channel.guild.blocked_words.clear)
    return True


def _takes_no_messages(discord: Discord, call: Call) -> bool:
    channel = _channel(discord, call)
    if channel is None or channel.recipient is None:
        return False
    channel.recipient.takes_messages = False
    user = channel.recipient
    asyncio.get_running_loop().call_later(discord.faults.denied_seconds, lambda: setattr(user, "takes_messages", True))
    return True


def _is_late(discord: Discord, call: Call) -> bool:
    """Make a world in which the request arrives after the end of the interaction."""
    interaction = _interaction(discord, call)
    if interaction is None:
        return False
    interaction.expired = True
    return True


def _was_answered(discord: Discord, call: Call) -> bool:
    """Make a world in which an earlier answer, which the bot does not remember, was taken."""
    interaction = _interaction(discord, call)
    if interaction is None or interaction.acknowledged:
        return False
    if interaction.message is None:
        promised = discord.api.messages.make(interaction.channel, {}, [], interaction)
        promised.loading = True
        interaction.callback, interaction.response = LATER, promised
    else:
        interaction.callback, interaction.response = UPDATE_LATER, interaction.message
    return True


INSTEAD = (
    Fault("429 user", answer=_limited("user")),
    Fault("429 user, fraction", answer=_limited("user", fraction=True)),
    Fault("429 user, no header", answer=_limited("user", header=False)),
    Fault("429 shared", answer=_limited("shared")),
    Fault("429 global", answer=_limited("global")),
    Fault("429 global, no header", answer=_limited("global", header=False)),
    Fault("429 blocked", answer=_BLOCKED),
    Fault("429 Cloudflare", answer=_BANNED),
    Fault("500", answer=_json(500)),
    Fault("500 page", answer=_html(500, "Internal Server Error")),
    Fault("502", answer=_html(502, "Bad Gateway")),
    Fault("503", answer=_json(503)),
    Fault("503 page", answer=_html(503, "Service Unavailable")),
    Fault("reset", ending=Ending.RESET),
    Fault("closed", ending=Ending.CLOSED),
    Fault("timeout", ending=Ending.HANG),
)
"""Discord does nothing of what it was asked."""
LOST = (
    Fault("reset after acting", acts=True, ending=Ending.RESET),
    Fault("closed after acting", acts=True, ending=Ending.CLOSED),
    Fault("timeout after acting", acts=True, ending=Ending.HANG),
)
"""Faults at which Discord does what it was asked, but its answer is lost."""
WORLD = (
    Fault("50001", acts=True, happens=_denied(view_channel=True), suits=_message_call, code=50001),
    Fault("50013", acts=True, happens=_denied(send_messages=True), suits=_new_message, code=50013),
    Fault("200000", acts=True, happens=_automod_blocks, suits=_new_message, code=200000),
    Fault("50007", acts=True, happens=_takes_no_messages, suits=_private_message, code=50007),
    Fault("10003", acts=True, happens=_channel_goes, suits=_message_call, code=10003),
    Fault("10008", acts=True, happens=_message_becomes("deleted"), suits=_edit, code=10008),
    Fault("30046", acts=True, happens=_message_becomes("too_old"), suits=_edit, code=30046),
    Fault("50027", acts=True, happens=_is_late, suits=_token_use, code=50027),
    Fault("10062", acts=True, happens=_is_late, suits=_answer_of, code=10062),
    Fault("40060", acts=True, happens=_was_answered, suits=_answer_of, code=40060),
)
"""Faults at which the world is as Discord's error code says."""
ALL = (*INSTEAD, *LOST, *WORLD)


class Faults:
    """Chooses what goes wrong. With ``rate`` 0, as at the start, nothing does."""

    def __init__(self) -> None:
        self.chance = random.Random(0)
        self.rate = 0.0
        """The share of requests that fail."""
        self.kinds: tuple[Fault, ...] = ALL
        self.weights: dict[str, float] = {}
        """The weights of kinds compared to the others, which have 1."""
        self.unseen_first = False
        """True if a kind that has not happened yet is chosen before the others."""
        self.denied_seconds = 0.3
        """The seconds for which a permission is missing."""
        self.counts: Counter[str] = Counter()
        self.always: Fault | None = None
        """The fault of every request."""
        self.next: list[tuple[str, str, Fault]] = []
        """The faults of the next requests like these, ahead of chance: (method, path, fault)."""
        self.spares: Callable[[Call], bool] = lambda call: "/commands" in call.path or "@me" in call.path
        """Requests to which nothing happens by chance: a bot asks them until they are answered, which takes time."""

    def choose(self, discord: Discord, call: Call) -> Fault | None:
        """Choose the fault of this request, and make the world so."""
        fault = self.always or self._planned(call) or self._random(discord, call)
        if fault is None or (fault.happens is not None and not fault.happens(discord, call)):
            return None
        return fault

    def count(self, fault: Fault, call: Call) -> None:
        """Note what went wrong, unless Discord had another reason to say no."""
        if fault.code is None or fault.code == call.code:
            self.counts[fault.name] += 1

    def _planned(self, call: Call) -> Fault | None:
        for at, (method, path, fault) in enumerate(self.next):
            if call.is_like(method, path):
                del self.next[at]
                return fault
        return None

    def _random(self, discord: Discord, call: Call) -> Fault | None:
        if self.rate <= 0 or self.spares(call) or self.chance.random() >= self.rate:
            return None
        kinds = [fault for fault in self.kinds if fault.suits(discord, call)]
        if self.unseen_first and (unseen := [fault for fault in kinds if not self.counts[fault.name]]):
            kinds = unseen
        return self.chance.choices(kinds, [self.weights.get(fault.name, 1.0) for fault in kinds])[0]

    @property
    def total(self) -> int:
        return self.counts.total()


def fault(name: str) -> Fault:
    return next(each for each in ALL if each.name == name)
