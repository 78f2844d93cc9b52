import random
from pathlib import Path

import pytest

from bot.config import Settings
from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from highscore import STANDARD_DECK, RollType, TurnOrder
from highscore.deck import ROUNDS
from tests.bot import cores, decks
from tests.bot.server import Server, serve
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
