"""A game at everybody's own pace, played by pressing what people see: Play, private pages, the standings at the end."""

from __future__ import annotations

from bot.domain.table import Status
from bot.ui.buttons import Verb
from highscore import STANDARD_DECK, Deck, RollType
from tests.bot.server import PrivatePage, Server, private, private_message, verb_of

OWN = "own_pace"


async def open_page(server: Server, at: int) -> PrivatePage:
    """Press Play on the table's message."""
    member = server.members[at]
    result = await server.press(member, Verb.PLAY)
    return PrivatePage(server, member, server.channel, private_message(result).id)


async def finish_card(server: Server, page: PrivatePage) -> None:
    """Roll, and end the turn with the dice as they lie."""
    (take,) = [button.custom_id for button in server.buttons(message=page.page)]
    assert take is not None
    await page.send(take)
    done = page.page.embeds[-1].title
    while page.page.embeds[-1].title == done:
        # Keeping nothing is asked about first.
        ends = (Verb.STOP, Verb.SET_ASIDE, Verb.ASK)
        end = next(button.custom_id for button in server.buttons(message=page.page) if verb_of(button) in ends)
        assert end is not None
        await page.send(end)


async def test_a_whole_game_is_played_in_private_and_its_standings_are_posted(server: Server) -> None:
    await server.seat(2, order=OWN)
    assert "Own pace" in str(server.shown.embeds[0].to_dict())
    await server.press(server.members[0], Verb.START)
    table_message = server.shown
    assert server.verbs() == {Verb.PLAY}
    both = [f"<@{member.id}>" for member in server.members[:2]]
    assert all(each in table_message.content for each in both)
    ada, ben = await open_page(server, 0), await open_page(server, 1)
    assert "Card 1 of 7" in ada.text
    for card in range(7):
        await finish_card(server, ada)
        if card < 6:
            assert f"Card {card + 2} of 7" in ada.text
            assert "Ben has not played it yet" in ada.text
            assert "as of <t:" in ada.text
    assert "all seven cards" in ada.text
    assert not server.buttons(message=ada.page)
    await server.bot.delivery.settled()
    assert "●●●●●●●" in str(server.message(table_message.id).embeds[0].description)
    for _card in range(7):
        await finish_card(server, ben)
    await server.bot.delivery.settled()
    table = await server.table()
    assert table.status is Status.FINISHED
    assert all(each in server.shown.content for each in both)
    assert server.verbs() == {Verb.REMATCH, Verb.REPORT, Verb.PROOF}
    assert not server.buttons(message=server.message(table_message.id))
    lines = private(await server.press(server.members[0], Verb.PROOF))
    assert "highscore-bot verify" in lines
    assert len(server.messages) <= 9


async def test_a_page_is_open_twice_and_its_older_copy_turns_into_what_is_so_now(server: Server) -> None:
    await server.begin(2, order=OWN)
    first, second = await open_page(server, 0), await open_page(server, 0)
    (take,) = [button.custom_id for button in server.buttons(message=second.page)]
    assert take is not None
    await finish_card(server, first)
    await second.send(take)
    assert "Card 2 of 7" in second.text
    assert "moment too late" in second.page.content


async def test_a_page_that_is_somebody_elses_or_a_table_that_is_not_ones_own(server: Server) -> None:
    await server.begin(2, order=OWN)
    assert "not playing" in private(await server.press(server.members[2], Verb.PLAY))
    page = await open_page(server, 0)
    (take,) = [button.custom_id for button in server.buttons(message=page.page)]
    assert take is not None
    # The same position of the thief's own run: it is that run which goes on.
    await page.send(take, server.members[1])
    table = await server.table()
    assert table.game is not None
    assert (table.game.run(0).step, table.game.run(1).step) == (0, 1)


async def test_a_hint_is_private_and_counted_and_dice_are_picked(server: Server) -> None:
    server.bot.core.deck = Deck("picks", tuple(card for card in STANDARD_DECK if card.roll_type is RollType.ANY_THREE))
    await server.begin(2, order=OWN)
    page = await open_page(server, 0)
    (take,) = [button.custom_id for button in server.buttons(message=page.page)]
    assert take is not None
    await page.send(take)
    (hint,) = [button.custom_id for button in server.buttons(Verb.HINT, page.page)]
    assert hint is not None
    assert "nobody's results are used" in private(await page.send(hint))
    assert server.rows("select hints from seats order by seat") == [(1,), (0,)]
    first = server.buttons(Verb.TOGGLE, page.page)[0]
    assert first.custom_id is not None
    await page.send(first.custom_id)
    assert server.buttons(Verb.TOGGLE, page.page)[0].style is not first.style
    assert Verb.ROLL in server.verbs(page.page), "what is picked can be rolled again"
    assert server.rows("select hints from seats order by seat") == [(1,), (0,)]


async def test_play_leads_to_the_next_turn_that_waits_anywhere_on_the_server(server: Server) -> None:
    assert "Nobody is waiting" in private(await server.slash(server.members[0], "play"))
    await server.begin(2, order=OWN)
    other = server.guild.create_text_channel("other")
    assert "Card 1 of 7" in private(await server.slash(server.members[0], "play", channel=other))
    await server.cancel(server.members[0])
    await server.begin(2)
    table = await server.table()
    assert f"/{table.channel_id}/" in private(await server.slash(server.on_turn(table), "play", channel=other))


async def test_a_game_goes_on_after_a_restart(server: Server) -> None:
    await server.begin(2, order=OWN)
    page = await open_page(server, 0)
    await finish_card(server, page)
    await server.restart()
    await finish_card(server, page)
    table = await server.table()
    assert table.game is not None
    assert table.game.progress(0) == 2
