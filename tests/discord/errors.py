"""Refusals of the fake, in the words of Discord's error codes: status, code, message.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

UNAUTHORIZED = 401, 0, "401: Unauthorized"
NO_ROUTE = 404, 0, "404: Not Found"
UNKNOWN_CHANNEL = 404, 10003, "Unknown Channel"
UNKNOWN_GUILD = 404, 10004, "Unknown Guild"
UNKNOWN_MEMBER = 404, 10007, "Unknown Member"
UNKNOWN_MESSAGE = 404, 10008, "Unknown Message"
UNKNOWN_WEBHOOK = 404, 10015, "Unknown Webhook"
"""The answer to the token of an interaction that was not answered yet."""
INVALID_WEBHOOK_TOKEN = 401, 50027, "Invalid Webhook Token"
"""The answer to an interaction's token after its 15 minutes, and to one that never was."""
UNKNOWN_INTERACTION = 404, 10062, "Unknown interaction"
TOO_MANY_OLD_EDITS = 429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later."
ALREADY_ACKNOWLEDGED = 400, 40060, "Interaction has already been acknowledged."
MISSING_ACCESS = 403, 50001, "Missing Access"
EMPTY_MESSAGE = 400, 50006, "Cannot send an empty message"
INVALID_RECIPIENT = 400, 50033, "Invalid Recipient(s)"
NO_DIRECT_MESSAGES = 403, 50007, "Cannot send messages to this user"
NO_MUTUAL_GUILDS = 403, 50278, "Cannot send messages to this user due to having no mutual guilds"
MISSING_PERMISSIONS = 403, 50013, "Missing Permissions"
TOO_MANY_THREADS = 400, 160006, "Maximum number of active threads reached"
BLOCKED_BY_AUTOMOD = 400, 200000, "Message was blocked by automatic moderation"
TITLE_BLOCKED_BY_AUTOMOD = 400, 200001, "Title was blocked by automatic moderation"
ENTRY_POINT_MISSING = 400, 50240, "You cannot remove this app's Entry Point command in a bulk update operation."


class Refusal(Exception):
    """Answered with this status, and with this code and message as JSON."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def invalid_form(what: str) -> Refusal:
    return Refusal(400, 50035, f"Invalid Form Body: {what}")
