"""Channels that take messages or do not, and workers whose clock the test turns."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord

from bot.domain.shards import Share
from bot.services.core import Core
from bot.workers.worker import Worker


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="because", headers={})
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    kind = discord.DiscordServerError if status >= 500 else kinds.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": "no"})


UNAVAILABLE = refusal(503)
FORBIDDEN = refusal(403, 50013)
NO_CHANNEL = refusal(404, 10003)
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Post:
    """A message that was sent, or tried to be."""

    channel_id: int
    nonce: str
    text: str
    silent: bool = False
    called: tuple[int, ...] = ()
    """The users it notifies."""
    buttons: tuple[str | None, ...] = ()
    message_id: int = 0


class Client:
    """A client that is connected to every server, may post in every channel, and has everybody as a member."""

    user = None
    connected_share = Share()

    def get_guild(self, guild_id: int, /) -> discord.Guild | None:
        return None

    def may_post(self, channel_id: int) -> bool:
        return True

    async def find_reachable_since(self, guild_id: int) -> datetime | None:
        return LONG_AGO

    async def reopen(self, channel_id: int) -> None:
        return None

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        return True


@dataclass
class Channels(Client):
    """Records the messages that are sent to each channel."""

    posts: list[Post] = field(default_factory=list)
    tries: list[Post] = field(default_factory=list)
    trouble: dict[int, list[discord.HTTPException]] = field(default_factory=dict)
    """The errors of the next messages, by channel."""
    lost: dict[int, list[discord.HTTPException]] = field(default_factory=dict)
    """The errors that take the place of the answers to the next messages, which are sent all the same."""
    there: dict[int, list[SimpleNamespace]] = field(default_factory=dict)
    """The messages of each channel, as its history shows them."""
    direct_trouble: discord.HTTPException | None = None
    """The error of direct messages, if they fail."""
    direct: list[int] = field(default_factory=list)
    """The users who were sent a direct message."""
    direct_texts: list[str] = field(default_factory=list)
    """The texts of the direct messages."""
    links: list[str] = field(default_factory=list)
    """The addresses of the buttons below direct messages."""
    edits: list[Post] = field(default_factory=list)
    """The edits of messages."""
    edit_trouble: list[discord.HTTPException] = field(default_factory=list)
    """The errors of the next edits."""
    deleted: list[int] = field(default_factory=list)
    """The messages that were deleted."""
    reopened: list[int] = field(default_factory=list)
    remembers: bool = False
    """True if it knows nonces, as Discord does for some minutes: of a message that comes again it keeps the first."""

    @property
    def sent(self) -> list[int]:
        return [post.channel_id for post in self.posts]

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        async def send(content: str | None = None, **fields: Any) -> Any:
            return SimpleNamespace(id=self._take(channel_id, content, fields), channel=channel)

        def get_partial_message(message_id: int) -> Any:
            async def edit(content: str | None = None, **fields: Any) -> None:
                if self.edit_trouble:
                    raise self.edit_trouble.pop(0)
                self.edits.append(self._read(channel_id, content, fields, message_id))

            async def delete() -> None:
                self.deleted.append(message_id)

            return SimpleNamespace(id=message_id, edit=edit, delete=delete)

        async def history(*, limit: int, after: datetime) -> AsyncIterator[Any]:
            for message in self.there.get(channel_id, [])[:limit]:
                yield message

        channel: Any = SimpleNamespace(
            id=channel_id, send=send, get_partial_message=get_partial_message, history=history
        )
        return channel  # type: ignore[no-any-return]

    async def reopen(self, channel_id: int) -> None:
        self.reopened.append(channel_id)

    def _take(self, channel_id: int, content: str | None, fields: dict[str, Any]) -> int:
        post = self._read(channel_id, content, fields, len(self.posts) + 1)
        self.tries.append(post)
        if self.trouble.get(channel_id):
            raise self.trouble[channel_id].pop(0)
        known = next((each for each in self.posts if self.remembers and each.nonce == post.nonce), None)
        if known is None:
            self.posts.append(post)
            rows = [discord.ActionRow(row) for row in fields["view"].to_components()] if fields.get("view") else []
            seen = SimpleNamespace(id=post.message_id, author=None, content=content or "", components=rows)
            seen.embeds = fields.get("embeds", [])
            self.there.setdefault(channel_id, []).append(seen)
        if self.lost.get(channel_id):
            raise self.lost[channel_id].pop(0)
        return (known or post).message_id

    def _read(self, channel_id: int, content: str | None, fields: dict[str, Any], message_id: int) -> Post:
        embeds = [*fields.get("embeds", ()), *([fields["embed"]] if "embed" in fields else [])]
        alts = [str(file.description) for file in fields.get("files", fields.get("attachments", ()))]
        text = "\n".join([content or "", *(str(embed.to_dict()) for embed in embeds), *alts])
        users: Any = fields["allowed_mentions"].users
        called = tuple(user.id for user in users)
        children = fields["view"].children if fields.get("view") is not None else ()
        buttons = tuple(getattr(getattr(each, "item", each), "label", None) for each in children)
        silent = fields.get("silent", False)
        return Post(channel_id, fields.get("nonce", ""), text, silent, called, buttons, message_id)

    async def send_directly(
        self, user_id: int, text: str, nonce: str | None = None, link: discord.ui.View | None = None
    ) -> Any:
        if self.direct_trouble is not None:
            raise self.direct_trouble
        self.direct.append(user_id)
        self.direct_texts.append(text)
        self.links += [] if link is None else [str(getattr(each, "url", None)) for each in link.children]
        return SimpleNamespace(id=1000 + len(self.direct), channel=SimpleNamespace(id=user_id))


async def run(worker: Worker[Any]) -> None:
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
    return [post for post in posts if part in post.text]


HOUR = timedelta(hours=1)
