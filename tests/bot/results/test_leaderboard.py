"""/highscore leaderboard and records on a simulated Discord: pages, own lines, names, language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord import InteractionResult, MemberActor

from bot.domain.leaderboard import Order
from bot.domain.ledger import PlayerStanding
from bot.domain.season import ALL_TIME
from bot.ui.buttons import BoardPage
from highscore.deck import STANDARD_DECK
from tests.bot.boards import SEASON, add, standing
from tests.bot.games import Club, house, people, person
from tests.bot.server import Server, private


def _shown(message: discord.Message | None) -> str:
    assert message is not None
    (embed,) = message.embeds
    return "\n".join((embed.title or "", embed.description or "", embed.footer.text or ""))


def _labels(message: discord.Message | None) -> list[str]:
    assert message is not None
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    return [button.label or "" for row in rows for button in row.children if isinstance(button, discord.Button)]


async def _populate(server: Server, number: int) -> None:
    lines = [_rated(server, 5000 + at, f"Guest {at}", 30 - at) for at in range(number)]
    await add(server.bot.core.database, lines)


def _rated(server: Server, user_id: int, name: str, rating: float, period: str = SEASON) -> PlayerStanding:
    return standing(server.guild.id, user_id, name, period, games=6, rated=6, wins=3, rating=rating)


def _club(server: Server) -> Club:
    """Games in the bot's database that nobody reviews."""
    return Club(replace(server.bot.core, committed=[], now=server.env.now), server.env.now())


async def _open(server: Server, member: MemberActor, **options: Any) -> discord.Message:
    result = await server.slash(member, "leaderboard", **options)
    assert result.response is not None
    assert not result.response.ephemeral
    return server.shown


async def _turn(
    server: Server, member: MemberActor, label: str, message: discord.Message | None = None
) -> InteractionResult:
    shown = message or server.shown
    button = next(
        button
        for row in shown.components
        if isinstance(row, discord.ActionRow)
        for button in row.children
        if isinstance(button, discord.Button) and button.label == label
    )
    assert button.custom_id is not None
    result = await member.click(shown, custom_id=button.custom_id)
    assert result.acknowledged
    return result


async def test_everybody_sees_who_leads_this_season(server: Server) -> None:
    await _populate(server, 4)
    text = _shown(await _open(server, server.members[0]))
    lines = text.splitlines()
    assert lines[0] == "🏆 Rating"
    assert lines[1] == "**Quarter 1 of 2026**"
    assert lines[2:6] == [
        "🥇 Guest 0 **2200** · 6 games",
        "🥈 Guest 1 **2160** · 6 games",
        "🥉 Guest 2 **2120** · 6 games",
        "`4.` Guest 3 **2080** · 6 games",
    ]
    assert "You have not finished a game in this period." in text
    assert "only one person are counted, but not rated" in text
    assert _labels(server.shown) == []


async def test_an_empty_leaderboard_says_so(server: Server) -> None:
    assert "Nobody is ranked here yet." in _shown(await _open(server, server.members[0], period="all"))


async def test_your_own_line_is_below_the_page(server: Server) -> None:
    await _populate(server, 12)
    ada = server.members[0]
    await add(server.bot.core.database, [_rated(server, ada.id, "Ada", -5)])
    text = _shown(await _open(server, ada))
    assert "You: `13.` Ada **800** · 6 games" in text
    await _turn(server, ada, "Next")
    assert "`13.` Ada **800**" in _shown(server.shown)
    assert "You:" not in _shown(server.shown)


async def test_who_is_not_ranked_is_told_why(server: Server) -> None:
    ada = server.members[0]
    await add(server.bot.core.database, [standing(server.guild.id, ada.id, "Ada", games=2, decisions=31)])
    assert "You: `–` Ada · not rated yet" in _shown(await _open(server, ada))
    assert "2 of 5 games needed" in _shown(await _open(server, ada, order=Order.WIN_RATE.value))
    assert "31 of 50 decisions needed" in _shown(await _open(server, ada, order=Order.LOSS.value))


async def test_who_asked_turns_the_pages_of_the_message(server: Server) -> None:
    await _populate(server, 25)
    ada = server.members[0]
    message = await _open(server, ada)
    assert _labels(server.shown) == ["Next"]
    await _turn(server, ada, "Next")
    assert server.shown.id == message.id
    assert "Guest 10 " in _shown(server.shown)
    assert "Page 2" in _shown(server.shown)
    assert _labels(server.shown) == ["Back", "Next"]
    await _turn(server, ada, "Next")
    assert "`25.` Guest 24 " in _shown(server.shown)
    assert _labels(server.shown) == ["Back"]
    await _turn(server, ada, "Back")
    assert "Guest 10 " in _shown(server.shown)


async def test_everybody_else_gets_a_copy_of_their_own(server: Server) -> None:
    await _populate(server, 25)
    ada, ben = server.members[:2]
    await add(server.bot.core.database, [_rated(server, ben.id, "Ben", 1)])
    await _open(server, ada)
    before = server.looks()
    result = await _turn(server, ben, "Next")
    assert "Guest 10 " in private(result)
    assert "You: `26.` Ben **1040**" in private(result)
    assert server.looks() == before
    copy = next(message for message in server.channel.history(viewer=ben) if message.flags.ephemeral)
    turned = await ben.click(copy, custom_id=BoardPage(Order.RATING, SEASON, 2, ben.id).custom_id)
    assert turned.acknowledged
    copies = [message for message in server.channel.history(viewer=ben) if message.flags.ephemeral]
    assert len(copies) == 1
    assert "Guest 24 " in _shown(copies[0])
    assert server.looks() == before


async def test_pages_can_be_turned_after_a_restart(server: Server) -> None:
    await _populate(server, 12)
    await _open(server, server.members[0])
    await server.restart()
    await _turn(server, server.members[0], "Next")
    assert "Guest 11 " in _shown(server.shown)


async def test_a_page_beyond_the_last_is_empty_and_leads_back(server: Server) -> None:
    await _populate(server, 3)
    ada = server.members[0]
    message = await _open(server, ada)
    result = await server.send(ada, BoardPage(Order.RATING, SEASON, 9999, ada.id).custom_id, message.id)
    assert result.acknowledged
    assert "Nobody is here." in _shown(server.shown)
    assert _labels(server.shown) == ["Back"]


async def test_names_format_nothing_and_mention_nobody(server: Server) -> None:
    await add(
        server.bot.core.database,
        [
            _rated(server, 1, "**LOUD** @everyone", 9),
            _rated(server, 2, "[x](https://example.com)", 8),
            _rated(server, 3, "line\nbreak\u202e", 7),
            _rated(server, 4, "x" * 100, 6),
        ],
    )
    text = _shown(await _open(server, server.members[0]))
    assert "**LOUD**" not in text
    assert "@everyone" not in text
    assert "](https://" not in text
    assert "line break **1280**" in text
    assert "x" * 33 not in text


async def test_longest_names_fit_into_an_embed(server: Server) -> None:
    lines = [_rated(server, at, "*" * 100, 1000 - at) for at in range(1, 13)]
    await add(server.bot.core.database, lines)
    assert len(_shown(await _open(server, server.members[0]))) < 4000


@pytest.mark.parametrize("order", Order)
async def test_every_order_shows_its_figure(server: Server, order: Order) -> None:
    line = standing(
        server.guild.id,
        1,
        "Zoe",
        ALL_TIME,
        games=8,
        wins=2,
        points=40,
        gold=9,
        silver=4,
        bronze=5,
        best=44,
        rated=7,
        rating=5.0,
        reviewed=1,
        decisions=60,
        loss_rate=0.0314,
        win_rate=0.25,
    )
    await add(server.bot.core.database, [line])
    figures = {
        Order.RATING: "**1200** · 7 games",
        Order.WINS: "**2** · 8 games",
        Order.WIN_RATE: "**25%** · 8 games",
        Order.CHIPS: "**40** · 🥇×9 🥈×4 🥉×5",
        Order.BEST: "**44**",
        Order.LOSS: "**0.031** · 1 game",
    }
    text = _shown(await _open(server, server.members[0], period="all", order=order.value))
    assert f"🥇 Zoe {figures[order]}" in text.splitlines()
    assert "**All time**" in text


async def test_a_past_season_is_offered_and_looked_up(server: Server) -> None:
    club = _club(server)
    await club.finish(people(1, 2), server.guild.id)
    await server.env.advance_time(120 * 86400)
    ada = server.members[0]
    offered = await ada.autocomplete(server.channel, "highscore leaderboard", "period", "")
    assert [(choice["name"], choice["value"]) for choice in offered] == [
        ("this season", "season"),
        ("this month", "month"),
        ("all time", "all"),
        ("quarter 1 of 2026", "2026-Q1"),
    ]
    assert "**Quarter 1 of 2026**" in _shown(await _open(server, ada, period="2026-q1", order="chips"))
    assert "p1" in _shown(server.shown)
    assert "no such season" in private(await server.slash(ada, "leaderboard", period="long ago"))


# ------------------------------------------------------------------------------------------------------------ records


async def test_the_hall_of_fame_lists_the_best_result_on_each_card(server: Server) -> None:
    ada = server.members[0]
    await server.slash(ada, "records")
    assert "No game has been finished here yet." in _shown(server.shown)
    club = _club(server)
    seats = [person(1, name="_Zoe_"), house()]
    for number in range(3):
        await club.end(
            seats, *[[50 + number, 60]] * 7, cards=STANDARD_DECK.cards[number * 7 :], guild_id=server.guild.id
        )
    await server.slash(ada, "records")
    first = _shown(server.shown)
    assert first.count("**50**") == 7
    assert first.count("**51**") == 3
    assert "\\_Zoe\\_" in first
    await _turn(server, ada, "Next")
    await _turn(server, ada, "Next")
    assert _shown(server.shown).count("**52**") == 1
    assert _labels(server.shown) == ["Back"]


async def test_a_record_of_a_former_player_stays(server: Server) -> None:
    club = _club(server)
    await club.end(people(1, 2), *[[30, 4]] * 7, guild_id=server.guild.id)
    await club.write("update records set user_id = -9")
    await server.slash(server.members[0], "records")
    assert "a former player" in _shown(server.shown)
