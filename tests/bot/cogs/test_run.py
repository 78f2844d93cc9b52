"""A game at everybody's own pace, played by pressing what people see: Play, private pages, the standings at the end."""

import dataclasses

import discord
import pytest
from simcord import MemberActor

from bot.domain.deadlines import EARLY_SHARE
from bot.domain.table import Status
from bot.services.cancelling import cancel_table
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests import simulation
from tests.bot.cores import MOD, game_of
from tests.bot.dailies import Player
from tests.bot.passing import play_turn, text
from tests.bot.server import PrivatePage, Server, private
from tests.e2e.watcher import notified
from tests.sampling import sample
from tests.simulation import Click

OWN = "own_pace"


async def open_page(server: Server, at: int) -> PrivatePage:
    """Press Play on the table's message."""
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


async def test_a_whole_game_is_played_in_private_and_its_standings_are_posted(server: Server) -> None:
    await server.seat(2, order=OWN)
    assert "Own pace" in str(server.shown.embeds[0].to_dict())
    await server.press(server.members[0], Verb.START)
    table_message = server.shown
    assert server.verbs() == {Verb.PLAY}
    both = [f"<@{member.id}>" for member in server.members[:2]]
    assert all(each in table_message.content for each in both)
    ada = await open_page(server, 0)
    assert "Card 1 of 7" in ada.text
    for card in range(7):
        await finish_cards(ada)
        if card < 6:
            assert f"Card {card + 2} of 7" in ada.text
            assert "Still to play: 🔷 Ben" in ada.text
            assert "As of <t:" in ada.text
    assert "All seven of your cards" in ada.text
    assert not server.buttons(message=ada.page)
    # Whoever presses Play brings what everybody sees up to date.
    ben = await open_page(server, 1)
    assert "●●●●●●●" in str(server.message(table_message.id).embeds[0].description)
    assert not (await server.table()).owed
    await finish_cards(ben, 7)
    await server.settle()
    table = await server.table()
    assert table.status is Status.FINISHED
    assert all(each in server.shown.content for each in both)
    assert server.verbs() == {Verb.REMATCH, Verb.REPORT, Verb.PROOF}
    assert not server.buttons(message=server.message(table_message.id))
    lines = private(await server.press(server.members[0], Verb.PROOF))
    assert "highscore-bot verify" in lines
    opening, progress, _standings = server.messages
    assert (opening.id, (progress.id,)) == (table.opening_id, table.log)
    called = tuple(member.id for member in server.members[:2])
    assert notified(server) == [called, called], "when the game begins, and when it is over"


@pytest.mark.parametrize("daily", [False, True])
async def test_a_double_click_is_simply_answered_and_an_older_copy_of_the_page_says_so(
    server: Server, daily: bool
) -> None:
    member = server.members[0]
    if not daily:
        await server.begin(2, order=OWN)
    page, copy = [await (Player.begin(server, member) if daily else open_page(server, 0)) for _page in range(2)]
    take = page.button(Verb.TAKE)
    results = await simulation.click_together(server.env, server.channel, [Click(member, page.message_id, take)] * 2)
    assert all(result.acknowledged for result in results)
    await copy.send(take)
    assert [(each.page.content, each.text) for each in (page, copy)] == [("", page.text)] * 2
    while page.buttons(Verb.TOGGLE) or not page.buttons(Verb.TAKE):
        await page.press(next(verb for verb in (Verb.STOP, Verb.SET_ASIDE, Verb.ASK) if page.buttons(verb)))
    for _again in range(2):
        await copy.send(take)
        assert "That page was an older one" in copy.page.content


async def test_a_page_that_is_somebody_elses_or_a_table_that_is_not_ones_own(server: Server) -> None:
    await server.begin(2, order=OWN)
    assert "not playing" in private(await server.press(server.members[2], Verb.PLAY))
    page = await open_page(server, 0)
    # Discord lets nobody do that.
    before = page.text
    assert "no such button" in private(await page.send(page.button(Verb.TAKE), server.members[1]))
    table = await server.table()
    assert not game_of(table).hands
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
    assert "All seven of your cards" in done.text
    for table in (await server.table(), await there.table()):
        await cancel_table(server.bot.core, table.id, MOD)
    await server.begin(2)
    table = await server.table()
    told = private(await server.slash(server.on_turn(table), "play", channel=other))
    assert f"/{table.channel_id}/" in told
    assert "highscore show" in told


async def test_who_is_done_ends_the_game_without_who_has_not_begun(server: Server) -> None:
    table = await server.begin(2, order=OWN)
    page, shown = await open_page(server, 0), server.shown
    await finish_cards(page, 7)
    hours = table.options.allowed_seconds * EARLY_SHARE
    # Ben is reminded, and Ada is told from when on she need not wait.
    await server.env.advance_time(hours + 5)
    await server.settle()
    assert f"<@{server.members[1].id}>" in server.shown.content
    assert "All who have begun are done. From <t:" in str(server.message(shown.id).embeds[0].description)
    (end,) = [str(button.custom_id) for button in server.buttons(Verb.END, server.message(shown.id))]
    press = Click(page.member, shown.id, end)
    assert "You can end the game from" in private(await simulation.click(server.env, server.channel, press))
    await server.env.advance_time(hours)
    asked = await simulation.click(server.env, server.channel, press)
    assert "left out: 🔷 Ben" in private(asked)
    await server.confirm(page.member, asked)
    await server.settle()
    assert (await server.table()).status is Status.FINISHED
    assert "Ada ends the game early." in str(server.shown.embeds[-1].description)
    assert "Nobody else began" in str(server.shown.embeds[-1].description)
    assert all(f"<@{member.id}>" in server.shown.content for member in server.members[:2])


@pytest.mark.parametrize("order", sample(TurnOrder, 3))
async def test_a_game_is_cancelled_by_those_who_have_begun_unless_one_of_them_declines(
    server: Server, order: TurnOrder
) -> None:
    table = await server.begin(3, order=order.value)
    ada, ben, cem = server.members[:3]
    while not all(map(game_of(table).count_finished, range(3))):
        if order is TurnOrder.OWN_PACE:
            await finish_cards(await open_page(server, [game_of(table).count_finished(at) for at in range(3)].index(0)))
        else:
            await play_turn(server, server.member(table.seats[game_of(table).may_act[0]].user_id))
        table = await server.table()
    assert "agree: 🔷 Ben and 🟩 Cem. Ask" in private(await server.slash(ada, "table", action="cancel"))
    assert "The others are asked" in private(await server.cancel(ada))
    await server.settle()
    (call,) = [one.content for one in server.channel.history() if "Do you agree?" in one.content]
    assert call.startswith(f"🗳️ <@{ben.id}> <@{cem.id}>: ")

    async def page() -> discord.Message:
        """Return the table's own message, above the call."""
        return server.message((await server.table()).message_id or 0)

    async def answer(member: MemberActor, verb: Verb) -> str:
        return private(await server.press(member, verb, message=await page()))

    assert "You agree to cancel the game." in await answer(ben, Verb.AGREE)
    assert "Ada wants to cancel the game. Yet to agree: 🟩 Cem" in text(await page())
    assert "The game goes on." in await answer(ben, Verb.DISAGREE)
    await server.settle()
    assert "Against cancelling: 🔷 Ben" in text(await page())
    assert "hs:agree" not in text(await page())
    assert "after the next round" in private(await server.slash(ada, "table", action="cancel"))
    while len(game_of(table).finished) < 2:
        if order is TurnOrder.OWN_PACE:
            cards = [game_of(table).count_finished(at) for at in range(3)]
            await finish_cards(await open_page(server, cards.index(min(cards))))
        else:
            await play_turn(server, server.member(table.seats[game_of(table).may_act[0]].user_id))
        table = await server.table()
    await server.cancel(ada)
    await server.settle()
    for member in (ben, cem):
        await server.press(member, Verb.AGREE, message=await page())
    await server.settle()
    assert (await server.table()).status is Status.ABANDONED
    assert "Ada cancels the game." in text(server.shown)
    for message_id in table.log:
        assert "agree" not in text(server.message(message_id)), "there is no such button any more"
