"""The settings of a server, which its administrators choose."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import time
from enum import Enum
from zoneinfo import ZoneInfo

from bot.domain.calendar import QuietHours, SeasonLength
from bot.domain.timing import Pace

OWN_LANGUAGE = "server"
"""The choice that stands for the server's language in Discord."""
MOST_TABLES = 20
LATEST_REMINDER = 90
"""The latest possible reminder, in percent of the allowed time. A later one would leave too little time."""
MOST_CHANNELS = 25
"""The most channels that can be chosen in one select: Discord's limit."""


class Target(Enum):
    """What the id in a setting points to."""

    TABLES = "tables"
    """A channel in which tables can be opened."""
    POSTS = "posts"
    """A channel to which the bot posts."""
    ROLE = "role"


Existing = Mapping[Target, Collection[int]]
"""The ids of the channels and roles that exist on the server now."""
POINTING: Mapping[str, Target] = {
    "channels": Target.TABLES,
    "opener_role": Target.ROLE,
    "player_role": Target.ROLE,
    "season_channel": Target.POSTS,
    "daily_channel": Target.POSTS,
}
"""The settings that contain ids, and what the ids point to."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    language: str | None = None
    """The language of public messages; None for the server's language in Discord."""
    pace: Pace = Pace.DAY
    zone: str = "UTC"
    """The IANA name of the time zone."""
    quiet_from: time | None = None
    quiet_to: time | None = None
    channels: tuple[int, ...] = ()
    """The channels in which, and in whose threads, tables may be opened; empty for all channels."""
    opener_role: int | None = None
    """The role that may open tables; None for everybody."""
    player_role: int | None = None
    """The role that players may ping for a table with free seats; None for no role."""
    tables_per_channel: int | None = None
    """The most open tables in a channel; None for the bot's own setting."""
    remind_percent: int = 50
    """The percentage of a table's time limit after which its players are reminded; 0 for no reminders at tables.

    In own pace, the players may be reminded earlier. Cups have their own reminder.
    """
    pictures: bool = True
    """True if new tables are shown with pictures."""
    rare: bool = True
    """True if a rare turn is announced with an extra embed and, if pictures are on, a picture."""
    season: SeasonLength = SeasonLength.QUARTER
    season_channel: int | None = None
    """The channel for the podium of a finished season; None for no post."""
    daily_channel: int | None = None
    """The channel for the daily challenge's morning post; None for no post."""
    daily_at: time = time(9)
    """The time of the morning post and of a cup's legs, in ``zone``."""

    def list_ids(self, name: str) -> tuple[int, ...]:
        """Return the ids in a setting that is a key of ``POINTING``."""
        value: tuple[int, ...] | int | None = getattr(self, name)
        if isinstance(value, tuple):
            return value
        return () if value is None else (value,)

    def list_existing_ids(self, name: str, existing: Existing | None) -> tuple[int, ...]:
        """Return the ids in a setting that still exist on the server. If ``existing`` is None (unknown), return all."""
        return tuple(each for each in self.list_ids(name) if existing is None or each in existing[POINTING[name]])

    @property
    def quiet_hours(self) -> QuietHours | None:
        if self.quiet_from is None or self.quiet_to is None:
            return None
        return QuietHours(self.quiet_from, self.quiet_to, ZoneInfo(self.zone))
