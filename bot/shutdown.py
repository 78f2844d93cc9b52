"""Stopping within ten seconds, whatever hangs: the parts of a stop end together, each phase by its own moment.

https://docs.docker.com/reference/cli/docker/container/stop/ - ten seconds are what service managers commonly give.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import Any

log = logging.getLogger(__name__)

LANDED_BY = 4.5
"""Seconds after its beginning by which a stop has let land what was in flight: clicks, the clock, reminders, posts."""
SHOWN_BY = 6.5
"""... has shown what followed from that."""
LEFT_BY = 7.5
"""... has closed the connections to Discord."""
CLOSED_BY = 8.8
"""... has closed the database. What is left until ten seconds is for Python to end."""
KILLED_AFTER = 9.6
"""Seconds after the signal at which the process is ended, should something of the above have hung all the same."""
BREAK_OFF_SECONDS = 0.2
"""How long a part that is broken off may take to notice it."""


class Shutdown:
    """A stop that has begun."""

    def __init__(self) -> None:
        self._time = asyncio.get_running_loop().time
        self._began = self._time()

    def left(self, by: float) -> float:
        """Seconds that are left until so many seconds after the beginning."""
        return max(0.0, self._began + by - self._time())

    async def together(self, by: float, parts: Mapping[str, Coroutine[Any, Any, Any]]) -> bool:
        """Run these at the same time; whatever is not done by then is broken off. Tells whether all were.

        Never raises: what fails must not keep the others from being closed.
        """
        tasks = {asyncio.create_task(part, name=f"stop {name}"): name for name, part in parts.items()}
        _done, late = await asyncio.wait(tasks, timeout=self.left(by))
        for task in late:
            log.warning("%s did not stop in time and is broken off", tasks[task])
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=BREAK_OFF_SECONDS)
        for task in tasks:
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                log.error("%s could not be stopped in order", tasks[task], exc_info=error)
        return not late
