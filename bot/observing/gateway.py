"""The connections to Discord's gateway: which are cut off, and since when."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from bot.observing.metrics import Metrics


class Gateway:
    """Follows the events of the connections."""

    def __init__(self, metrics: Metrics, ticking: Callable[[], float] = time.monotonic) -> None:
        self._metrics = metrics
        self._ticking = ticking
        self._down: dict[int, float] = {}

    def happened(self, event: str, *about: Any) -> None:
        """Called with every event the client dispatches, by its name in discord.py."""
        match event:
            case "shard_disconnect":
                self._metrics.disconnects.inc()
                # Each try that fails says so again; it is the first that counts.
                self._down.setdefault(about[0], self._ticking())
            case "shard_ready" | "shard_resumed":
                self._down.pop(about[0], None)

    @property
    def down(self) -> dict[int, float]:
        """The shards that are cut off, each with for how many seconds."""
        now = self._ticking()
        return {shard: now - since for shard, since in self._down.items()}
