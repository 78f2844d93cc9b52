"""Being away: the house plays at once where somebody waits, nobody is called; it ends by itself or by a decision."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.domain import deadlines, errors
from bot.domain.shards import Share
from bot.domain.table import Table
from bot.locales import speaking_in
from bot.services import away, daily, facts, lobby
from bot.services.core import Place, get_table
from bot.store.away import Absence
from bot.store.claims import ABSENCES, claim_due, load_claimed_row
from bot.store.rows import from_row
from highscore.events import TakeDice
from tests.bot import attempts
from tests.bot.cores import BEN, CEM, CHANNEL, GUILD, NOW, game_of, open_one
from tests.bot.services.clocked import Clocked


async def told(play: Clocked) -> list[Table]:
    changed = []
    for owed in await play.core.database.write(claim_due, ABSENCES, play.now, 10, Share()):
        row = await play.core.database.read(load_claimed_row, ABSENCES, owed)
        assert row is not None
        changed += await away.announce_absence(play.core, from_row(Absence, row))
    return changed


async def gone(play: Clocked, days: int = 3) -> None:
    await away.begin_absence(play.core, GUILD, BEN.user_id, days=days, until=None)
    await told(play)


@pytest.mark.both_databases
async def test_the_house_plays_at_once_where_somebody_waits_and_never_where_nobody_does(play: Clocked) -> None:
    await play.begin(3)
    await gone(play)
    table = await play.table()
    while game_of(table).may_act != (1,):
        table = await play.turn(game_of(table).may_act[0])
    assert table.timing.deadline is None
    assert deadlines.users_waited_for(table) == ()
    before = game_of(table).count_finished(1)
    table = await play.wait(minutes=10)
    assert game_of(table).count_finished(1) == before + 1
    turns = [*(turn for ended in game_of(table).finished for turn in ended.turns), *game_of(table).played]
    assert [turn.by_house for turn in turns if turn.seat == 1][-1]
    assert table.seats[1].misses == 0
    # The others stop: nobody waits for Ben's next turn.
    table = await play.wait(days=2)
    assert game_of(table).count_finished(1) <= before + 2
    assert table.timing.asleep_until is not None


@pytest.mark.both_databases
async def test_it_ends_at_its_date_and_then_there_is_time_for_the_turn(play: Clocked) -> None:
    await play.begin(2)
    await gone(play, days=1)
    assert (await play.table()).seats[1].away_until == NOW + timedelta(days=1)
    assert await told(play) == []
    play.now += timedelta(days=1)
    assert await away.get_absence_end(play.core, GUILD, BEN.user_id) is None
    (table,) = await told(play)
    assert table.seats[1].away_until is None
    later = play.now + timedelta(days=9)
    assert await play.core.database.write(claim_due, ABSENCES, later, 10, Share()) == [], "nothing of it is kept"


@pytest.mark.both_databases
async def test_it_ends_with_the_first_decision_anywhere_on_the_server(play: Clocked) -> None:
    core = play.core
    await play.begin(2)
    other = await open_one(core, CEM, channel_id=CHANNEL + 1)
    await lobby.join_table(core, other.id, BEN)
    await gone(play)
    assert [(await get_table(core, each)).is_away(BEN.user_id) for each in (play.table_id, other.id)] == [True, True]
    table = await play.table()
    while 1 not in game_of(table).may_act:
        table = await play.turn(game_of(table).may_act[0])
    table = await play.decide(1, TakeDice())
    assert not table.is_away(BEN.user_id)
    assert await away.get_absence_end(core, GUILD, BEN.user_id) is None
    assert [each.id for each in await told(play)] == [other.id]
    assert not (await get_table(core, other.id)).is_away(BEN.user_id)


async def test_it_ends_with_the_days_challenge_begun_or_played_on_and_tables_are_told_at_once(
    play: Clocked,
) -> None:
    core = play.core
    await play.begin(2)
    woken: list[bool] = []
    core.facts.subscribe(facts.CameBack, lambda _fact: woken.append(True))
    await gone(play)
    for _again in range(2):
        attempt = await daily.begin_attempt(core, BEN, Place(GUILD, CHANNEL, "en"))
    assert woken == [True]
    (table,) = await told(play)
    assert not table.is_away(BEN.user_id)
    await gone(play)
    await attempts.decide(core, daily.DAYS, attempt)
    assert await away.get_absence_end(core, GUILD, BEN.user_id) is None


async def test_a_day_is_written_as_people_write_it(play: Clocked) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    day = (NOW + timedelta(days=5)).astimezone(berlin)
    for written in (f"{day:%Y-%m-%d}", f" {day.day}.{day.month}. ", f"{day.day}. {day.month}. {day.year}"):
        assert away.parse_day(written, NOW, berlin).date() == day.date()
    with speaking_in("de"):
        for written in (f"{day.day}/{day.month}", f"{day.day}/{day.month}/{day.year}", f"{day.day}-{day.month}"):
            assert away.parse_day(written, NOW, berlin).date() == day.date()
    for wrong in (f"{day.day}/{day.month}", "tomorrow", "2026-02-30", "24", "2026-13-01", ""):
        with pytest.raises(errors.Refused, match="list"):
            away.parse_day(wrong, NOW, berlin)
    for until in (f"{NOW:%Y-%m-%d}", f"{NOW + timedelta(days=away.MOST_DAYS + 5):%Y-%m-%d}"):
        with pytest.raises(errors.Refused, match="You can be away for at most 60 days"):
            await away.begin_absence(play.core, GUILD, BEN.user_id, days=None, until=until)
