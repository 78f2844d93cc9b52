import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cogs.routes import DIALOGS, ROUTES, find_route
from bot.ui.buttons import Action, ActionItem, CupPress, TablePress, UnknownPress, Verb, WordDialog, button, make_view
from bot.ui.lobby import WordModal

TEMPLATE = ActionItem.__discord_ui_compiled_template__


GAME, USER = "5f0c9a17e2b4", "80351110224678912"
POSITION = f"{GAME}:3155V123420:55V123420"
WRITTEN = f"""
    hs {GAME}:12:0: join enter leave word start solo change take stop house nohouse call back wake quit cancel hint
    hs {GAME}:12:0: card rules report figures final again proof agree disagree options text dare
    hs {GAME}:12:1: share
    hs {GAME}:12:5: die ask
    hs {GAME}:12:37: roll
    hs {GAME}:12:127: set
    hd {GAME}:3:0: take stop card
    hd {GAME}:3:5: die ask
    hd {GAME}:3:37: roll
    hd {GAME}:3:127: set
    hd {GAME}:22:0: hint share text
    hd {GAME}:22:3: review
    hd {GAME}:122:0: play
    hd {GAME}:0:0: proof
    hx {GAME}:3:0: take stop card play proof text
    hx {GAME}:3:5: die ask
    hx {GAME}:3:37: roll
    hx {GAME}:3:127: set
    hx {GAME}:22:3: review
    hc {GAME}:3:0: take stop card play enter options report hint proof review
    hc {GAME}:1:0: leave end
    hc {GAME}:0:0: draws next
    hc {GAME}:3:5: die ask
    hc {GAME}:3:0: prolong
    hc {GAME}:3:37: roll
    hc {GAME}:1:37: remove
    hc {GAME}:3:127: set
    hr {GAME}:0:0: play
    hr {GAME}:0:1: end
    hr {GAME}:20:0: take card proof
    hr {GAME}:21:0: stop hint
    hr {GAME}:21:5: die ask
    hr {GAME}:21:37: roll
    hr {GAME}:21:127: set
    hl 0:0: learn
    hl 3:0: next
    hl 4:0: take
    hl 5:5: die
    hl 5:36: roll
    hl 6:0: stop
    hl 9:0: card
    hl 9:76: set
    hl 11:0: new play
    ht {POSITION}:0: try retry stop card
    ht {POSITION}:3: die ask
    ht {POSITION}:120: roll
    ht {GAME}:7455F123411:eeF123421:16: set
    hg 3: page
    ha {GAME}:0:{USER}: newer
    ha {GAME}:0:0: older open first file proof
    ha {GAME}:36:0: back
    ha {GAME}:37:0: next
    ha {GAME}:41:0: turn
    ha {GAME}:123456:0: last
    ha {USER}: more
    hb 2026-Q3:1:{USER}: rating
    hb 2026-07:1:{USER}: wins
    hb 2026-H2:1:{USER}: rate
    hb 2026:1:{USER}: chips
    hb all:1:{USER}: best fame
    hb all:9999:{USER}: loss
    hb wins: counting
    hp {USER}: file delete sure forever keep
    hu all: open done
    hu 3: step
    hu tables_per_channel: pick clear
    hu zone: type
"""
"""The kind and the rest of each id, and the words that stand between them."""
CUSTOM_IDS = {"hw:back": "hw:back", "hg:help": "hg:help"} | {
    f"{kind}:{word}": f"{kind}:{word}:{rest.removesuffix(':')}"
    for kind, rest, *words in map(str.split, WRITTEN.strip().splitlines())
    for word in words
}
"""All buttons as messages carry them that were sent long ago: an id here never changes."""


def test_every_id_is_read_and_written_as_ever() -> None:
    assert len(CUSTOM_IDS) == 140
    for custom_id in CUSTOM_IDS.values():
        _route, action = find_route(custom_id)
        assert not isinstance(action, UnknownPress), custom_id
        assert action.custom_id == custom_id
        assert TEMPLATE.fullmatch(custom_id), custom_id
        assert len(custom_id) <= 100


@pytest.mark.parametrize("action", dict.fromkeys(route.action for route in (*ROUTES.values(), *DIALOGS.values())))
@given(st.data())
def test_whatever_has_the_form_of_a_button_is_read_or_refused(action: type[Action], data: st.DataObject) -> None:
    custom_id = data.draw(st.from_regex(action.pattern, fullmatch=True))
    try:
        press = action.parse(custom_id)
    except ValueError:
        assert re.search(r"\d{2}", custom_id), "only numbers can be out of range"
    else:
        assert action.parse(press.custom_id) == press
        assert isinstance(find_route(press.custom_id[:100])[1], Action)


@given(st.text(max_size=100) | st.sampled_from([*ROUTES]).flatmap(lambda prefix: st.text().map(f"{prefix}:".__add__)))
def test_whatever_is_forged_is_read_or_refused(custom_id: str) -> None:
    _route, action = find_route(custom_id)
    assert isinstance(action, UnknownPress) or action.parse(action.custom_id) == action


@pytest.mark.parametrize(
    "custom_id",
    [
        "hs:roll:0123456789ab:1",
        "hs:roll:0123456789AB:1:0",
        "hs:roll:0123456789ab:-1:0",
        "hs:roll:0123456789ab:1:1000",
        "hs:roll:0123456789ab:1:128",
        "hs:roll:0123456789ab:1:",
        "hs:roll:0123456789ab:1:0:0",
        "hs:share:0123456789ab:1:2",
        "hd:join:0123456789ab:1:0",
        "hc:remove:0123456789ab:2:0",
        "hr:roll:0123456789a:1:0",
        "hp:file:9223372036854775808",
        "hp:file:99999999999999999999",
        "hb:rating:2026:1:²",
        "hu:step:٣",
        "hu:pick:A",
        "hg:page:100",
        "",
        "h",
        "hs:" + "1" * 97,
        "hs:roll:0123456789ab:1234567890:0",
        "hs:dance:0123456789ab:1:0",
        "hs:roll:0123456789ab:1:0\n",
        "hs:roll:0123456789ab:١:0",
        " hs:roll:0123456789ab:1:0",
    ],
)
def test_ids_that_no_button_has_are_refused(custom_id: str) -> None:
    assert isinstance(find_route(custom_id)[1], UnknownPress)


def test_a_view_never_expires_and_holds_only_our_buttons() -> None:
    view = make_view(
        [button(TablePress(verb, "0" * 12, 1), "label", row=at // 5) for at, verb in enumerate([*Verb][:25])]
    )
    assert view.timeout is None
    assert all(isinstance(item, ActionItem) for item in view.children)
    assert view.is_persistent()


async def test_the_dialog_is_found_by_its_id() -> None:
    assert WordDialog.parse(WordModal("0123456789ab", "clover").custom_id).table_id == "0123456789ab"


def test_older_numbers_in_place_of_padding_are_read() -> None:
    route, press = find_route(f"hc:prolong:{GAME}:3:24")
    assert (route, press) == (ROUTES["hc:prolong"], CupPress(Verb.PROLONG, GAME, 3))


@pytest.mark.parametrize("custom_id", ["hs:word:0123456789ab:1:0", "hs:word:", "hs:word:0123456789AB", "", "other"])
def test_other_dialogs_are_not_ours(custom_id: str) -> None:
    assert isinstance(find_route(custom_id, DIALOGS)[1], UnknownPress)
