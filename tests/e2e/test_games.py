import random
from pathlib import Path

import pytest

from bot.config import Settings
from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from highscore import STANDARD_DECK, RollType, TurnOrder, rank_players
from highscore.deck import ROUNDS
from tests.bot import cores, decks
from tests.bot.server import PrivatePage, Server, embeds_of, private_message, serve
from tests.e2e.watcher import check_notified, check_replay, check_results_shown, notified

THIRDS = tuple(STANDARD_DECK.cards[at::3] for at in range(3))
"""The standard deck dealt to three games: each of its cards is played in one of them."""
DECISIONS = (Verb.STOP, Verb.ROLL, Verb.SET_ASIDE)


@pytest.mark.parametrize(
    ("players", "order", "third"),
    [(2, TurnOrder.CLOCKWISE, 0), pytest.param(3, TurnOrder.OPEN, 1, marks=pytest.mark.long)],
)
async def test_a_whole_game_with_restarts_follows_from_its_events(
    settings: Settings, tmp_path: Path, players: int, order: TurnOrder, third: int
) -> None:
    cards = THIRDS[third]
    async with serve(decks.with_deck_file(settings, tmp_path, cards)) as server:
        table = await server.begin(players, order=order.value)
        chance, restarts = random.Random(f"{players} {order} {third}"), 0
        while table.status.open:
            if chance.random() < 0.04 or (restarts < 3 and cores.game_of(table).round > restarts * 2):
                await server.restart()
                restarts += cores.game_of(table).turn is not None
                await check_replay(server, table)
            await press_something(server, chance, table)
            table = await server.table()
        assert (table.status, table.is_unshown) == (Status.FINISHED, False)
        assert restarts >= 3
        state = await check_replay(server, table)
        assert {played.card for played in state.finished} == set(cards)
        assert {played.card.roll_type for played in state.finished} == set(RollType)
        check_results_shown(server, table)
        pages = 2 if order is TurnOrder.OPEN else players
        assert len(server.sent) == ROUNDS * pages + 2, "the opening, a message where somebody is called, and the end"
        check_notified(table, notified(server))


@pytest.mark.both_databases
async def test_a_whole_game_in_own_pace_with_restarts_is_played_on_private_pages(
    settings: Settings, tmp_path: Path
) -> None:
    cards, players = THIRDS[2], 3
    async with serve(decks.with_deck_file(settings, tmp_path, cards)) as server:
        table = await server.begin(players, order=TurnOrder.OWN_PACE.value)
        chance, restarts, public = random.Random("own pace"), 0, server.shown
        pages: dict[int, list[PrivatePage]] = {at: [] for at in range(players)}
        while table.status.open:
            assert table.game is not None
            if chance.random() < 0.03 or (restarts < 3 and len(table.game.finished) >= restarts * 2):
                await server.restart()
                restarts += bool(table.game.hands)
                await check_replay(server, table)
            at = chance.choice(table.game.may_act)
            if not pages[at] or chance.random() < 0.05:
                opened = await server.press(server.members[at], Verb.PLAY, message=public)
                found = private_message(opened).id
                pages[at].append(PrivatePage(server, server.members[at], server.channel, found))
            # Sometimes on an older copy, which turns into the newest.
            await press_on(server, chance, pages[at][-1] if chance.random() < 0.9 else chance.choice(pages[at]))
            table = await server.table()
        await server.settle()
        table = await server.table()
        assert (table.status, table.is_unshown, restarts >= 3) == (Status.FINISHED, False, True)
        state = await check_replay(server, table)
        assert {played.card for played in state.finished} == set(cards)
        assert [message.id for message in server.messages] == [table.opening_id, *table.log, server.shown.id]
        assert table.log == (public.id,)
        final = embeds_of(server.shown)
        assert all(f"**{line.points}**" in final for line in rank_players(state))
        assert notified(server) == [table.people] * 2, "when the game begins, and when it is over"
        assert all("All seven of your cards" in pages[at][-1].text for at in range(players))


async def press_on(server: Server, chance: random.Random, page: PrivatePage) -> None:
    shown = page.page
    if dice := chance.random() < 0.4 and server.buttons(Verb.TOGGLE, shown):
        chosen = chance.choice(dice)
    else:
        chosen = chance.choice([b for verb in (Verb.TAKE, Verb.ASK, *DECISIONS) for b in server.buttons(verb, shown)])
    assert chosen.custom_id is not None
    await page.send(chosen.custom_id)


async def press_something(server: Server, chance: random.Random, table: Table) -> None:
    player = server.member(table.seats[chance.choice(cores.game_of(table).may_act)].user_id)
    if cores.game_of(table).turn is None:
        await server.press(player, Verb.TAKE)
    elif (dice := server.buttons(Verb.TOGGLE)) and chance.random() < 0.55:
        await server.press(player, Verb.TOGGLE, nth=chance.randrange(len(dice)))
    else:
        if server.buttons(Verb.ASK):
            await server.press(player, Verb.ASK)
        chosen = chance.choice([button for verb in DECISIONS for button in server.buttons(verb)])
        assert chosen.custom_id is not None
        assert (await player.click(server.shown, custom_id=chosen.custom_id)).acknowledged
        assert (await server.table()).version == table.version + 1
