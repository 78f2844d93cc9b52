"""Tables in every state a game can come to, with the most difficult names."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from bot.domain.table import Seat, Status, Table
from highscore import STANDARD_DECK, Abandoned, Game, Source, TurnOrder, play_event
from tests.highscore.odds.settings import LARGE
from tests.highscore.strategies import play_drawn

ORDERS = (TurnOrder.CLOCKWISE, TurnOrder.OPEN)
"""The orders of play at shared dice."""
HOSTILE = (
    "*" * 100,
    "`~_|" * 25,
    "\u202e" + "مرحبا" * 19,
    "👩\u200d👩\u200d👧\u200d👦" * 14,
    "[click](https://example.invalid) <@123456789012345678> @everyone #general <t:0:R>",
)
"""Names of a hundred characters, or nearly: the worst that a member of a server may be called."""


GAMES = 1_000 if LARGE else 20
"""The number of games that are played."""


def table_of(
    players: int, order: TurnOrder = TurnOrder.CLOCKWISE, names: tuple[str, ...] = HOSTILE, seed: bytes = bytes(32)
) -> Table:
    return Table(
        id="0123456789ab",
        guild_id=2**63 - 1,
        channel_id=2**63 - 1,
        host_id=1,
        status=Status.LOBBY,
        version=999_999_999,
        locale="en",
        max_seats=5,
        turn_order=order,
        deck=STANDARD_DECK,
        seats=tuple(Seat(number, name[:100], name[:32]) for number, name in enumerate(names[:players], start=1)),
        seed=seed,
        seal=Source(seed, "0123456789ab").seal,
        game=None,
    )


def start(table: Table) -> Table:
    opened = replace(table, status=Status.PLAYING, lock=table.make_lock(), opening_id=2**63 - 1)
    game, _events = play_event(Game(len(table.seats), table.turn_order), None, opened.source, table.deck)
    return replace(opened, game=game)


def abandoned(table: Table) -> Table:
    assert table.game is not None
    game, _events = play_event(table.game, Abandoned("somebody"), table.source, table.deck)
    return replace(table, game=game, status=Status.ABANDONED)


def states(table: Table, chance: random.Random) -> Iterator[Table]:
    begun = start(table)
    for game, _events in play_drawn(Game(len(table.seats), table.turn_order), chance, begun.source, table.deck):
        yield replace(begun, game=game, status=Status.FINISHED if game.complete else Status.PLAYING)


@cache
def game(number: int) -> tuple[Table, ...]:
    """Return all states of a game of chance in which somebody is waited for."""
    chance = random.Random(number)
    lobby = table_of(chance.randint(2, 5), chance.choice(ORDERS), seed=chance.randbytes(32))
    return tuple(states(lobby, chance))[:-1]


@st.composite
def running(draw: st.DrawFn) -> Table:
    """Draw a game somewhere in the middle, waiting for somebody; the tests share the games."""
    return draw(st.sampled_from(game(draw(st.integers(0, GAMES - 1)))))
