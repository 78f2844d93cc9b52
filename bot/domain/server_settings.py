"""What the administrators of a server have set."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import time
from enum import Enum
from zoneinfo import ZoneInfo

from bot.domain.deadlines import ClockRules
from bot.domain.pace import Pace
from bot.domain.quiet_hours import QuietHours
from bot.domain.season import SeasonLength

OWN_LANGUAGE = "server"
"""Picked to go back to the language the server has in Discord."""
MOST_TABLES = 20
"""Open tables in a channel."""
LATEST_REMINDER = 90
"""Percent of the time; a later reminder would come with the deadline."""
MOST_PLACES = 25
"""Channels that can be picked at once, which is Discord's limit."""


class Target(Enum):
    """What of its server a setting points to, by an id."""

    PLACE = "place"
    """A channel that can be played in."""
    POSTS = "posts"
    """A channel that messages are posted to."""
    ROLE = "role"


Existing = Mapping[Target, Collection[int]]
"""The ids that a server's settings may point to now."""
POINTING: Mapping[str, Target] = {
    "channels": Target.PLACE,
    "opener_role": Target.ROLE,
    "player_role": Target.ROLE,
    "season_channel": Target.POSTS,
    "daily_channel": Target.POSTS,
}
"""The settings that are ids, by name."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings of one server; the defaults are those of a server that has set nothing."""

    language: str | None = None
    """Of what everybody sees; None for the server's own in Discord."""
    pace: Pace = Pace.DAY
    zone: str = "UTC"
    """IANA name of the time zone."""
    quiet_from: time | None = None
    quiet_to: time | None = None
    channels: tuple[int, ...] = ()
    """Where tables may be opened, threads of these included; empty for everywhere."""
    opener_role: int | None = None
    """Who may open tables; None for everybody."""
    player_role: int | None = None
    """Who may be called to a table with free seats; None for nobody."""
    tables_per_channel: int | None = None
    """None for the bot's own setting."""
    remind_percent: int = 50
    """How much of the allowed time passes before people are reminded; 0 for no reminders."""
    pictures: bool = True
    """Whether new tables are shown as pictures too."""
    season: SeasonLength = SeasonLength.QUARTER
    season_channel: int | None = None
    """Where the podium of a season is posted when it is over; None for nowhere."""
    daily_channel: int | None = None
    """Where a post about the daily challenge comes every morning; None for nowhere."""
    daily_at: time = time(9)
    """When it comes, by the clocks of the zone."""

    def list_ids(self, name: str) -> tuple[int, ...]:
        """Return the ids in a setting of ``POINTING``."""
        ids: Mapping[str, tuple[int | None, ...]] = {
            "channels": self.channels,
            "opener_role": (self.opener_role,),
            "player_role": (self.player_role,),
            "season_channel": (self.season_channel,),
            "daily_channel": (self.daily_channel,),
        }
        return tuple(each for each in ids[name] if each is not None)

    def list_existing_ids(self, name: str, existing: Existing | None) -> tuple[int, ...]:
        """Return the ids in a setting of ``POINTING`` that were not deleted since; all if nobody knows (None)."""
        return tuple(each for each in self.list_ids(name) if existing is None or each in existing[POINTING[name]])

    @property
    def clock_rules(self) -> ClockRules:
        quiet = None
        if self.quiet_from is not None and self.quiet_to is not None:
            quiet = QuietHours(self.quiet_from, self.quiet_to, ZoneInfo(self.zone))
        return ClockRules(quiet, self.remind_percent / 100 or None)
