"""/highscore daily: played in private by buttons, told to the channel without spoilers, over when the day is."""

from itertools import product

import discord
import pytest

import bot.discord_api.messages
from bot.ui.buttons import ChallengeKind, ChallengePress, Verb
from highscore import STANDARD_DECK
from tests.bot.dailies import Player, words
from tests.bot.databases import everything, execute
from tests.bot.server import Server, private, private_message


def _press(player: Player, verb: Verb, argument: int = 0, step: int | None = None) -> str:
    """Return the custom_id of a button as it would be on the player's page now."""
    ((challenge_id, newest),) = player.server.rows(
        "select challenge_id, step from attempts where user_id = ?", player.member.id
    )
    return f"hd:{verb.value}:{challenge_id}:{newest if step is None else step}:{argument}"


async def test_the_command_brings_the_player_back_to_where_they_were(server: Server) -> None:
    old = await Player.begin(server, server.members[0])
    button = old.button(Verb.TAKE)
    await old.press(Verb.TAKE)
    await server.restart()
    new = await Player.begin(server, server.members[0])
    assert new.message_id != old.message_id
    assert new.text == old.text
    assert [each.custom_id for each in new.buttons()] == [each.custom_id for each in old.buttons()]
    await new.step()
    image = everything(server.settings)
    await old.send(button)
    assert "out of date" in old.text
    assert words(new.page).strip() in old.text
    assert everything(server.settings) == image
    await old.play_cards()
    await new.send(button)
    assert "out of date" in new.text
    assert "ranking" in new.text
    assert new.verbs() == {Verb.SHARE, Verb.TEXT}


async def test_presses_that_are_refused_change_nothing(server: Server) -> None:
    ada = await Player.begin(server, server.members[0])
    take = ada.button(Verb.TAKE)
    while ada.play.turn is None or len(ada.play.turn.free) == 7:
        await ada.step()
    ((now,),) = server.rows("select step from attempts")
    frozen = next(at for at in range(7) if at not in ada.play.turn.free)
    image = everything(server.settings)
    thief = Player(server, server.members[1], server.channel, ada.message_id)
    assert "haven't started" in private(await thief.send(take))
    for verb, argument, step, reason in (
        (Verb.TAKE, 0, now, "already"),
        (Verb.TOGGLE, 1 << frozen, now, "cannot be picked"),
        (Verb.SET_ASIDE, 1, now, "no dice are set aside"),
        (Verb.HINT, 0, now, "when the time is up"),
        (Verb.SHARE, 0, now, "all seven cards first"),
        (Verb.TEXT, 0, now, "all seven cards first"),
        (Verb.REVIEW, 0, now, "when the time is up"),
        (Verb.PROOF, 0, now, "sealed until the end"),
        (Verb.PLAY, 0, now, "#1 to #1"),
        (Verb.JOIN, 0, now, "doesn't work here"),
    ):
        assert reason in private(await ada.send(_press(ada, verb, argument, step))), verb
    for verb, step in product((Verb.TAKE, Verb.TOGGLE, Verb.STOP, Verb.SET_ASIDE), (0, 999_999_999)):
        await ada.send(_press(ada, verb, 1, step))
        assert "out of date" in ada.text
    unknown = ChallengePress(ChallengeKind.DAILY, Verb.TAKE, "f" * 12)
    assert "haven't started" in private(await ada.send(unknown.custom_id))
    assert everything(server.settings) == image


async def test_a_post_leads_everybody_to_their_own_page_and_whoever_may_not_write_shares_nothing(
    server: Server,
) -> None:
    quiet = server.guild.create_text_channel(
        "quiet", overwrites={server.members[1]: discord.PermissionOverwrite(send_messages=False)}
    )
    ada, ben = [await Player.begin(server, member, quiet) for member in server.members[:2]]
    await ben.play_cards()
    assert "not allowed to write" in private(await ben.press(Verb.SHARE))
    assert quiet.history() == []
    await ada.play_cards()
    await ada.press(Verb.SHARE)
    (line,) = quiet.history()
    opened = await server.press(server.members[2], Verb.PLAY, message=line)
    assert "Card 1 of 7" in private(opened)
    assert "ranking" in private(await server.press(ben.member, Verb.PLAY, message=line))


async def test_the_result_as_text_is_the_whole_answer_and_a_second_press_replaces_it(server: Server) -> None:
    ada, ben = [await Player.begin(server, member) for member in server.members[:2]]
    run = await ada.play_cards()
    text = ada.button(Verb.TEXT)
    assert "all seven cards first" in private(await ben.send(text)), "another's result"
    first, again = private_message(await ada.press(Verb.TEXT)), private_message(await ada.press(Verb.TEXT))
    assert first.content == again.content
    title, signs = again.content.split("\n")
    assert title == f"High Score #1 · {run.total}"
    assert signs == "".join(sorted(signs, reverse=True)), "the green ones first"
    assert len(signs) == 7
    assert (again.embeds, again.components, again.attachments) == ([], [], [])
    shown = [message.id for message in server.channel.history(viewer=ada.member)]
    assert first.id not in shown
    assert again.id in shown
    assert server.messages == []


async def test_a_past_day_is_played_unranked_and_every_decision_looked_at(server: Server) -> None:
    await server.env.advance_time(2 * 86400)
    ada = Player.of(server, server.members[0], await server.slash(server.members[0], "daily", number="#2"))
    assert "isn't ranked" in ada.text
    await ada.press(Verb.TAKE)
    advised = await ada.press(Verb.HINT)
    assert "Worth, in points" in private(advised)
    advice = Player.of(server, ada.member, advised)
    await advice.send(str(advice.buttons()[0].custom_id))
    assert "Card" in advice.text, "the advice has turned into the page"
    await advice.play_cards()
    ada = advice
    assert "isn't ranked" in ada.text
    assert ada.verbs() == {Verb.SHARE, Verb.TEXT, Verb.REVIEW, Verb.PROOF, Verb.PLAY}
    page = Player.of(server, ada.member, await ada.press(Verb.REVIEW))
    assert "Par kept" in page.text
    for card, (_card, done) in enumerate(ada.play.finished, 1):
        await page.press(Verb.REVIEW, -1)
        assert f"Card {card}: {done.result} point".replace("-", "−") in page.text
    await ada.press(Verb.SHARE)
    assert "Par kept" in server.shown.content
    assert "isn't ranked" in server.shown.content
    assert "Card 1 of 7" in private(await ada.press(Verb.PLAY)), "the day before"
    for number in ("4", "0", "first", "-1"):
        assert "#" in private(await server.slash(ada.member, "daily", number=number)) or number in ("first", "-1")


async def test_the_page_has_the_players_best_result_on_the_card(server: Server) -> None:
    ada = server.members[0]
    for card in STANDARD_DECK:
        execute(
            server.settings,
            "insert into card_standings (guild_id, user_id, card, best, worst, turns, total, gold, silver, bronze)"
            " values (?, ?, ?, 29, 1, 2, 30, 0, 0, 0)",
            *(server.guild.id, ada.id, str(card)),
        )
    (board,) = (await Player.begin(server, ada)).page.attachments
    assert "Your best result on this card: 29." in str(board.description)
    (board,) = (await Player.begin(server, server.members[1])).page.attachments
    assert "Your best result" not in str(board.description)


async def test_past_days_are_offered_by_their_number_and_by_their_date(server: Server) -> None:
    await server.env.advance_time(2 * 86400)

    async def offered(typed: str) -> dict[str, str]:
        choices = await server.members[0].autocomplete(server.channel, "highscore daily", "number", typed)
        return {choice["value"]: choice["name"] for choice in choices}

    every = await offered("")
    assert list(every) == ["2", "1"]
    number, day, _result = every["1"].split(" · ")
    for typed in (number, day.upper()):
        assert list(await offered(typed)) == ["1"]
    assert await offered("no such day") == {}


async def test_a_slow_answer_is_as_private_as_a_quick_one(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.discord_api.messages, "PATIENCE", 0.0)
    ada = await Player.begin(server, server.members[0])
    assert ada.verbs() == {Verb.TAKE, Verb.CARD}
    await ada.play_cards(1)
    assert "Card 1:" in ada.text
    assert server.messages == []
