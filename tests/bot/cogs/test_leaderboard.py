from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
from simcord import InteractionResult, MemberActor

from bot.domain.leaderboard import Order
from bot.domain.ledger import PlayerStanding
from bot.services.facts import Facts
from bot.ui.buttons import CountingPress, LeaderboardPress
from tests.bot.games import SEASON, Club, add, people, standing
from tests.bot.passing import administer
from tests.bot.server import Server, private
from tests.simulation import locales


def _shown(message: discord.Message | None) -> str:
    assert message is not None
    (embed,) = message.embeds
    alts = [str(picture.description) for picture in message.attachments]
    return "\n".join((embed.title or "", embed.description or "", *alts))


async def _populate(server: Server, number: int) -> None:
    lines = [_rated(server, 5000 + at, f"Guest {at}", 30 - at) for at in range(number)]
    await add(server.bot.core.database, lines)


def _rated(server: Server, user_id: int, name: str, rating: float) -> PlayerStanding:
    return standing(server.guild.id, user_id, name, SEASON, games=6, rated=6, wins=3, rating=rating, opponents=3)


def _club(server: Server, days_ago: int = 0) -> Club:
    """Make a club whose games are in the bot's database and reviewed by nobody."""
    now = server.env.now() - timedelta(days=days_ago)
    return Club(replace(server.bot.core, facts=Facts(), now=lambda: now), now)


async def _open(server: Server, member: MemberActor, **options: Any) -> discord.Message:
    result = await server.slash(member, "leaderboard", **options)
    assert result.response is not None
    assert not result.response.ephemeral
    return server.shown


async def _turn(server: Server, member: MemberActor, label: str) -> InteractionResult:
    (custom_id,) = [button.custom_id for button in server.buttons() if button.label == label]
    assert custom_id is not None
    return await member.click(server.shown, custom_id=custom_id)


async def test_who_asked_turns_the_pages_of_the_message_and_others_get_a_copy(server: Server) -> None:
    ada, ben = server.members[:2]
    await _populate(server, 14)
    await add(server.bot.core.database, [_rated(server, ben.id, "Ben", 1)])
    message = await _open(server, ada)
    assert "1. Guest 0: " in _shown(server.shown)
    assert "Ada has not finished a game" in _shown(server.shown)
    await _turn(server, ada, "Next")
    assert server.shown.id == message.id
    assert "6. Guest 5: " in _shown(server.shown)
    before = server.looks()
    await _turn(server, ben, "Next")
    copy = next(message for message in server.channel.history(viewer=ben) if message.flags.ephemeral)
    assert "15. Ben: 1040 (6 games)." in _shown(copy)
    assert "Ben is 640 points behind Guest 13." in _shown(copy)
    turned = await ben.click(copy, custom_id=LeaderboardPress(Order.RATING.value, SEASON, 1, ben.id).custom_id)
    assert turned.acknowledged
    copies = [message for message in server.channel.history(viewer=ben) if message.flags.ephemeral]
    assert len(copies) == 1
    assert "10. Guest 9: " in _shown(copies[0])
    assert "14. Guest 13: 1680 (6 games). 15. Ben: 1040 (6 games)." in _shown(copies[0])
    assert server.looks() == before
    await server.restart()
    await _turn(server, ada, "Next")
    assert "14. Guest 13: " in _shown(server.shown)
    assert "Back" in {button.label for button in server.buttons()}
    assert "Next" not in {button.label for button in server.buttons()}


async def test_what_is_counted_is_explained_to_the_one_who_presses(server: Server) -> None:
    ada, ben = server.members[:2]
    await _open(server, ada)
    before = server.looks()
    custom_id = CountingPress(Order.RATING).custom_id
    assert "Nobody is ranked here" in _shown(server.shown)
    with locales({ben.id: "de"}, "en-US"):
        told = private(await ben.click(server.shown, custom_id=custom_id))
    assert "Alle beginnen mit 1000" in told
    assert server.looks() == before
    assert "button doesn't work here" in private(await server.send(ben, "hb:counting:fame", 0))


async def test_a_server_without_pictures_has_the_same_sentences(server: Server) -> None:
    ada = server.members[0]
    await administer(server, pictures=False)
    await _populate(server, 7)
    await add(server.bot.core.database, [_rated(server, ada.id, "*_Ada_*", 1)])
    message = await _open(server, ada)
    assert not message.attachments
    words, title = message.embeds
    assert str(words.description).splitlines()[1].startswith("1\\. Guest 0\\: 2200")
    assert "8\\. \\*\\_Ada\\_\\*\\: 1040" in str(words.description)
    assert "points behind Guest 6" in str(title.description)


async def test_a_past_season_is_offered_and_looked_up(server: Server) -> None:
    await _club(server, days_ago=60).finish(people(1, 2), server.guild.id)
    ada = server.members[0]
    offered = await ada.autocomplete(server.channel, "highscore leaderboard", "period", "")
    assert [(choice["name"], choice["value"]) for choice in offered] == [
        ("This season", "season"),
        ("This month", "month"),
        ("All time", "all"),
        ("4th quarter 2025", "2025-Q4"),
    ]
    assert "**4th quarter 2025**" in _shown(await _open(server, ada, period="2025-q4", order="chips"))
    assert "p1" in _shown(server.shown)
    assert "Pick one" in private(await server.slash(ada, "leaderboard", period="long ago"))
