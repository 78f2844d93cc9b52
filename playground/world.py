"""The simulated server, its people, and what each of them has read. It is created once and stored in a file."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Self

from playground.clock import real_now
from playground.errors import PlaygroundError
from playground.simulated import Engine, MessageKey
from playground.store import Store

log = logging.getLogger(__name__)

GUILD_NAME = "Game Night"
BOT_NAME = "High Score"
PEOPLE = ("Ada", "Bruno", "Clara", "David", "Emma")
CHANNELS = (
    ("game-night", "Type /highscore to open a table"),
    ("lounge", "Chat about anything else"),
)
ROLE = "players"
"""Everybody has this role and can mention it, so that a bot can be set up to ping it."""
ENGLISH = {"en-US": "English"}
"""The default languages: the name that the page shows, by Discord locale."""


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A button at the top of a channel that runs one of the bot's commands."""

    labels: Mapping[str, str]
    """The text of the button by Discord locale, `en-US` included."""
    command: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def json(self, locale: str) -> dict[str, Any]:
        label = self.labels.get(locale, self.labels["en-US"])
        return {"label": label, "command": self.command, "options": dict(self.options)}


@dataclass(frozen=True, slots=True)
class Introduction:
    """Explains what the bot is, with a sentence and a picture."""

    sentences: Mapping[str, str]
    """The sentence by Discord locale, `en-US` included."""
    picture: bytes
    """A PNG file. It has no alt text, because the sentence and the bot say everything that it shows."""


@dataclass(slots=True)
class Seen:
    """Whether a person has unread messages in a channel, and how many of them mention the person."""

    unread: bool = False
    mentions: int = 0


@dataclass(slots=True)
class World:
    """The server on the simulated Discord, and the file in which it is stored."""

    store: Store
    engine: Engine
    guild: int
    people: list[int]
    offset: float
    seen: dict[int, dict[int, Seen]] = field(default_factory=dict)
    dismissed: set[int] = field(default_factory=set)
    shortcuts: tuple[Shortcut, ...] = ()
    introduction: Introduction | None = None
    locales: Mapping[str, str] = field(default_factory=lambda: ENGLISH)
    _written: dict[tuple[str, str], str] = field(default_factory=dict)
    _known: set[MessageKey] = field(default_factory=set)

    @property
    def owner(self) -> int:
        return self.people[0]

    # --------------------------------------------------------- created, loaded

    @classmethod
    def open(cls, store: Store) -> Self:
        records = list(store.records())
        if not records:
            return cls._create(store)
        try:
            return cls._load(store, records)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PlaygroundError(
                f"The playground cannot read what is in {store.path} ({error!r}). Move that file away to start over."
            ) from error

    @classmethod
    def _create(cls, store: Store) -> Self:
        engine = Engine(real_now())
        guild = engine.create_guild(GUILD_NAME, BOT_NAME, PEOPLE, CHANNELS, ROLE)
        world = cls(store, engine, guild, engine.members(guild), 0.0)
        world.save(is_clock_moved=True)
        return world

    @classmethod
    def _load(cls, store: Store, records: Sequence[tuple[str, str, Any]]) -> Self:
        own = {kind: value for kind, _, value in records if kind in ("clock", "server", "seen")}
        reached = datetime.fromisoformat(own["clock"]["reached"])
        offset = float(own["clock"]["offset"])
        # Ids contain the time, so the clock must not go back, even if the wall clock has.
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
        world.save(is_clock_moved=True)
        return world

    # ----------------------------------------------------------------- saved

    def save(self, *, is_clock_moved: bool = False) -> set[MessageKey]:
        """Store everything that has changed since the last call. Return the changed messages.

        With `is_clock_moved` the time is stored even if nothing else has changed, and before the clock jumps.
        """
        changes = self.engine.take_changes()
        upserts: list[tuple[str, str, str]] = []
        deleted: list[tuple[str, str]] = []
        for key in changes.messages:
            record = self.engine.message_record(key)
            if record is None:
                self._known.discard(key)
                deleted.append(("message", str(key[1])))
                continue
            if key not in self._known:
                self._known.add(key)
                self._mark_unread(key)
            upserts.append(("message", str(key[1]), _json(record)))
        if changes.commands is not None:
            self._add_if_changed(upserts, changes.commands)
        present = set()
        for small in [*self.engine.world_records(), *self._own_records()]:
            present.add(small[:2])
            self._add_if_changed(upserts, small)
        for lost in [one for one in self._written if one not in present and one[0] not in ("commands", "clock")]:
            del self._written[lost]
            deleted.append(lost)
        if upserts or deleted or changes.added or changes.dropped or is_clock_moved:
            clock = {"offset": self.offset, "reached": self.engine.now().isoformat()}
            upserts.append(("clock", "all", _json(clock)))
            self.store.write(records=upserts, deleted=deleted, content=changes.added.items(), dropped=changes.dropped)
        return changes.messages

    def _add_if_changed(self, upserts: list[tuple[str, str, str]], record: tuple[str, str, Any]) -> None:
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

    def _mark_unread(self, key: MessageKey) -> None:
        author = self.engine.author_of(key)
        pinged = set(self.engine.list_pings(key))
        for person in self.people:
            if person != author and self.engine.message(person, key) is not None:
                seen = self.seen_by(person, key[0])
                seen.unread = True
                seen.mentions += person in pinged

    def seen_by(self, user: int, channel: int) -> Seen:
        return self.seen.setdefault(user, {}).setdefault(channel, Seen())

    def read(self, user: int, channel: int) -> None:
        self.seen.setdefault(user, {})[channel] = Seen()

    def mentions(self, user: int) -> int:
        """Count the mentions of a user in unread messages."""
        return sum(
            seen.mentions for channel, seen in self.seen.get(user, {}).items() if self.engine.can_read(user, channel)
        )
