"""Trying a decision of a finished game again. Nothing is written."""

from random import SystemRandom

from bot.domain.errors import Refused
from bot.domain.practice import Exercise, Spot, unpack_position
from bot.locales import _
from bot.services.core import Core, get_closed_table
from highscore.dice import FACES
from highscore.turn import Choice, make_choice, roll_dice

_CHANCE = SystemRandom()


async def view_exercise(core: Core, table_id: str, spot: Spot, position: str | None = None) -> Exercise:
    """Return a decision of a finished game, played on as far as ``position``. Raise Refused if there is none."""
    table = await get_closed_table(core, table_id)
    rounds = () if table.game is None else table.game.finished
    ended = rounds[spot.round - 1] if 1 <= spot.round <= len(rounds) else None
    turn = None if ended is None else unpack_position(position or spot.start, ended.card)
    if ended is None or turn is None or spot.seat not in [each.seat for each in ended.turns]:
        raise Refused(_("There is no such button here."))
    return Exercise(table, spot, ended, turn)


async def play_exercise(core: Core, table_id: str, spot: Spot, position: str, choice: Choice) -> Exercise:
    """Return the position after a choice and its fresh dice. Raise IllegalChoice, and what ``view_exercise`` does."""
    exercise = await view_exercise(core, table_id, spot, position)
    turn = make_choice(exercise.turn, choice)
    if turn.to_roll:
        turn = roll_dice(turn, _CHANCE.choices(FACES, k=len(turn.to_roll)))
    return Exercise(exercise.table, spot, exercise.ended, turn)
