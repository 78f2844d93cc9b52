"""The stop of the bot within ten seconds: its parts stop in phases, each with its own deadline.

Service managers commonly kill after ten seconds: https://docs.docker.com/reference/cli/docker/container/stop/
"""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import Any

log = logging.getLogger(__name__)

FINISHED_BY = 4.5
"""The seconds after which a stop has finished the interactions and the workers' tasks. All these times count from the
beginning of the stop.
"""
SHOWN_BY = 6.5
"""The seconds after which it has shown what those have changed."""
LEFT_BY = 7.5
"""The seconds after which it has closed the connections to Discord."""
CLOSED_BY = 8.8
"""The seconds after which it has closed the database. Python needs the rest of the ten to end."""
KILLED_AFTER = 9.6
"""The seconds after the signal at which the process is killed if it still runs."""
BREAK_OFF_SECONDS = 0.2
"""The seconds that a cancelled part may take to end."""


class Shutdown:
    def __init__(self) -> None:
        self._time = asyncio.get_running_loop().time
        self._began = self._time()

    def seconds_left(self, by: float) -> float:
        return max(0.0, self._began + by - self._time())

    async def run_together(self, by: float, parts: Mapping[str, Coroutine[Any, Any, Any]]) -> None:
        """Run parts at the same time. Cancel those that are not done ``by`` this time. Log errors and never raise, so
        that the next phase can follow.
        """
        tasks = {asyncio.create_task(part, name=f"stop {name}"): name for name, part in parts.items()}
        _done, late = await asyncio.wait(tasks, timeout=self.seconds_left(by))
        for task in late:
            log.warning("%s did not stop in time and is cancelled", tasks[task])
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=BREAK_OFF_SECONDS)
        for task in tasks:
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                log.error("stopping %s failed", tasks[task], exc_info=error)
