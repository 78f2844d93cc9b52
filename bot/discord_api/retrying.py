"""Questions to Discord that are asked until it answers, because the bot cannot start without the answers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, status_and_code, trouble_of

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""The seconds between two tries; each pause is twice as long as the one before."""
QUIET_SECONDS = 5.0
"""The seconds of a try after which the log reports it: discord.py asks again for half a minute, in silence."""


def is_passing(error: Exception) -> bool:
    """Return whether Discord, or the way to it, is out of order. A refused token or request is refused at every try."""
    return status_and_code(error) is not None and trouble_of(error) is Trouble.PASSING


async def ask_until_answered(
    what: str, ask: Callable[[], Awaitable[Answer]], again: Callable[[Exception], bool] = is_passing
) -> Answer:
    """Return Discord's answer, asked with growing pauses. Raise an error of which ``again`` is False."""
    loop = asyncio.get_running_loop()
    wait = FIRST_WAIT
    while True:
        slow = loop.call_later(QUIET_SECONDS, log.warning, "%s takes long; Discord is slow or out of order", what)
        try:
            return await ask()
        except DISCORD_ERRORS as error:
            # discord.py hides the answer to where the gateway is behind an exception of its own.
            cause = error.__cause__ if isinstance(error, discord.GatewayNotFound) else error
            if not isinstance(cause, Exception) or not again(cause):
                raise (cause or error) from None
            log.warning("%s is not possible, again in %.0f s: %s", what, wait, cause)
        finally:
            slow.cancel()
        await asyncio.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT)
