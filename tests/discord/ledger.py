"""Ledger: the rows the bot has stored and the messages Discord shows, read behind the bot's back and compared."""

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

from bot.store.database import Database, parse_url
from bot.ui.buttons import RunPress, Verb
from highscore import Decided, Game, TurnOrder, apply_event, notation, replay_events
from tests.discord import people, server
from tests.discord.state import UPDATE, UPDATE_LATER, Channel, Interaction, Message
from tests.discord.tables import Press, presses_in, shown_in, version_of

MOVES = frozenset({Verb.START, Verb.TAKE, Verb.STOP, Verb.ROLL, Verb.SET_ASIDE})
"""The verbs that add a row to the log."""
LENIENT = frozenset({Verb.START, Verb.BACK})
"""The verbs that do not depend on the version that was looked at."""
LOBBY = frozenset({Verb.JOIN, Verb.LEAVE, Verb.START})
"""The verbs that only a lobby offers."""


QUERIES = (
    """
    select id, channel_id, status, version, shown_content_version < content_version, turn_order, timing, state,
        opening_id, log
    from games
    """,
    "select game_id, seq, interaction_id, lines from events order by game_id, seq",
    "select game_id, seat, user_id, house from seats",
    "select message_id from old_messages",
)
"""The queries for the ledger: tables, their events and seats, and messages still to be deleted."""
Rows = Sequence[Any]
Step = tuple[str, int, int]
"""A step of a run in own pace: table, seat, and its number."""


@dataclass(frozen=True)
class Pressed:
    person: people.Person
    press: Press
    interaction: Interaction

    @property
    def acknowledged(self) -> bool:
        """True if the one who pressed saw the table after their move."""
        late = self.interaction.callback == UPDATE_LATER and self.interaction.edits > 0
        return self.interaction.callback == UPDATE or late


@dataclass
class Stored:
    id: str
    own_pace: bool
    channel_id: int
    status: str
    version: int
    is_unshown: bool
    paused: bool
    game: Game | None
    opening_id: int | None
    log: list[int]
    """The messages of its records."""
    pages: list[tuple[int, int]] = field(default_factory=list)
    """The first version of each page, with its number; not in own pace, where versions are only public."""
    steps: dict[Step, int | None] = field(default_factory=dict)
    """By step at which something was decided in own pace: the interaction that decided it, or None for the house."""

    @property
    def open(self) -> bool:
        return self.status in ("lobby", "playing")

    def page(self, press: Press) -> int:
        """Return the page of the message with this button when it was sent."""
        if self.own_pace and self.game is not None:
            return 2 if isinstance(press, RunPress) else 0 if press.verb in LOBBY else 4
        version = version_of(press)
        return self.pages[bisect_right(self.pages, (version, 10**6)) - 1][1]


@dataclass
class Ledger:
    """The whole database, read at once."""

    tables: dict[str, Stored]
    moves: dict[int, tuple[str, int]]
    """Table and version, in own pace the number in its log, by interaction."""
    rows: int
    seats: dict[tuple[str, int], int]
    """The seats by table and user."""
    house: frozenset[tuple[str, int]] = frozenset()
    """The seats that the house plays, by table and number."""
    old: frozenset[int] = frozenset()
    """Messages that are still to be deleted, or wait for whom they have called."""

    @classmethod
    def read(cls, database: Path) -> Ledger:
        """Read everything; every log has to lead to its state, without a gap."""
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("begin")
            assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
            assert connection.execute("pragma foreign_key_check").fetchall() == []
            found = [connection.execute(query).fetchall() for query in QUERIES]
        return cls.of(*found)

    @classmethod
    async def read_at(cls, url: str) -> Ledger:
        """Read either kind of database, to which nobody writes."""
        parsed = parse_url(url)
        if parsed.get_backend_name() == "sqlite":
            return cls.read(Path(parsed.database or ""))
        database = Database(parsed)
        try:
            async with database.snapshot() as connection:
                return cls.of(*[(await connection.exec_driver_sql(query)).fetchall() for query in QUERIES])
        finally:
            await database.close()

    @classmethod
    def of(cls, games: Rows, events: Rows, seats: Rows, old: Rows) -> Ledger:
        """Make a ledger of the results of ``QUERIES``, all of one moment."""
        logs: dict[str, list[Any]] = defaultdict(list)
        for event in events:
            logs[event[0]].append(event)
        players = Counter(row[0] for row in seats)
        sitting = {(table_id, user): seat for table_id, seat, user, _house in seats}
        replaced = frozenset((row[0], row[1]) for row in seats if row[3] is not None)
        tables = {row[0]: _table(row, logs[row[0]], players[row[0]]) for row in games}
        moves = {event[2]: (event[0], event[1]) for event in events if event[2] is not None}
        assert len(moves) == sum(event[2] is not None for event in events)
        return cls(tables, moves, len(events), sitting, replaced, frozenset(row[0] for row in old))

    # ------------------------------------------------------------------ presses

    def check_presses(self, presses: list[Pressed]) -> int:
        """Check that every acknowledged move is stored, and none twice; return the number of acknowledged moves."""
        acknowledged = [each for each in presses if each.acknowledged and each.press.verb in MOVES]
        lost = [each for each in acknowledged if each.interaction.id not in self.moves and not self._was_late(each)]
        assert not lost, lost
        stored = [each for each in presses if each.interaction.id in self.moves]
        for each in stored:
            table_id, version = self.moves[each.interaction.id]
            assert table_id == each.press.table_id, each
            if isinstance(each.press, RunPress):
                step = table_id, self.seats[table_id, each.person.id], each.press.step
                assert self.tables[table_id].steps[step] == each.interaction.id, each
                continue
            # A start or a return may name an older version. A decision may not.
            later = version > each.press.version and each.press.verb in LENIENT
            assert later or version == each.press.version + 1 or self.tables[table_id].own_pace, each
        versions = Counter(self.moves[each.interaction.id] for each in stored)
        assert set(versions.values()) <= {1}
        return len(acknowledged)

    def _was_late(self, each: Pressed) -> bool:
        """Return whether a press in own pace came after its step: then the page was turned to the present one."""
        table = self.tables[each.press.table_id]
        if not isinstance(each.press, RunPress):
            return False
        seat = self.seats[table.id, each.person.id]
        # The house may not have come to that step when the bot was killed.
        over = (table.id, seat) in self.house or (table.game is not None and table.game.abandoned)
        return over or (table.id, seat, each.press.step) in table.steps

    # ------------------------------------------------------------------ messages

    def check_shown(self, discord: server.Discord) -> None:
        """Check that every open table is on one message at its newest version."""
        for table in self.tables.values():
            channel = discord.world.channel(table.channel_id)
            if channel is None:
                # Nobody waits for anything, whether the bot knows that yet or not.
                assert not table.open or not table.is_unshown, table
                continue
            assert not table.paused, table
            assert not table.is_unshown, table
            looks = shown_in(channel, table.id)
            newest = [look for look in looks if look.version == table.version or look.own_pace]
            # A message that cannot be edited any more keeps what it showed, and may have been replaced.
            newest = [look for look in newest if not look.message.too_old] or newest
            assert len(newest) == 1 or not table.open, (table, looks)
            assert not any(look.version > table.version for look in looks)
            self.check_log(table, channel)

    def check_logs(self, discord: server.Discord) -> None:
        """Do ``check_log`` for all tables whose channels are there and whose newest version is shown just now."""
        for table in self.tables.values():
            channel = discord.world.channel(table.channel_id)
            if channel is not None and not table.is_unshown:
                self.check_log(table, channel)

    def check_log(self, table: Stored, channel: Channel) -> None:
        """Check that a table has at most nine messages, one of them with buttons, and that its records stay."""
        waiting = self.old if table.open else frozenset()
        there = [one for one in channel.shown if _belongs(one, table) and one.id not in waiting]
        assert len(there) <= MOST_MESSAGES, (table, [(one.id, one.nonce, one.text[:80]) for one in there])
        rounds = 0 if table.game is None else len(table.game.finished)
        if table.own_pace:
            # The message with everybody's progress, once nobody can play any more.
            rounds = int(table.game is not None and table.game.over)
            if rounds and not table.log:
                # It was cancelled before Discord took that message.
                assert table.status == "abandoned", table
                return
        assert len(table.log) == rounds, table
        for number, message_id in enumerate(table.log, 1):
            message = channel.messages[message_id]
            assert not message.taken_back, (table, number)
            if not message.too_old:
                assert table.own_pace or f"Round {number} of " in message.text, (table, number, message.text)
                assert not message.components, (table, number)

    def check_messages(self, discord: server.Discord) -> None:
        """Check that a page has one message, unless that was reported gone, and calls and reminds nobody twice."""
        sent: dict[tuple[str, int], list[Message]] = defaultdict(list)
        gone: Counter[tuple[str, int]] = Counter()
        called: Counter[tuple[int, str, int]] = Counter()
        reminded: Counter[tuple[int, str]] = Counter()
        for message in discord.world.messages():
            if message.ephemeral:
                continue
            first = _first_press(message)
            if first is None or (message.nonce is not None and _REMINDER.match(message.nonce)):
                if message.nonce is not None and _OPENING.match(message.nonce):
                    sent[message.nonce[:12], 1].append(message)
                    assert message.edited is None, "Discord marks what was edited, and this is what people compare with"
                    called.update((user_id, message.nonce[:12], 1) for user_id in message.notified)
                elif message.nonce is not None and (record := _RECORD.match(message.nonce)):
                    sent[record[1], -int(record[2])].append(message)
                    gone[record[1], -int(record[2])] += message.deleted and not message.taken_back
                elif message.nonce is not None and message.author is discord.world.bot:
                    # Such as one that has the standings with it, and their buttons.
                    reader = message.channel.recipient
                    # A message without an acknowledgement is sent again, after some minutes as another one.
                    for user_id in message.notified if reader is None else (reader.id,):
                        reminded[user_id, message.nonce] += message.heard
                continue
            if first.table_id not in self.tables:
                continue
            page = first.table_id, self.tables[first.table_id].page(first)
            if (message.deleted and not message.taken_back) or message.too_old:
                # Also those that were edited to another version of their page: a page may be posted again for each.
                gone[page] += 1
            if message.nonce is not None:
                sent[page].append(message)
                called.update((user_id, *page) for user_id in message.notified)
        for page, messages in sent.items():
            assert len(messages) <= 1 + gone[page], (page, _around(messages))
        assert set(called.values()) <= {1}, called.most_common(3)
        assert set(reminded.values()) <= {0, 1}, reminded.most_common(3)


def _around(messages: list[Message]) -> list[str]:
    """Return the messages from the one before a page on, if that page was sent twice."""
    there = sorted(messages[0].channel.messages.values(), key=lambda each: each.id)
    return [
        f"{each.id} {each.nonce or each.by_interaction} {'taken back' if each.taken_back else ''} {each.text[:60]!r}"
        for each in there[max(0, there.index(messages[0]) - 1) :][:8]
    ]


def _belongs(message: Message, table: Stored) -> bool:
    """Return whether a message shows a table, or has shown it."""
    if message.id == table.opening_id or message.id in table.log or (message.nonce or "").startswith(f"{table.id}."):
        return True
    return any(press.table_id == table.id for components in message.looks for press in presses_in(components))


MOST_MESSAGES = 9
"""The opening, seven records, the standings; while it is played, the page instead of these."""
_OPENING = re.compile(r"[0-9a-f]{12}\.1\.")
"""The nonce of a message that opens a game."""
_REMINDER = re.compile(r"[a-z][0-9a-f]{12}\.")
_RECORD = re.compile(r"([0-9a-f]{12})\.(\d+)\.")
"""The nonce of a record that has a message of its own."""


def _first_press(message: Message) -> Press | None:
    """Return a button that a message had when it was sent, which names the table and its version."""
    return next((press for components in message.looks for press in presses_in(components)), None)


def _table(row: Any, log: list[Any], players: int) -> Stored:
    table_id, channel_id, status, version, is_unshown, turn_order, timing, state, opening_id, log_ids = row
    game = None if state is None else notation.decode_game(json.loads(state))
    paused = "paused_at" in json.loads(timing)
    order = TurnOrder(turn_order)
    own_pace = not order.shared
    about = table_id, own_pace, channel_id, status, version, bool(is_unshown), paused, game, opening_id
    found = Stored(*about, json.loads(log_ids), [(0, 0)])
    numbers = [seq for _table_id, seq, *_more in log]
    assert numbers == [*range(len(log))] if own_pace else len(set(numbers)) == len(numbers)
    if game is None:
        return found
    events = [[notation.parse_event(line) for line in lines.splitlines()] for *_ids, lines in log]
    assert replay_events(players, order, [event for together in events for event in together]) == game
    replayed = Game(players, order)
    for (_table_id, seq, interaction_id, _lines), together in zip(log, events, strict=True):
        for event in together:
            if own_pace and isinstance(event, Decided):
                step = table_id, event.seat, replayed.find_run(event.seat).step.number
                assert step not in found.steps, "decided twice"
                found.steps[step] = interaction_id
            replayed = apply_event(replayed, event)
        if own_pace:
            continue
        finished = sum(len(done.turns) for done in replayed.finished)
        page = 1 if replayed.start_seat is None else 2 + finished + len(replayed.played)
        page += 1 if replayed.abandoned else 0
        if page != found.pages[-1][1]:
            found.pages.append((seq, page))
    return found
