"""The errors of requests to Discord, classified by what the bot can do about them.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import TypeVar

import aiohttp
import discord

from bot.observing.logs import describe_errors
from bot.observing.metrics import Metrics

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

UNKNOWN_MEMBER = 10007
UNKNOWN_USER = 10013
TOO_MANY_THREADS = (160006, 160007)
"""The server has as many active threads, or active announcement threads, as Discord allows."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""The pauses in seconds between two tries: doubled each time, between these two."""
QUIET_SECONDS = 5.0
"""A try that takes longer than this many seconds is logged, because discord.py repeats requests silently for half a
minute.
"""


class Trouble(Enum):
    """What an error of a request to Discord means for the caller."""

    LATE = "late"
    """The interaction is over, or was answered already. Show the result in another way. The change stays committed."""
    MESSAGE_GONE = "message gone"
    """The message was deleted. Send a new one."""
    TOO_OLD = "too old"
    """The message is too old to be edited again. Send a new one."""
    CHANNEL_GONE = "channel gone"
    ARCHIVED = "archived"
    """The thread is archived. Reopen it first."""
    FORBIDDEN = "forbidden"
    """Discord does not allow it: a permission is missing, a rule blocks the message, a limit is reached, a user accepts
    no messages, or something was deleted. Another try helps only after somebody has changed that.
    """
    PASSING = "passing"
    """Discord, or the connection to it, is out of order. Try again later."""
    REFUSED = "refused"
    """Discord would never accept the request, so it is a mistake in this program."""


DISCORD_ERRORS = (discord.DiscordException, aiohttp.ClientError, asyncio.TimeoutError, OSError)
"""All errors that a request to Discord can raise because of its answer or the network."""
_NO_ANSWER = (discord.RateLimited, aiohttp.ClientError, asyncio.TimeoutError, OSError)
_HARMLESS = (
    *(discord.ConnectionClosed, discord.GatewayNotFound, discord.LoginFailure, discord.PrivilegedIntentsRequired),
    *(discord.RateLimited, discord.InteractionResponded, aiohttp.ClientError),
)
"""Errors whose messages are about the connection and quote nobody."""
_FIELD = re.compile(r"^In (\S+): ", re.MULTILINE)
_MOST_FIELDS = 5

_BY_CODE = {
    10015: Trouble.LATE,  # Unknown webhook: the interaction with this token was not answered before.
    10062: Trouble.LATE,  # Unknown interaction: it was not answered within 3 seconds.
    40060: Trouble.LATE,  # The interaction was acknowledged already.
    40094: Trouble.LATE,  # The interaction has had too many follow-up messages.
    # Invalid webhook token: it has expired, after 15 minutes. The status is 401, and Discord bans addresses that cause
    # many: https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
    50027: Trouble.LATE,
    # Unknown message. Discord also returns this when an answer is edited with the interaction's token:
    # https://github.com/discord/discord-api-docs/issues/3087
    10008: Trouble.MESSAGE_GONE,
    30046: Trouble.TOO_OLD,  # The message is older than an hour, and was edited as often as Discord then allows.
    10003: Trouble.CHANNEL_GONE,  # Unknown channel.
    10004: Trouble.CHANNEL_GONE,  # Unknown guild.
    50083: Trouble.ARCHIVED,
    40003: Trouble.PASSING,  # Direct messages are opened too fast.
    40004: Trouble.PASSING,  # Sending messages is disabled for now.
    40006: Trouble.PASSING,  # This feature is disabled for now.
    40333: Trouble.PASSING,  # Blocked by Cloudflare.
    50007: Trouble.FORBIDDEN,  # The user accepts no messages.
    50033: Trouble.FORBIDDEN,  # Invalid recipient.
    50278: Trouble.FORBIDDEN,  # The bot has no server in common with the user.
    40058: Trouble.FORBIDDEN,  # A forum has no messages of its own.
    50008: Trouble.FORBIDDEN,  # This type of channel has no messages.
    50024: Trouble.FORBIDDEN,  # Wrong type of channel.
}
_BY_THOUSANDS = {
    **dict.fromkeys((10, 20, 30), Trouble.FORBIDDEN),
    **dict.fromkeys((110, 130), Trouble.PASSING),
    **dict.fromkeys((160, 200, 240, 340, 400), Trouble.FORBIDDEN),
}
"""The thousands of codes that are about the state of the server and not about the request. Something is unknown (10),
not allowed (20), used up (30) or overloaded (110, 130), is about threads (160), or is blocked (200: AutoMod, 240:
harmful links, 340: limited accounts, 400: limited uploads).
"""
_OUR_STATUSES = (400, 405, 413, 415)
"""Bad request, method not allowed, request too large, unsupported media type."""
_PASSING_STATUSES = (408, 429)
"""Request timeout, too many requests."""
_JSON_STATUSES = (200, 403, 404)
"""With these statuses, Discord always answers in JSON. discord.py would accept a web page with the status 200."""
UNANSWERED = "none"
"""Stands for the status of a request that got no answer."""


def trouble_of(error: BaseException) -> Trouble:
    """Return what an error of a request to Discord means for the caller. An error that is not Discord's is PASSING."""
    if isinstance(error, discord.InteractionResponded):
        return Trouble.LATE
    if not isinstance(error, discord.HTTPException):
        # RateLimited, a reset connection (discord.py does not retry errno 104), a time-out.
        return Trouble.PASSING
    if error.code in _BY_CODE:
        return _BY_CODE[error.code]
    if error.status in _PASSING_STATUSES or error.status >= 500:
        return Trouble.PASSING
    if error.code // 1000 in _BY_THOUSANDS:
        return _BY_THOUSANDS[error.code // 1000]
    return Trouble.REFUSED if error.status in _OUR_STATUSES else Trouble.FORBIDDEN


def is_our_mistake(error: BaseException) -> bool:
    """Return whether an error is a mistake in this program, which is logged as an error with its traceback."""
    return not isinstance(error, DISCORD_ERRORS) or trouble_of(error) is Trouble.REFUSED


def status_and_code(error: BaseException) -> tuple[str, str] | None:
    """Return the HTTP status and Discord's error code of a failed request.

    If there was no answer, return ``none`` and the error's type. Return None for errors that are no failed requests.
    """
    if isinstance(error, discord.HTTPException):
        return str(error.status), str(error.code)
    return (UNANSWERED, type(error).__name__) if isinstance(error, _NO_ANSWER) else None


class NotDiscord(aiohttp.ClientError):
    """The answer is a web page, so something between the bot and Discord has answered, such as a proxy."""


def make_tracing(metrics: Metrics) -> aiohttp.TraceConfig:
    """Return the ``http_trace`` for discord.py. It counts requests by status, including those that discord.py repeats.

    It raises NotDiscord for a web page with one of ``_JSON_STATUSES``. The status 204 is not among these, because
    Discord gives it the type of a web page although it has no content:
    https://github.com/discord/discord-api-docs/issues/5887
    """

    async def count_answer(_session: object, _context: object, about: aiohttp.TraceRequestEndParams) -> None:
        response = about.response
        if response.status in _JSON_STATUSES and response.content_type.startswith("text/"):
            response.close()
            raise NotDiscord(
                f"got a page of type {response.content_type} instead of Discord's answer; is a proxy in the way?"
            )
        metrics.requests.labels(str(response.status)).inc()

    async def count_failure(_session: object, _context: object, _about: aiohttp.TraceRequestExceptionParams) -> None:
        metrics.requests.labels(UNANSWERED).inc()

    config = aiohttp.TraceConfig()
    config.on_request_end.append(count_answer)
    config.on_request_exception.append(count_failure)
    return config


def register_discord_errors() -> None:
    """Let the log quote Discord's answers and errors of the connection, but nothing that the bot has sent."""
    describe_errors(discord.HTTPException, describe_answer)
    for kind in _HARMLESS:
        describe_errors(kind)


def describe_answer(error: discord.HTTPException) -> str:
    """Return the status, the code, Discord's message for this code, and the names of the fields that were refused."""
    status = f"{error.status} {getattr(error.response, 'reason', None) or ''}".rstrip() + f" (error code: {error.code})"
    if not error.code:
        return status  # The text can be anything, such as a proxy's page.
    message = error.text.partition("\n")[0]
    fields = _FIELD.findall(error.text)[:_MOST_FIELDS]
    return f"{status}: {message}" + (f" in {', '.join(fields)}" if fields else "")


def is_passing(error: Exception) -> bool:
    """Return whether an error means that Discord, or the connection to it, is out of order, so that another try may
    succeed.
    """
    return status_and_code(error) is not None and trouble_of(error) is Trouble.PASSING


async def ask_until_answered(
    what: str, ask: Callable[[], Awaitable[Answer]], again: Callable[[Exception], bool] = is_passing
) -> Answer:
    """Return what ``ask`` returns. After an error for which ``again`` returns True, try again, with growing pauses.

    Raise any other error.
    """
    loop = asyncio.get_running_loop()
    wait = FIRST_WAIT
    while True:
        slow = loop.call_later(QUIET_SECONDS, log.warning, "%s takes long; Discord is slow or out of order", what)
        try:
            return await ask()
        except DISCORD_ERRORS as error:
            # discord.py hides the error of asking for the gateway's address behind an exception of its own.
            cause = error.__cause__ if isinstance(error, discord.GatewayNotFound) else error
            if not isinstance(cause, Exception) or not again(cause):
                raise (cause or error) from None
            log.warning("%s failed; next try in %.0f s: %s", what, wait, cause)
        finally:
            slow.cancel()
        await asyncio.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT)
