"""Stand-in for Discord: takes every message and edit of the bot's workers, and counts them. Nothing is sent."""

import itertools
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord

from bot.domain.share import Share
from bot.workers.clock import Clock, Wakeable

HOUR = timedelta(hours=1)


@dataclass
class CountingDiscord:
    """A client whose every request is counted, by kind, by hour and by the channel it is about.

    Answers to commands and presses are counted apart: they are not under Discord's limit of 50 requests a second.
    """

    now: Callable[[], datetime]
    begun: datetime
    requests: Counter[str] = field(default_factory=Counter)
    hours: Counter[int] = field(default_factory=Counter)
    """Requests by the hour since the beginning."""
    answers: int = 0
    messages: Counter[int] = field(default_factory=Counter)
    """Messages by channel, answers that everybody sees among them."""
    deleted: Counter[int] = field(default_factory=Counter)
    """The number of these messages that are gone again."""
    mentions: Counter[int] = field(default_factory=Counter)
    """By user."""
    connected_share: Share = field(default_factory=Share)
    user: None = None
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def _count(self, kind: str) -> None:
        self.requests[kind] += 1
        self.hours[(self.now() - self.begun) // HOUR] += 1

    async def find_reachable_since(self, guild_id: int) -> datetime | None:
        return self.begun

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        async def send(*_content: str, **fields: Any) -> Any:
            self._count("message")
            self.messages[channel_id] += 1
            self.mentions.update(user.id for user in fields["allowed_mentions"].users)
            view = fields.get("view")
            rows = [] if view is None else [discord.ActionRow(row) for row in view.to_components()]
            return SimpleNamespace(id=next(self._ids), author=None, components=rows, channel=channel)

        async def edit(**_fields: Any) -> None:
            self._count("edit")

        async def delete() -> None:
            self._count("deletion")
            self.deleted[channel_id] += 1

        async def history(limit: int) -> AsyncIterator[Any]:
            """Yield no message: the bot knows of all that it has sent."""
            self._count("history")
            found: list[Any] = []
            for message in found[:limit]:
                yield message

        channel: Any = SimpleNamespace(
            send=send,
            get_partial_message=lambda _message_id: SimpleNamespace(edit=edit, delete=delete),
            history=history,
            id=channel_id,
        )
        return channel  # type: ignore[no-any-return]

    def may_post(self, _channel_id: int) -> bool:
        """Return True for every channel."""
        return True

    async def reopen(self, _channel_id: int) -> None:
        """Do nothing: no thread is archived."""

    async def is_member(self, _guild_id: int, _user_id: int) -> bool:
        """Return True: nobody leaves the server."""
        self._count("member")
        return True

    async def send_directly(self, user_id: int, text: str, nonce: str | None = None) -> Any:
        self._count("direct message")
        self.mentions[user_id] += 1
        return SimpleNamespace(id=next(self._ids), channel=SimpleNamespace(id=user_id))

    def answer(self, channel_id: int, message_id: int | None = None) -> Any:
        """Make the stand-in for a ``Reply`` to a press on a message, or without one to a command."""

        async def show(_rendered: object) -> int:
            self.answers += 1
            if message_id is not None:
                return message_id
            self.messages[channel_id] += 1
            return next(self._ids)

        async def defer() -> None:
            self.answers += 1

        message = None if message_id is None else SimpleNamespace(id=message_id, flags=discord.MessageFlags())
        return SimpleNamespace(show=show, defer=defer, interaction=SimpleNamespace(message=message))


class TurnedClock(Clock):
    """The clock of a bot whose time is turned: it rings when it is told to."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__(now)
        self._all: list[Wakeable] = []
        self._due: dict[Wakeable, datetime] = {}

    def add(self, worker: Wakeable) -> None:
        self._all.append(worker)

    def note_due(self, moment: datetime | None, *workers: Wakeable) -> None:
        """Note that something is due at ``moment`` for these workers, or for all."""
        for worker in workers or self._all:
            if moment is not None:
                self._due[worker] = min(moment, self._due.get(worker, moment))

    @property
    def next_at(self) -> datetime | None:
        return min(self._due.values(), default=None)

    def ring(self) -> None:
        """Wake whoever has something to do now."""
        due = [worker for worker, moment in self._due.items() if moment <= self._now()]
        for worker in due:
            del self._due[worker]
            worker.wake()
