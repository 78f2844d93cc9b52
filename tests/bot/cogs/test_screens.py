"""People see the screens that are stored, word for word and button for button.

``HIGHSCORE_RECORD=1`` stores them again. Read their diff: it is what players see of a change.
"""

import difflib
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from simcord import MemberActor

from bot.store.claims import SHOW_PROGRESS_LEASE
from bot.ui.buttons import SetupStep, SetupVerb, Verb
from highscore import Source, TurnOrder
from tests.bot import dailies, played
from tests.bot.cogs.test_cup import Cup, CupPage
from tests.bot.cogs.test_setup import admin_of, press_of, to_setting
from tests.bot.passing import HOUSE, page, press, wait
from tests.bot.screens import Screens, watched_screens
from tests.bot.server import PrivatePage, Server

STORED = Path(__file__).parent / "screens"
FULL_TURNS = 4
"""The turns of a game that are played by buttons; the next ones, which look the same, are played at once."""


async def rulebook_order(server: Server, screens: Screens) -> None:
    """Play the first turns and the last one; open everything that a lobby and the standings offer."""
    await play_table(server, screens, TurnOrder.CLOCKWISE)


async def open_order(server: Server, screens: Screens) -> None:
    """Play as in the rulebook's order, with a house player."""
    await play_table(server, screens, TurnOrder.OPEN, house=1)


async def play_table(server: Server, screens: Screens, order: TurnOrder, **options: Any) -> None:
    ada, ben = server.members[:2]
    await server.slash(ada, "new", order=order.value, **options)
    await server.options(ada)
    await server.press(ben, Verb.JOIN)
    await server.press(ada, Verb.START)
    for turn in range(FULL_TURNS):
        await take_turn(server, screens, hint=turn == 0)
    screens.step("all turns but the last are played")
    # The last turn may be the house's.
    await server.redraw(await played.play_out(server.bot.core, await server.table(), but=1 + len(options)))
    while (await server.table()).status.open:
        await take_turn(server, screens)
    standings = server.shown
    for verb in sorted(server.verbs() - {Verb.REMATCH}, key=lambda verb: verb.value):
        await server.press(ada, verb, message=standings)
    await server.press(ada, Verb.REMATCH, message=standings)


async def take_turn(server: Server, screens: Screens, *, hint: bool = False) -> None:
    """Play the next turn by its buttons, if any: pick a die and roll once more if that is possible."""
    while not server.buttons(Verb.TAKE, page(server)):
        screens.step("the house plays")
        await wait(server, seconds=HOUSE)
        if not (await server.table()).status.open:
            return
    player = await next_person(server)
    await press(server, player, Verb.TAKE)
    if hint:
        for verb in (Verb.HINT, Verb.CARD):
            await press(server, player, verb)
    for verb in (Verb.TOGGLE, Verb.ROLL, Verb.ASK, Verb.STOP, Verb.SET_ASIDE):
        if server.buttons(verb, page(server)) and server.buttons(Verb.TAKE, page(server)) == []:
            await press(server, player, verb)
    while server.buttons(Verb.SET_ASIDE, page(server)) and not server.buttons(Verb.TAKE, page(server)):
        await press(server, player, Verb.SET_ASIDE)


async def next_person(server: Server) -> MemberActor:
    table = await server.table()
    assert table.game is not None
    users = [table.seats[at].user_id for at in table.game.may_act]
    return server.member(next(user_id for user_id in users if user_id is not None))


async def own_pace(server: Server, screens: Screens) -> None:
    """Play all cards in private, one after the other and by two people."""
    ada, ben = server.members[:2]
    await server.slash(ada, "new", order=TurnOrder.OWN_PACE.value)
    await server.press(ben, Verb.JOIN)
    await server.press(ada, Verb.START)
    public = server.shown
    pages = [PrivatePage.of(server, one, await server.press(one, Verb.PLAY, message=public)) for one in (ada, ben)]
    for _card in range(2):
        for private in pages:
            await finish_card(private)
    screens.step("some minutes pass")
    await wait(server, seconds=SHOW_PROGRESS_LEASE.total_seconds() + 1)
    for private in pages:
        for _card in range(5):
            await finish_card(private)


async def finish_card(private: PrivatePage) -> None:
    """Play a card on a private page: roll once more if that is possible, with the first die."""
    await private.press(Verb.TAKE)
    for verb in (Verb.TOGGLE, Verb.ROLL):
        if private.buttons(verb):
            await private.press(verb)
    while ending := [verb for verb in (Verb.ASK, Verb.STOP, Verb.SET_ASIDE) if private.buttons(verb)]:
        await private.press(ending[0])


async def daily(server: Server, screens: Screens) -> None:
    """Play a whole day, share it, and look at the next morning's post."""
    admin = admin_of(server)
    page = PrivatePage.of(server, admin, await server.slash(admin, "setup"))
    await admin.select(page.page, [server.channel], custom_id=await to_setting(page, "daily_channel"))
    player = await dailies.Player.begin(server, server.members[0])
    for _card in range(7):
        await finish_card(player)
    for verb in sorted(player.verbs(), key=lambda verb: verb.value):
        await player.press(verb)
    screens.step("a day passes")
    await wait(server, days=1)
    await server.slash(server.members[0], "daily")


async def cup(server: Server, screens: Screens) -> None:
    """Open a knockout, enter it, play its legs, and look at everything that its posts offer."""
    cup = await Cup.open(server, 4, format="knockout")
    for leg in (1, 2):
        screens.step("the next leg begins")
        view = await cup.go_on()
        for number in sorted(at for group in view.legs[-1].leg.groups for at in group.entrants):
            member = server.member(view.cup.entrants[number].user_id)
            private = CupPage.of(server, member, await cup.press(member, Verb.PLAY, leg))
            for _card in range(1 if number else 7):
                await finish_card(private)
            for verb in sorted(private.verbs() - {Verb.TAKE}, key=lambda verb: verb.value):
                await private.press(verb)
    screens.step("the cup ends")
    await cup.go_on()
    for verb in sorted(server.verbs(), key=lambda verb: (verb is Verb.NEXT, verb.value)):
        await server.press(server.members[0], verb)


async def setup(server: Server, _screens: Screens) -> None:
    admin = admin_of(server)
    page = PrivatePage.of(server, admin, await server.slash(admin, "setup"))
    step = 1
    while SetupStep(step).custom_id in {button.custom_id for button in page.buttons()}:
        await page.send(SetupStep(step).custom_id)
        step += 1
    await page.send(press_of(SetupVerb.DONE))


CASES = (rulebook_order, open_order, own_pace, daily, cup, setup)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
async def test_people_see_the_screens_that_are_stored(
    server: Server, monkeypatch: pytest.MonkeyPatch, case: Callable[[Server, Screens], Awaitable[None]]
) -> None:
    draw = Source._draw_bytes
    # Without the opening's id, which depends on all that the simulated Discord has made before.
    monkeypatch.setattr(Source, "_draw_bytes", lambda source, *what: draw(replace(source, opening=None), *what))
    with watched_screens(server) as screens:
        await case(server, screens)
        await server.settle()
    file = STORED / f"{case.__name__}.txt"
    if os.environ.get("HIGHSCORE_RECORD") == "1":
        file.write_text(screens.text(), encoding="utf-8")
    before, now = file.read_text("utf-8"), screens.text()
    diff = difflib.unified_diff(before.splitlines(), now.splitlines(), "stored", "now", lineterm="", n=1)
    assert before == now, "\n".join(diff)
