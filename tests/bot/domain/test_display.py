from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, time
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.calendar import QuietHours
from bot.domain.display import (
    ANSWER,
    CHANNEL,
    NOTHING,
    NOTHING_KNOWN,
    BeginGame,
    Edit,
    FindMessages,
    KnownMessages,
    Nothing,
    RemoveButtons,
    Request,
    Send,
    SimpleStep,
    Step,
    Wait,
    calls_of,
    calls_to_store,
    does_screen_last,
    next_step,
    unsent_records,
)
from bot.domain.notify import Call, CallKind, Notify, Wishes
from bot.domain.screens import FIRST_TURN, LOBBY, OPENING, record_of
from bot.domain.table import Seat, Status, Table
from highscore import Decided, Game, TurnOrder, list_decisions, play_event
from tests.bot.ui.tables import table_of

LIVE, LATER, OLDER, BEFORE = 50, 60, 40, 10
NOW = datetime(2026, 1, 1, tzinfo=UTC)
RECORD = record_of(Game(2, TurnOrder.CLOCKWISE), 0)


@cache
def play_game(order: TurnOrder = TurnOrder.CLOCKWISE) -> tuple[Table, ...]:
    """Return a table of two at each of its versions, from the lobby to the end. Nothing of it is shown."""
    seats = tuple(Seat(100 + at, name) for at, name in enumerate(("Ada", "Ben")))
    lobby = replace(table_of(0, order), host_id=100, version=1, content_version=1, seats=seats)
    opening = replace(lobby, status=Status.PLAYING, version=2, content_version=2, screen_since=2, game=Game(2, order))
    tables = [lobby, opening]
    source = replace(opening, opening_id=BEFORE).source
    game, _events = play_event(Game(2, order), None, source, opening.deck)
    while True:
        before = tables[-1]
        status = Status.FINISHED if game.complete else Status.PLAYING
        number = before.version + 1
        after = replace(before, version=number, content_version=number, game=game, opening_id=BEFORE, status=status)
        tables.append(replace(after, screen_since=number if after.screen != before.screen else before.screen_since))
        if game.complete:
            return tuple(tables)
        seat = game.may_act[0]
        game, _events = play_event(game, Decided(seat, list_decisions(game, seat)[-1]), source, after.deck)


def show(table: Table, of: Table | None = None, message_id: int = LIVE) -> Table:
    """Return the table with a message that shows it, or an earlier version of it."""
    of = of or table
    return replace(table, message_id=message_id, shown_content_version=of.content_version, shown_screen=of.screen)


def find_screen(screen: int) -> Table:
    return next(table for table in play_game() if table.screen == screen)


LOBBY_NOW, OPENED, TURN, NEXT_TURN = (
    play_game()[0],
    play_game()[1],
    find_screen(FIRST_TURN),
    find_screen(FIRST_TURN + 1),
)
ROLLED = play_game()[play_game().index(TURN) + 1]
ROUND = find_screen(RECORD + 1)
ENDED = show(ROUND, NEXT_TURN)
GOES_ON = replace(show(ROUND), log=(OLDER,))
PAUSED = show(replace(TURN, timing=replace(TURN.timing, paused_at=NOW)))
PRESS = Request(edits=LIVE)

ALL_SHOWN, STARTED = show(TURN), show(OPENED, LOBBY_NOW)
ROLL, TURN_OVER = show(ROLLED, TURN), show(NEXT_TURN, TURN)
LIVE_IN_DOUBT, OLDER_IN_DOUBT = KnownMessages(frozenset({LIVE})), KnownMessages(frozenset({OLDER}))

CASES: Mapping[str, tuple[Table, KnownMessages, Request, Step]] = {
    "nothing was shown": (LOBBY_NOW, NOTHING_KNOWN, CHANNEL, Send(LOBBY)),
    "nothing was shown, a command asks": (LOBBY_NOW, NOTHING_KNOWN, ANSWER, Send(LOBBY)),
    "all is there": (ALL_SHOWN, NOTHING_KNOWN, CHANNEL, NOTHING),
    "all is there, a press": (ALL_SHOWN, NOTHING_KNOWN, PRESS, NOTHING),
    "all is there, a command moves it": (ALL_SHOWN, NOTHING_KNOWN, ANSWER, Send(FIRST_TURN)),
    "all is there, dice were picked": (ALL_SHOWN, NOTHING_KNOWN, replace(PRESS, picked_in=TURN.version), Edit(LIVE, 2)),
    "dice were picked before": (ALL_SHOWN, NOTHING_KNOWN, replace(PRESS, picked_in=TURN.version - 1), NOTHING),
    "a roll": (ROLL, NOTHING_KNOWN, CHANNEL, Edit(LIVE, FIRST_TURN)),
    "a roll, its press": (ROLL, NOTHING_KNOWN, PRESS, Edit(LIVE, FIRST_TURN)),
    "a roll, the press before was slower": (show(TURN, ROLLED), LIVE_IN_DOUBT, PRESS, NOTHING),
    "a roll on a message that is gone": (ROLL, KnownMessages(lost=LIVE), CHANNEL, Send(FIRST_TURN)),
    "a roll on one too old, its press": (ROLL, KnownMessages(lost=LIVE), PRESS, Edit(LIVE, FIRST_TURN)),
    "the content is in doubt": (ALL_SHOWN, LIVE_IN_DOUBT, CHANNEL, Edit(LIVE, FIRST_TURN)),
    "the game is started": (STARTED, NOTHING_KNOWN, CHANNEL, Send(OPENING)),
    "the game is started, its press": (STARTED, NOTHING_KNOWN, PRESS, RemoveButtons(LIVE)),
    "the same once it was answered": (STARTED, KnownMessages(without_buttons=LIVE), PRESS, NOTHING),
    "the game is started, a command": (STARTED, NOTHING_KNOWN, ANSWER, NOTHING),
    "the game is started, nothing was shown, a command": (OPENED, NOTHING_KNOWN, ANSWER, NOTHING),
    "the opening has arrived": (show(OPENED), NOTHING_KNOWN, CHANNEL, BeginGame(LIVE)),
    "the opening has arrived, a press": (show(OPENED), NOTHING_KNOWN, PRESS, NOTHING),
    "a press on the opening": (ALL_SHOWN, NOTHING_KNOWN, Request(edits=BEFORE), NOTHING),
    "the next turn": (TURN_OVER, NOTHING_KNOWN, CHANNEL, Send(FIRST_TURN + 1)),
    "the next turn, its press": (TURN_OVER, NOTHING_KNOWN, PRESS, RemoveButtons(LIVE)),
    "the next turn, a command": (TURN_OVER, NOTHING_KNOWN, ANSWER, NOTHING),
    "the screen still calls somebody": (
        TURN_OVER,
        KnownMessages(calling=frozenset({LIVE})),
        CHANNEL,
        RemoveButtons(LIVE),
    ),
    "it calls and is closed": (
        *(TURN_OVER, KnownMessages(calling=frozenset({LIVE}), without_buttons=LIVE), CHANNEL),
        Send(FIRST_TURN + 1),
    ),
    "the round has ended": (ENDED, NOTHING_KNOWN, CHANNEL, Edit(LIVE, RECORD)),
    "the round has ended, its press": (ENDED, NOTHING_KNOWN, PRESS, Edit(LIVE, RECORD)),
    "the round has ended, a command": (ENDED, NOTHING_KNOWN, ANSWER, NOTHING),
    "a round has ended since its press": (show(ROUND, LOBBY_NOW), NOTHING_KNOWN, PRESS, RemoveButtons(LIVE)),
    "a round has ended since its press, which was answered": (
        show(ROUND, LOBBY_NOW),
        KnownMessages(without_buttons=LIVE),
        PRESS,
        NOTHING,
    ),
    "the round has ended on a message that is gone": (ENDED, KnownMessages(lost=LIVE), CHANNEL, Send(RECORD)),
    "its record is there": (
        replace(show(ROUND), shown_screen=RECORD, log=(LIVE,)),
        NOTHING_KNOWN,
        CHANNEL,
        Send(RECORD + 1),
    ),
    "its record is there, the press before was slower": (
        replace(
            show(play_game()[play_game().index(ROUND) - 1], ROUND),
            shown_content_version=ROUND.content_version - 1,
            shown_screen=RECORD,
        ),
        NOTHING_KNOWN,
        replace(PRESS, picked_in=ROUND.version - 1),
        NOTHING,
    ),
    "a press on a record": (GOES_ON, NOTHING_KNOWN, Request(edits=OLDER), NOTHING),
    "a press on a record that may be older": (GOES_ON, OLDER_IN_DOUBT, Request(edits=OLDER), Edit(OLDER, RECORD)),
    "a record is in doubt": (GOES_ON, OLDER_IN_DOUBT, CHANNEL, Edit(OLDER, RECORD)),
    "a press on a screen that others have followed": (
        ALL_SHOWN,
        NOTHING_KNOWN,
        Request(edits=OLDER),
        RemoveButtons(OLDER),
    ),
    "a press on a screen that nobody has noted": (ALL_SHOWN, NOTHING_KNOWN, Request(edits=LATER), NOTHING),
    "a screen whose reply was lost": (ALL_SHOWN, KnownMessages(unconfirmed_send=True), CHANNEL, FindMessages()),
    "a screen of another process": (TURN_OVER, KnownMessages(shown_by_other_process=True), CHANNEL, FindMessages()),
    "an edit of another process": (ROLL, KnownMessages(shown_by_other_process=True), CHANNEL, Edit(LIVE, FIRST_TURN)),
    "another process is sending": (TURN_OVER, KnownMessages(other_process_until=NOW), CHANNEL, Wait(NOW)),
    "another process is making a record": (ENDED, KnownMessages(other_process_until=NOW), CHANNEL, Wait(NOW)),
    "another process is making a record, a press": (
        ENDED,
        KnownMessages(other_process_until=NOW),
        PRESS,
        Edit(LIVE, RECORD),
    ),
    "an archived thread": (ROLL, KnownMessages(obstacle=SimpleStep.REOPEN_THREAD), CHANNEL, SimpleStep.REOPEN_THREAD),
    "a permission is missing": (ROLL, KnownMessages(obstacle=SimpleStep.PAUSE_TABLE), CHANNEL, SimpleStep.PAUSE_TABLE),
    "a permission is missing, a press": (
        ROLL,
        KnownMessages(obstacle=SimpleStep.PAUSE_TABLE),
        PRESS,
        Edit(LIVE, FIRST_TURN),
    ),
    "the channel is gone": (ROLL, KnownMessages(obstacle=SimpleStep.CLOSE_TABLE), CHANNEL, SimpleStep.CLOSE_TABLE),
    "paused, and it may post again": (PAUSED, LIVE_IN_DOUBT, CHANNEL, Edit(LIVE, FIRST_TURN)),
    "paused, and it has posted": (PAUSED, NOTHING_KNOWN, CHANNEL, SimpleStep.RESUME_TABLE),
}


@pytest.mark.parametrize("case", CASES)
def test_the_next_step(case: str) -> None:
    table, known, request, step = CASES[case]
    assert next_step(table, known, request) == step


def note_step(table: Table, step: Step, message_id: int) -> tuple[Table, KnownMessages]:
    match step:
        case Send(screen) if screen in unsent_records(table):
            return replace(
                table, message_id=message_id, shown_screen=screen, log=(*table.log, message_id)
            ), NOTHING_KNOWN
        case Edit(edited, screen) if edited not in table.log and screen in unsent_records(table):
            return replace(table, shown_screen=screen, log=(*table.log, edited)), NOTHING_KNOWN
        case Send() | Edit():
            live = step.message_id if isinstance(step, Edit) else message_id
            if live in table.log:
                return table, NOTHING_KNOWN
            return show(table, message_id=live), NOTHING_KNOWN
        case RemoveButtons(closed):
            return table, KnownMessages(without_buttons=closed)
    return table, NOTHING_KNOWN


SOMETHING = st.builds(
    KnownMessages,
    doubtful=st.frozensets(st.sampled_from([OLDER, LIVE])),
    lost=st.sampled_from([None, LIVE]),
    without_buttons=st.sampled_from([None, LIVE]),
    calling=st.frozensets(st.just(LIVE)),
    unconfirmed_send=st.booleans(),
    shown_by_other_process=st.booleans(),
)


@given(st.sampled_from(TurnOrder), st.integers(0), st.integers(0), SOMETHING)
def test_the_steps_end_with_what_should_be_there(order: TurnOrder, then: int, since: int, known: KnownMessages) -> None:
    """Whatever content was shown last, on a message that is there or not."""
    tables = [table for table in play_game(order) if not table.awaits_opening]
    table = tables[then % len(tables)]
    before = tables[since % (then % len(tables) + 1)]
    records = () if before.game is None else tuple(BEFORE + 1 + at for at in range(len(unsent_records(before))))
    table = replace(show(table, before), log=records)
    steps: list[Step] = []
    while not isinstance(step := next_step(table, known), Nothing):
        assert len(steps) < 30, steps
        assert not isinstance(step, Edit | RemoveButtons) or step.message_id != table.opening_id
        if isinstance(step, Edit) and step.message_id in table.log:
            assert step.screen == record_of(played(table), table.log.index(step.message_id))
        table, known = note_step(table, step, LATER + len(steps))
        steps.append(step)
    assert len(set(steps)) == len(steps), "no step is taken twice"
    assert (table.shown_screen, table.shown_content_version) == (table.screen, table.content_version)
    assert unsent_records(table) == ()
    assert len(set(table.log)) == len(table.log) == (0 if table.game is None else len(all_records(table)))


def played(table: Table) -> Game:
    assert table.game is not None
    return table.game


def all_records(table: Table) -> tuple[int, ...]:
    return unsent_records(replace(table, shown_screen=LOBBY))


@given(st.sampled_from(TurnOrder), st.integers(0), st.integers(0), SOMETHING, st.sampled_from([PRESS, ANSWER]))
def test_an_answer_calls_nobody_and_takes_no_step_that_is_not_the_next(
    order: TurnOrder, then: int, since: int, known: KnownMessages, request: Request
) -> None:
    tables = [table for table in play_game(order) if not table.awaits_opening]
    table = tables[then % len(tables)]
    table = show(table, tables[since % (then % len(tables) + 1)])
    step = next_step(table, known, request)
    answers = Edit if request.edits else Send
    assert isinstance(step, Nothing | RemoveButtons | answers)
    if isinstance(step, Send):
        assert not unsent_records(table)


WISHES = {100: Wishes(), 101: Wishes(Notify.DIRECT), 102: Wishes(Notify.NONE)}
MORNING = NOW.replace(hour=8)
INVITED = replace(LOBBY_NOW, timing=replace(LOBBY_NOW.timing, seats_reserved_until=MORNING))


def by_screen(table: Table, user_id: int, message_id: int | None = None) -> Call:
    return Call(user_id, table.id, CallKind.SCREEN.value, table.deadline_scope, NOW, sent_at=NOW, message_id=message_id)


def by_message(table: Table, user_id: int, due: datetime = NOW) -> Call:
    return Call(user_id, table.id, CallKind.MESSAGE.value, table.deadline_scope, due)


@pytest.mark.parametrize(
    ("table", "quiet_until", "first"),
    [
        (NEXT_TURN, None, by_screen(NEXT_TURN, 100)),
        (NEXT_TURN, 0, by_screen(NEXT_TURN, 100)),
        (NEXT_TURN, 8, by_message(NEXT_TURN, 100, MORNING)),
        (INVITED, None, by_message(INVITED, 100)),
    ],
    ids=["a turn", "after quiet hours", "in quiet hours", "an invitation"],
)
def test_a_screen_calls_who_wants_that_and_no_hours_are_quiet(
    table: Table, quiet_until: int | None, first: Call
) -> None:
    """Everybody else who wants to be called is by a message: a direct one, or later."""
    quiet = None if quiet_until is None else QuietHours(time(22), time(quiet_until), ZoneInfo("UTC"))
    second = by_message(table, 101, MORNING if quiet_until else NOW)
    assert calls_of(table, WISHES, quiet, NOW) == (first, second)


@pytest.mark.parametrize(
    ("table", "stands"),
    [(NEXT_TURN, True), (OPENED, False), (play_game(TurnOrder.OWN_PACE)[2], False), (play_game()[-1], False)],
    ids=["a turn", "the opening", "own pace", "the end"],
)
def test_the_call_of_a_screen_stands_where_that_is_followed_by_another(table: Table, stands: bool) -> None:
    direct = by_message(table, 101)
    noted = (by_screen(table, 100, LIVE), direct) if stands else (direct,)
    assert calls_to_store(table, LIVE, (by_screen(table, 100), direct)) == noted


@pytest.mark.parametrize("order", TurnOrder)
def test_only_the_progress_of_own_pace_may_stay_as_it_is(order: TurnOrder) -> None:
    lobby, _opening, playing, *_more, over = play_game(order)
    assert [does_screen_last(table) for table in (lobby, playing, over)] == [False, order is TurnOrder.OWN_PACE, False]
