"""The next step to show a table in its channel, from what should be there and what is there.

The table says what should be there: the opening, a record of each complete round, then the current page. Discord has
acknowledged what is there: ``Table.message_id`` (the live message), ``shown_page``, ``shown_picture``, ``log``, and a
``There``. Steps are taken one at a time, and the outcome of each is stored before the next: docs/architecture.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from bot.domain.notify import Call, CallKind, Notify, Wishes, continues_page, does_page_call, users_called
from bot.domain.pages import OPENING, record_of, records_after
from bot.domain.quiet_hours import QuietHours, add_awake
from bot.domain.table import Status, Table


class Do(Enum):
    """The steps without details."""

    REOPEN = "reopen"
    """Open the archived thread."""
    PAUSE = "pause"
    """Stop the table's clock: the bot may not post."""
    RESUME = "resume"
    """Let the table's clock go on: the steps before have shown that the bot may post again."""
    CLOSE_TABLE = "close table"
    """Close the table: its channel is gone."""


@dataclass(frozen=True, slots=True)
class There:
    """The state of a table's messages that its row does not tell."""

    doubtful: frozenset[int] = frozenset()
    """Messages that may not show the stored picture: after an unknown outcome, or a press on an older picture."""
    lost: int | None = None
    """The live message if it is gone or takes no more edits."""
    closed: int | None = None
    """The live message if its page is over and its buttons are gone."""
    calling: frozenset[int] = frozenset()
    """Messages that call somebody who has not acted since; such a message stays after its page."""
    unseen: bool = False
    """True if a sent message may be in the channel that its nonce would not find: a repetition would double it."""
    shown_by_another: bool = False
    """True if another process has shown the table last: its messages are looked for before a new one is sent."""
    other_until: datetime | None = None
    """The end of the time in which another process may still send what it has committed."""
    obstacle: Do | None = None
    """The step that takes away what makes Discord refuse every request to the channel, or that gives up."""


NOTHING_ELSE = There()


@dataclass(frozen=True, slots=True)
class Way:
    """The request that can take a step: an answer that edits one message, an answer that sends one, or the channel."""

    edits: int | None = None
    sends: bool = False
    """True for an answer that sends a message. It calls nobody, and Discord knows no nonce of it."""
    picked: int | None = None
    """The version on whose picture dice were picked; picked dice are only known to the message."""

    @property
    def is_channel(self) -> bool:
        """True for the bot's own request to the channel."""
        return self.edits is None and not self.sends


CHANNEL, SENDS = Way(), Way(sends=True)


@dataclass(frozen=True, slots=True)
class Nothing:
    """No step: all that should be there is there, or this way cannot add what is missing."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for another process that is sending, at most until a moment."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Find:
    """Look in the channel for messages that were sent and whose ids are unknown."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send a page as a new message. The table's page becomes the live message, a record stays."""

    page: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Edit a message to show a page. The live message becomes a record when it shows one."""

    message_id: int
    page: int


@dataclass(frozen=True, slots=True)
class Close:
    """Take the buttons off a message whose page is over."""

    message_id: int


@dataclass(frozen=True, slots=True)
class Begin:
    """Draw the first dice and cards, from the id of the opening."""

    opening_id: int


Step = Nothing | Wait | Find | Send | Edit | Close | Begin | Do
NOTHING = Nothing()


def next_step(table: Table, there: There = NOTHING_ELSE, way: Way = CHANNEL) -> Step:
    """Return the next step of a table: the first case that holds, from top to bottom."""
    live, lost = table.message_id, there.lost if way.is_channel else None
    if way.is_channel and there.obstacle is not None:
        return there.obstacle
    if table.picture < table.shown_picture or table.page < table.shown_page:
        return NOTHING  # Of two changes of the table the later one was shown first.
    if way.is_channel and there.unseen:
        return Find()
    if way.edits is not None and (way.edits != live or live in table.kept):
        return _elsewhere(table, there, way.edits)
    if table.awaits_opening and table.shown_page == OPENING and live is not None:
        return Begin(live) if way.is_channel else NOTHING
    if records := owed_records(table):
        return _make_record(table, there, way, records[0])
    if way.sends:
        # An answer calls nobody, so the bot itself sends the opening and pages that call somebody.
        turned = live is not None and not does_message_stay(table) and users_called(table)
        return NOTHING if turned or table.awaits_opening else _follow(table, there, way)
    if live is not None and live != lost and does_message_stay(table):
        if table.owed or live in there.doubtful or way.picked == table.version:
            return Edit(live, table.page)
    elif way.edits is not None:
        return NOTHING if there.closed == live else Close(way.edits)
    else:
        return _follow(table, there, way)
    if way.is_channel and (doubtful := there.doubtful.intersection(table.log)):
        return Edit(min(doubtful), record_page(table, min(doubtful)))
    return Do.RESUME if way.is_channel and table.timing.cannot_post and table.status.open else NOTHING


def _elsewhere(table: Table, there: There, message_id: int) -> Step:
    """Return the step for a message that is not the live one, on which somebody has pressed."""
    if message_id in table.log:
        return Edit(message_id, record_page(table, message_id)) if message_id in there.doubtful else NOTHING
    unknown = table.message_id is None or message_id > table.message_id
    return NOTHING if unknown or message_id == table.opening_id else Close(message_id)


def _make_record(table: Table, there: There, way: Way, page: int) -> Step:
    """Return the step to a record: an edit of the message of the round's last turn, or a message of its own."""
    if way.sends:
        return NOTHING
    if way.is_channel and (first := _after_others(there)) is not None:
        return first
    live, lost = table.message_id, there.lost if way.is_channel else None
    if live is not None and live != lost and table.shows_round(page):
        return Edit(live, page)
    if way.edits is not None:
        return NOTHING if there.closed == live else Close(way.edits)
    return Send(page)


def _follow(table: Table, there: There, way: Way) -> Step:
    """Return the step to a new live message; one that calls somebody, and stays for that, loses its buttons first."""
    live = table.message_id
    if way.is_channel and live in there.calling and live not in (*table.kept, there.closed, there.lost):
        return Close(live or 0)
    return (_after_others(there) if way.is_channel else None) or Send(table.page)


def _after_others(there: There) -> Step | None:
    """Return the step that comes before any new message if another process may have sent one."""
    if there.other_until is not None:
        return Wait(there.other_until)
    return Find() if there.shown_by_another else None


def does_message_stay(table: Table) -> bool:
    """Return whether the live message is to show the table's page."""
    return table.message_id is not None and (table.shown_page == table.page or continues_page(table))


def owed_records(table: Table) -> tuple[int, ...]:
    """Return the pages of the records that are not in the channel yet, in their order."""
    return () if table.game is None else tuple(records_after(table.game, table.shown_page))


def record_page(table: Table, message_id: int) -> int:
    """Return the page of the record that a message shows."""
    assert table.game is not None
    return record_of(table.game, table.log.index(message_id))


def does_page_last(table: Table) -> bool:
    """Return whether a page stays when Discord takes no more edits of it: in own pace one page is shown all day."""
    return table.status is Status.PLAYING and not table.turn_order.shared


def calls_of(table: Table, wishes: Mapping[int, Wishes], quiet: QuietHours | None, now: datetime) -> tuple[Call, ...]:
    """Return the calls of users by the table's page, or by a message: a direct one, or one after quiet hours."""
    later = quiet is not None and quiet.holds(now)
    calls = []
    for user_id, wish in wishes.items():
        if wish.notify is Notify.CHANNEL and not later and does_page_call(table):
            calls.append(Call(user_id, table.id, CallKind.PAGE.value, table.span, now, sent_at=now))
        elif wish.notify is not Notify.NONE:
            due = add_awake(now, 0, quiet)
            calls.append(Call(user_id, table.id, CallKind.MESSAGE.value, table.span, due))
    return tuple(calls)


def calls_to_note(table: Table, message_id: int, calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Return the calls to be stored: calls to be sent, and calls by a page if the game may wait for the people."""
    waits = table.status is Status.PLAYING and table.turn_order.shared and not table.awaits_opening
    return tuple(
        call if call.sent_at is None else replace(call, message_id=message_id)
        for call in calls
        if call.sent_at is None or waits
    )
