"""Babel's formats of dates, imported without a look at this machine's time zone, of which the bot has no use.

Babel looks for it when it is imported, and raises an error if TZ, /etc/timezone or /etc/localtime names a folder or a
file of another kind. The system's own answer to those is UTC.
"""

import os

_zone = os.environ.get("TZ")
os.environ["TZ"] = "UTC"
try:
    from babel.dates import format_date as format_date
    from babel.dates import format_skeleton as format_skeleton
finally:
    del os.environ["TZ"]
    if _zone is not None:
        os.environ["TZ"] = _zone
