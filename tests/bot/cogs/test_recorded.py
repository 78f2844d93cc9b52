"""Games make the requests that were recorded, and no more.

``HIGHSCORE_RECORD=1`` records them again. Their diff is what people see of the change.
"""

import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.services import away, cancelling
from bot.store.claims import SHOW_PROGRESS_LEASE
from bot.ui.buttons import TablePress, Verb
from highscore import RollType, Source
from tests import simulation
from tests.bot import cores, decks, played
from tests.bot.cogs.test_run import finish_cards, leave, open_page
from tests.bot.cogs.test_threads import followed, thread_table
from tests.bot.passing import HOUSE, forbid, page, play_turn, press, wait, wait_until
from tests.bot.recording import Recording, compare, recorded
from tests.bot.server import RETRY, Server

RECORDED = Path(__file__).parent / "recorded"


async def rulebook_order(server: Server, _recording: Recording) -> None:
    """Play a whole game; in its first turn a die is picked and rolled again."""
    table = await server.begin_turn(2)
    for verb in (Verb.TOGGLE, Verb.ROLL, Verb.STOP):
        await press(server, server.on_turn(table), verb)
    while (await server.table()).status.open:
        await play_turn(server)


async def open_order(server: Server, recording: Recording) -> None:
    """Play two rounds, then those to the last turn at once, as the house may play them while Discord is away."""
    table = await server.begin(2, order="open")
    for turn in range(4):
        await play_turn(server, server.members[turn % 2])
    recording.step("everybody plays to the last turn")
    await played.play_on(server.bot.core, await server.table(), 18)
    await server.redraw(table)
    await play_turn(server)


async def own_pace(server: Server, recording: Recording) -> None:
    """Play both at once; what everybody sees follows after some minutes, or when somebody presses Play."""
    await server.begin(2, order="own_pace")
    public = server.shown
    ada, ben = await open_page(server, 0), await open_page(server, 1)
    await finish_cards(ada, 2)
    await finish_cards(ben)
    recording.step("some minutes pass")
    await server.env.advance_time(SHOW_PROGRESS_LEASE.total_seconds() + 1)
    await finish_cards(ada, 5)
    await server.press(server.members[1], Verb.PLAY, message=public)
    await finish_cards(ben, 6)


async def shown_again(server: Server, recording: Recording) -> None:
    """Show the table in the lobby, before and in a turn, twice, after a round, and after the end."""
    ada, spectator = server.members[0], server.members[4]
    await server.seat(2)
    await server.slash(spectator, "show")
    await server.press(ada, Verb.START)
    await server.slash(spectator, "show")
    await press(server, server.on_turn(await server.table()), Verb.TAKE)
    for member in (ada, spectator):
        await server.slash(member, "show")
    for _turn in range(2):
        await play_turn(server)
    await server.slash(ada, "show")
    await play_turn(server)
    await server.slash(ada, "show")
    recording.step("a moderator cancels the game")
    await server.redraw(await cancelling.cancel_table(server.bot.core, (await server.table()).id, cores.MOD))
    await server.slash(ada, "show")


async def deleted(server: Server, recording: Recording) -> None:
    """Delete the live message, which is pressed all the same, and shown again by a command and by others' moves."""
    table = await server.begin(2)
    player = server.on_turn(table)
    message, custom_id = page(server), str(server.buttons(Verb.TAKE)[0].custom_id)
    recording.delete(message.id)
    await server.send(player, custom_id, message.id)
    recording.step("time passes")
    await wait(server, seconds=RETRY + 1)
    recording.delete(page(server).id)
    await server.slash(server.members[4], "show")
    await play_turn(server)
    recording.delete(page(server).id)
    recording.step("the next turn is played, and a round is over")
    await played.play_on(server.bot.core, await server.table(), 2)
    await server.redraw(table)
    recording.delete(page(server).id)
    recording.step("the other one leaves")
    await away.remove_member(server.bot.core, table.id, server.off_turn(await server.table()).id)
    await server.redraw(table)
    await play_turn(server)


async def forbidden(server: Server, recording: Recording) -> None:
    """Take a permission away and give it back; then let Discord refuse a request for no reason that the bot knows."""
    await server.begin_turn(2)
    recording.step("the bot may not send messages any more")
    forbid(server, "send_messages")
    await press(server, server.on_turn(await server.table()), Verb.STOP)
    recording.step("it may again")
    forbid(server)
    await wait(server, seconds=1)
    path = f"/channels/{server.channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=50013, times=2)
    await play_turn(server)
    while (moment := (await server.table()).timing.retry_at) is not None:
        recording.step("it is tried again")
        await wait_until(server, moment)
    await play_turn(server)


async def archived(server: Server, recording: Recording) -> None:
    """Play in a thread, which is archived before the table is redrawn, pressed, and sent to."""
    there = await thread_table(server)
    recording.step("time passes")
    await followed(server)
    await there.press(server.members[0], Verb.START)
    recording.step("time passes")
    await followed(server)
    with simulation.archives_like_discord():
        recording.step("the thread is archived, and the table drawn anew")
        simulation.archive(server.env, there.channel)
        await server.redraw(await there.table())
        for _turn in range(2):
            recording.step("the thread is archived")
            simulation.archive(server.env, there.channel)
            await play_turn(there)


async def old_pages(server: Server, _recording: Recording) -> None:
    """Press buttons of a page that is over: on the live message, a record, the opening, and on what is deleted."""
    old = await server.begin(2)
    player, first = server.on_turn(old), page(server).id
    custom_id = TablePress(Verb.TAKE, old.id, old.version).custom_id
    await press(server, player, Verb.TAKE)
    await server.send(player, custom_id)
    for _turn in range(2):
        await play_turn(server)
    table = await server.table()
    for message_id in (table.message_id, table.log[0], table.opening_id, first):
        await server.send(player, custom_id, message_id)


async def house_player(server: Server, recording: Recording) -> None:
    """Play two rounds with the house, which plays by itself."""
    await server.begin(1, house=1)
    while len((await server.table()).log) < 2:
        if server.buttons(Verb.TAKE, page(server)):
            await play_turn(server)
        recording.step("time passes")
        await wait(server, seconds=HOUSE)


async def left_and_cancelled(server: Server, _recording: Recording) -> None:
    """Change seats in a lobby, and cancel it; let somebody leave a game, and cancel it."""
    ada, ben = server.members[:2]
    await server.seat(2)
    await server.press(ben, Verb.LEAVE)
    await server.press(ben, Verb.JOIN)
    await server.cancel(ada)
    await server.begin(3)
    await leave(server, server.off_turn(await server.table()))
    await server.cancel(server.member((await server.table()).host_id))


async def rematch(server: Server, recording: Recording) -> None:
    """Play a game that is over at once, and another one of the same people."""
    table = await server.begin(2)
    recording.step("everybody plays to the end")
    await played.play_out(server.bot.core, table)
    await server.redraw(table)
    await server.press(server.members[0], Verb.REMATCH)
    await server.press(server.members[1], Verb.JOIN)
    await play_turn(server)


CASES = (
    rulebook_order,
    open_order,
    own_pace,
    shown_again,
    deleted,
    forbidden,
    archived,
    old_pages,
    house_player,
    left_and_cancelled,
    rematch,
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
async def test_games_make_the_requests_that_were_recorded(
    server: Server, monkeypatch: pytest.MonkeyPatch, case: Callable[[Server, Recording], Awaitable[None]]
) -> None:
    draw = Source._draw_bytes
    # Not of the opening's id, which depends on all that Discord has made before.
    monkeypatch.setattr(Source, "_draw_bytes", lambda source, *what: draw(replace(source, opening=None), *what))
    server.bot.core.deck = decks.of_type(RollType.ANY_THREE)
    with recorded(server) as recording:
        await case(server, recording)
        await server.settle()
    file = RECORDED / f"{case.__name__}.txt"
    if os.environ.get("HIGHSCORE_RECORD") == "1":
        file.write_text(recording.text(), encoding="utf-8")
    compare(file.read_text(encoding="utf-8"), recording.text())
