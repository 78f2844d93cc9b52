"""Buttons on a phone: no row of them breaks, and all there can be have room."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import discord
import pytest

from bot.domain.timing import Timing
from bot.locales import languages, speaking_in
from bot.ui.buttons import ActionItem, TurnPress, Verb
from bot.ui.table import render_table
from bot.ui.turn import choice_buttons
from highscore import Awaiting, TurnOrder, house
from tests.bot.locales.screens import NOW, Screen, all_screens, games, lobby, rendered, with_game
from tests.sampling import sample

PHONE = 302
"""The pixels that Discord leaves for a message on a phone that is 390 wide."""
EDGES, EMOJI, LETTER, GAP = 32, 26, 7.25, 8
"""The pixels of a button without its label, of its emoji, of an average letter, and between two buttons."""


def crowded_tables() -> Iterator[Screen]:
    """Yield a turn with all buttons there can be: hints, somebody whom the house keeps, a request to cancel."""
    for order in (TurnOrder.CLOCKWISE, TurnOrder.OPEN):
        table = lobby(4, order)
        people = tuple(replace(seat, user_id=at, house=None) for at, seat in enumerate(table.seats, 1))
        crowded = replace(table, seats=people, host_id=1, options=replace(table.options, hints=True))
        crowded = crowded.with_seat(0, gives_up=True)
        for number, game in enumerate(games(4, order)[0]):
            if game.awaiting is Awaiting.CHOICE and number % 3 == 0:
                other = next(seat for seat in game.seats if seat not in game.may_act)
                state = with_game(crowded.with_seat(other, house=house.Temperament.STEADY.value), game)
                for timing in (Timing(deadline=NOW), Timing(asleep_until=NOW)):
                    yield rendered("crowded", render_table(replace(state, timing=timing)))


def turns() -> Iterator[Screen]:
    for game in games(3, TurnOrder.CLOCKWISE)[0]:
        if (turn := game.turn) is None or not turn.free or turn.to_roll:
            continue
        for kept in (None, (), turn.free[:1], turn.free[:3], turn.free):
            made = choice_buttons(turn, kept, lambda verb, dice=(): TurnPress(verb, "0" * 12, 1, dice))
            yield Screen("turn", buttons=made)


def rows(buttons: Sequence[ActionItem]) -> list[list[ActionItem]]:
    """Return the rows of buttons; a select has one of its own."""
    found: dict[int, list[ActionItem]] = {}
    for each in buttons:
        if isinstance(each.item, discord.ui.Button):
            found.setdefault(each.item.row or 0, []).append(each)
    return list(found.values())


def look(item: ActionItem) -> discord.ui.Button[discord.ui.View]:
    assert isinstance(item.item, discord.ui.Button)
    return item.item


def width(item: ActionItem) -> float:
    label, emoji = look(item).label or "", look(item).emoji
    return EDGES + LETTER * len(label) + (EMOJI if emoji else 0)


def verb(item: ActionItem) -> str:
    return item.custom_id.split(":")[1]


@pytest.fixture(scope="module", params=sample(sorted(languages()), 8))
def screens(request: pytest.FixtureRequest) -> list[Screen]:
    with speaking_in(request.param):
        found = [*all_screens(), *crowded_tables(), *turns()]
    return [screen for screen in found if screen.buttons]


def test_no_row_of_buttons_breaks_on_a_phone(screens: list[Screen]) -> None:
    wide = {
        (screen.name, tuple(look(each).label for each in row))
        for screen in screens
        for row in rows(screen.buttons)
        if sum(map(width, row)) + GAP * (len(row) - 1) > PHONE and len(row) > 1
    }
    assert wide == set()


def test_all_buttons_there_can_be_fit_into_five_rows(screens: list[Screen]) -> None:
    kept = {Verb.BACK.value, Verb.AGREE.value, Verb.DISAGREE.value}
    assert any(kept | {Verb.TOGGLE.value} <= {*map(verb, screen.buttons)} for screen in screens)
    assert max(each.item.row or 0 for screen in screens for each in screen.buttons) == 4
    assert max(len(row) for screen in screens for row in rows(screen.buttons)) <= 5
