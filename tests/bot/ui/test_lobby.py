"""The lobby: it says who may do what, so that nobody has to guess."""

from dataclasses import replace

import discord

from bot.domain.table import Seat, Status, Table
from bot.ui.buttons import Verb
from bot.ui.lobby import render_way_in
from bot.ui.pace import order_sentence
from bot.ui.table import render_table
from highscore.turn_order import TurnOrder
from tests.bot.ui.limits import check_message
from tests.bot.ui.tables import HOSTILE, start, table_of


def text(table: Table) -> str:
    return str(render_table(table).embeds[0].to_dict())


def test_the_lobby_names_the_host_and_how_the_game_begins() -> None:
    table = table_of(2, names=("Ada", "Ben"))
    assert "Ada is the host and starts the game." in text(table)
    by_itself = replace(table, options=replace(table.options, starts_when_full=True))
    assert "Ada is the host. The game starts by itself" in text(by_itself)


def test_the_limits_are_shown_before_anybody_joins() -> None:
    for order, said in ((TurnOrder.CLOCKWISE, "turn"), (TurnOrder.OPEN, "round"), (TurnOrder.OWN_PACE, "game")):
        shown = text(table_of(2, order))
        assert order_sentence(order) in shown
        assert f" for {'the' if order is TurnOrder.OWN_PACE else 'a'} {said}" in shown
        assert ("once you hold the dice" in shown) is (order is TurnOrder.OPEN)


def test_join_is_first_and_green_and_start_has_a_colour_once_nobody_can_join() -> None:
    for table, coloured in ((table_of(2), Verb.JOIN), (replace(table_of(2), max_seats=2), Verb.START)):
        buttons = [each for each in render_table(table).buttons if isinstance(each.item, discord.ui.Button)]
        assert f":{Verb.JOIN.value}:" in buttons[0].custom_id
        looks = {each.custom_id.split(":")[1]: each.item.style for each in buttons}  # type: ignore[attr-defined]
        styles = {Verb.JOIN: discord.ButtonStyle.success, Verb.START: discord.ButtonStyle.primary}
        found = {verb: style for verb, style in looks.items() if style is not discord.ButtonStyle.secondary}
        assert found == {coloured.value: styles[coloured]}


def places(table: Table) -> dict[str, tuple[int | None, int, bool]]:
    """Return for each button, by its verb, its row, its place in the row, and True if it can be pressed."""
    found: dict[str, tuple[int | None, int, bool]] = {}
    counted: dict[int | None, int] = {}
    for button in render_table(table).buttons:
        row = button.item.row
        counted[row] = counted.get(row, -1) + 1
        found[button.custom_id.split(":")[1]] = row, counted[row], not getattr(button.item, "disabled", False)
    return found


def test_no_button_takes_the_place_of_another_one_when_seats_are_taken() -> None:
    house = Seat(None, "Abacus", house="steady")
    alone = replace(table_of(1), max_seats=3)
    with_house = replace(alone, seats=(*alone.seats, house))
    full = replace(alone, seats=(*alone.seats, house, house))
    looks = [places(table) for table in (alone, with_house, full)]
    for verb in looks[-1]:
        assert len({look[verb][:2] for look in looks if verb in look}) == 1, verb
    assert [look["join"][2] for look in looks] == [look["house"][2] for look in looks] == [True, True, False]


def test_newcomers_are_told_that_others_can_join_only_while_they_can() -> None:
    new = table_of(2, names=("Ada", "Ben"))
    assert "others can still **Join**" in text(new)
    assert "Enough for a game" not in text(new.with_seat(0, practised="ODD").with_seat(1, practised="ODD"))
    full = replace(new, max_seats=2)
    assert "**Start**" in text(full)
    assert "**Join**" not in text(full)


def test_the_channel_of_a_thread_has_the_same_lobby_with_the_one_button_join() -> None:
    table = table_of(2, names=HOSTILE)
    check_message(render_way_in(table))
    outside, inside = (rendered.embeds[0].to_dict() for rendered in (render_way_in(table), render_table(table)))
    assert outside["fields"] == inside["fields"]
    (join,) = render_way_in(table).buttons
    assert join.custom_id.split(":")[1] == Verb.ENTER.value
    (greyed,) = render_way_in(replace(table, max_seats=2)).buttons
    assert [getattr(each.item, "disabled", None) for each in (join, greyed)] == [False, True]


def test_the_lobby_outside_of_a_thread_says_what_has_become_of_the_game() -> None:
    table = start(table_of(2, names=HOSTILE))
    gone = replace(table, status=Status.ABANDONED)
    over = (table, gone, replace(gone, game=None), replace(table, status=Status.FINISHED))
    assert len({str(render_way_in(one).embeds[0].description) for one in over}) == len(over)
    assert not any(render_way_in(one).buttons for one in over)


def test_the_opening_says_for_whom_the_game_does_not_count() -> None:
    opening = replace(start(table_of(3, names=("Ada", "Ben", "Cem"))), opening_id=None)
    assert "Does not count" not in text(opening)
    told = text(opening.with_seat(1, counts=False))
    assert "Does not count for 🔷 Ben: 10 games a day do, 5 of them with the same single opponent." in told
