"""How the fake says no, in the words of Discord's error codes.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from __future__ import annotations


class Refusal(Exception):
    """Answered with this status, and with this code and message as JSON."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def unauthorized() -> Refusal:
    return Refusal(401, 0, "401: Unauthorized")


def no_route() -> Refusal:
    return Refusal(404, 0, "404: Not Found")


def unknown_channel() -> Refusal:
    return Refusal(404, 10003, "Unknown Channel")


def unknown_guild() -> Refusal:
    return Refusal(404, 10004, "Unknown Guild")


def unknown_member() -> Refusal:
    return Refusal(404, 10007, "Unknown Member")


def unknown_message() -> Refusal:
    return Refusal(404, 10008, "Unknown Message")


def unknown_user() -> Refusal:
    return Refusal(404, 10013, "Unknown User")


def unknown_webhook() -> Refusal:
    """What an interaction's token is told after its 15 minutes, and one that never was."""
    return Refusal(404, 10015, "Unknown Webhook")


def unknown_interaction() -> Refusal:
    return Refusal(404, 10062, "Unknown interaction")


def too_many_old_edits() -> Refusal:
    return Refusal(429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later.")


def already_acknowledged() -> Refusal:
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> Refusal:
    return Refusal(403, 50001, "Missing Access")


def other_author() -> Refusal:
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> Refusal:
    return Refusal(400, 50006, "Cannot send an empty message")


def no_direct_messages() -> Refusal:
    return Refusal(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> Refusal:
    return Refusal(403, 50013, "Missing Permissions")


def invalid_form(what: str) -> Refusal:
    return Refusal(400, 50035, f"Invalid Form Body: {what}")


def archived() -> Refusal:
    return Refusal(400, 50083, "Thread is archived")
