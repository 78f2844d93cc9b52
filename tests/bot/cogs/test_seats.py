import re

from bot.domain.table import Table
from highscore.turn_order import TurnOrder
from tests.bot.passing import moderator, text, wait
from tests.bot.server import Server, private, private_message


async def test_a_player_is_named_to_be_removed_and_for_nothing_else(server: Server) -> None:
    table = await server.begin(3)
    who = await moderator(server)
    for action in ("skip", "cancel"):
        # Whose turn is skipped is not asked, so naming somebody else must not take a turn from them.
        told = private(await server.slash(who, "table", action=action, player=server.off_turn(table)))
        assert "The other actions don't use" in told
    assert "With **remove**, name the person" in private(await server.slash(who, "table", action="remove"))
    assert (await server.table()).game == table.game


async def test_each_of_several_games_in_a_channel_can_be_left(server: Server) -> None:
    ben, tables = server.members[1], list[Table]()
    for _table in range(2):
        tables.append(await server.begin(2, order=TurnOrder.OWN_PACE.value))
        await wait(server, minutes=1)
    question = private_message(await server.slash(ben, "leave"))
    assert re.findall(r"channels/[0-9]+/[0-9]+/([0-9]+)", text(question)) == [
        str(table.message_id) for table in reversed(tables)
    ]
    _newer, older = [each["custom_id"] for row in question.components for each in row["components"]]
    await ben.click(question, custom_id=older)
    assert [(await server.table(table.id)).seats[1].left for table in tables] == [True, False]
