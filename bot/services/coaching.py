"""Hints, reports on the luck and skill of games that are over, and practice: playing one of their decisions again."""

from random import SystemRandom

from sqlalchemy import Connection

from bot.domain.errors import Refused
from bot.domain.practice import Exercise, Spot, unpack_position
from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Core, Written, claim_interaction, get_closed_table, get_table, write
from bot.services.turn import check_turn
from bot.store.marks import note_interaction
from bot.store.sharing import note_shared
from bot.store.table import count_hint, find_game_of_message, load_events
from highscore.dice import FACES
from highscore.odds.analysis import Report, analyse_game
from highscore.odds.hint import Hint, find_hint
from highscore.turn import Choice, make_choice, roll_dice


async def give_hint(
    core: Core, table_id: str, user_id: int, version: int, *, interaction_id: int | None = None
) -> tuple[Table, Hint]:
    """Return the table, and a hint for the player whose turn it is. Raise Refused for other users, Stale if the table
    has changed since ``version``, and everything that ``advise_player`` raises.
    """
    table = await get_table(core, table_id)
    check_turn(table, user_id, version)
    return table, await advise_player(core, table, user_id, interaction_id)


async def advise_player(core: Core, table: Table, user_id: int, interaction_id: int | None) -> Hint:
    """Return a hint for a player at a table, and count it at their seat. Raise Refused if they have nothing to decide,
    or if the table does not allow hints.
    """
    if not table.options.hints:
        raise Refused(_("There are no hints at this table."))
    game, seat = table.game, table.seat_of(user_id)
    turn = None if game is None or seat is None else game.find_run(seat).turn
    if game is None or seat is None or turn is None or seat not in game.may_act:
        raise Refused(_("There is nothing to decide now."))
    advice = await core.helper.run(find_hint, game, seat)

    def count(connection: Connection) -> Written[None]:
        count_hint(connection, table.id, seat)
        note_interaction(connection, interaction_id, core.now())
        return Written(None)

    await write(core, interaction_id, count)
    return advice


async def find_game_of(core: Core, channel_id: int, message_id: int) -> str:
    """Return the id of the game to which a message in a channel belongs. Raise Refused for any other message."""
    found = await core.database.read(find_game_of_message, channel_id, message_id)
    if found is None:
        raise Refused(
            _("This message doesn't belong to a game. Use the command on a message of a game, such as its standings.")
        )
    return found


async def report_game(core: Core, table_id: str) -> tuple[Table, Report]:
    """Return a game that is over, with its luck and skill. Raise Refused if it is not over, or if it was closed before
    it started.
    """
    table = await get_closed_table(core, table_id)
    if table.game is None:
        raise Refused(_("Nobody played at this table."))
    events = await core.database.read(load_events, table_id)
    return table, await core.helper.run(analyse_game, len(table.seats), table.turn_order, events)


async def share_report(core: Core, table_id: str, interaction_id: int) -> tuple[Table, Report]:
    """Return a game that is over and its report, which the caller then posts. Raise AlreadyHandled if this interaction
    has posted it already, and the errors of ``report_game``.
    """
    found = await report_game(core, table_id)
    await claim_interaction(core, interaction_id)
    return found


async def save_shared(core: Core, table: Table, what: Shared, channel_id: int, message_id: int) -> None:
    """Store the message with a game's report or standings, so that it is redrawn when a name in it changes."""
    await core.database.write(note_shared, message_id, channel_id, table.id, what)


_CHANCE = SystemRandom()


async def view_exercise(core: Core, table_id: str, spot: Spot, position: str | None = None) -> Exercise:
    """Return a decision of a game that is over, or the ``position`` that a user has reached from there. Raise Refused
    if the game has no such decision.
    """
    table = await get_closed_table(core, table_id)
    rounds = () if table.game is None else table.game.finished
    ended = rounds[spot.round - 1] if 1 <= spot.round <= len(rounds) else None
    turn = None if ended is None else unpack_position(position or spot.start, ended.card)
    if ended is None or turn is None or spot.seat not in [each.seat for each in ended.turns]:
        raise Refused(_("This button doesn't work here."))
    return Exercise(table, spot, ended, turn)


async def play_exercise(core: Core, table_id: str, spot: Spot, position: str, choice: Choice) -> Exercise:
    """Return the position after a choice, with new random dice. Raise IllegalChoice, and everything that
    ``view_exercise`` raises.
    """
    exercise = await view_exercise(core, table_id, spot, position)
    turn = make_choice(exercise.turn, choice)
    if turn.to_roll:
        turn = roll_dice(turn, _CHANCE.choices(FACES, k=len(turn.to_roll)))
    return Exercise(exercise.table, spot, exercise.ended, turn)
