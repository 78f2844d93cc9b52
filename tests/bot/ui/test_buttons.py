"""Buttons say everything in their ids."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.buttons import Press, TableButton, Verb, bits, make_view
from bot.ui.lucky_words import WordModal, table_of_word_modal

PRESSES = st.builds(
    Press,
    st.sampled_from(Verb),
    st.text("0123456789abcdef", min_size=12, max_size=12),
    st.integers(0, 999_999_999),
    st.integers(0, 999),
)
TEMPLATE = TableButton.__discord_ui_compiled_template__


@given(PRESSES)
def test_an_id_is_read_back_as_it_was_written(press: Press) -> None:
    match = TEMPLATE.fullmatch(press.custom_id)
    assert match is not None
    read = Press(Verb(match["verb"]), match["table"], int(match["version"]), int(match["argument"]))
    assert read == press
    assert len(press.custom_id) <= 100


@given(st.sets(st.integers(0, 6)))
def test_picked_dice_are_read_back(picked: set[int]) -> None:
    assert set(Press(Verb.TOGGLE, "0" * 12, 1, bits(picked)).positions) == picked


@given(st.integers(0, 999))
def test_an_argument_never_names_a_die_that_is_not_there(argument: int) -> None:
    assert set(Press(Verb.ROLL, "0" * 12, 1, argument).positions) <= set(range(7))


@pytest.mark.parametrize(
    "custom_id",
    [
        "hs:roll:0123456789ab:1",
        "hs:roll:0123456789AB:1:0",
        "hs:roll:0123456789ab:-1:0",
        "hs:roll:0123456789ab:1:1000",
        "hs:roll:0123456789ab:1234567890:0",
        "hs:dance:0123456789ab:1:0",
        "hs:roll:0123456789ab:1:0\n",
        "hs:roll:0123456789ab:١:0",
        " hs:roll:0123456789ab:1:0",
    ],
)
def test_other_ids_are_not_ours(custom_id: str) -> None:
    assert TEMPLATE.fullmatch(custom_id) is None


def test_a_view_never_expires_and_holds_only_our_buttons() -> None:
    view = make_view([TableButton(Press(verb, "0" * 12, 1), "label", row=at // 5) for at, verb in enumerate(Verb)])
    assert view.timeout is None
    assert all(isinstance(item, TableButton) for item in view.children)
    assert view.is_persistent()


async def test_the_dialog_fits_and_is_found_by_its_id() -> None:
    modal: discord.ui.Modal = WordModal("0123456789ab", "clover")
    payload: dict[str, Any] = modal.to_dict()
    assert len(payload["title"]) <= 45
    assert len(payload["custom_id"]) <= 100
    assert table_of_word_modal(payload["custom_id"]) == "0123456789ab"


@pytest.mark.parametrize("custom_id", ["hs:word:0123456789ab:1:0", "hs:word:", "hs:word:0123456789AB", "", "other"])
def test_other_dialogs_are_not_ours(custom_id: str) -> None:
    assert table_of_word_modal(custom_id) is None
