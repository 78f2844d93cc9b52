"""What the bot has stored and what Discord shows, looked at behind the bot's back and compared."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.ui.buttons import Press, Verb
from highscore import replay
from highscore.game import Game, TurnOrder, apply
from highscore.notation import game_from_json, parse_event
from tests.discord.answering import UPDATE, UPDATE_LATER
from tests.discord.people import Person
from tests.discord.server import Discord
from tests.discord.state import Interaction, Message
from tests.discord.tables import presses_in, shown_in

MOVES = frozenset({Verb.START, Verb.TAKE, Verb.STOP, Verb.ROLL, Verb.SET_ASIDE})
"""What leaves a row in the log."""


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
            connection.row_factory = sqlite3.Row
            assert connection.execute("pragma integrity_check").fetchone()[0] == "ok"
            tables = {row["id"]: _table(connection, row) for row in connection.execute("select * from games")}
            rows = connection.execute("select game_id, seq, interaction_id from events").fetchall()
        moves = {row["interaction_id"]: (row["game_id"], row["seq"]) for row in rows if row["interaction_id"]}
        return cls(tables, moves, len(rows))

    # ------------------------------------------------------------------ presses

    def check_presses(self, presses: list[Pressed]) -> int:
        """Every acknowledged move is stored, and none twice; how many moves were acknowledged."""
        acknowledged = [each for each in presses if each.acknowledged and each.press.verb in MOVES]
        lost = [each for each in acknowledged if each.interaction.id not in self.moves]
        assert not lost, lost
        stored = [each for each in presses if each.interaction.id in self.moves]
        for each in stored:
            assert self.moves[each.interaction.id] == (each.press.table_id, each.press.version + 1)
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
                assert not table.open, table
                told["tables whose channel was deleted"] += 1
                continue
            assert not table.paused, table
            assert table.shown_version == table.version, table
            looks = shown_in(channel, table.id)
            newest = [look for look in looks if look.version == table.version]
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
                if message.nonce is not None and message.author is discord.world.bot:
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


def _first_version(message: Message) -> tuple[str, int] | None:
    """The table a message was sent for, and the version it showed then."""
    for components in (*(before.components for before in message.before), message.components):
        for press in presses_in(components):
            return press.table_id, press.version
    return None


def _table(connection: sqlite3.Connection, row: Any) -> Stored:
    timing = json.loads(row["timing"])
    found = Stored(
        row["id"],
        row["channel_id"],
        row["status"],
        row["version"],
        row["shown_version"],
        "paused_at" in timing,
        None if row["state"] is None else game_from_json(json.loads(row["state"])),
        [(0, 0)],
    )
    events = connection.execute("select seq, lines from events where game_id = ? order by seq", (row["id"],)).fetchall()
    (players,) = connection.execute("select count(*) from seats where game_id = ?", (row["id"],)).fetchone()
    assert len({event["seq"] for event in events}) == len(events)
    if found.game is None:
        return found
    order = TurnOrder(row["turn_order"])
    assert replay(players, order, [parse_event(line) for event in events for line in event["lines"].splitlines()]) == (
        found.game
    )
    game = Game(players, order)
    for event in events:
        for line in event["lines"].splitlines():
            game = apply(game, parse_event(line))
        finished = sum(len(done.turns) for done in game.finished)
        page = 1 + finished + len(game.played) + (1 if game.abandoned else 0)
        if page != found.pages[-1][1]:
            found.pages.append((event["seq"], page))
    return found
