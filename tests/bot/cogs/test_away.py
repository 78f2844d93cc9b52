"""/highscore away: said, shown at the tables, ended."""

from bot.ui.buttons import AwayPress, Verb
from tests import simulation
from tests.bot.passing import calls, shown, wait
from tests.bot.server import Server, private, private_message


async def test_who_is_away_is_shown_and_not_called_until_they_are_back(server: Server) -> None:
    ada, ben = server.members[:2]
    await server.seat(2)
    assert "no absence here" in private(await server.slash(ben, "away"))
    said = private(await server.slash(ben, "away", days=3))
    assert "Your absence lasts until" in said
    await server.env.advance_time(1)
    assert "Away until <t:" in shown(server)
    await server.press(ada, Verb.START)
    await wait(server, minutes=5)
    assert ben.id not in [call.user_id for call in calls(server)]
    result = await server.slash(ben, "away")
    assert "Your absence lasts until" in private(result)
    done = await ben.click(private_message(result), custom_id=AwayPress().custom_id)
    assert done.acknowledged
    await server.env.advance_time(1)
    assert "Away until <t:" not in shown(server)
    assert "60" in private(await server.slash(ben, "away", until="2031-01-01"))
    offered = await simulation.complete(
        server.env, ben, server.channel, "highscore away", [{"name": "until", "type": 3, "value": "", "focused": True}]
    )
    assert offered is not None
    assert len(offered) == 25
