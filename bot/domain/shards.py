"""The share of Discord's servers that one of several processes serves. It consists of whole shards.

https://discord.com/developers/docs/events/gateway#sharding
"""

import re
from dataclasses import dataclass

_RANGE = re.compile(r"\s*([0-9]{1,6})\s*(?:-\s*([0-9]{1,6})\s*)?")
MOST_SHARDS = 16_384
"""More shards than any bot has. The limit protects against a typing error that would open a million connections."""


@dataclass(frozen=True, slots=True)
class Share:
    """The servers that belong to the shards ``ids``, out of ``count`` shards. The default is all servers."""

    count: int = 1
    ids: frozenset[int] = frozenset({0})

    @property
    def whole(self) -> bool:
        return len(self.ids) == self.count

    def includes(self, guild_id: int) -> bool:
        return (guild_id >> 22) % self.count in self.ids


def parse_shard_ids(text: str) -> frozenset[int]:
    """Read numbers and ranges of shards. Raises ValueError with the correct format for any other text.

    >>> sorted(parse_shard_ids("0-3,6"))
    [0, 1, 2, 3, 6]
    """
    ids: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise ValueError("write SHARD_IDS as numbers and ranges, like 0-3,6")
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < MOST_SHARDS:
            raise ValueError(f"SHARD_IDS: {first}-{last} is no range; write the smaller one first, below {MOST_SHARDS}")
        ids.update(range(first, last + 1))
    return frozenset(ids)


def share_of(count: int | None, ids: frozenset[int] | None) -> Share:
    """Return the share for the settings SHARD_COUNT and SHARD_IDS. Raises ValueError if they contradict each other."""
    if count is None:
        if ids is not None:
            raise ValueError("SHARD_IDS needs SHARD_COUNT, the same in every process")
        return Share()
    if ids is None:
        return Share(count, frozenset(range(count)))
    if beyond := sorted(number for number in ids if number >= count):
        raise ValueError(f"SHARD_IDS names shard {beyond[0]}, but with SHARD_COUNT={count} the last is {count - 1}")
    return Share(count, ids)
