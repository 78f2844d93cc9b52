"""The size of the tests of the odds: a little by default, all of it with HIGHSCORE_LARGE=1."""

import os

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
