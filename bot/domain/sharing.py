"""Messages about a game apart from the one that shows its table."""

from enum import Enum


class Shared(Enum):
    """Whose picture, or whose words, have names in them."""

    STANDINGS = "final"
    REPORT = "report"
    THREAD = "thread"
    """The lobby in the channel of a table's thread, and what becomes of it."""
