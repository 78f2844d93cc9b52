from dataclasses import replace
from datetime import UTC, datetime

import discord

from bot.domain.table import Seat, Status, Table
from bot.domain.timing import Timing
from bot.ui.buttons import TablePress, Verb
from bot.ui.lobby import render_lobby, render_lobby_copy
from bot.ui.table import render_table
from tests.bot.ui.tables import table_of

ADA = replace(table_of(1, names=("Ada",)), max_seats=5)
PEBBLE = Seat(None, "Pebble", house="steady")
ONE = replace(ADA, seats=(Seat(1, "Ada"),))
"""A lobby with nobody but its host."""


def words_of(table: Table) -> list[str]:
    without_pictures = replace(table, options=replace(table.options, pictures=False))
    return str(render_table(without_pictures).embeds[0].description).splitlines()


def green(table: Table) -> list[Verb]:
    buttons = [each.item for each in render_table(table).buttons if isinstance(each.item, discord.ui.Button)]
    return [
        TablePress.parse(str(each.custom_id)).verb
        for each in buttons
        if each.style is discord.ButtonStyle.success and not each.disabled
    ]


def test_the_sentences_of_the_seats_say_all_that_is_in_the_picture() -> None:
    table = replace(ONE, seats=(*ONE.seats, PEBBLE, Seat(2, "Ben", invited=True)))
    lines = ["🔴 Ada · Host.", "🔷 🤖 Pebble.", "🟩 Ben · Seat reserved.", "2 seats free."]
    assert words_of(table) == lines
    picture = render_lobby(table).picture
    assert picture is not None
    assert picture.alt == " ".join(lines)
    assert words_of(replace(table, max_seats=3)) == lines[:3]


def test_names_are_in_the_picture_and_not_beside_it_unless_it_cannot_draw_them() -> None:
    beside = str(render_table(ONE).embeds[0].description)
    assert "Ada" not in beside
    lucky, other = replace(ONE.seats[0], lucky_word="clover"), Seat(2, "李明")
    beside = str(render_table(replace(ONE, seats=(lucky, other))).embeds[0].description)
    assert "🔴 Ada · Host · 🍀 clover" in beside
    assert "🔷 李明" in beside
    until = datetime(2026, 3, 9, 12, tzinfo=UTC)
    reserved = replace(ONE, seats=(*ONE.seats, Seat(2, "Ben", invited=True)), timing=Timing(seats_reserved_until=until))
    assert f"Seats reserved until <t:{until.timestamp():.0f}:t>" in str(render_table(reserved).embeds[0].description)


def test_the_highlighted_button_is_the_one_that_gets_the_host_on() -> None:
    assert green(ONE) == [Verb.START_ALONE]
    assert green(replace(ONE, seats=(*ONE.seats, Seat(2, "Ben", invited=True)))) == [Verb.JOIN]
    for second in (Seat(2, "Ben"), PEBBLE):
        assert green(replace(ONE, seats=(*ONE.seats, second))) == [Verb.START]


def test_the_lobby_outside_of_a_thread_has_the_same_seats_until_the_game_begins() -> None:
    assert render_lobby_copy(ONE).picture == render_table(ONE).picture
    assert render_lobby_copy(replace(ONE, options=replace(ONE.options, pictures=False))).picture is None
    assert render_lobby_copy(replace(ONE, status=Status.ABANDONED)).picture is None
