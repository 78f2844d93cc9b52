"""The shards' connections to Discord's gateway: which servers can be reached through them, and since when."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import discord

from bot.discord_api.errors import DISCORD_ERRORS
from bot.domain.shards import Share
from bot.observing.metrics import Metrics

ANSWER_SECONDS = 5.0
"""The seconds in which Discord has to answer a heartbeat. It usually takes a tenth of a second."""
LOOK_SECONDS = 0.05
"""The pause between two checks whether the answer has arrived."""
APART_SECONDS = 1.0
"""The least seconds between two of our heartbeats on a connection. Discord allows 120 messages per minute."""
LONGEST_WAIT = 60.0
"""The longest pause in seconds between two tries to reconnect. discord.py's own limit is 17 minutes."""


class Backoff(discord.backoff.ExponentialBackoff[Any]):
    """The growing pauses of discord.py between two tries to reconnect, with a limit."""

    def delay(self) -> float:  # type: ignore[override]
        return min(super().delay(), LONGEST_WAIT)


discord.shard.ExponentialBackoff = Backoff  # type: ignore[attr-defined]

_update_forum = discord.ForumChannel._update


def _update_hidden_forum(forum: discord.ForumChannel, guild: discord.Guild, data: Any) -> None:
    """Read a forum, even if it is hidden from the bot. Most fields of a hidden forum are null, perhaps even its tags.

    discord.py cannot read a forum without tags. It would raise an error, which would end the bot:
    https://docs.discord.com/developers/resources/channel#obfuscated-channels
    """
    _update_forum(forum, guild, {**data, "available_tags": data.get("available_tags") or []})  # type: ignore[arg-type]


discord.ForumChannel._update = _update_hidden_forum  # type: ignore[method-assign,assignment]


class Gateway:
    """The connections of the shards that this process serves."""

    def __init__(self, client: discord.AutoShardedClient, metrics: Metrics, now: Callable[[], datetime]) -> None:
        self._client = client
        self._metrics = metrics
        self._now = now
        self._since: dict[int, datetime | None] = {}
        """Since when each shard with a connection can be reached, or None if it has stopped answering."""
        self._lost_at: dict[int, datetime] = {}
        self._available_since: dict[int, datetime] = {}
        """When Discord's own last outage of a server ended."""
        self._asking: dict[int, asyncio.Task[bool]] = {}
        self._asked_at: dict[int, float] = {}
        self.reconnected: Callable[[], None] = lambda: None
        """Called when a shard has connected."""

    def note_event(self, event: str, *args: Any) -> None:
        """Note a lost or new connection, from an event with discord.py's name for it."""
        match event:
            case "shard_disconnect":
                self._metrics.disconnects.inc()
                self._note_lost(args[0])
            case "shard_ready" | "shard_resumed":
                self._lost_at.pop(args[0], None)
                self._since[args[0]] = self._now()
                self.reconnected()
            case "guild_available":
                self._available_since[args[0].id] = self._now()

    def note_gap(self) -> None:
        """Count the time until now as an outage, because the machine slept or its clock was set."""
        now = self._now()
        self._since = {shard: since and now for shard, since in self._since.items()}
        self._available_since.clear()

    @property
    def share(self) -> Share:
        """The servers of all connected shards. May be read in any thread."""
        ids = frozenset(shard for shard in tuple(self._since) if self._is_open(shard))
        return Share(self._client.shard_count or 1, ids)

    def look_for_lost(self) -> dict[int, float]:
        """Return the shards that have lost their connection, and for how many seconds they have had none."""
        for shard in tuple(self._since):
            # discord.py reconnects one shard at a time, and reports the loss only when it is this shard's turn.
            if not self._is_open(shard):
                self._note_lost(shard)
        now = self._now()
        return {shard: max((now - lost_at).total_seconds(), 0.0) for shard, lost_at in self._lost_at.items()}

    async def find_reachable_since(self, guild_id: int) -> datetime | None:
        """Return since when a server can be reached. None if it cannot, or if another process serves it.

        Discord has to answer a heartbeat now, because discord.py takes up to a minute to notice a dead connection.
        Discord can also have an outage of a single server:
        https://discord.com/developers/docs/topics/gateway-events#guild-delete
        """
        count = self._client.shard_count
        shard = (guild_id >> 22) % count if count else 0
        if shard not in self._since or not self._is_open(shard):
            return None
        if shard not in self._asking:
            self._asking[shard] = asking = asyncio.create_task(self._ask(shard), name=f"ask shard {shard}")
            asking.add_done_callback(lambda _task: self._asking.pop(shard))
        answered = await asyncio.shield(self._asking[shard])
        if shard not in self._since:
            return None
        if not answered:
            self._since[shard] = None
        elif self._since[shard] is None:
            self._since[shard] = self._now()
        guild = self._client.get_guild(guild_id)
        since = None if guild is not None and guild.unavailable else self._since[shard]
        return since and max(since, self._available_since.get(guild_id, since))

    def _note_lost(self, shard: int) -> None:
        self._since.pop(shard, None)
        # discord.py reports the loss again for every failed try to reconnect. The first report counts.
        self._lost_at.setdefault(shard, self._now())

    def _is_open(self, shard: int) -> bool:
        connection = self._client.get_shard(shard)
        return connection is not None and not connection.is_closed()

    async def _ask(self, shard: int) -> bool:
        """Send a heartbeat. Return whether anything was received after it."""
        socket = self._client._get_websocket(shard_id=shard)
        keep_alive = getattr(socket, "_keep_alive", None)
        if keep_alive is None:
            return self._is_open(shard)  # A simulated connection has none.
        await asyncio.sleep(self._asked_at.get(shard, -APART_SECONDS) + APART_SECONDS - time.monotonic())
        self._asked_at[shard] = time.monotonic()
        heard_at = keep_alive._last_recv
        try:
            await socket.send_heartbeat(keep_alive.beat())
        except (*DISCORD_ERRORS, discord.ConnectionClosed):
            return False
        while keep_alive._last_recv == heard_at:
            if time.monotonic() - self._asked_at[shard] > ANSWER_SECONDS:
                return False
            await asyncio.sleep(LOOK_SECONDS)
        return True
