"""The options of a lobby: a private page that shows the table as it is, whoever presses what, and however late."""

import asyncio
from typing import Any

import pytest

from bot.domain.table import Status
from bot.domain.timing import Pace
from bot.services.cancelling import cancel_table
from bot.services.core import Person, get_table
from bot.ui.buttons import OptionsDialog, TablePress, Verb
from highscore.turn_order import TurnOrder
from tests import simulation
from tests.bot.databases import everything
from tests.bot.server import Server, embeds_of, private
from tests.simulation import Click


def form(**values: str | None) -> list[dict[str, Any]]:
    """Return what Discord sends of radio groups in which these values were chosen."""
    return [{"type": 18, "component": {"type": 21, "custom_id": name, "value": each}} for name, each in values.items()]


async def test_the_host_changes_how_the_table_is_played_in_one_dialog(server: Server) -> None:
    ada, ben = server.members[:2]
    await server.seat(1, order="open", pace="live")
    options = await server.options(ada)
    shown = await options.press(Verb.CHANGE)
    assert shown.modal is not None
    groups = {part["component"]["custom_id"]: part["component"] for part in shown.modal["components"]}
    chosen = {name: next(one["value"] for one in group["options"] if one["default"]) for name, group in groups.items()}
    assert chosen == {"pace": "live", "order": "open", "seats": "5", "hints": "1", "start": "0"}
    other = {"pace": "day", "order": "usual", "seats": "2", "hints": "0", "start": "1"}
    await ada.submit_modal(shown, other)
    table = await server.table()
    assert (table.options.pace, table.turn_order, table.max_seats) == (Pace.DAY, TurnOrder.OWN_PACE, 2)
    assert (table.options.hints, table.options.starts_when_full) == (False, True)
    assert "**Own pace** · Within a day" in options.page.content
    assert "No hints" in options.page.content
    assert len(str(server.shown.attachments[0].description).split("seat")) == 2
    await server.press(ben, Verb.JOIN)
    assert (await server.table()).status is Status.PLAYING, "it starts by itself"
    press = Click(ada, options.message_id, OptionsDialog(table.id).custom_id)
    await simulation.submit(server.env, server.channel, press, form(**chosen))
    assert (await server.table()).options.hints is False, "too late"


@pytest.mark.parametrize(
    "values", [{"pace": "fast"}, {"order": "backwards"}, {"seats": "6"}, {"seats": "1"}, {"seats": "٣"}, {"pace": None}]
)
async def test_a_made_up_form_changes_nothing(server: Server, values: dict[str, str | None]) -> None:
    ada = server.members[0]
    table = await server.seat(2)
    options = await server.options(ada)
    before = everything(server.settings)
    good: dict[str, str | None] = {"pace": "live", "order": "open", "seats": "3", "hints": "1", "start": "0"}
    forged = Click(ada, options.message_id, OptionsDialog(table.id).custom_id)
    await simulation.submit(server.env, server.channel, forged, form(**good | values))
    assert "Pick one from the list" in options.page.content
    assert everything(server.settings) == before


async def test_a_full_table_is_not_asked_for_its_seats(server: Server) -> None:
    await server.seat(5)
    shown = await (await server.options(server.members[0])).press(Verb.CHANGE)
    assert shown.modal is not None
    assert "seats" not in [part["component"]["custom_id"] for part in shown.modal["components"]]
    await server.members[0].submit_modal(shown, {"pace": "live", "order": "open", "hints": "1", "start": "0"})
    table = await server.table()
    assert (table.max_seats, table.turn_order) == (5, TurnOrder.OPEN)


async def test_nobody_chooses_for_another_by_a_made_up_press(server: Server) -> None:
    ada, ben, stranger = (*server.members[:2], server.members[4])
    table = await server.seat(2, seats=3)
    his, theirs = await server.options(ben), await server.options(stranger)
    before = everything(server.settings)
    for page, verbs in (
        (his, [Verb.CHANGE]),
        (theirs, (Verb.CHANGE, Verb.ADD_HOUSE, Verb.DROP_HOUSE, Verb.CALL, Verb.LUCKY_WORD)),
    ):
        for verb in verbs:
            result = await page.send(TablePress(verb, table.id, table.version).custom_id)
            assert result.modal is None
            assert Verb.CHANGE not in page.verbs()
        forged = Click(page.member, page.message_id, OptionsDialog(table.id).custom_id)
        await simulation.submit(server.env, server.channel, forged, form(pace="live", order="open"))
        assert "Only the host can do that" in page.page.content
    assert everything(server.settings) == before
    assert (await server.table()).host_id == ada.id


async def test_a_lobby_of_the_version_before_still_takes_what_its_own_buttons_say(server: Server) -> None:
    ada, ben = server.members[:2]
    table = await server.seat(2, seats=3)
    lobby = server.shown
    assert "Take a seat" in private(await server.send(server.members[4], f"hs:house:{table.id}:0:0"))
    await server.send(ben, f"hs:house:{table.id}:0:0")
    assert len((await server.table()).seats) == 3
    assert server.shown.id == lobby.id
    assert Verb.OPTIONS in server.verbs(), "it is the lobby of everybody, not a page of options"
    assert ada.id in [seat.user_id for seat in (await server.table()).seats]


async def alone(server: Server) -> TablePress:
    """Open a table in own pace, at which nobody but its host sits. Return the press that starts it."""
    await server.slash(server.members[0], "new", order="own_pace")
    table = await server.table()
    return TablePress(Verb.START_ALONE, table.id, table.version)


async def test_play_now_starts_one_game_in_the_rulebooks_order_however_often_it_is_pressed(server: Server) -> None:
    ada, ben = server.members[:2]
    press = (await alone(server)).custom_id
    assert "Only the host" in private(await server.send(ben, press))
    results = await asyncio.gather(*(server.send(member, press) for member in (ada, ada, ben)))
    assert all(result.acknowledged for result in results)
    table = await server.table()
    assert (table.status, len(table.seats), table.turn_order) == (Status.PLAYING, 3, TurnOrder.CLOCKWISE)
    await server.settle()
    image = everything(server.settings)
    assert "moved on" in private(await server.send(ada, press)), "late"
    assert everything(server.settings) == image
    openings = [message for message in server.messages if "The game begins" in embeds_of(message)]
    assert len(openings) == 1


async def test_a_host_who_leaves_while_the_game_starts_leaves_either_the_lobby_or_nothing(server: Server) -> None:
    ada = server.members[0]
    for first in (Verb.LEAVE, Verb.START_ALONE):
        press = await alone(server)
        leave = TablePress(Verb.LEAVE, press.table_id, press.version)
        both = (leave, press) if first is Verb.LEAVE else (press, leave)
        results = await asyncio.gather(*(server.send(ada, each.custom_id) for each in both))
        assert all(result.acknowledged for result in results)
        await server.settle()
        table = await get_table(server.bot.core, press.table_id)
        assert (table.status is Status.PLAYING) == (table.game is not None)
        assert table.status in (Status.PLAYING, Status.ABANDONED)
        assert "moved on" in private(await server.send(ada, press.custom_id))
        if table.status is Status.PLAYING:
            await cancel_table(server.bot.core, table.id, Person(ada.id, "Ada"))
            await server.settle()


async def test_somebody_who_joins_while_the_host_presses_play_now_has_a_seat_or_is_told(server: Server) -> None:
    ada, ben = server.members[:2]
    press = await alone(server)
    join = TablePress(Verb.JOIN, press.table_id, press.version)
    results = await asyncio.gather(server.send(ben, join.custom_id), server.send(ada, press.custom_id))
    assert all(result.acknowledged for result in results)
    table = await server.table()
    assert table.sits(ben.id) == (table.status is Status.LOBBY)
