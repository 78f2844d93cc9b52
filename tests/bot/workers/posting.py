"""Channels that take messages or do not, and workers whose clock the test turns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord

from bot.services.core import Core
from bot.workers.worker import Worker


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    """Return discord.py's error for such an answer."""
    response: Any = SimpleNamespace(status=status, reason="because", headers={})
    kind = {403: discord.Forbidden, 404: discord.NotFound, 503: discord.DiscordServerError}
    return kind.get(status, discord.HTTPException)(response, {"code": code, "message": "no"})


UNAVAILABLE = refusal(503)
FORBIDDEN = refusal(403, 50013)
NO_CHANNEL = refusal(404, 10003)


@dataclass(frozen=True)
class Post:
    """A message that was sent, or tried to be."""

    channel_id: int
    nonce: str
    text: str
    silent: bool = False
    called: tuple[int, ...] = ()
    """The users it notifies."""


@dataclass
class Channels:
    """Notes what is sent where. Everybody is a member."""

    posts: list[Post] = field(default_factory=list)
    tries: list[Post] = field(default_factory=list)
    trouble: dict[int, list[discord.HTTPException]] = field(default_factory=dict)
    """The errors of the next messages, by channel."""
    gone: set[int] = field(default_factory=set)
    direct_trouble: discord.HTTPException | None = None
    """The error of direct messages, if they fail."""
    direct: list[int] = field(default_factory=list)
    """The users who were sent a direct message."""
    user: None = None

    @property
    def sent(self) -> list[int]:
        """The channels of all messages."""
        return [post.channel_id for post in self.posts]

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        async def send(content: str | None = None, **fields: Any) -> Any:
            self._take(channel_id, content, fields)
            return SimpleNamespace(id=len(self.posts), channel=channel)

        channel: Any = SimpleNamespace(id=channel_id, send=send)
        return channel  # type: ignore[no-any-return]

    def _take(self, channel_id: int, content: str | None, fields: dict[str, Any]) -> None:
        embeds = [*fields.get("embeds", ()), *([fields["embed"]] if "embed" in fields else [])]
        alts = [str(file.description) for file in fields.get("files", ())]
        text = "\n".join([content or "", *(str(embed.to_dict()) for embed in embeds), *alts])
        users: Any = fields["allowed_mentions"].users
        called = tuple(user.id for user in users)
        post = Post(channel_id, fields.get("nonce", ""), text, fields.get("silent", False), called)
        self.tries.append(post)
        if channel_id in self.gone:
            raise NO_CHANNEL
        if self.trouble.get(channel_id):
            raise self.trouble[channel_id].pop(0)
        self.posts.append(post)

    def may_post(self, channel_id: int) -> bool:
        return True

    async def reopen(self, channel_id: int) -> None:
        return None

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        return True

    async def send_directly(self, user_id: int, text: str, nonce: str | None = None) -> Any:
        if self.direct_trouble is not None:
            raise self.direct_trouble
        self.direct.append(user_id)
        return SimpleNamespace(id=1000 + len(self.direct), channel=SimpleNamespace(id=user_id))


async def run(worker: Worker[Any]) -> None:
    """Do all that is due now."""
    worker.wake()
    await worker.settle()


async def run_until(worker: Worker[Any], core: Core, turn: Any, moment: datetime) -> None:
    """Turn the clock, which is ``turn.now``, to a moment; what is due on the way is done when it is."""
    while True:
        due = await core.database.read(worker.next_moment, turn.now)
        if due is None or due > moment:
            break
        turn.now = max(turn.now, due)
        before = turn.now
        await run(worker)
        again = await core.database.read(worker.next_moment, turn.now)
        assert again is None or again > before, "what is due is put off by its claim"
    turn.now = moment


def texts(posts: Sequence[Post], part: str) -> list[Post]:
    """Return the posts with these words in them."""
    return [post for post in posts if part in post.text]


HOUR = timedelta(hours=1)
