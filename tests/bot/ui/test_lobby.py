"""The lobby: who may do what, said so that nobody has to guess."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from bot.ui.table import render
from bot.ui.threads import way_in
from tests.bot.ui.limits import check_message
from tests.bot.ui.tables import HOSTILE, start, table_of


def text(table: Table) -> str:
    return str(render(table).embeds[0].to_dict())


def test_the_lobby_names_the_host_and_how_the_game_begins() -> None:
    table = table_of(2, names=("Ada", "Ben"))
    assert "Ada is the host and starts the game." in text(table)
    by_itself = replace(table, options=replace(table.options, starts_when_full=True))
    assert "Ada is the host. The game starts by itself" in text(by_itself)


def test_the_lobby_shows_no_seal() -> None:
    table = table_of(2)
    assert table.seal not in text(table)


def test_join_has_the_same_colour_for_who_sits_and_who_does_not() -> None:
    """Everybody sees the same button, and green would ask those who sit to press it."""
    join = next(button for button in render(table_of(2)).buttons if f":{Verb.JOIN.value}:" in button.custom_id)
    assert join.to_component_dict()["style"] == discord.ButtonStyle.secondary.value


def test_the_way_into_a_thread_offers_a_seat_as_long_as_there_can_be_one() -> None:
    table = table_of(2, names=HOSTILE)
    check_message(way_in(table))
    assert [button.custom_id.split(":")[1] for button in way_in(table).buttons] == [Verb.ENTER.value]
    for over in (start(table), replace(table, status=Status.ABANDONED)):
        assert way_in(over).buttons == []
