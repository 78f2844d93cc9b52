"""What all tests share: how many examples Hypothesis makes up.

The quick profile always makes the same examples, so a red run stays red. ``HIGHSCORE_LARGE=1`` looks further, with new
ones each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "quick", derandomize=True, database=None, deadline=None, max_examples=60, suppress_health_check=_SLOW
)
settings.register_profile("large", deadline=None, max_examples=1_000, print_blob=True, suppress_health_check=_SLOW)
settings.load_profile("large" if os.environ.get("HIGHSCORE_LARGE") == "1" else "quick")
