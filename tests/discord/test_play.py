"""The bot plays on the fake Discord as it does on the real one: the fake carries everything that play needs."""

from __future__ import annotations

from bot.ui.buttons import Verb
from tests.discord import Seen, shown_in, until_shown
from tests.discord.bots import Tavern


async def opened(tavern: Tavern, **options: object) -> Seen:
    """A table at which the first two people sit."""
    ada, ben, _cem = tavern.people
    command = await ada.slash(tavern.channel, "highscore new", **options)
    assert command.acknowledged
    (look,) = shown_in(tavern.channel)
    join = look.press(Verb.JOIN)
    assert join is not None
    assert (await ben.press(look.message, join.custom_id)).callback == 7
    return await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + 1)


async def test_a_game_begins(tavern: Tavern) -> None:
    look = await opened(tavern, order="clockwise")
    start = look.press(Verb.START)
    assert start is not None
    await tavern.people[0].press(look.message, start.custom_id)
    begun = await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + 1)
    assert begun.press(Verb.TAKE) is not None
    assert begun.message.notified
