"""The size of the tests of the odds: a little by default, all of it with HIGHSCORE_LARGE=1."""

import os

from hypothesis import settings

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"


def at_most(examples: int, large: int) -> settings:
    """Return settings for a test whose examples take long: the profile's number of them, or this where it is less."""
    return settings(max_examples=large if LARGE else min(examples, settings().max_examples))
