"""Messages about a game apart from the one that shows its table."""

from enum import Enum


class Shared(Enum):
    """A message apart from the table's own whose picture or words have names."""

    STANDINGS = "final"
    REPORT = "report"
    THREAD = "thread"
    """The lobby of a table in a thread, shown in the channel of the thread, too."""
