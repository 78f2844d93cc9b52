"""Runs those tests of real processes and of a real browser once more, alone, that have failed just now.

They depend on how busy the machine is. Any other test, or more than a few of them, and this fails at once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
"""The list of failed tests that pytest keeps in the folder of the checkout."""
FOLDERS = ("tests/bot/cli/", "tests/e2e/", "tests/faults/", "tests/playground/")
MOST = 3


def main() -> int:
    """Run the failed tests once more, and return the exit code."""
    failed = sorted(json.loads(FAILED.read_text("utf-8"))) if FAILED.exists() else []
    if not 0 < len(failed) <= MOST or not all(name.startswith(FOLDERS) for name in failed):
        return 1
    print("once more, alone:", *failed, sep="\n  ", flush=True)
    return subprocess.run([sys.executable, "-m", "pytest", *failed], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
