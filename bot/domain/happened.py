"""Consequences of a change besides another picture of its table."""

from enum import Enum


class Happened(Enum):
    """A consequence that a use case announces after the commit."""

    MESSAGES_OVER = "messages are to be deleted"
    CALLED = "somebody is to be called"
    LOBBY_CHANGED = "a message apart from its table's own is to follow it"
    CAME_BACK = "somebody was away and is there again"
    CUP_CHANGED = "a cup is to be looked at, or a message about it to be sent"
