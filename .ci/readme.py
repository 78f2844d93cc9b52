"""The commands of README.md, so that what is documented and what is tested cannot drift apart.

``python3 .ci/readme.py play`` prints the first ```` ```sh ```` block after the line ``<!-- play -->``. Needs nothing
but Python: it runs before anything is installed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def command(name: str) -> str:
    """Return the command that README.md gives for this. Raises LookupError when there is none."""
    found = re.search(
        rf"^<!-- {re.escape(name)} -->\n(?:(?!<!--|```)[^\n]*\n)*```sh\n(?P<command>.+?)\n```$",
        README.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    if found is None:
        raise LookupError(f"README.md has no ```sh block after a line <!-- {name} -->")
    return found["command"]


if __name__ == "__main__":
    print(command(*sys.argv[1:]))
