"""Measures the longest iteration of a process's event loop, from inside that process.

An iteration is what the loop does between two calls of its selector. It is measured in processor time of the loop's
thread, so it includes garbage collections between the callbacks.
"""

import selectors
import sys
import threading
import time
from math import inf
from typing import Any

REPLY = "longest iteration"
"""The beginning of each line that answers a line of standard input. The milliseconds follow."""


class TimingSelector(selectors.DefaultSelector):
    """A selector that measures the time between two calls of ``select``."""

    longest = 0.0
    """In milliseconds."""
    _began = inf

    def select(self, timeout: float | None = None) -> Any:
        TimingSelector.longest = max(TimingSelector.longest, (time.thread_time() - self._began) * 1000)
        ready = super().select(timeout)
        self._began = time.thread_time()
        return ready


def watch() -> None:
    """Measure the event loop of this process, which must not have been created yet.

    For each line of standard input, print the longest iteration since the last one.
    """

    def reply() -> None:
        for _line in sys.stdin:
            print(REPLY, TimingSelector.longest, flush=True)
            TimingSelector.longest = 0.0

    selectors.DefaultSelector = TimingSelector  # type: ignore[misc]
    threading.Thread(target=reply, name="iterations", daemon=True).start()
