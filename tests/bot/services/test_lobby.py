import pytest

from bot.domain.errors import Refused, Stale
from bot.domain.table import Status, Table
from bot.services import away, cancelling, lobby
from bot.services.core import TABLES_PER_HOST, Core, Person, get_open_table, get_table
from bot.services.lobby import TableTaken, start_rematch
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, DOT, EVE, GUILD, MOD, begun, open_one, seated, started


async def test_a_long_name_is_cut_and_a_strange_one_kept_as_far_as_a_database_can(core: Core) -> None:
    table = await open_one(core, Person(1, "x" * 500))
    assert table.seats[0].name == "x" * lobby.MAX_NAME
    strange = "\u202eبن 🎲 '; drop table games; --"
    await lobby.join_table(core, table.id, Person(2, strange + "\x00\ud800"))
    assert (await get_table(core, table.id)).seats[1].name == strange


async def test_a_table_that_is_to_start_when_full_starts_with_the_last_seat(core: Core) -> None:
    for by_house in (False, True):
        table = await open_one(core, seats=3, starts_when_full=True)
        table = await lobby.join_table(core, table.id, BEN)
        assert table.status is Status.LOBBY
        table = await (
            lobby.add_house_player(core, table.id, ADA) if by_house else lobby.join_table(core, table.id, CEM)
        )
        assert (table.status, len(table.seats)) == (Status.PLAYING, 3)
        assert (await get_table(core, table.id)).seats == table.seats
        await cancelling.cancel_table(core, table.id, ADA)


async def test_a_host_who_is_alone_starts_against_the_house(core: Core) -> None:
    for seats, house in ((5, ["Abacus", "Pebble"]), (2, ["Abacus"])):
        table = await open_one(core, seats=seats)
        table = await lobby.start_alone(core, table.id, ADA)
        assert (table.status, [seat.name for seat in table.seats[1:]]) == (Status.PLAYING, house)
        assert table.turn_order is TurnOrder.CLOCKWISE
        assert table.options.allowed_seconds == core.paces[table.options.pace].allowed(TurnOrder.CLOCKWISE)
        await cancelling.cancel_table(core, table.id, ADA)
    invited = await open_one(core, seats=3, invited=(BEN,))
    with pytest.raises(Stale):
        await lobby.start_alone(core, invited.id, ADA)
    await cancelling.cancel_table(core, invited.id, ADA)
    table = await seated(core, 2)
    with pytest.raises(Stale):
        await lobby.start_alone(core, table.id, ADA)
    assert (await get_table(core, table.id)).status is Status.LOBBY


async def test_a_table_has_a_seat_for_everybody_who_is_to_sit_there_and_five_at_most(core: Core) -> None:
    for seats, house, *invited in ((2, 2), (5, 3, BEN, CEM)):
        with pytest.raises(Refused, match="at most five seats"):
            await open_one(core, seats=seats, house=house, invited=invited)
    assert (await open_one(core, seats=3, house=2, invited=[BEN])).max_seats == 4


async def test_as_many_tables_as_somebody_may_host_on_a_server(core: Core) -> None:
    tables = [await seated(core, 2, channel_id=CHANNEL + number) for number in range(TABLES_PER_HOST)]
    await lobby.start_game(core, tables[0].id, ADA)
    with pytest.raises(Refused) as refused:
        await seated(core, 1, channel_id=CHANNEL + 9)
    assert all(f"<#{table.channel_id}>" in str(refused.value) for table in tables)
    with pytest.raises(Refused):
        await lobby.check_tables_of(core, ADA.user_id, GUILD)
    await lobby.check_tables_of(core, ADA.user_id, GUILD + 1)
    await open_one(core, BEN, channel_id=CHANNEL + 9)
    await cancelling.cancel_table(core, tables[1].id, ADA)
    await seated(core, 1, channel_id=CHANNEL + 10)
    with pytest.raises(Refused, match="already have enough open tables"):
        await start_rematch(core, tables[1].id, ADA)
    assert (await start_rematch(core, tables[1].id, BEN)).host_id == BEN.user_id


async def test_a_person_commands_the_table_they_sit_at(core: Core) -> None:
    core.tables_per_channel = 2
    first = await seated(core, 2)
    second = await open_one(core, CEM)
    assert (await get_open_table(core, CHANNEL, BEN)).id == first.id
    assert (await get_open_table(core, CHANNEL, CEM)).id == second.id
    assert (await get_open_table(core, CHANNEL, Person(9, "Ike"))).id == second.id


async def test_a_person_invites_to_the_lobby_they_host_rather_than_to_a_newer_one(core: Core) -> None:
    core.tables_per_channel = 2
    own = await seated(core, 1)
    other = await open_one(core, CEM)
    for person in (ADA, BEN):
        await lobby.join_table(core, other.id, person)
    found = [await lobby.find_lobby_of(core, CHANNEL, person.user_id) for person in (ADA, BEN, DOT)]
    assert [table and table.id for table in found] == [own.id, other.id, None]


async def test_a_seat_that_was_left_commands_no_table_and_a_named_player_says_which_one_is_meant(core: Core) -> None:
    core.tables_per_channel = 2
    first = await seated(core, 2)
    second = await open_one(core, CEM)
    await lobby.join_table(core, second.id, BEN)
    assert (await get_open_table(core, CHANNEL, BEN)).id == second.id
    await begun(core, second.id, CEM)
    await away.leave_game(core, second.id, BEN)
    assert (await get_open_table(core, CHANNEL, BEN)).id == first.id
    assert (await get_open_table(core, CHANNEL, MOD)).id == second.id
    assert (await get_open_table(core, CHANNEL, MOD, BEN.user_id)).id == first.id
    assert (await get_open_table(core, CHANNEL, CEM, ADA.user_id)).id == first.id


async def test_tables_in_own_pace_are_as_many_as_there_are_beside_one_with_shared_dice(core: Core) -> None:
    """Nobody waits for anybody at them; in a lobby people wait for each other in every order."""
    for order in (TurnOrder.OWN_PACE, TurnOrder.OPEN):
        await started(core, 2, order)
    with pytest.raises(TableTaken):
        await seated(core, 1, TurnOrder.OWN_PACE)
    with pytest.raises(TableTaken):
        await seated(core, 1, TurnOrder.CLOCKWISE)


async def _rematch(core: Core) -> Table:
    table = await started(core, 3)
    await cancelling.cancel_table(core, table.id, ADA)
    return await start_rematch(core, table.id, BEN)


async def test_a_rematch_reserves_the_seats_and_begins_when_all_have_joined(core: Core) -> None:
    table = await _rematch(core)
    assert [(seat.user_id, seat.invited) for seat in table.seats] == [
        (ADA.user_id, True), (BEN.user_id, False), (CEM.user_id, True),
    ]  # fmt: skip
    with pytest.raises(Refused, match="at least two"):
        await lobby.start_game(core, table.id, BEN)
    with pytest.raises(Refused, match="Take a seat first"):
        await lobby.add_house_player(core, table.id, ADA)
    for other in (DOT, EVE):
        await lobby.join_table(core, table.id, other)
    with pytest.raises(Refused, match="All seats"):
        await lobby.join_table(core, table.id, Person(9, "late"))
    assert (await lobby.join_table(core, table.id, CEM)).status is Status.LOBBY
    begun = await lobby.join_table(core, table.id, ADA)
    assert (begun.status, len(begun.seats), begun.taken_seats) == (Status.PLAYING, 5, begun.seats)
