"""The errors of Discord calls, sorted once by what the bot can do about each.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

import asyncio
import re
from enum import Enum
from http import HTTPStatus

import aiohttp
import discord

from bot.observing.errors import describe_errors
from bot.observing.metrics import Metrics

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MEMBER = 10007
UNKNOWN_MESSAGE = 10008
"""Discord also says it of an answer that is edited by the interaction's token: https://github.com/discord/discord-api-docs/issues/3087"""
UNKNOWN_USER = 10013
UNKNOWN_WEBHOOK = 10015
"""The token of an interaction is over: for 15 minutes answers can be edited by it, private ones too:
https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages"""
UNKNOWN_INTERACTION = 10062
"""The interaction was not answered within 3 seconds."""
TOO_MANY_EDITS_OF_OLD_MESSAGE = 30046
"""The message is older than an hour and has had the few edits that Discord takes then."""
ALREADY_ACKNOWLEDGED = 40060
MISSING_ACCESS = 50001
MISSING_PERMISSIONS = 50013
THREAD_ARCHIVED = 50083


class Trouble(Enum):
    """The meaning of a Discord call's error for the caller."""

    LATE = "late"
    """The interaction is over or answered already. What was committed stays; show it another way."""
    MESSAGE_GONE = "message gone"
    """The message was deleted: send a new one."""
    TOO_OLD = "too old"
    """The message is too old to be edited again, so it is as good as gone."""
    CHANNEL_GONE = "channel gone"
    """The channel was deleted: nothing can be shown there any more."""
    ARCHIVED = "archived"
    """The thread is archived: open it again first."""
    FORBIDDEN = "forbidden"
    """A permission is missing. Trying again helps only after somebody has given it."""
    PASSING = "passing"
    """Discord or the way to it is out of order: try again later."""
    REFUSED = "refused"
    """Discord refuses the request, which is a mistake in this program."""


DISCORD_ERRORS = (discord.DiscordException, aiohttp.ClientError, asyncio.TimeoutError, OSError)
"""All errors that a Discord call raises because of Discord's answer or the network."""
_NO_ANSWER = (discord.RateLimited, aiohttp.ClientError, asyncio.TimeoutError, OSError)
_HARMLESS = (
    *(discord.ConnectionClosed, discord.GatewayNotFound, discord.LoginFailure, discord.PrivilegedIntentsRequired),
    *(discord.RateLimited, discord.InteractionResponded, aiohttp.ClientError),
)
"""The errors whose messages are about the connection and quote nobody."""
_FIELD = re.compile(r"^In (\S+): ", re.MULTILINE)
_MOST_FIELDS = 5

_BY_CODE = {
    UNKNOWN_INTERACTION: Trouble.LATE,
    UNKNOWN_WEBHOOK: Trouble.LATE,
    ALREADY_ACKNOWLEDGED: Trouble.LATE,
    UNKNOWN_MESSAGE: Trouble.MESSAGE_GONE,
    TOO_MANY_EDITS_OF_OLD_MESSAGE: Trouble.TOO_OLD,
    UNKNOWN_CHANNEL: Trouble.CHANNEL_GONE,
    UNKNOWN_GUILD: Trouble.CHANNEL_GONE,
    MISSING_ACCESS: Trouble.FORBIDDEN,
    MISSING_PERMISSIONS: Trouble.FORBIDDEN,
    THREAD_ARCHIVED: Trouble.ARCHIVED,
}
UNANSWERED = "none"
"""The status of an answer that never came."""


def trouble_of(error: BaseException) -> Trouble:
    """Return what an error of a Discord call means for the caller."""
    if isinstance(error, discord.InteractionResponded):
        return Trouble.LATE
    if not isinstance(error, discord.HTTPException):
        # RateLimited, a reset connection (discord.py does not retry errno 104), a time-out.
        return Trouble.PASSING
    if error.code in _BY_CODE:
        return _BY_CODE[error.code]
    if error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Trouble.PASSING
    if isinstance(error, discord.Forbidden):
        return Trouble.FORBIDDEN
    return Trouble.REFUSED


def status_and_code(error: BaseException) -> tuple[str, str] | None:
    """Return the HTTP status and Discord's error code of a failed call; ``none`` and the type without an answer.

    Return None for an error that is neither Discord's nor the network's.
    """
    if isinstance(error, discord.HTTPException):
        return str(error.status), str(error.code)
    return (UNANSWERED, type(error).__name__) if isinstance(error, _NO_ANSWER) else None


class NotDiscord(aiohttp.ClientError):
    """A page where Discord's answer should be: something on the way there has answered in its place."""


def make_tracing(metrics: Metrics) -> aiohttp.TraceConfig:
    """Make discord.py's ``http_trace``, which counts requests by status, repeated ones (429, 5xx) included.

    A page with the status 200 fails here; discord.py would take it for Discord's answer. The answer 204 is let
    through: Discord calls it a page although it has no content: https://github.com/discord/discord-api-docs/issues/5887
    """

    async def ended(_session: object, _context: object, about: aiohttp.TraceRequestEndParams) -> None:
        response = about.response
        if response.status == HTTPStatus.OK and response.content_type.startswith("text/"):
            response.close()
            raise NotDiscord(f"a page of the type {response.content_type} came in place of Discord's answer")
        metrics.requests.labels(str(response.status)).inc()

    async def broke(_session: object, _context: object, _about: aiohttp.TraceRequestExceptionParams) -> None:
        metrics.requests.labels(UNANSWERED).inc()

    config = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(broke)
    return config


def register_discord_errors() -> None:
    """Let the log tell Discord's answer and the state of the connection, but nothing that was sent."""
    describe_errors(discord.HTTPException, _describe_answer)
    for kind in _HARMLESS:
        describe_errors(kind)


def _describe_answer(error: discord.HTTPException) -> str:
    """Return status, code, Discord's constant message for the code, and the names of the fields it refused."""
    status = f"{error.status} {getattr(error.response, 'reason', None) or ''}".rstrip() + f" (error code: {error.code})"
    if not error.code:
        return status  # The text can be anything, such as a proxy's page.
    message = error.text.partition("\n")[0]
    fields = _FIELD.findall(error.text)[:_MOST_FIELDS]
    return f"{status}: {message}" + (f" in {', '.join(fields)}" if fields else "")
