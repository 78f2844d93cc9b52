"""Longest turns of an event loop, told by the process whose loop it is.

A turn is everything that the loop does between two looks at its sockets and timers. It is measured in processor time of
the loop's thread: what callbacks compute, and collections of garbage that run between them.
"""

import selectors
import sys
import threading
import time
from math import inf
from typing import Any

ASKED = "longest turn"
"""Begins the line that answers a line of standard input."""


class Turns(selectors.DefaultSelector):
    """The selector of a loop, which is asked once a turn."""

    longest = 0.0
    """In milliseconds."""
    _began = inf

    def select(self, timeout: float | None = None) -> Any:
        """Note the turn that has ended, then wait for the next one: the loop calls this between two turns."""
        Turns.longest = max(Turns.longest, (time.thread_time() - self._began) * 1000)
        ready = super().select(timeout)
        self._began = time.thread_time()
        return ready


def watch() -> None:
    """Measure the turns of this process's loop, from before it is made, and answer on standard output."""

    def tell() -> None:
        for _line in sys.stdin:
            print(ASKED, Turns.longest, flush=True)
            Turns.longest = 0.0

    selectors.DefaultSelector = Turns  # type: ignore[misc]
    threading.Thread(target=tell, name="turns", daemon=True).start()
