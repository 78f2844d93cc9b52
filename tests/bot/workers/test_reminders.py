"""Reminders: one at half time, the way each person prefers, and never a nuisance."""

from datetime import datetime, time, timedelta

import discord
import pytest

from bot.discord_api.messages import Offer
from bot.domain.notify import Notify
from bot.domain.table import Table
from bot.services import away, cancelling, deadlines, setup
from bot.services.core import Core
from bot.store.reminders import is_reminder_pending
from bot.ui.text import table_link
from bot.workers import reminders, worker
from highscore import TakeDice, TurnOrder
from highscore.deck import ROUNDS
from tests.bot.cores import CHANNEL, GUILD, PEOPLE, game_of, on_turn
from tests.bot.services.clocked import Clocked
from tests.bot.workers.posting import FORBIDDEN, UNAVAILABLE, Channels, refusal, run, run_until

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
USERS = [person.user_id for person in PEOPLE]


class Reminded:
    """A table whose clock is turned, and the worker that reminds its people."""

    def __init__(self, core: Core) -> None:
        self.play = Clocked(core)
        self.channels = Channels()
        self.core = core
        self.worker = self.restart()

    def restart(self) -> reminders.Reminding:
        self.worker = reminders.Reminding(self.core, worker.Clock(self.core.now), self.channels, self._show)
        return self.worker

    async def _show(self, table: Table, offer: Offer) -> int | None:
        raise AssertionError(f"table {table.id} has no standings to be shown")

    async def until(self, moment: datetime | None, more: timedelta = timedelta()) -> None:
        """Let time pass until so long after (or before) a moment; everything is done when it is due."""
        assert moment is not None
        end = moment + more
        while (due := (await self.play.table()).timing.wake_at) is not None and due <= end:
            await run_until(self.worker, self.core, self.play, due)
            await self.play.wait_until(due)
        await run_until(self.worker, self.core, self.play, end)

    @property
    def called(self) -> list[tuple[int, ...]]:
        return [post.called for post in self.channels.posts]


@pytest.fixture
def reminded(core: Core) -> Reminded:
    return Reminded(core)


async def test_one_reminder_comes_at_half_time_as_a_mention(reminded: Reminded) -> None:
    table = await reminded.play.begin()
    await reminded.until(table.timing.remind_at, -SECOND)
    assert reminded.called == []
    await reminded.until(table.timing.remind_at)
    (post,) = reminded.channels.posts
    assert (post.channel_id, post.called) == (CHANNEL, (on_turn(table),))
    assert table.timing.deadline is not None
    assert f"<t:{int(table.timing.deadline.timestamp())}:R>" in post.text
    assert post.buttons == ("Go to the table",)
    await reminded.until(table.timing.deadline, -SECOND)
    assert reminded.channels.tries == [post]


TAKES_NONE = refusal(403, 50007)
NO_ACCOUNT = refusal(400, 50033)
NO_COMMON_SERVER = refusal(403, 50278)


@pytest.mark.parametrize(
    ("ways", "trouble", "channel", "direct"),
    [
        (["dm"], None, 0, 1),
        (["dm"], TAKES_NONE, 1, 0),
        (["dm"], NO_ACCOUNT, 1, 0),
        (["dm"], NO_COMMON_SERVER, 1, 0),
        (["none"], None, 0, 0),
        (["none", "channel"], None, 1, 0),
    ],
)
async def test_everybody_is_reminded_as_they_like_it(
    reminded: Reminded, ways: list[str], trouble: discord.HTTPException | None, channel: int, direct: int
) -> None:
    reminded.channels.direct_trouble = trouble
    for way in ways:
        for user_id in USERS[:2]:
            await away.set_wishes(reminded.core, user_id, Notify(way))
    table = await reminded.play.begin()
    await reminded.until(table.timing.deadline, -SECOND)
    assert reminded.called == [(on_turn(table),)] * channel
    assert reminded.channels.direct == [on_turn(table)] * direct
    assert reminded.channels.links == [table_link(table)] * direct


@pytest.mark.parametrize("order", [TurnOrder.CLOCKWISE, TurnOrder.OPEN])
async def test_a_table_that_wakes_reminds_nobody_a_second_time_of_the_same_turn(
    reminded: Reminded, order: TurnOrder
) -> None:
    table = await reminded.play.begin(3, order)
    while table.timing.asleep_until is None:
        await reminded.until(table.timing.wake_at)
        table = await reminded.play.table()
    once = reminded.called
    slow = game_of(table).to_play[0]
    assert table.seats[slow].user_id in once[-1]
    woken = await reminded.play.press((slow + 1) % 3)
    assert woken.timing.asleep_until is None
    await reminded.until(woken.timing.deadline, -SECOND)
    assert reminded.called == once


async def act(reminded: Reminded, order: TurnOrder) -> int:
    """Have a player whom the table waits for begin to play. Return the player."""
    table = await reminded.play.table()
    seat = table.seat_of(on_turn(table)) or 0
    if order.shared:
        await reminded.play.decide(seat, TakeDice())
    else:
        await reminded.play.decide_alone(PEOPLE[seat], TakeDice(), game_of(table).find_run(seat).step.number)
    user_id = PEOPLE[seat].user_id
    reminded.core.clicks[table.id, user_id] = reminded.core.now()
    return user_id


def times_called(reminded: Reminded, user_id: int) -> int:
    return sum(user_id in called for called in reminded.called) + reminded.channels.direct.count(user_id)


@pytest.mark.parametrize("way", [Notify.CHANNEL, Notify.DIRECT])
@pytest.mark.parametrize("order", TurnOrder)
@pytest.mark.parametrize("after", [-2 * MINUTE, 2 * MINUTE])
async def test_a_player_who_has_just_acted_is_reminded_five_minutes_later_if_they_are_gone_by_then(
    reminded: Reminded, order: TurnOrder, way: Notify, after: timedelta
) -> None:
    """They act before the reminder is due, or act again while it waits."""
    for user_id in USERS[:2]:
        await away.set_wishes(reminded.core, user_id, way)
    table = await reminded.play.begin(2, order)
    if after > timedelta():
        await reminded.until(table.timing.remind_at, -SECOND)
        reminded.core.clicks[table.id, on_turn(table)] = reminded.core.now()
    await reminded.until(table.timing.remind_at, after)
    user_id = await act(reminded, order)
    until = reminded.play.now + reminders.PRESENT
    await reminded.until(until, -SECOND)
    assert times_called(reminded, user_id) == 0
    await reminded.until(until, SECOND)
    assert times_called(reminded, user_id) == 1
    await reminded.until(until, 10 * MINUTE)
    assert times_called(reminded, user_id) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize("order", TurnOrder)
async def test_who_has_finished_before_a_reminder_that_was_put_off_gets_none(
    reminded: Reminded, order: TurnOrder
) -> None:
    table = await reminded.play.begin(2, order)
    await reminded.until(table.timing.remind_at, -MINUTE)
    user_id = await act(reminded, order)
    await reminded.until(table.timing.remind_at, MINUTE)
    if order.shared:
        await reminded.play.turn(table.seat_of(user_id) or 0)
    else:
        await reminded.play.cards(PEOPLE[table.seat_of(user_id) or 0], ROUNDS)
        # Otherwise no other table could remind them in the meantime.
        assert not await reminded.core.database.read(is_reminder_pending, table.id, user_id)
    await reminded.until(reminded.play.now, 10 * MINUTE)
    assert times_called(reminded, user_id) == 0


async def missed(reminded: Reminded) -> Table:
    """Return a reminder of the table's first two that the channel has not taken; the first of them gets a direct
    message."""
    await away.set_wishes(reminded.core, USERS[0], Notify.DIRECT)
    table = await reminded.play.begin(2, TurnOrder.OPEN)
    reminded.channels.trouble[CHANNEL] = [UNAVAILABLE]
    await reminded.until(table.timing.remind_at)
    assert reminded.called == []
    return table


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_reminder_discord_did_not_take_is_sent_later_and_once(reminded: Reminded, stopped: bool) -> None:
    table = await missed(reminded)
    if stopped:
        await reminded.worker.close()
        await run(reminded.restart())
        await run(reminded.restart())
    await reminded.until(table.timing.remind_at, 5 * MINUTE)
    assert reminded.called == [(USERS[1],)]
    assert reminded.channels.direct == [USERS[0]]
    assert len({post.nonce for post in reminded.channels.tries}) == 1


async def test_a_reminder_after_an_outage_names_no_time_that_is_over(reminded: Reminded) -> None:
    table = await missed(reminded)
    assert table.timing.deadline is not None
    reminded.channels.trouble[CHANNEL] = [UNAVAILABLE] * 100
    await run_until(reminded.worker, reminded.core, reminded.play, table.timing.deadline - SECOND)
    reminded.channels.trouble.clear()
    over = table.timing.deadline
    await run_until(reminded.worker, reminded.core, reminded.play, over)
    assert reminded.called == []
    after = await deadlines.act_on_due(reminded.core, table, reachable_since=over + SECOND)
    assert after.timing.deadline is not None
    await run_until(reminded.worker, reminded.core, reminded.play, over + MINUTE)
    (post,) = reminded.channels.posts
    assert f"<t:{int(after.timing.deadline.timestamp())}:R>" in post.text


@pytest.mark.parametrize("code", [50013, 50035])
async def test_a_reminder_that_discord_refuses_is_not_repeated(reminded: Reminded, code: int) -> None:
    table = await reminded.play.begin()
    reminded.channels.trouble[CHANNEL] = [FORBIDDEN if code == 50013 else refusal(400, code)]
    await reminded.until(table.timing.deadline, -SECOND)
    assert len(reminded.channels.tries) == 1
    assert reminded.called == []


async def test_who_has_to_agree_to_cancel_is_called_as_they_like_and_by_day(reminded: Reminded) -> None:
    for user_id, way in zip(USERS[1:], Notify, strict=False):
        await away.set_wishes(reminded.core, user_id, way)
    await setup.change_settings(reminded.core, GUILD, zone="UTC", quiet_from=time(12), quiet_to=time(20))
    table = await reminded.play.begin(5, TurnOrder.OWN_PACE)
    for person in PEOPLE[1:4]:
        await reminded.play.cards(person)
    await cancelling.cancel_table(reminded.core, table.id, PEOPLE[0])
    await run(reminded.worker)
    assert (reminded.called, reminded.channels.direct) == ([], []), "in quiet hours nobody is called"
    await reminded.until(reminded.play.now, timedelta(hours=8))
    assert (reminded.called, reminded.channels.direct) == ([(USERS[1],)], [USERS[2]])
    assert "Do you agree?" in reminded.channels.posts[0].text
    await reminded.play.cards(PEOPLE[4])
    await run(reminded.worker)
    assert reminded.called == [(USERS[1],), (USERS[4],)], "whose agreement it takes only since then"
    await reminded.play.cards(PEOPLE[0])
    await cancelling.cancel_table(reminded.core, table.id, PEOPLE[0])
    await run(reminded.worker)
    assert reminded.called[2:] == [(USERS[1], USERS[4])], "another request after the round"
    nonces = [post.nonce for post in reminded.channels.posts]
    assert len(set(nonces)) == len(nonces), "or Discord would take one for a repetition of the one before"
