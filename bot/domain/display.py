"""The next step to show a table in its channel, found by comparing what should be there with what is there.

The table says what should be there: the opening, a record of each complete round, then the current page. Two sources
say what Discord has acknowledged: the fields ``message_id`` (the live message), ``shown_page``, ``shown_picture`` and
``log`` of ``Table``, and ``KnownMessages``. One step is taken at a time, and its outcome is stored before the next one:
docs/architecture.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from bot.domain.calendar import QuietHours, add_awake
from bot.domain.notify import Call, CallKind, Notify, Wishes, continues_page, does_page_call, users_called
from bot.domain.pages import OPENING, record_of, records_after
from bot.domain.table import Status, Table


class SimpleStep(Enum):
    """The steps without details."""

    REOPEN_THREAD = "reopen thread"
    PAUSE_TABLE = "pause table"
    """Stop the table's clock, because the bot may not post."""
    RESUME_TABLE = "resume table"
    """Restart the table's clock, because earlier steps have shown that the bot may post again."""
    CLOSE_TABLE = "close table"
    """Close the table, because its channel was deleted."""


@dataclass(frozen=True, slots=True)
class KnownMessages:
    """What this process knows about a table's messages in addition to the table's row."""

    doubtful: frozenset[int] = frozenset()
    """Messages that may show older content: the outcome of an edit is unknown, or an old button was pressed."""
    lost: int | None = None
    """The live message if it was deleted or is too old to be edited."""
    without_buttons: int | None = None
    """The live message if its page is over and its buttons were removed."""
    calling: frozenset[int] = frozenset()
    """Messages that mention a user who has not acted since. They are not deleted yet."""
    unconfirmed_send: bool = False
    """True if the channel may have an unknown message and repeating its nonce would not return it, but send another."""
    shown_by_other_process: bool = False
    """True if another process has shown the table last. Look for its messages before sending a new one."""
    other_process_until: datetime | None = None
    """The time until which another process may still send what it has committed."""
    obstacle: SimpleStep | None = None
    """The step to take first, because Discord refuses every request to the channel."""


NOTHING_KNOWN = KnownMessages()


@dataclass(frozen=True, slots=True)
class Request:
    """The request to Discord that can take a step: an answer that edits or sends one message, or the bot's own one."""

    edits: int | None = None
    """The message that an answer edits."""
    sends: bool = False
    """True for an answer that sends a message. It mentions nobody, and it has no nonce."""
    picked_in: int | None = None
    """The version of the table in which the player has picked dice. Picked dice are not stored, only shown."""

    @property
    def is_to_channel(self) -> bool:
        """True for the bot's own request to the channel, which answers no interaction."""
        return self.edits is None and not self.sends


CHANNEL, ANSWER = Request(), Request(sends=True)
"""The bot's own request, and an answer that sends a message."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """No step: everything is shown, or this request cannot show what is missing."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until a time for another process to store what it is sending."""

    until: datetime


@dataclass(frozen=True, slots=True)
class FindMessages:
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
class RemoveButtons:
    """Take the buttons off a message whose page is over."""

    message_id: int


@dataclass(frozen=True, slots=True)
class BeginGame:
    """Draw the first dice and cards, from the id of the opening."""

    opening_id: int


Step = Nothing | Wait | FindMessages | Send | Edit | RemoveButtons | BeginGame | SimpleStep
NOTHING = Nothing()


def next_step(table: Table, known: KnownMessages = NOTHING_KNOWN, request: Request = CHANNEL) -> Step:
    """Return the next step of a table that a request can take: the first case that applies, from top to bottom."""
    live, lost = table.message_id, known.lost if request.is_to_channel else None
    if request.is_to_channel and known.obstacle is not None:
        return known.obstacle
    if table.picture < table.shown_picture or table.page < table.shown_page:
        return NOTHING  # Of two changes of the table the later one was shown first.
    if request.is_to_channel and known.unconfirmed_send:
        return FindMessages()
    if request.edits is not None and (request.edits != live or live in table.kept):
        return _elsewhere(table, known, request.edits)
    if table.awaits_opening and table.shown_page == OPENING and live is not None:
        return BeginGame(live) if request.is_to_channel else NOTHING
    if records := owed_records(table):
        return _make_record(table, known, request, records[0])
    if request.sends:
        # An answer calls nobody, so the bot itself sends the opening and pages that call somebody.
        turned = live is not None and not does_message_stay(table) and users_called(table)
        return NOTHING if turned or table.awaits_opening else _follow(table, known, request)
    if live is not None and live != lost and does_message_stay(table):
        if table.owed or live in known.doubtful or request.picked_in == table.version:
            return Edit(live, table.page)
    elif request.edits is not None:
        return NOTHING if known.without_buttons == live else RemoveButtons(request.edits)
    else:
        return _follow(table, known, request)
    if request.is_to_channel and (doubtful := known.doubtful.intersection(table.log)):
        return Edit(min(doubtful), record_page(table, min(doubtful)))
    if request.is_to_channel and table.timing.cannot_post and table.status.open:
        return SimpleStep.RESUME_TABLE
    return NOTHING


def _elsewhere(table: Table, known: KnownMessages, message_id: int) -> Step:
    """Return the step for a message that is not the live one, on which somebody has pressed."""
    if message_id in table.log:
        return Edit(message_id, record_page(table, message_id)) if message_id in known.doubtful else NOTHING
    unknown = table.message_id is None or message_id > table.message_id
    return NOTHING if unknown or message_id == table.opening_id else RemoveButtons(message_id)


def _make_record(table: Table, known: KnownMessages, request: Request, page: int) -> Step:
    """Return the step to a record: an edit of the message of the round's last turn, or a message of its own."""
    if request.sends:
        return NOTHING
    if request.is_to_channel and (first := _after_others(known)) is not None:
        return first
    live, lost = table.message_id, known.lost if request.is_to_channel else None
    if live is not None and live != lost and table.shows_round(page):
        return Edit(live, page)
    if request.edits is not None:
        return NOTHING if known.without_buttons == live else RemoveButtons(request.edits)
    return Send(page)


def _follow(table: Table, known: KnownMessages, request: Request) -> Step:
    """Return the step to a new live message; one that calls somebody, and stays for that, loses its buttons first."""
    live = table.message_id
    if request.is_to_channel and live in known.calling and live not in (*table.kept, known.without_buttons, known.lost):
        return RemoveButtons(live or 0)
    return (_after_others(known) if request.is_to_channel else None) or Send(table.page)


def _after_others(known: KnownMessages) -> Step | None:
    """Return the step that comes before any new message if another process may have sent one."""
    if known.other_process_until is not None:
        return Wait(known.other_process_until)
    return FindMessages() if known.shown_by_other_process else None


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
