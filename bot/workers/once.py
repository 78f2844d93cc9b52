"""Chores that one process does for all."""

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from bot.services.core import Core
from bot.store.claims import claim_chore, end_chore

log = logging.getLogger(__name__)

LASTS = timedelta(days=1)
"""The time after which a chore is done again, in case somebody else has changed what Discord knows."""


async def do_once(
    core: Core, name: str, what: Any, work: Callable[[], Awaitable[object]], lasts: timedelta = LASTS
) -> bool:
    """Do a chore unless a process does it now, or has done just this lately. Return whether it was done here.

    ``what`` describes it in JSON's types: a chore that has changed is done again, and so is one done longer than
    ``lasts`` ago. Raise what ``work`` raises; then the next process may try.
    """
    digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
    if not await core.database.write(claim_chore, name, digest, core.now()):
        log.info("%s: done already", name)
        return False
    try:
        await work()
    except BaseException:
        await core.database.write(end_chore, name, None, None)
        raise
    await core.database.write(end_chore, name, digest, core.now() + lasts)
    return True
