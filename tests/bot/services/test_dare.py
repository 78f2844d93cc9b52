"""Dares: whose dice can be offered, who can take them, what they are compared with, and what is left of them."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.challenge import Attempt
from bot.domain.cup_leg import Match
from bot.domain.dare import MOST_SHOWN, Dare, Dares, match_dare, own_results
from bot.domain.errors import Refused
from bot.domain.shards import Share
from bot.domain.table import Table
from bot.services import cancelling, challenge, daily, dare, leaderboard, privacy
from bot.services.core import Core, Person, Place, get_table
from bot.services.history import load_statistics
from bot.store.claims import SHARED_MESSAGES, claim_due
from bot.store.dare import find_message, load_dares
from bot.store.schema import migrate_database, run_alembic
from bot.store.table import load_events
from highscore import TurnOrder
from highscore.events import Decided, Event, Rolled
from highscore.proof import read_export, verify_export
from tests.bot.attempts import decide, play
from tests.bot.cores import ADA, BEN, CHANNEL, DOT, EVE, GUILD, game_of
from tests.bot.games import Club, people
from tests.bot.services.clocked import Clocked
from tests.highscore.referee import check

pytestmark = pytest.mark.both_databases

MESSAGE = 4711


async def finish_game(core: Core, order: TurnOrder = TurnOrder.CLOCKWISE, house_turns: int = 0) -> Table:
    """Return a finished game of Ada and Ben, in which the house played so many of Ada's last turns."""
    club = Club(core, core.now(), games=house_turns)
    table = await club.open(people(ADA.user_id, BEN.user_id), GUILD, order)
    return await club.play_on(table, by_house={0: house_turns})


async def offer(core: Core, table: Table, person: Person = ADA) -> Dare:
    dares, _message = await dare.offer_dare(core, table.id, person)
    return next(each for each in dares.dares if each.user_id == person.user_id)


async def finish(core: Core, offered: Dare, person: Person = DOT) -> Attempt[Dare]:
    return await play(core, dare.DARES, await dare.take_dare(core, offered.id, person, CHANNEL))


async def is_due(core: Core, minutes: float) -> bool:
    now = core.now() + timedelta(minutes=minutes)
    return MESSAGE in await core.database.write(claim_due, SHARED_MESSAGES, now, 10, Share())


def own_part(events: tuple[Event, ...], seat: int) -> list[Decided | Rolled]:
    """Return the decisions of a seat in a game, and the dice that followed."""
    found, last = list[Decided | Rolled](), -1
    for event in events:
        last = event.seat if isinstance(event, Decided) else last
        if isinstance(event, Decided | Rolled) and last == seat:
            found.append(event)
    return found


@pytest.mark.parametrize("order", TurnOrder, ids=lambda order: order.value)
async def test_the_same_choices_give_the_dice_of_the_game(core: Core, order: TurnOrder) -> None:
    table = await finish_game(core, order)
    events = await core.database.read(load_events, table.id)
    for person, seat in ((ADA, 0), (BEN, 1)):
        attempt = await dare.take_dare(core, (await offer(core, table, person)).id, DOT, CHANNEL)
        played = own_part(tuple(events), seat)
        for event in played:
            if isinstance(event, Decided):
                attempt = await decide(core, dare.DARES, attempt, event.decision)
        assert [event for event in own_part(attempt.events, 0) if isinstance(event, Rolled)] == [
            event for event in played if isinstance(event, Rolled)
        ]
        assert [turn.result for _card, turn in attempt.run.finished] == [*own_results(table, seat)]
        assert match_dare(attempt) == Match(0, 0, 7)


async def test_it_is_compared_over_the_turns_that_the_player_decided(core: Core) -> None:
    table = await finish_game(core, house_turns=3)
    assert [result is None for result in own_results(table, 0)] == [False] * 4 + [True] * 3
    attempt = await finish(core, await offer(core, table))
    assert sum(match_dare(attempt)) == 4
    with pytest.raises(Refused, match="Only players of a finished game"):
        await offer(core, await finish_game(core, house_turns=7))


async def test_only_players_offer_only_their_own_dice_of_a_game_played_to_its_end(core: Core) -> None:
    table = await finish_game(core)
    assert (await offer(core, table, BEN)).seat == 1
    again = await offer(core, table, BEN)
    assert (await core.database.read(load_dares, table)).dares == (again,), "a second press offers nothing more"
    with pytest.raises(Refused, match="Only players of a finished game"):
        await dare.offer_dare(core, table.id, DOT)
    running = await Clocked(core).begin()
    with pytest.raises(Refused, match="This is possible when the game is over"):
        await dare.offer_dare(core, running.id, ADA)
    await cancelling.cancel_table(core, running.id, ADA)
    with pytest.raises(Refused, match="Only players of a finished game"):
        await dare.offer_dare(core, running.id, ADA)


async def test_two_players_may_offer_theirs_at_the_same_time(core: Core) -> None:
    table = await finish_game(core)
    await asyncio.gather(*(dare.offer_dare(core, table.id, person) for person in (ADA, BEN, ADA, BEN)))
    assert [each.seat for each in (await core.database.read(load_dares, table)).dares] == [0, 1]


async def test_a_message_that_shows_too_few_dares_is_redrawn(core: Core) -> None:
    table = await finish_game(core)
    shown, message = await dare.offer_dare(core, table.id, ADA)
    assert message is None
    await offer(core, table, BEN)
    await dare.save_message(core, shown, MESSAGE)
    assert await is_due(core, 0)
    assert (await dare.offer_dare(core, table.id, BEN))[1] == MESSAGE


async def test_nobody_from_the_table_takes_it_and_others_take_it_once(core: Core) -> None:
    offered = await offer(core, await finish_game(core))
    for person in (ADA, BEN):
        with pytest.raises(Refused, match="You played at this table"):
            await dare.take_dare(core, offered.id, person, CHANNEL)
    done = await finish(core, offered)
    assert await dare.take_dare(core, offered.id, DOT, CHANNEL) == done
    assert (await core.database.read(load_dares, offered.table)).finished == 1
    for unknown in ("0" * 12, offered.table.id):
        with pytest.raises(Refused, match="no longer available"):
            await dare.take_dare(core, unknown, DOT, CHANNEL)


async def test_it_counts_for_nothing(core: Core) -> None:
    offered = await offer(core, await finish_game(core))
    before = await privacy.count_about(core, ADA.user_id)
    fame = await leaderboard.load_hall_of_fame(core, GUILD, 0)
    done = await finish(core, offered)
    assert (done.ranked, done.streak) == (False, 0)
    assert await load_statistics(core, GUILD, DOT.user_id) is None
    rows = (await privacy.count_about(core, DOT.user_id))[1]
    assert {name: number for name, number in rows.items() if number} == {"attempts": 1}
    assert (await privacy.count_about(core, ADA.user_id), await leaderboard.load_hall_of_fame(core, GUILD, 0)) == (
        before,
        fame,
    )


async def test_a_result_is_shown_with_others_some_minutes_later(core: Core) -> None:
    shown, _message = await dare.offer_dare(core, (await finish_game(core)).id, ADA)
    await dare.save_message(core, shown, MESSAGE)
    attempt = await dare.take_dare(core, shown.dares[0].id, DOT, CHANNEL)
    await decide(core, dare.DARES, attempt)
    assert not await is_due(core, 60), "the first decision shows nothing"
    await finish(core, shown.dares[0])
    assert not await is_due(core, 2)
    assert await is_due(core, 3)


async def test_of_hundreds_the_newest_are_read_and_all_are_counted(core: Core) -> None:
    offered = await offer(core, await finish_game(core))
    done = await finish(core, offered)
    start = core.now()
    for number in range(300):
        other = replace(done, user_id=5000 + number, finished_at=start + timedelta(seconds=number + 1))
        await challenge.change_attempt(core, DOT, lambda _connection, _now, other=other: (None, other))  # type: ignore[misc]
    dares = await core.database.read(load_dares, offered.table)
    assert (dares.finished, len(dares.newest)) == (301, MOST_SHOWN)
    assert [attempt.user_id for attempt in dares.newest] == [5299 - number for number in range(MOST_SHOWN)]


@pytest.mark.parametrize("person", [ADA, DOT], ids=["the offering player", "the one who took it"])
async def test_when_either_deletes_their_data_the_line_is_gone(core: Core, person: Person) -> None:
    table = await finish_game(core)
    shown, _message = await dare.offer_dare(core, table.id, ADA)
    await dare.save_message(core, shown, MESSAGE)
    offered = shown.dares[0]
    await finish(core, offered)
    going_on = await dare.take_dare(core, offered.id, EVE, CHANNEL)
    await privacy.erase_person(core, person)
    assert await is_due(core, 3)
    left = await core.database.read(load_dares, await get_table(core, table.id))
    assert left.newest == ()
    if person is DOT:
        assert [each.id for each in left.dares] == [offered.id]
        return
    assert left.dares == ()
    with pytest.raises(Refused, match="no longer available"):
        await decide(core, dare.DARES, going_on)
    with pytest.raises(Refused, match="no longer available"):
        await dare.take_dare(core, offered.id, DOT, CHANNEL)
    assert not any((await privacy.count_about(core, EVE.user_id))[1].values())
    with pytest.raises(Refused, match="Only players of a finished game"):
        await dare.offer_dare(core, table.id, ADA)


async def test_a_deletion_and_decisions_at_the_same_time(core: Core) -> None:
    shown, _message = await dare.offer_dare(core, (await finish_game(core)).id, ADA)
    await dare.save_message(core, shown, MESSAGE)
    takers = [Person(6000 + number, "Fay") for number in range(6)]
    attempts = [await dare.take_dare(core, shown.dares[0].id, taker, CHANNEL) for taker in takers]
    ends = await asyncio.gather(
        *(finish(core, shown.dares[0], taker) for taker in takers[:3]),
        privacy.erase_person(core, ADA),
        *(decide(core, dare.DARES, attempt) for attempt in attempts[3:]),
        return_exceptions=True,
    )
    assert {type(each) for each in ends} <= {Attempt, list, Refused}, ends
    left = [await privacy.count_about(core, taker.user_id) for taker in takers]
    assert not any(sum(rows.values()) for _wishes, rows in left)


async def test_its_dice_can_be_checked_with_the_lock_and_the_opening_of_the_game(core: Core) -> None:
    offered = await offer(core, table := await finish_game(core), BEN)
    done = await finish(core, offered)
    proof, document = await challenge.prove_challenge(core, dare.DARES, offered.id, DOT.user_id)
    export = verify_export(read_export(document)).export
    assert (export.game, export.seat, export.lock, export.opening) == (
        table.id,
        1,
        table.lock,
        table.opening_id,
    )
    assert proof.state == done.game
    assert offered.lock == table.lock
    check(json.loads(document))
    assert [str(person.user_id) in document for person in (ADA, BEN, DOT)] == [False] * 3


async def test_its_review_waits_for_the_last_card(core: Core) -> None:
    offered = await offer(core, await finish_game(core))
    await dare.take_dare(core, offered.id, DOT, CHANNEL)
    with pytest.raises(Refused, match="Play all seven cards first"):
        await challenge.review_attempt(core, dare.DARES, offered.id, DOT.user_id)
    await finish(core, offered)
    _attempt, report = await challenge.review_attempt(core, dare.DARES, offered.id, DOT.user_id)
    assert len(report.turns) == 7
    assert game_of(offered.table).complete


async def test_the_way_back_to_the_schema_before_deletes_dares_and_nothing_else(core: Core) -> None:
    shown, _message = await dare.offer_dare(core, (await finish_game(core)).id, ADA)
    await dare.save_message(core, shown, MESSAGE)
    await finish(core, shown.dares[0])
    day = await daily.begin_attempt(core, DOT, Place(GUILD, CHANNEL, "en"))
    await core.database.write(run_alembic, "downgrade", "0009")
    await migrate_database(core.database)
    assert (await privacy.count_about(core, DOT.user_id))[1]["attempts"] == 1
    assert await daily.begin_attempt(core, DOT, Place(GUILD, CHANNEL, "en")) == day
    assert await core.database.read(load_dares, shown.table) == Dares(shown.table, (), (), 0)
    assert await core.database.read(find_message, shown.table.id) is None
