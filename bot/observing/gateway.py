"""Which shards have lost their connection to Discord's gateway, and for how long."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from bot.observing.metrics import Metrics


class Gateway:
    """Follows the connection of every shard."""

    def __init__(self, metrics: Metrics, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._metrics = metrics
        self._monotonic = monotonic
        self._lost_at: dict[int, float] = {}

    def happened(self, event: str, *args: Any) -> None:
        """Called with every event that the client dispatches, by its name in discord.py."""
        match event:
            case "shard_disconnect":
                self._metrics.disconnects.inc()
                # Dispatched again for every failed attempt to reconnect; the first one counts.
                self._lost_at.setdefault(args[0], self._monotonic())
            case "shard_ready" | "shard_resumed":
                self._lost_at.pop(args[0], None)

    @property
    def down(self) -> dict[int, float]:
        """The disconnected shards, and for how many seconds each has been."""
        now = self._monotonic()
        return {shard: now - lost_at for shard, lost_at in self._lost_at.items()}
