"""Buttons say everything in their ids."""

import re
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.actions import Action, AwayPress, BoardPage, DataPress, GuidePage, HistoryPage, SetupPress
from bot.ui.buttons import ActionItem, LessonPress, PracticePress, Press, Verb, bits, button, make_view
from bot.ui.lucky_words import WordDialog, WordModal

PRESSES = st.builds(
    Press,
    st.sampled_from(Verb),
    st.text("0123456789abcdef", min_size=12, max_size=12),
    st.integers(0, 999_999_999),
    st.integers(0, 999),
)
TEMPLATE = ActionItem.__discord_ui_compiled_template__


CUSTOM_IDS = {
    "hs:join": "hs:join:5f0c9a17e2b4:12:0",
    "hs:enter": "hs:enter:5f0c9a17e2b4:12:0",
    "hs:leave": "hs:leave:5f0c9a17e2b4:12:0",
    "hs:word": "hs:word:5f0c9a17e2b4:12:0",
    "hs:start": "hs:start:5f0c9a17e2b4:12:0",
    "hs:pace": "hs:pace:5f0c9a17e2b4:12:0",
    "hs:order": "hs:order:5f0c9a17e2b4:12:0",
    "hs:take": "hs:take:5f0c9a17e2b4:12:0",
    "hs:die": "hs:die:5f0c9a17e2b4:12:5",
    "hs:ask": "hs:ask:5f0c9a17e2b4:12:5",
    "hs:stop": "hs:stop:5f0c9a17e2b4:12:0",
    "hs:roll": "hs:roll:5f0c9a17e2b4:12:37",
    "hs:set": "hs:set:5f0c9a17e2b4:12:127",
    "hs:house": "hs:house:5f0c9a17e2b4:12:0",
    "hs:nohouse": "hs:nohouse:5f0c9a17e2b4:12:0",
    "hs:call": "hs:call:5f0c9a17e2b4:12:0",
    "hs:back": "hs:back:5f0c9a17e2b4:12:0",
    "hs:wake": "hs:wake:5f0c9a17e2b4:12:0",
    "hs:quit": "hs:quit:5f0c9a17e2b4:12:0",
    "hs:cancel": "hs:cancel:5f0c9a17e2b4:12:0",
    "hs:hint": "hs:hint:5f0c9a17e2b4:12:0",
    "hs:card": "hs:card:5f0c9a17e2b4:12:0",
    "hs:rules": "hs:rules:5f0c9a17e2b4:12:0",
    "hs:report": "hs:report:5f0c9a17e2b4:12:0",
    "hs:share": "hs:share:5f0c9a17e2b4:12:1",
    "hs:final": "hs:final:5f0c9a17e2b4:12:0",
    "hs:again": "hs:again:5f0c9a17e2b4:12:0",
    "hs:proof": "hs:proof:5f0c9a17e2b4:12:0",
    "hd:take": "hd:take:5f0c9a17e2b4:3:0",
    "hd:die": "hd:die:5f0c9a17e2b4:3:5",
    "hd:ask": "hd:ask:5f0c9a17e2b4:3:5",
    "hd:stop": "hd:stop:5f0c9a17e2b4:3:0",
    "hd:roll": "hd:roll:5f0c9a17e2b4:3:37",
    "hd:set": "hd:set:5f0c9a17e2b4:3:127",
    "hd:card": "hd:card:5f0c9a17e2b4:3:0",
    "hd:hint": "hd:hint:5f0c9a17e2b4:22:0",
    "hd:play": "hd:play:5f0c9a17e2b4:122:0",
    "hd:share": "hd:share:5f0c9a17e2b4:22:0",
    "hd:review": "hd:review:5f0c9a17e2b4:22:3",
    "hd:proof": "hd:proof:5f0c9a17e2b4:0:0",
    "hr:play": "hr:play:5f0c9a17e2b4:0:0",
    "hr:end": "hr:end:5f0c9a17e2b4:0:1",
    "hr:agree": "hr:agree:5f0c9a17e2b4:0:0",
    "hr:take": "hr:take:5f0c9a17e2b4:20:0",
    "hr:die": "hr:die:5f0c9a17e2b4:21:5",
    "hr:ask": "hr:ask:5f0c9a17e2b4:21:5",
    "hr:card": "hr:card:5f0c9a17e2b4:20:0",
    "hr:stop": "hr:stop:5f0c9a17e2b4:21:0",
    "hr:roll": "hr:roll:5f0c9a17e2b4:21:37",
    "hr:set": "hr:set:5f0c9a17e2b4:21:127",
    "hr:hint": "hr:hint:5f0c9a17e2b4:21:0",
    "hl:learn": "hl:learn:0:0",
    "hl:next": "hl:next:3:0",
    "hl:take": "hl:take:4:0",
    "hl:die": "hl:die:5:5",
    "hl:stop": "hl:stop:6:0",
    "hl:roll": "hl:roll:5:36",
    "hl:set": "hl:set:9:76",
    "hl:card": "hl:card:9:0",
    "hl:new": "hl:new:11:0",
    "hl:play": "hl:play:11:0",
    "ht:try": "ht:try:5f0c9a17e2b4:3155V123420:55V123420:0",
    "ht:retry": "ht:retry:5f0c9a17e2b4:3155V123420:55V123420:0",
    "ht:die": "ht:die:5f0c9a17e2b4:3155V123420:55V123420:3",
    "ht:ask": "ht:ask:5f0c9a17e2b4:3155V123420:55V123420:3",
    "ht:stop": "ht:stop:5f0c9a17e2b4:3155V123420:55V123420:0",
    "ht:roll": "ht:roll:5f0c9a17e2b4:3155V123420:55V123420:120",
    "ht:set": "ht:set:5f0c9a17e2b4:7455F123411:eeF123421:16",
    "ht:card": "ht:card:5f0c9a17e2b4:3155V123420:55V123420:0",
    "hg:page": "hg:page:3",
    "ha:newer": "ha:newer:5f0c9a17e2b4:0:80351110224678912",
    "ha:older": "ha:older:5f0c9a17e2b4:0:0",
    "ha:open": "ha:open:5f0c9a17e2b4:0:0",
    "ha:first": "ha:first:5f0c9a17e2b4:0:0",
    "ha:back": "ha:back:5f0c9a17e2b4:36:0",
    "ha:next": "ha:next:5f0c9a17e2b4:37:0",
    "ha:turn": "ha:turn:5f0c9a17e2b4:41:0",
    "ha:last": "ha:last:5f0c9a17e2b4:123456:0",
    "ha:file": "ha:file:5f0c9a17e2b4:0:0",
    "hb:rating": "hb:rating:2026-Q3:1:80351110224678912",
    "hb:wins": "hb:wins:2026-07:1:80351110224678912",
    "hb:rate": "hb:rate:2026-H2:1:80351110224678912",
    "hb:chips": "hb:chips:2026:1:80351110224678912",
    "hb:best": "hb:best:all:1:80351110224678912",
    "hb:loss": "hb:loss:all:9999:80351110224678912",
    "hb:fame": "hb:fame:all:1:80351110224678912",
    "hp:file": "hp:file:80351110224678912",
    "hp:delete": "hp:delete:80351110224678912",
    "hp:sure": "hp:sure:80351110224678912",
    "hp:forever": "hp:forever:80351110224678912",
    "hp:keep": "hp:keep:80351110224678912",
    "hw:back": "hw:back",
    "hu:open": "hu:open:all",
    "hu:step": "hu:step:3",
    "hu:pick": "hu:pick:tables_per_channel",
    "hu:type": "hu:type:zone",
    "hu:done": "hu:done:all",
}
"""Every button there is, as messages carry it that were sent long ago: what is here never changes."""
ACTION_OF: dict[str, type[Action]] = {
    "hs": Press,
    "hd": Press,
    "hr": Press,
    "hl": LessonPress,
    "ht": PracticePress,
    "hg": GuidePage,
    "ha": HistoryPage,
    "hb": BoardPage,
    "hp": DataPress,
    "hw": AwayPress,
    "hu": SetupPress,
}


@pytest.mark.parametrize("custom_id", CUSTOM_IDS.values())
def test_every_id_is_read_and_written_as_ever(custom_id: str) -> None:
    action = ACTION_OF[custom_id[:2]].parse(custom_id)
    assert action.custom_id == custom_id
    assert ActionItem.reads(custom_id)
    assert re.fullmatch(action.pattern, custom_id)
    assert len(custom_id) <= 100


@given(PRESSES)
def test_an_id_is_read_back_as_it_was_written(press: Press) -> None:
    match = TEMPLATE.fullmatch(press.custom_id)
    assert match is not None
    assert Press.parse(press.custom_id) == press
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
    view = make_view([button(Press(verb, "0" * 12, 1), "label", row=at // 5) for at, verb in enumerate([*Verb][:25])])
    assert view.timeout is None
    assert all(isinstance(item, ActionItem) for item in view.children)
    assert view.is_persistent()


async def test_the_dialog_fits_and_is_found_by_its_id() -> None:
    modal: discord.ui.Modal = WordModal("0123456789ab", "clover")
    payload: dict[str, Any] = modal.to_dict()
    assert len(payload["title"]) <= 45
    assert len(payload["custom_id"]) <= 100
    assert WordDialog.parse(payload["custom_id"]).game_id == "0123456789ab"


@pytest.mark.parametrize("custom_id", ["hs:word:0123456789ab:1:0", "hs:word:", "hs:word:0123456789AB", "", "other"])
def test_other_dialogs_are_not_ours(custom_id: str) -> None:
    assert re.fullmatch(WordDialog.pattern, custom_id) is None
