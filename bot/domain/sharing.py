"""What of a finished game is shown to others as a message of its own."""

from enum import Enum


class Shared(Enum):
    """Whose picture, or whose words, have names in them."""

    STANDINGS = "final"
    REPORT = "report"
