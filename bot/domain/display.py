"""The next request to Discord that brings a table's messages in its channel up to date.

It is found by comparing the messages that should be there with those that are. There should be the opening, a record of
each complete round, and a message with the current screen. The messages that Discord has acknowledged are in four
fields of ``Table`` (``message_id``, the live message; ``shown_screen``, ``shown_content_version`` and ``log``) and in
``KnownMessages``. One step is taken at a time, and its outcome is stored before the next one (docs/architecture.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from bot.domain.calendar import QuietHours, add_awake
from bot.domain.notify import Call, CallKind, Notify, Wishes, continues_message, does_screen_call, users_called
from bot.domain.screens import OPENING, record_of, records_after
from bot.domain.table import Status, Table


class SimpleStep(Enum):
    """The steps that have no parameters."""

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
    """Messages that may show older content, because the outcome of an edit is unknown or an old button was pressed."""
    lost: int | None = None
    """The live message if it was deleted, or is too old for the bot's own edits. An answer can edit it at any age."""
    without_buttons: int | None = None
    """The live message if its screen is over and its buttons were removed."""
    calling: frozenset[int] = frozenset()
    """Messages that mention a user who has not acted since. They are not deleted yet."""
    unconfirmed_send: bool = False
    """True if the bot may have sent a message whose id it does not know. Sending the message again could duplicate it,
    because Discord has forgotten the nonce, or because the nonce has changed."""
    shown_by_other_process: bool = False
    """True if another process was the last to show the table. Look for its messages before sending a new one."""
    other_process_until: datetime | None = None
    """Another process may be sending a message until this time."""
    obstacle: SimpleStep | None = None
    """The step to take first, because Discord refuses all requests to the channel."""


NOTHING_KNOWN = KnownMessages()


@dataclass(frozen=True, slots=True)
class Request:
    """The kind of request that is available for a step: an answer that edits or sends one message, or the bot's own."""

    edits: int | None = None
    sends: bool = False
    """True for an answer that sends a message. It mentions nobody, and it has no nonce."""
    picked_in: int | None = None
    """The version of the table at which the player picked dice, which are shown but not stored. None for any other
    press."""

    @property
    def is_to_channel(self) -> bool:
        """True for the bot's own request to the channel, which does not answer an interaction."""
        return self.edits is None and not self.sends


CHANNEL, ANSWER = Request(), Request(sends=True)


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is no step: everything is shown, or this request cannot show what is missing."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until this time, so that another process can store the message that it is sending."""

    until: datetime


@dataclass(frozen=True, slots=True)
class FindMessages:
    """Look in the channel for messages that were sent but whose ids are unknown."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send a screen as a new message, which becomes the live message unless the screen is a record."""

    screen: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Edit a message to show a screen. If the screen is a record, the message is no longer the live one."""

    message_id: int
    screen: int


@dataclass(frozen=True, slots=True)
class RemoveButtons:
    """Take the buttons off a message that a newer one has replaced or is about to replace."""

    message_id: int


@dataclass(frozen=True, slots=True)
class BeginGame:
    """Draw the start player and the first card. The id of the opening is part of the source of all dice and cards."""

    opening_id: int


Step = Nothing | Wait | FindMessages | Send | Edit | RemoveButtons | BeginGame | SimpleStep
NOTHING = Nothing()


def next_step(table: Table, known: KnownMessages = NOTHING_KNOWN, request: Request = CHANNEL) -> Step:
    """Return the next step that a request can take. The first case that applies counts."""
    live, lost = table.message_id, known.lost if request.is_to_channel else None
    if request.is_to_channel and known.obstacle is not None:
        return known.obstacle
    if table.content_version < table.shown_content_version or table.screen < table.shown_screen:
        return NOTHING  # A newer version of the table has already been shown.
    if request.is_to_channel and known.unconfirmed_send:
        return FindMessages()
    if request.edits is not None and (request.edits != live or live in table.permanent_messages):
        return _find_step_for_other_message(table, known, request.edits)
    if table.awaits_opening and table.shown_screen == OPENING and live is not None:
        return BeginGame(live) if request.is_to_channel else NOTHING
    if records := unsent_records(table):
        return _make_record(table, known, request, records[0])
    if request.sends:
        # An answer pings nobody. So the bot itself sends the opening, and screens that ping somebody.
        turned = live is not None and not does_message_stay(table) and users_called(table)
        return NOTHING if turned or table.awaits_opening else _make_live_message(table, known, request)
    if live is not None and live != lost and does_message_stay(table):
        if table.is_unshown or live in known.doubtful or request.picked_in == table.version:
            return Edit(live, table.screen)
    elif request.edits is not None:
        return NOTHING if known.without_buttons == live else RemoveButtons(request.edits)
    else:
        return _make_live_message(table, known, request)
    if request.is_to_channel and (doubtful := known.doubtful.intersection(table.log)):
        return Edit(min(doubtful), record_screen(table, min(doubtful)))
    if request.is_to_channel and table.timing.cannot_post and table.status.open:
        return SimpleStep.RESUME_TABLE
    return NOTHING


def _find_step_for_other_message(table: Table, known: KnownMessages, message_id: int) -> Step:
    """Return the step for a press on a message that is not the live one."""
    if message_id in table.log:
        return Edit(message_id, record_screen(table, message_id)) if message_id in known.doubtful else NOTHING
    unknown = table.message_id is None or message_id > table.message_id
    return NOTHING if unknown or message_id == table.opening_id else RemoveButtons(message_id)


def _make_record(table: Table, known: KnownMessages, request: Request, screen: int) -> Step:
    """Return the step that makes a record: edit the message of the round's last turn, or send a new one.

    An answer sends no record. If it cannot edit that message, it takes the buttons off the pressed one.
    """
    if request.sends:
        return NOTHING
    if request.is_to_channel and (first := _find_step_before_sending(known)) is not None:
        return first
    live, lost = table.message_id, known.lost if request.is_to_channel else None
    if live is not None and live != lost and table.shows_round(screen):
        return Edit(live, screen)
    if request.edits is not None:
        return NOTHING if known.without_buttons == live else RemoveButtons(request.edits)
    return Send(screen)


def _make_live_message(table: Table, known: KnownMessages, request: Request) -> Step:
    """Return the step that sends a new live message. First, an old one that still pings somebody loses its buttons."""
    live = table.message_id
    done = {*table.permanent_messages, known.without_buttons, known.lost}
    if request.is_to_channel and live is not None and live in known.calling - done:
        return RemoveButtons(live)
    return (_find_step_before_sending(known) if request.is_to_channel else None) or Send(table.screen)


def _find_step_before_sending(known: KnownMessages) -> Step | None:
    """Return the step to take first if another process may have sent a message; otherwise None."""
    if known.other_process_until is not None:
        return Wait(known.other_process_until)
    return FindMessages() if known.shown_by_other_process else None


def does_message_stay(table: Table) -> bool:
    """Return whether the live message can show the current screen. If not, a new message is needed."""
    return table.message_id is not None and (table.shown_screen == table.screen or continues_message(table))


def unsent_records(table: Table) -> tuple[int, ...]:
    """Return the screens of the records that are not in the channel yet, in order."""
    return () if table.game is None else tuple(records_after(table.game, table.shown_screen))


def record_screen(table: Table, message_id: int) -> int:
    """Return the screen of the record that a message shows."""
    assert table.game is not None
    return record_of(table.game, table.log.index(message_id))


def does_screen_last(table: Table) -> bool:
    """Return whether the live message stays in use after Discord has refused to edit it because of its age.

    During a game in own pace it does, because one message shows the whole game. Otherwise the table gets a new message.
    """
    return table.status is Status.PLAYING and not table.turn_order.shared


def calls_of(table: Table, wishes: Mapping[int, Wishes], quiet: QuietHours | None, now: datetime) -> tuple[Call, ...]:
    """Return the calls for the users in ``wishes``.

    The screen mentions users who want to be pinged in the channel. A separate message is planned for users who want a
    direct one. It is also planned for the others in quiet hours, to be sent after these, or if the screen pings nobody
    (``does_screen_call``). Users who want no calls get none.
    """
    later = quiet is not None and quiet.contains(now)
    calls = []
    for user_id, wish in wishes.items():
        if wish.notify is Notify.CHANNEL and not later and does_screen_call(table):
            calls.append(Call(user_id, table.id, CallKind.SCREEN.value, table.deadline_scope, now, sent_at=now))
        elif wish.notify is not Notify.NONE:
            due = add_awake(now, 0, quiet)
            calls.append(Call(user_id, table.id, CallKind.MESSAGE.value, table.deadline_scope, due))
    return tuple(calls)


def calls_to_store(table: Table, message_id: int, calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Return the calls to store: those that still have to be sent and, during a game with shared dice, those that the
    screen in message ``message_id`` has made."""
    waits = table.status is Status.PLAYING and table.turn_order.shared and not table.awaits_opening
    return tuple(
        call if call.sent_at is None else replace(call, message_id=message_id)
        for call in calls
        if call.sent_at is None or waits
    )
