"""Presses at one moment whose answers are late, and requests that hang beside other tables.

That everybody is answered and what is shown in the end holds on a busy machine, too; how long it takes on a quiet one,
benchmarks/presses.py says.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

import bot.workers.delivery
from bot.services.core import get_table
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.bot.cores import retell
from tests.bot.decks import only
from tests.discord import SOON, Person, fault, give_up_after, shown_in, until_shown
from tests.discord.bots import Tavern, a_tavern
from tests.discord.calls import Call
from tests.discord.state import UPDATE
from tests.discord.tables import presses_in

ANSWER, EDIT = ("POST", "/interactions/*/*/callback"), ("PATCH", "/channels/*/messages/*")
BY_TOKEN = ("PATCH", "/webhooks/*/*/messages/*")
LATE, VERY_LATE = 0.2, 2.5
"""Seconds by which every answer is late, and by which Discord says late that it has made an edit."""
SHOWN = 10.0
"""Seconds within which the newest picture is there: it follows at most one answer that is very late."""
GIVEN_UP = 3.0
"""Seconds after which a request that hangs is given up: those of an answer, here also of one to the channel."""


@pytest.fixture
async def tavern(tmp_path: Path) -> AsyncIterator[Tavern]:
    """Return the bot with discord.py's own patience and without a rate limit."""
    async with a_tavern(tmp_path, press_limit=0, command_limit=0, tables_per_channel=3) as tavern:
        give_up_after(tavern.bot, SOON)
        yield tavern


def is_edit(call: Call) -> bool:
    """Return whether a request changes a message that is there."""
    return call.method == "PATCH" or (call.is_like(*ANSWER) and call.body["type"] == UPDATE)


@pytest.mark.parametrize("acted", [False, True], ids=["late", "acting at once and very late"])
async def test_everybody_who_presses_at_one_moment_is_answered_and_the_newest_picture_stays(
    acted: bool, tavern: Tavern
) -> None:
    """One gets up from a lobby and four sit down: each press counts, and makes the picture before it an older one."""
    fake, (_ada, ben, cem) = tavern.discord, tavern.people
    others = [cem, *(Person(fake, fake.add_user(name)) for name in ("Dot", "Eve", "Fay"))]
    tavern.guild.members |= {other.id: other.user for other in others}
    lobby = await tavern.lobby_of_two(TurnOrder.OPEN)
    over = asyncio.Event()

    async def wait(call: Call) -> None:
        if is_edit(call) or not acted:
            with suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), VERY_LATE if acted else LATE)

    for request in (ANSWER, BY_TOKEN):
        (fake.acted if acted else fake.before)(*request, wait, times=None)
    before = len(fake.calls)
    pressed = [
        each.begin_press(lobby.message, lobby.custom_id(verb))
        for each, verb in ((ben, Verb.LEAVE), *((other, Verb.JOIN) for other in others))
    ]
    answered = await asyncio.gather(*map(fake.until_answered, pressed))
    assert answered == [True] * 5, [each.callback for each in pressed]
    newest = lobby.version + len(pressed)
    await until_shown(fake, tavern.channel, lobby.table_id, newest, SHOWN)
    over.set()
    await tavern.bot.delivery.settle()
    await fake.until(lambda: not tavern.bot.in_flight._all, what="every answer")
    assert [(look.message, look.version) for look in shown_in(tavern.channel)] == [(lobby.message, newest)]
    pictures = (*(earlier.components for earlier in lobby.message.before), lobby.message.components)
    versions = [presses_in(each)[0].version for each in pictures]
    assert versions == sorted(set(versions)), "nothing older over anything newer, and nothing twice"
    assert sum(map(is_edit, fake.calls[before:])) < len(pressed)


async def test_a_request_that_hangs_delays_no_other_table_and_its_own_is_shown_in_the_end(
    tavern: Tavern, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to a press hangs at one table, a request to the channel at another."""
    monkeypatch.setattr(bot.workers.delivery, "REQUEST_SECONDS", GIVEN_UP)
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.05)
    fake, core = tavern.discord, tavern.bot.core
    core.deck = only("total-frozen")  # On it every result can be kept at once.
    answered, redrawn, other = [await tavern.lobby_of_two() for _table in range(3)]
    fake.faults.next += [(*ANSWER, fault("timeout")), (*EDIT, fault("timeout"))]
    tavern.people[2].begin_press(answered.message, answered.custom_id(Verb.JOIN))
    await retell(core, redrawn.table_id)
    tavern.bot.delivery.request_redraw(redrawn.table_id)
    await fake.until(lambda: not fake.faults.next, what="both hanging")
    before = len(fake.calls)
    other = await tavern.press(tavern.people[0], Verb.START, other)
    for verbs in ((Verb.TAKE,), (Verb.STOP, Verb.SET_ASIDE)) * 2:
        player = await tavern.on_turn(other)
        assert (await player.press(other.message, other.custom_id(*verbs))).acknowledged
        other = await until_shown(fake, tavern.channel, other.table_id, other.version + 1)
    meanwhile = [call.path for call in fake.calls[before:]]
    hanging = [str(look.message.id) for look in (answered, redrawn)]
    assert not [path for path in meanwhile if path.endswith(tuple(hanging))], "none was given up before that"
    await until_shown(fake, tavern.channel, answered.table_id, answered.version + 1)
    await fake.until(lambda: len([call for call in fake.calls if call.path.endswith(hanging[1])]) == 2)
    await tavern.bot.delivery.settle()
    assert not (await get_table(core, answered.table_id)).owed
