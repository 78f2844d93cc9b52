"""The server, its people and what each of them has seen: made once, kept in a file, found again."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Self

from playground.clock import real_now
from playground.doors import Door, Pitch
from playground.errors import PlaygroundError
from playground.simulated import Engine, MessageKey
from playground.store import Store

log = logging.getLogger(__name__)

GUILD_NAME = "Game Night"
BOT_NAME = "High Score"
PEOPLE = ("Ada", "Bruno", "Clara", "David", "Emma")
CHANNELS = (
    ("game-night", "Type /highscore to open a table"),
    ("lounge", "Everything that is not a game"),
)
ROLE = "players"
"""Everybody has it, and everybody may mention it: a bot that calls people finds somebody to call."""
ENGLISH = {"en-US": "English"}
"""The languages of a bot that names none: by Discord's name of each the name that the page shows."""


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


@dataclass(slots=True)
class Seen:
    """A person's unread state in a channel: new messages, and the number of mentions."""

    unread: bool = False
    mentions: int = 0


@dataclass(slots=True)
class World:
    """One server on one simulated Discord, and the file it lives in."""

    store: Store
    engine: Engine
    guild: int
    people: list[int]
    offset: float
    seen: dict[int, dict[int, Seen]] = field(default_factory=dict)
    dismissed: set[int] = field(default_factory=set)
    doors: tuple[Door, ...] = ()
    pitch: Pitch | None = None
    locales: Mapping[str, str] = field(default_factory=lambda: ENGLISH)
    _written: dict[tuple[str, str], str] = field(default_factory=dict)
    _known: set[MessageKey] = field(default_factory=set)

    @property
    def owner(self) -> int:
        return self.people[0]

    # ------------------------------------------------------------ made, found

    @classmethod
    def open(cls, store: Store) -> Self:
        records = list(store.records())
        if not records:
            return cls._make(store)
        try:
            return cls._find(store, records)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PlaygroundError(
                f"The playground cannot read what is in {store.path} ({error!r}). Move that file away to start afresh."
            ) from error

    @classmethod
    def _make(cls, store: Store) -> Self:
        engine = Engine(real_now())
        guild = engine.found(GUILD_NAME, BOT_NAME, PEOPLE, CHANNELS, ROLE)
        world = cls(store, engine, guild, engine.members(guild), 0.0)
        world.save(moved=True)
        return world

    @classmethod
    def _find(cls, store: Store, records: Sequence[tuple[str, str, Any]]) -> Self:
        own = {kind: value for kind, _, value in records if kind in ("clock", "server", "seen")}
        reached = datetime.fromisoformat(own["clock"]["reached"])
        offset = float(own["clock"]["offset"])
        # Never back, whatever happened to the wall clock meanwhile: ids are made of time.
        start = max(real_now() + timedelta(seconds=offset), reached + timedelta(seconds=1))
        engine = Engine(start)
        engine.restore(records, store.content())
        world = cls(
            store,
            engine,
            int(own["server"]["guild"]),
            [int(one) for one in own["server"]["people"]],
            max(offset, (start - real_now()).total_seconds()),
            {
                int(user): {int(channel): Seen(**seen) for channel, seen in channels.items()}
                for user, channels in own["seen"].items()
            },
            set(own["server"]["dismissed"]),
        )
        for kind, record_id, value in records:
            if kind == "message":
                world._known.add((int(value["channel_id"]), int(record_id)))
            else:
                world._written[kind, record_id] = _json(value)
        world.save(moved=True)
        return world

    # ----------------------------------------------------------------- saved

    def save(self, *, moved: bool = False) -> set[MessageKey]:
        """Write down what has changed since the last time; the messages among it.

        `moved` says that the clock was put ahead, which has to be on the disk before it happens.
        """
        changes = self.engine.take_changes()
        upserts: list[tuple[str, str, str]] = []
        gone: list[tuple[str, str]] = []
        for key in changes.messages:
            record = self.engine.message_record(key)
            if record is None:
                self._known.discard(key)
                gone.append(("message", str(key[1])))
                continue
            if key not in self._known:
                self._known.add(key)
                self._ring(key)
            upserts.append(("message", str(key[1]), _json(record)))
        if changes.commands is not None:
            self._remember(upserts, changes.commands)
        present = set()
        for small in [*self.engine.world_records(), *self._own_records()]:
            present.add(small[:2])
            self._remember(upserts, small)
        for lost in [one for one in self._written if one not in present and one[0] not in ("commands", "clock")]:
            del self._written[lost]
            gone.append(lost)
        if upserts or gone or changes.added or changes.dropped or moved:
            clock = {"offset": self.offset, "reached": self.engine.now().isoformat()}
            upserts.append(("clock", "all", _json(clock)))
            self.store.write(records=upserts, gone=gone, content=changes.added.items(), dropped=changes.dropped)
        return changes.messages

    def _remember(self, upserts: list[tuple[str, str, str]], record: tuple[str, str, Any]) -> None:
        kind, record_id, value = record
        body = _json(value)
        if self._written.get((kind, record_id)) != body:
            self._written[kind, record_id] = body
            upserts.append((kind, record_id, body))

    def _own_records(self) -> list[tuple[str, str, Any]]:
        seen = {
            str(user): {str(channel): asdict(one) for channel, one in channels.items()}
            for user, channels in self.seen.items()
        }
        server = {"guild": self.guild, "people": self.people, "dismissed": sorted(self.dismissed)}
        return [("server", "all", server), ("seen", "all", seen)]

    # ------------------------------------------------------------ read, unread

    def _ring(self, key: MessageKey) -> None:
        author = self.engine.written_by(key)
        pinged = set(self.engine.pinged(key))
        for person in self.people:
            if person != author and self.engine.message(person, key) is not None:
                seen = self.seen_by(person, key[0])
                seen.unread = True
                seen.mentions += person in pinged

    def seen_by(self, user: int, channel: int) -> Seen:
        """Return this user's unread state in this channel."""
        return self.seen.setdefault(user, {}).setdefault(channel, Seen())

    def read(self, user: int, channel: int) -> None:
        self.seen.setdefault(user, {})[channel] = Seen()

    def mentions(self, user: int) -> int:
        """Count the mentions of a user in messages that the user has not read yet."""
        return sum(
            seen.mentions for channel, seen in self.seen.get(user, {}).items() if self.engine.can_read(user, channel)
        )
