"""How a person wants to be reminded of their turn."""

from enum import Enum


class Notify(Enum):
    """How a person wants to be reminded."""

    CHANNEL = "channel"
    DIRECT = "dm"
    NONE = "none"
