from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
from simcord import InteractionResult, MemberActor

from bot.domain.leaderboard import Order
from bot.domain.ledger import PlayerStanding
from bot.services.facts import Facts
from bot.ui.buttons import LeaderboardPress
from tests.bot.games import SEASON, Club, add, people, standing
from tests.bot.server import Server, private


def _shown(message: discord.Message | None) -> str:
    assert message is not None
    (embed,) = message.embeds
    return "\n".join((embed.title or "", embed.description or "", embed.footer.text or ""))


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
    await _populate(server, 25)
    await add(server.bot.core.database, [_rated(server, ben.id, "Ben", 1)])
    message = await _open(server, ada)
    assert "🥇 Guest 0 " in _shown(server.shown)
    await _turn(server, ada, "Next")
    assert server.shown.id == message.id
    assert "Guest 10 " in _shown(server.shown)
    before = server.looks()
    result = await _turn(server, ben, "Next")
    assert "`26.` Ben **1040**" in private(result)
    copy = next(message for message in server.channel.history(viewer=ben) if message.flags.ephemeral)
    turned = await ben.click(copy, custom_id=LeaderboardPress(Order.RATING.value, SEASON, 1, ben.id).custom_id)
    assert turned.acknowledged
    copies = [message for message in server.channel.history(viewer=ben) if message.flags.ephemeral]
    assert len(copies) == 1
    assert "You: `26.` Ben **1040**" in _shown(copies[0])
    assert server.looks() == before
    await server.restart()
    await _turn(server, ada, "Next")
    assert "Guest 24 " in _shown(server.shown)


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
