"""What the bot has stored and what Discord shows, looked at behind the bot's back and compared."""

from __future__ import annotations

import json
import re
import sqlite3
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.ui.buttons import Press, Verb
from highscore import replay
from highscore.game import Game, apply
from highscore.notation import game_from_json, parse_event
from highscore.turn_order import TurnOrder
from tests.discord.answering import UPDATE, UPDATE_LATER
from tests.discord.people import Person
from tests.discord.server import Discord
from tests.discord.state import Interaction, Message
from tests.discord.tables import presses_in, shown_in

MOVES = frozenset({Verb.START, Verb.TAKE, Verb.STOP, Verb.ROLL, Verb.SET_ASIDE})
"""What leaves a row in the log."""
LENIENT = frozenset({Verb.START, Verb.BACK})
"""What does not depend on the version that was looked at."""


QUERIES = (
    "select id, channel_id, status, version, shown_version, turn_order, timing, state from games",
    "select game_id, seq, interaction_id, lines from events order by game_id, seq",
    "select game_id, count(*) from seats group by game_id",
)
"""What the ledger is made of: tables, their events, and how many sit there."""
Rows = Sequence[Any]


@dataclass(frozen=True)
class Pressed:
    """A press that somebody made."""

    person: Person
    press: Press
    interaction: Interaction

    @property
    def acknowledged(self) -> bool:
        """Whether the one who pressed saw the table after their move."""
        late = self.interaction.callback == UPDATE_LATER and self.interaction.edits > 0
        return self.interaction.callback == UPDATE or late


@dataclass
class Stored:
    """A table as it is in the database."""

    id: str
    channel_id: int
    status: str
    version: int
    shown_version: int
    paused: bool
    game: Game | None
    pages: list[tuple[int, int]] = field(default_factory=list)
    """From which version on it was on which page."""

    @property
    def open(self) -> bool:
        return self.status in ("lobby", "playing")

    def page(self, version: int) -> int:
        """Which page a version of the table was on."""
        return self.pages[bisect_right(self.pages, (version, 10**6)) - 1][1]


@dataclass
class Ledger:
    """The whole database, read at once."""

    tables: dict[str, Stored]
    moves: dict[int, tuple[str, int]]
    """By interaction: table and version."""
    rows: int

    @classmethod
    def read(cls, database: Path) -> Ledger:
        """Read everything; every log has to lead to its state, without a gap."""
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("begin")
            assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
            assert connection.execute("pragma foreign_key_check").fetchall() == []
            games, events, seats = (connection.execute(query).fetchall() for query in QUERIES)
        return cls.of(games, events, seats)

    @classmethod
    def of(cls, games: Rows, events: Rows, seats: Rows) -> Ledger:
        """The same from what ``QUERIES`` have found, of one moment."""
        logs: dict[str, list[Any]] = defaultdict(list)
        for event in events:
            logs[event[0]].append(event)
        people = dict(seats)
        tables = {row[0]: _table(row, logs[row[0]], people.get(row[0], 0)) for row in games}
        moves = {event[2]: (event[0], event[1]) for event in events if event[2] is not None}
        assert len(moves) == sum(event[2] is not None for event in events)
        return cls(tables, moves, len(events))

    # ------------------------------------------------------------------ presses

    def check_presses(self, presses: list[Pressed]) -> int:
        """Every acknowledged move is stored, and none twice; how many moves were acknowledged."""
        acknowledged = [each for each in presses if each.acknowledged and each.press.verb in MOVES]
        lost = [each for each in acknowledged if each.interaction.id not in self.moves]
        assert not lost, lost
        stored = [each for each in presses if each.interaction.id in self.moves]
        for each in stored:
            table_id, version = self.moves[each.interaction.id]
            assert table_id == each.press.table_id, each
            # Whoever starts or comes back may do so looking at an older picture; whoever decides may not.
            later = version > each.press.version and each.press.verb in LENIENT
            assert later or version == each.press.version + 1, each
        versions = Counter(self.moves[each.interaction.id] for each in stored)
        assert set(versions.values()) <= {1}
        return len(acknowledged)

    # ------------------------------------------------------------------ messages

    def check_shown(self, discord: Discord) -> Counter[str]:
        """Every open table is on one message at its newest version. Returns what else there was to see."""
        told: Counter[str] = Counter()
        for table in self.tables.values():
            channel = discord.world.channel(table.channel_id)
            if channel is None:
                # Whether it knows that yet or not: nobody waits for anything.
                assert not table.open or table.shown_version == table.version, table
                told["tables whose channel was deleted"] += 1
                continue
            assert not table.paused, table
            assert table.shown_version == table.version, table
            looks = shown_in(channel, table.id)
            newest = [look for look in looks if look.version == table.version]
            # A message that cannot be edited any more keeps what it showed, and may have been replaced.
            newest = [look for look in newest if not look.message.too_old] or newest
            assert len(newest) == 1 or not table.open, (table, looks)
            assert not any(look.version > table.version for look in looks)
            told["messages that kept old buttons"] += len(looks) - len(newest)
            told["open tables" if table.open else "games"] += 1
        return told

    def check_messages(self, discord: Discord) -> Counter[str]:
        """One message a page, unless it was reported gone; nobody is called twice for a page, nor reminded twice."""
        told: Counter[str] = Counter()
        sent: dict[tuple[str, int], list[Message]] = defaultdict(list)
        gone: Counter[tuple[str, int]] = Counter()
        called: Counter[tuple[int, str, int]] = Counter()
        reminded: Counter[tuple[int, str]] = Counter()
        for message in discord.world.messages():
            if (version := _first_version(message)) is None:
                if message.nonce is not None and _OPENING.match(message.nonce):
                    sent[message.nonce[:12], 1].append(message)
                    told["openings"] += 1
                    assert message.edited is None, "Discord marks what was edited, and this is what people compare with"
                elif message.nonce is not None and message.author is discord.world.bot:
                    told["reminders"] += 1
                    reader = message.channel.recipient
                    for user_id in message.notified if reader is None else (reader.id,):
                        reminded[user_id, message.nonce] += 1
                continue
            table_id, shown = version
            if table_id not in self.tables:
                continue
            page = table_id, self.tables[table_id].page(shown)
            if message.deleted or message.too_old:
                # Also those that were edited to another version of their page: a page may be posted anew for each.
                gone[page] += 1
            if message.nonce is not None:
                sent[page].append(message)
                told["pages"] += 1
                called.update((user_id, *page) for user_id in message.notified)
                told["mentions"] += len(message.notified)
        for page, messages in sent.items():
            assert len(messages) <= 1 + gone[page], (page, [(each.id, each.nonce) for each in messages])
        assert set(called.values()) <= {1}, called.most_common(3)
        assert set(reminded.values()) <= {1}, reminded.most_common(3)
        return told


_OPENING = re.compile(r"[0-9a-f]{12}\.1\.")
"""The nonce of a message that opens a game."""


def _first_version(message: Message) -> tuple[str, int] | None:
    """The table a message was sent for, and the version it showed then."""
    for components in (*(before.components for before in message.before), message.components):
        for press in presses_in(components):
            return press.table_id, press.version
    return None


def _table(row: Any, log: list[Any], players: int) -> Stored:
    table_id, channel_id, status, version, shown_version, turn_order, timing, state = row
    game = None if state is None else game_from_json(json.loads(state))
    paused = "paused_at" in json.loads(timing)
    found = Stored(table_id, channel_id, status, version, shown_version, paused, game, [(0, 0)])
    numbers = [seq for _table_id, seq, *_more in log]
    assert len(set(numbers)) == len(numbers)
    if game is None:
        return found
    order = TurnOrder(turn_order)
    events = [[parse_event(line) for line in lines.splitlines()] for *_ids, lines in log]
    assert replay(players, order, [event for together in events for event in together]) == game
    replayed = Game(players, order)
    for seq, together in zip(numbers, events, strict=True):
        for event in together:
            replayed = apply(replayed, event)
        finished = sum(len(done.turns) for done in replayed.finished)
        page = 1 if replayed.start_seat is None else 2 + finished + len(replayed.played)
        page += 1 if replayed.abandoned else 0
        if page != found.pages[-1][1]:
            found.pages.append((seq, page))
    return found
