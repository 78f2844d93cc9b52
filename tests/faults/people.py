"""What people at a table do."""

import random

from bot.domain.table import Table
from bot.ui.buttons import Press, Verb, bits
from highscore.cards import RollType


def choose(chance: random.Random, table: Table, seat: int | None = None) -> tuple[int, Press]:
    """What somebody who may, might do."""
    game = table.game
    assert game is not None
    on = chance.choice(game.may_act) if seat is None else seat
    user_id = table.seats[on].user_id
    assert user_id is not None
    turn = game.turn
    if turn is None:
        return user_id, Press(Verb.TAKE, table.id, table.version)
    free = list(turn.free)
    match turn.card.roll_type:
        case RollType.SET_ASIDE:
            return user_id, Press(Verb.SET_ASIDE, table.id, table.version, bits(free))
        case RollType.ANY_THREE if chance.random() < 0.5 and turn.rolls_left:
            again = chance.sample(free, chance.randint(1, len(free)))
            return user_id, Press(Verb.ROLL, table.id, table.version, bits(again))
        case RollType.FOUR_FULL if chance.random() < 0.5 and turn.rolls_left and free:
            return user_id, Press(Verb.ROLL, table.id, table.version, bits(free))
        case _:
            return user_id, Press(Verb.STOP, table.id, table.version)
