"""Tasks that post something, one for each thing that is owed, and finished when the bot stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

DRAIN_SECONDS = 4.0
"""How long ``close`` waits for messages in flight."""


class Posting(Generic[Key]):
    """What is on its way to Discord."""

    def __init__(self) -> None:
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._stopping = False

    def begin(self, key: Key, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Post something soon. What is on its way already is not posted twice, and nothing is begun during a stop."""
        if key not in self._tasks and not self._stopping:
            task = asyncio.create_task(work(), name=f"post {key}")
            self._tasks[key] = task
            task.add_done_callback(partial(self._ended, key))

    def _ended(self, key: Key, _task: asyncio.Task[None]) -> None:
        del self._tasks[key]

    async def close(self) -> None:
        """Let messages in flight finish; the rest stays owed in the database."""
        self._stopping = True
        if self._tasks:
            _done, late = await asyncio.wait(set(self._tasks.values()), timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
