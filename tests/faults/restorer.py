"""A program that puts a backup back and is killed for it.

It imports everything once; for every line ``BACKUP DATABASE PREVIOUS`` on its standard input it forks a process that
says ``begins PID``, restores, says ``done`` and waits to be killed. ``ended STATUS`` follows when it is gone.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from bot.store.backup import restore
from tests.faults.mover import say

LONGEST = 60.0
"""Seconds to wait for the end, should whoever started this be gone."""


def main() -> None:
    for line in sys.stdin:
        backup, database, previous = map(Path, line.split())
        child = os.fork()
        if child == 0:
            say("begins", os.getpid())
            restore(backup, database, previous)
            say("done")
            time.sleep(LONGEST)
            os._exit(0)
        _pid, status = os.waitpid(child, 0)
        say("ended", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
