"""/highscore daily: played in private by buttons, told to the channel without spoilers, over when the day is."""

import json
import re
from datetime import UTC, datetime
from itertools import product

import discord
import pytest
from simcord import InteractionResult

import bot.discord_api.replies
from bot.domain.daily import grade_card
from bot.services.setup import change_settings
from bot.ui.buttons import Kind, Press, Verb
from bot.ui.daily import GRADES
from bot.ui.turn import KEYCAPS
from bot.ui.words import card_name, roll_type_name, scoring_name
from highscore import STANDARD_DECK
from highscore.proof import Proof, read_export, verify_export
from tests.bot.dailies import Player, words
from tests.bot.databases import everything
from tests.bot.server import Server, private

END = datetime(2026, 1, 2, tzinfo=UTC)
"""The end of that day."""
SECRETS = {
    *(card_name(card) for card in STANDARD_DECK),
    *(card.id for card in STANDARD_DECK),
    *(scoring_name(card.scoring) for card in STANDARD_DECK),
    *(roll_type_name(card.roll_type) for card in STANDARD_DECK),
    *KEYCAPS.values(),
    "<:",
}
"""The texts that would give something of the day away."""


def _press(player: Player, verb: Verb, argument: int = 0, step: int | None = None) -> str:
    """Return the custom_id of a button as it would be on the player's page now."""
    ((challenge_id, newest),) = player.server.rows(
        "select challenge_id, step from attempts where user_id = ?", player.member.id
    )
    return Press(verb, challenge_id, newest if step is None else step, argument, Kind.DAILY).custom_id


# ------------------------------------------------------------------------------------------------------- a whole day


async def test_the_end_shows_every_card_the_row_and_a_ranking_hidden_until_then(server: Server) -> None:
    ben = await Player.begin(server, server.members[1])
    await ben.play_cards()
    ada = await Player.begin(server, server.members[0])
    await ada.play_cards(6)
    while not ada.play.complete:
        assert "ranking" not in ada.text
        assert "Ben" not in ada.text
        await ada.step()
    assert ada.verbs() == {Verb.SHARE}
    for card, done in ada.play.finished:
        assert f"{card_name(card)}: **{done.result}**".replace("-", "−") in ada.text
    ((stored,),) = server.rows("select averages from challenges")
    averages: list[float] = json.loads(stored)
    assert f"{ada.play.total} points, par {sum(averages):.1f}" in ada.text
    ranking = words(ada.page).partition("ranking")[2]
    # A list that Discord numbers would have them on places 1 and 2.
    assert f"1\\. Ada **{ada.play.total}** 👈" in ranking
    assert f"1\\. Ben **{ada.play.total}**" in ranking
    row = next(line for line in ada.text.splitlines() if line and set(line) <= set(GRADES.values()))
    grades = [grade_card(done.counted, average) for (_, done), average in zip(ada.play.finished, averages, strict=True)]
    assert sorted(row) == sorted(GRADES[each] for each in grades)
    assert [*row] == sorted(row, key=lambda symbol: [*GRADES.values()].index(symbol))
    assert server.messages == []
    await ada.press(Verb.SHARE)
    assert ada.verbs() == set(), "shared once while the day lasts"
    line = server.shown
    assert [each.filename for each in line.attachments] == ["daily.png"]
    assert not line.embeds
    assert not [secret for secret in SECRETS if secret in line.content]
    assert len(re.findall(r"\d+", line.content)) == 4, "number, score, par"
    assert (line.mentions, line.flags.suppress_notifications) == ([], True)
    assert server.verbs() == {Verb.PLAY}


# --------------------------------------------------------------------------------------- interruptions and repetitions


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
    assert "an older one" in old.text
    assert words(new.page).strip() in old.text
    assert everything(server.settings) == image
    await old.play_cards()
    await new.send(button)
    assert "an older one" in new.text
    assert "ranking" in new.text
    assert new.verbs() == {Verb.SHARE}


# --------------------------------------------------------------------------------------------------- the day is over


async def test_when_the_day_is_over_all_is_told_proved_and_begun_anew(server: Server) -> None:
    ada, ben = [await Player.begin(server, member) for member in server.members[:2]]
    assert "Your streak" not in ada.text
    await ada.step()
    await ada.play_cards()
    await ben.play_cards(2)
    button = ben.button(Verb.TAKE)
    ((seed,),) = server.rows("select seed from challenges")
    assert seed.hex() not in str([entry.json for entry in server.env.http_requests])
    assert server.rows("select count(*) from marks") == [(2,)]
    await server.env.advance_time((END - server.env.now()).total_seconds() + 1)
    assert server.rows("select count(*) from mark_keys") == server.rows("select count(*) from marks") == [(0,)]
    podium = server.shown
    assert seed.hex() in words(podium)
    await server.restart()
    for player, played in ((ada, 7), (ben, 2)):
        proof = await _proof(await server.press(player.member, Verb.PROOF, message=podium))
        assert len(proof.state.finished) == played
        assert proof.state.find_run(0) == player.play
        assert proof.export.seed == seed
    assert not (await _proof(await server.press(server.members[3], Verb.PROOF, message=podium))).export.events
    assert server.shown.id == podium.id

    again = await Player.begin(server, ada.member)
    assert "High Score #2 · Card 1 of 7" in again.text
    assert "Your streak: 1" in again.text
    await again.play_cards()
    assert "Days in a row: 2" in again.text
    await again.press(Verb.SHARE)
    assert "🔥 2" in server.shown.content
    await ben.send(button)
    assert "not ranked" in ben.text


async def _proof(result: InteractionResult) -> Proof:
    assert "highscore-bot verify" in private(result)
    assert result.response is not None
    (attachment,) = result.response.attachments
    return verify_export(read_export((await attachment.read()).decode()))


# ------------------------------------------------------------------------------------------------------ wrong presses


async def test_presses_that_are_refused_change_nothing(server: Server) -> None:
    ada = await Player.begin(server, server.members[0])
    take = ada.button(Verb.TAKE)
    while ada.play.turn is None or len(ada.play.turn.free) == 7:
        await ada.step()
    ((now,),) = server.rows("select step from attempts")
    frozen = next(at for at in range(7) if at not in ada.play.turn.free)
    image = everything(server.settings)
    thief = Player(server, server.members[1], server.channel, ada.message_id)
    assert "not begun" in private(await thief.send(take))
    for verb, argument, step, reason in (
        (Verb.TAKE, 0, now, "already"),
        (Verb.TOGGLE, 1 << frozen, now, "cannot be picked"),
        (Verb.SET_ASIDE, 1, now, "no dice are set aside"),
        (Verb.HINT, 0, now, "when it is over"),
        (Verb.SHARE, 0, now, "all seven cards first"),
        (Verb.REVIEW, 0, now, "when it is over"),
        (Verb.PROOF, 0, now, "sealed until the end"),
        (Verb.PLAY, 0, now, "#1 to #1"),
        (Verb.JOIN, 0, now, "no such button"),
    ):
        assert reason in private(await ada.send(_press(ada, verb, argument, step))), verb
    for verb, step in product((Verb.TAKE, Verb.TOGGLE, Verb.STOP, Verb.SET_ASIDE), (0, 999_999_999)):
        await ada.send(_press(ada, verb, 1, step))
        assert "an older one" in ada.text
    unknown = Press(Verb.TAKE, "f" * 12, 0, kind=Kind.DAILY)
    assert "not begun" in private(await ada.send(unknown.custom_id))
    assert everything(server.settings) == image


async def test_a_place_where_it_is_not_played_is_refused_and_a_thread_of_one_where_it_is_allowed(
    server: Server,
) -> None:
    assert server.bot.user is not None
    silent = server.guild.create_text_channel(
        "silent", overwrites={server.bot.user: discord.PermissionOverwrite(send_messages=False)}
    )
    assert "Send Messages" in private(await server.slash(server.members[0], "daily", channel=silent))
    other = server.guild.create_text_channel("games")
    await change_settings(server.bot.core, server.guild.id, channels=(other.id,))
    assert f"<#{other.id}>" in private(await server.slash(server.members[0], "daily"))
    assert server.rows("select count(*) from attempts") == [(0,)]
    await server.slash(server.members[1], "new", thread=True, channel=other)
    (thread,) = other.threads
    ada = await Player.begin(server, server.members[0], thread)
    await ada.play_cards()
    await ada.press(Verb.SHARE)
    assert "Ada" in thread.history()[-1].content


async def test_a_post_leads_everybody_to_their_own_page_and_whoever_may_not_write_shares_nothing(
    server: Server,
) -> None:
    quiet = server.guild.create_text_channel(
        "quiet", overwrites={server.members[1]: discord.PermissionOverwrite(send_messages=False)}
    )
    ada, ben = [await Player.begin(server, member, quiet) for member in server.members[:2]]
    await ben.play_cards()
    assert "may not write" in private(await ben.press(Verb.SHARE))
    assert quiet.history() == []
    await ada.play_cards()
    await ada.press(Verb.SHARE)
    (line,) = quiet.history()
    opened = await server.press(server.members[2], Verb.PLAY, message=line)
    assert "Card 1 of 7" in private(opened)
    assert "ranking" in private(await server.press(ben.member, Verb.PLAY, message=line))


async def test_a_past_day_is_played_unranked_and_every_decision_looked_at(server: Server) -> None:
    await server.env.advance_time(2 * 86400)
    ada = Player.of(server, server.members[0], await server.slash(server.members[0], "daily", number="#2"))
    assert "not ranked" in ada.text
    await ada.press(Verb.TAKE)
    advised = await ada.press(Verb.HINT)
    assert "Worth, in points" in private(advised)
    advice = Player.of(server, ada.member, advised)
    await advice.send(str(advice.buttons()[0].custom_id))
    assert "Card" in advice.text, "the advice has turned into the page"
    await advice.play_cards()
    ada = advice
    assert "not ranked" in ada.text
    assert ada.verbs() == {Verb.SHARE, Verb.REVIEW, Verb.PROOF, Verb.PLAY}
    page = Player.of(server, ada.member, await ada.press(Verb.REVIEW))
    assert "Par kept" in page.text
    for card, (_card, done) in enumerate(ada.play.finished, 1):
        await page.press(Verb.REVIEW, -1)
        assert f"Card {card}: {done.result} point".replace("-", "−") in page.text
    await ada.press(Verb.SHARE)
    assert "Par kept" in server.shown.content
    assert "not ranked" in server.shown.content
    assert "Card 1 of 7" in private(await ada.press(Verb.PLAY)), "the day before"
    for number in ("4", "0", "first", "-1"):
        assert "#" in private(await server.slash(ada.member, "daily", number=number)) or number in ("first", "-1")


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
    monkeypatch.setattr(bot.discord_api.replies, "PATIENCE", 0.0)
    ada = await Player.begin(server, server.members[0])
    assert ada.verbs() == {Verb.TAKE, Verb.CARD}
    await ada.play_cards(1)
    assert "Card 1:" in ada.text
    assert server.messages == []
