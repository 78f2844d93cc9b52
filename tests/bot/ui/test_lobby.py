"""The lobby: it says who may do what, so that nobody has to guess."""

from dataclasses import replace

from bot.domain.table import Seat, Status, Table
from bot.domain.timing import News, NewsKind, Timing
from bot.ui.buttons import Press, Verb
from bot.ui.lobby import order_name, order_sentence, render_options, render_way_in
from bot.ui.table import render_table
from bot.ui.text import table_link
from highscore.turn_order import TurnOrder
from tests.bot.cores import NOW
from tests.bot.ui.limits import check_message
from tests.bot.ui.tables import HOSTILE, start, table_of


def text(table: Table) -> str:
    return str(render_table(table).embeds[0].to_dict())


def options(table: Table, user_id: int) -> set[Verb]:
    """Return what somebody can press among the options."""
    buttons = [each for each in render_options(table, user_id).buttons if not getattr(each.item, "disabled", False)]
    return {Press.parse(each.custom_id).verb for each in buttons}


def test_the_lobby_says_what_the_game_is_or_how_it_begins_and_who_the_host_is() -> None:
    table = table_of(2, names=("Ada", "Ben"))
    assert "seven cards" in text(table)
    assert "Ada · Host" in text(table)
    assert "**Options**" not in text(table)
    assert "add house players in **Options**" in text(table_of(1))
    by_itself = replace(table, options=replace(table.options, starts_when_full=True))
    assert "starts by itself" in text(by_itself)
    assert "seven cards" not in text(by_itself)


def test_one_line_names_order_pace_time_and_hints_whatever_they_are() -> None:
    for order, said in ((TurnOrder.CLOCKWISE, "turn"), (TurnOrder.OPEN, "round"), (TurnOrder.OWN_PACE, "game")):
        for hints in (True, False):
            table = table_of(2, order)
            table = replace(table, options=replace(table.options, hints=hints))
            line = text(table).split("\\n")[-1]
            assert (
                f"**{order_name(order)}** · Within a day · Per {said}: 2 h · {'With' if hints else 'No'} hints" in line
            )
            assert "Changed" not in line


def test_a_change_is_marked_in_that_line_with_its_moment() -> None:
    table = replace(table_of(2), news=(News(NewsKind.CHANGED, 0, at=1_767_225_600),))
    assert "✏️ Changed <t:1767225600:R>: **Rulebook order**" in text(table)


def test_everybody_finds_in_the_options_what_they_may_choose() -> None:
    table = replace(table_of(2), max_seats=3)
    table = replace(table, options=replace(table.options, may_call=True))
    with_house = replace(table, max_seats=4, seats=(*table.seats, Seat(None, "Abacus", house="steady")))
    everybody, players, host = {Verb.RULES}, {Verb.LUCKY_WORD, Verb.ADD_HOUSE, Verb.CALL}, {Verb.PACE, Verb.ORDER}
    assert options(table, 99) == everybody
    assert options(table, 2) == everybody | players
    assert options(table, 1) == everybody | players | host
    assert options(with_house, 2) == everybody | players | {Verb.DROP_HOUSE}
    assert options(replace(table, max_seats=2), 2) == everybody | {Verb.LUCKY_WORD}
    for order in TurnOrder:
        said = str(render_options(replace(table, turn_order=order), 99).content)
        assert order_sentence(order) in said
        assert ("with the dice" in said) is (order is TurnOrder.OPEN)
    assert "<t:" in str(render_options(replace(table, timing=Timing(deadline=NOW)), 99).content)


def test_the_options_of_a_table_that_has_left_its_lobby_are_the_way_there() -> None:
    for table in (start(table_of(2)), replace(table_of(2), status=Status.ABANDONED)):
        page = render_options(table, 1, "Too late.")
        assert (page.buttons, page.content) == ([], f"Too late. {table_link(table)}")


def test_the_channel_of_a_thread_has_the_same_lobby_with_the_one_button_join() -> None:
    table = table_of(2, names=HOSTILE)
    check_message(render_way_in(table))
    outside, inside = (rendered.embeds[0].to_dict() for rendered in (render_way_in(table), render_table(table)))
    assert str(outside["description"]).split("\n")[1:] == str(inside["description"]).split("\n")
    (join,) = render_way_in(table).buttons
    assert join.custom_id.split(":")[1] == Verb.ENTER.value
    (greyed,) = render_way_in(replace(table, max_seats=2)).buttons
    assert [getattr(each.item, "disabled", None) for each in (join, greyed)] == [False, True]


def test_the_lobby_outside_of_a_thread_says_what_has_become_of_the_game() -> None:
    table = start(table_of(2, names=HOSTILE))
    gone = replace(table, status=Status.ABANDONED)
    over = (table, gone, replace(gone, game=None), replace(table, status=Status.FINISHED))
    assert ["has begun" in str(render_way_in(one).embeds[0].description) for one in over] == [True, False, False, False]
    assert not any(render_way_in(one).buttons for one in over)


def test_the_opening_says_for_whom_the_game_does_not_count() -> None:
    opening = replace(start(table_of(3, names=("Ada", "Ben", "Cem"))), opening_id=None)
    assert "Not rated" not in text(opening)
    told = text(opening.with_seat(1, counts=False))
    assert "Not rated for: 🔷 Ben. Most rated games a day: 10. Days without any after deleting your data: 30." in told
