"""The pages of tables in every state: within Discord's limits, and with exactly the buttons that can be pressed."""

import random
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import timedelta

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.screens import OPENING, RecordScreen, TurnScreen, read_screen
from bot.domain.table import Status, Table
from bot.domain.timing import Timing
from bot.ui import text, words
from bot.ui.buttons import ActionItem, TurnPress, Verb
from bot.ui.table import render_screen, render_table
from highscore import Roll, SetAside, Stop, TurnOrder, can_decide, default_choice, events, list_decisions
from highscore.fairness import format_code
from tests.bot.cores import NOW, game_of
from tests.bot.ui import limits, tables

DECISIONS: dict[Verb, Callable[[tuple[int, ...]], events.Decision]] = {
    Verb.TAKE: lambda _positions: events.TakeDice(),
    Verb.STOP: lambda _positions: Stop(),
    Verb.ROLL: Roll,
    Verb.SET_ASIDE: SetAside,
}


def _offered(table: Table, kept: Collection[int] | None = None) -> list[events.Decision]:
    """Return the decisions behind the buttons that can be pressed, after the question whether to keep so little."""
    return [
        DECISIONS[said(button).verb](said(button).dice)
        for button in render_table(table, kept, asking=True).buttons
        if said(button).verb in DECISIONS and not disabled(button)
    ]


def _kept(table: Table, decision: events.Decision) -> Collection[int] | None:
    """Return the dice to tap for a decision; None if it takes no taps."""
    match decision:
        case SetAside(positions):
            return positions
        case Roll(positions):
            return set(free_dice(table)) - set(positions)
    return None


def free_dice(table: Table) -> tuple[int, ...]:
    turn = game_of(table).turn
    return () if turn is None else turn.free


@pytest.mark.parametrize(("players", "order"), [(2, TurnOrder.OPEN), (5, TurnOrder.CLOCKWISE), (5, TurnOrder.OWN_PACE)])
def test_every_page_of_every_state_of_a_game_fits_into_discord(players: int, order: TurnOrder) -> None:
    lobby = tables.table_of(players, order)
    limits.check_message(render_table(lobby))
    for table in tables.states(lobby, random.Random(f"{players} {order}")):
        limits.check_message(render_table(table))
        if table.status is Status.PLAYING:
            limits.check_message(render_table(tables.abandoned(table)))
        limits.check_message(render_screen(table, max(table.screen - 1, 0)))
    for page in range(table.screen + 1):
        limits.check_message(render_screen(table, page))


@given(tables.running())
def test_every_earlier_page_says_what_came_out(table: Table) -> None:
    assert table.game is not None
    turns = [turn for played in table.game.finished for turn in played.turns] + list(table.game.played)
    given_up = tables.abandoned(table)
    for page in range(table.screen + 1):
        limits.check_message(render_screen(given_up, page))
    for page in range(table.screen):
        old = render_screen(table, page)
        limits.check_message(old)
        assert old.buttons == []
        assert (old.content, old.notify) == (None, ())
        if page == OPENING:
            code = format_code(str(table.lock))
            assert re.search(rf"^-# 🔏 [^:]+: {code}$", str(old.embeds[0].description), re.MULTILINE)
        (embed,) = old.embeds
        match read_screen(table.game, page):
            case RecordScreen(number):
                for turn in table.game.finished[number].turns:
                    assert f" **{text.format_signed(turn.result)}" in str(embed.description)
                    assert words.dice_code(turn.dice) in str(embed.description)
            case TurnScreen(turn=number):
                assert f" {text.format_signed(turns[number].result)} " in str(embed.title)
                assert f"**{text.format_signed(turns[number].result)}**" in str(embed.description)


@given(tables.running(), st.data())
def test_the_buttons_are_exactly_what_the_rules_allow(table: Table, data: st.DataObject) -> None:
    assert table.game is not None
    seat = table.game.may_act[0]
    legal = list_decisions(table.game, seat)
    wanted = data.draw(st.sampled_from(legal))
    offered = _offered(table, _kept(table, wanted))
    assert wanted in offered
    assert all(can_decide(table.game, seat, decision) for decision in offered)
    assert len(set(offered)) == len(offered)


def said(item: ActionItem) -> TurnPress:
    return TurnPress.parse(item.custom_id)


def disabled(item: ActionItem) -> bool:
    return bool(item.to_component_dict()["disabled"])


@given(tables.running(), st.sets(st.integers(0, 6)))
def test_whatever_is_kept_offers_nothing_illegal(table: Table, tapped: set[int]) -> None:
    free = set(free_dice(table))
    kept = tapped & free
    offered = _offered(table, kept)
    assert all(can_decide(game_of(table), game_of(table).may_act[0], decision) for decision in offered)
    dice = [button for button in render_table(table, kept).buttons if said(button).verb is Verb.TOGGLE]
    for at, button in enumerate(dice):
        if not disabled(button):
            # A tap changes one die.
            assert set(said(button).dice) == kept ^ {at}


@given(tables.running())
def test_one_press_on_the_highlighted_button_takes_the_default_choice(table: Table) -> None:
    turn = game_of(table).turn
    buttons = render_table(table, asking=True).buttons
    green = [each for each in buttons if each.to_component_dict().get("style") == discord.ButtonStyle.success.value]
    if turn is not None:
        asked = [each for each in buttons if each.to_component_dict().get("style") == discord.ButtonStyle.danger.value]
        (highlighted,) = green or asked
        taken = DECISIONS[said(highlighted).verb](said(highlighted).dice)
        assert asked or taken == default_choice.find_default_choice(turn).choice


@given(tables.running())
def test_a_keep_that_brings_nothing_is_asked_for_once(table: Table) -> None:
    turn = game_of(table).turn
    if turn is None:
        return
    keep, asked = _keep(table), _keep(table, asking=True)
    assert said(asked).verb in (Verb.STOP, Verb.SET_ASIDE)
    if turn.score.total > 0 or not turn.rolls_left:
        assert said(keep) == said(asked)
    else:
        assert said(keep).verb is Verb.ASK
        assert str(asked.to_component_dict()["label"]).endswith("?")


def _keep(table: Table, *, asking: bool = False) -> ActionItem:
    labels = {str(each.to_component_dict().get("label")): each for each in render_table(table, asking=asking).buttons}
    return next(each for label, each in labels.items() if label.startswith("Keep") and " · roll " not in label)


@pytest.mark.parametrize("winners", [1, 3, 4, 5])
def test_a_shared_victory_of_long_names_fits(winners: int, monkeypatch: pytest.MonkeyPatch) -> None:
    *_earlier, table = tables.states(tables.table_of(5), random.Random(1))
    monkeypatch.setattr("bot.ui.table.find_winners", lambda _game: tuple(range(winners)))
    limits.check_message(render_table(table))


@pytest.mark.parametrize("order", [TurnOrder.CLOCKWISE, TurnOrder.OPEN])
def test_the_deadline_can_always_be_seen(order: TurnOrder) -> None:
    """Every turn shows it; while somebody waits for held dice, the hold's deadline is shown."""
    deadline, hold = NOW + timedelta(hours=2), NOW + timedelta(hours=1)
    lobby = tables.table_of(2, order)
    playing = [table for table in tables.states(lobby, random.Random(3)) if table.status is Status.PLAYING]
    for table in playing:
        assert f"<t:{int(deadline.timestamp())}:R>" in _text(replace(table, timing=Timing(deadline=deadline)))
    for table in playing:
        if game_of(table).turn is not None:
            held = replace(table, timing=Timing(deadline=deadline, hold_deadline=hold))
            assert f"<t:{int(hold.timestamp())}:R>" in _text(held)


def test_no_message_shows_the_seed() -> None:
    """It is in the file of *Proof* alone, once the game is over: ``tests/bot/cogs/test_results.py``."""
    lobby = tables.table_of(2, seed=b"\xab" * 32)
    some = list(tables.states(lobby, random.Random(2)))
    for table in (*some, tables.abandoned(some[3]), replace(lobby, status=Status.ABANDONED)):
        assert table.seed.hex() not in _text(table)


def _text(table: Table) -> str:
    return str([embed.to_dict() for embed in render_table(table).embeds])
