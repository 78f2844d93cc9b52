"""A game at everybody's own pace, played by pressing what people see: Play, private pages, the standings at the end."""

import dataclasses

import pytest
from simcord import MemberActor

from bot.services.cancelling import cancel_table
from bot.ui.buttons import Verb
from tests import simulation
from tests.bot import cores, dailies
from tests.bot.server import PrivatePage, Server, private
from tests.simulation import Click

OWN = "own_pace"


async def open_page(server: Server, at: int) -> PrivatePage:
    member = server.members[at]
    return PrivatePage.of(server, member, await server.press(member, Verb.PLAY))


async def leave(server: Server, member: MemberActor) -> str:
    """Leave the game for good; what is asked first."""
    asked = await server.slash(member, "leave")
    question = private(asked)
    await server.confirm(member, asked)
    await server.settle()
    return question


async def finish_cards(page: PrivatePage, cards: int = 1) -> None:
    """Roll, and end the turn with the dice as they lie."""
    for _card in range(cards):
        await page.press(Verb.TAKE)
        done = page.page.embeds[-1].title
        while page.page.embeds[-1].title == done:
            # Keeping nothing is asked about first.
            await page.press(next(verb for verb in (Verb.STOP, Verb.SET_ASIDE, Verb.ASK) if page.buttons(verb)))


@pytest.mark.parametrize("daily", [False, True])
async def test_a_double_click_is_simply_answered_and_an_older_copy_of_the_page_says_so(
    server: Server, daily: bool
) -> None:
    member = server.members[0]
    if not daily:
        await server.begin(2, order=OWN)
    page, copy = [await (dailies.Player.begin(server, member) if daily else open_page(server, 0)) for _page in range(2)]
    take = page.button(Verb.TAKE)
    results = await simulation.click_together(server.env, server.channel, [Click(member, page.message_id, take)] * 2)
    assert all(result.acknowledged for result in results)
    await copy.send(take)
    assert [(each.page.content, each.text) for each in (page, copy)] == [("", page.text)] * 2
    while page.buttons(Verb.TOGGLE) or not page.buttons(Verb.TAKE):
        await page.press(next(verb for verb in (Verb.STOP, Verb.SET_ASIDE, Verb.ASK) if page.buttons(verb)))
    for _again in range(2):
        await copy.send(take)
        assert "That page was out of date" in copy.page.content


async def test_a_page_that_is_somebody_elses_or_a_table_that_is_not_ones_own(server: Server) -> None:
    await server.begin(2, order=OWN)
    assert "not playing" in private(await server.press(server.members[2], Verb.PLAY))
    page = await open_page(server, 0)
    # Discord lets nobody do that.
    before = page.text
    assert "doesn't work here" in private(await page.send(page.button(Verb.TAKE), server.members[1]))
    table = await server.table()
    assert not cores.game_of(table).hands
    assert page.text == before


async def test_play_leads_to_the_next_turn_that_waits_anywhere_on_the_server(server: Server) -> None:
    assert "No turn is waiting" in private(await server.slash(server.members[0], "play"))
    await server.begin(2, order=OWN)
    other = server.guild.create_text_channel("other")
    assert "Card 1 of 7" in private(await server.slash(server.members[0], "play", channel=other))
    page = await open_page(server, 0)
    await finish_cards(page, 7)
    assert "No turn is waiting" in private(await server.slash(server.members[0], "play"))
    there = dataclasses.replace(server, channel=other)
    await there.begin(2, order=OWN)
    done = await open_page(server, 0)
    assert f"/{other.id}/" in done.page.content
    assert "You have played all seven cards" in done.text
    for table in (await server.table(), await there.table()):
        await cancel_table(server.bot.core, table.id, cores.MOD)
    await server.begin(2)
    table = await server.table()
    told = private(await server.slash(server.on_turn(table), "play", channel=other))
    assert f"/{table.channel_id}/" in told
    assert "highscore show" in told
