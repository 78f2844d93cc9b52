"""Measures the longest iteration of a process's event loop, from inside that process.

An iteration is the time between two calls of the loop's selector. It is measured in processor time of the loop's
thread, and includes garbage collections between the callbacks.
"""

import selectors
import sys
import threading
import time
from math import inf
from typing import Any

REPLY = "longest iteration"
"""The process answers each line of standard input with a line that starts with this text. The milliseconds follow."""


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
    """Measure the event loop of this process. It must be called before the loop is created.

    For each line of standard input, print the longest iteration since the previous line.
    """

    def reply() -> None:
        for _line in sys.stdin:
            print(REPLY, TimingSelector.longest, flush=True)
            TimingSelector.longest = 0.0

    selectors.DefaultSelector = TimingSelector  # type: ignore[misc]
    threading.Thread(target=reply, name="iterations", daemon=True).start()
