"""Starts games on a bot that runs on a simulated Discord (simcord), and makes the click for a decision."""

from bot.domain.table import Table
from bot.services.core import Person, Place, get_table
from bot.services.lobby import NewTable, join_table, open_table, start_game
from bot.ui.buttons import TurnPress, Verb
from highscore.events import Decision, TakeDice
from highscore.turn import Roll, SetAside
from highscore.turn_order import TurnOrder
from tests.bot.server import Server
from tests.simulation import Click

PLAYERS = 3


async def begin_game(server: Server) -> Table:
    """Open a table, start its game, and return the table once its message is sent."""
    core = server.bot.core
    host, *others = (Person(member.id, f"Player {at}") for at, member in enumerate(server.members[:PLAYERS]))
    table = await open_table(
        core, host, Place(server.guild.id, server.channel.id, "en"), NewTable(order=TurnOrder.OPEN)
    )
    for other in others:
        await join_table(core, table.id, other)
    await start_game(core, table.id, host)
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settle()
    return await reload(server, table)


async def reload(server: Server, table: Table) -> Table:
    """Load the table again, with the id of the message that shows it."""
    return server.bot.delivery.current(await get_table(server.bot.core, table.id))


def click_for(server: Server, table: Table, seat: int, decision: Decision) -> Click:
    assert table.message_id is not None
    match decision:
        case TakeDice():
            press = TurnPress(Verb.TAKE, table.id, table.version)
        case Roll():
            press = TurnPress(Verb.ROLL, table.id, table.version, decision.positions)
        case SetAside():
            press = TurnPress(Verb.SET_ASIDE, table.id, table.version, decision.positions)
        case _:
            press = TurnPress(Verb.STOP, table.id, table.version)
    return Click(server.member(table.seats[seat].user_id), table.message_id, press.custom_id)
