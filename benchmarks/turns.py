"""Longest turns of an event loop, told by the process whose loop it is.

A turn is all that the loop does between two looks at its sockets and timers. Its *own* time is the processor time of
the loop's thread: what callbacks compute, and collections of garbage that come over them. That of the *process* has
what other threads compute meanwhile, who may keep Python's lock from the loop. The time of the *clock* has, besides,
what the disk takes and what else the machine does.
"""

import asyncio
import gc
import json
import selectors
import sys
import threading
import time
from asyncio.base_events import _format_handle  # type: ignore[attr-defined]
from dataclasses import asdict, dataclass
from typing import Any

CLOCKS = {"own": time.thread_time, "process": time.process_time, "clock": time.perf_counter}
ASKED = "turns"
"""Begins the line that answers a line of standard input."""


@dataclass
class Longest:
    """The longest of all turns in each of these, in milliseconds."""

    own: float = 0.0
    process: float = 0.0
    clock: float = 0.0
    garbage: float = 0.0
    """Processor time of a collection of garbage, in whatever thread."""
    callback: float = 0.0
    """Processor time of the callback that took most."""
    name: str = ""
    """The name of that callback: a task, and the line where it waits now."""


class Turns(selectors.DefaultSelector):
    """The selector of a loop, which is asked once a turn."""

    longest = Longest()
    _began: tuple[float, ...] = ()

    def select(self, timeout: float | None = None) -> Any:
        """Note the turn that has ended, then wait for the next one: the loop calls this between two turns."""
        longest = Turns.longest
        for name, now, then in zip(CLOCKS, _now(), self._began, strict=False):
            setattr(longest, name, max(getattr(longest, name), (now - then) * 1000))
        ready = super().select(timeout)
        self._began = _now()
        return ready


def _now() -> tuple[float, ...]:
    return tuple(clock() for clock in CLOCKS.values())


def watch() -> None:
    """Have the turns of this process's loop measured, from before it is made, and told to whoever asks."""
    run: Any = asyncio.Handle._run
    began = 0.0

    def timed(handle: asyncio.Handle) -> None:
        then = time.thread_time()
        run(handle)
        took = (time.thread_time() - then) * 1000
        if took > Turns.longest.callback:
            Turns.longest.callback, Turns.longest.name = took, _format_handle(handle)

    def collecting(phase: str, _found: dict[str, int]) -> None:
        nonlocal began
        if phase == "stop":
            Turns.longest.garbage = max(Turns.longest.garbage, (time.thread_time() - began) * 1000)
        began = time.thread_time()

    def tell() -> None:
        for _line in sys.stdin:
            longest, Turns.longest = Turns.longest, Longest()
            print(ASKED, json.dumps(asdict(longest)), flush=True)

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    selectors.DefaultSelector = Turns  # type: ignore[misc]
    gc.callbacks.append(collecting)
    threading.Thread(target=tell, name="turns", daemon=True).start()
