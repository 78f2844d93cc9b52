"""The bot plays on the fake Discord as it does on the real one: the fake carries everything that play needs."""

from __future__ import annotations

from bot.services.core import load
from bot.ui.buttons import Verb
from tests.discord import Seen, shown_in, until_shown
from tests.discord.answering import MODAL, UPDATE
from tests.discord.bots import Tavern


async def opened(tavern: Tavern, **options: object) -> Seen:
    """A table at which the first two people sit."""
    ada, ben, _cem = tavern.people
    command = await ada.slash(tavern.channel, "highscore new", **options)
    assert command.acknowledged
    (look,) = shown_in(tavern.channel)
    join = look.press(Verb.JOIN)
    assert join is not None
    assert (await ben.press(look.message, join.custom_id)).callback == UPDATE
    return await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + 1)


async def test_a_game_begins(tavern: Tavern) -> None:
    look = await opened(tavern, order="clockwise")
    start = look.press(Verb.START)
    assert start is not None
    await tavern.people[0].press(look.message, start.custom_id)
    begun = await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + 1)
    assert begun.press(Verb.TAKE) is not None
    assert begun.message.notified


async def test_a_table_in_a_thread_is_shown_there(tavern: Tavern) -> None:
    command = await tavern.people[0].slash(tavern.channel, "highscore new", thread=True)
    (thread,) = await tavern.discord.until(lambda: tavern.guild.threads)
    (look,) = await tavern.discord.until(lambda: shown_in(thread))
    assert look.press(Verb.JOIN) is not None
    assert await tavern.discord.until(lambda: str(thread.id) in command.private)


async def test_what_pops_up_can_be_filled_in(tavern: Tavern) -> None:
    look = await opened(tavern)
    ada = tavern.people[0]
    button = look.press(Verb.LUCKY_WORD)
    assert button is not None
    popped_up = await ada.press(look.message, button.custom_id)
    assert popped_up.callback == MODAL
    assert (await ada.submit(popped_up, "clover")).callback == UPDATE
    await until_shown(tavern.discord, tavern.channel, look.table_id, look.version + 1)
    (word,) = [seat.lucky_word for seat in (await load(tavern.bot.core, look.table_id)).seats if seat.user_id == ada.id]
    assert word == "clover"


async def test_a_private_answer_is_seen_by_whoever_asked(tavern: Tavern) -> None:
    cem = tavern.people[2]
    answer = await cem.slash(tavern.channel, "highscore show")
    assert answer.private
    assert not tavern.channel.shown
