"""/highscore history, replay and stats, and their buttons."""

from __future__ import annotations

import json
from typing import Any

import discord
import pytest
from simcord import InteractionResult, MemberActor, ResponseMessage
from sqlalchemy import text as sql

from bot.domain.history import GAMES_A_PAGE
from bot.domain.table import Table
from bot.services import lobby, privacy
from bot.services import settings as preferences
from bot.services.core import Person
from bot.store.table import load_events
from bot.ui.buttons import HistoryPage, Step
from highscore.proof import read_export, verify
from highscore.replaying import positions
from tests import simulation
from tests.bot.played import begun, finished, play_on
from tests.bot.server import Server, private


def _answer(result: InteractionResult) -> ResponseMessage:
    """The private message that answered a command or a press."""
    told = [message for message in (result.response, *result.followups) if message is not None]
    assert told
    assert told[-1].ephemeral
    return told[-1]


def _text(message: discord.Message | ResponseMessage) -> str:
    return str([embed.to_dict() for embed in message.embeds])


def _buttons(message: Any) -> dict[Step, list[discord.Button]]:
    found: dict[Step, list[discord.Button]] = {}
    for row in message.components:
        for child in row.children:
            assert child.custom_id is not None
            found.setdefault(Step(child.custom_id.split(":")[1]), []).append(child)
    return found


async def _press(server: Server, member: MemberActor, message_id: int, custom_id: str) -> InteractionResult:
    press = simulation.Click(member, message_id, custom_id)
    result = await simulation.click(server.env, server.channel, press)
    assert result.acknowledged, server.env.transcript()
    return result


class Reader:
    """Somebody who looks at a private page and presses its buttons."""

    def __init__(self, server: Server, member: MemberActor, message_id: int) -> None:
        self.server, self.member, self.message_id = server, member, message_id

    @property
    def page(self) -> discord.Message:
        backend = self.server.env.backend
        return ResponseMessage(self.server.env, backend.get_message(self.server.channel.id, self.message_id)).message

    @property
    def text(self) -> str:
        return _text(self.page)

    @property
    def steps(self) -> dict[Step, list[discord.Button]]:
        return _buttons(self.page)

    async def press(self, step: Step, nth: int = 0) -> InteractionResult:
        button = self.steps[step][nth]
        assert not button.disabled
        assert button.custom_id is not None
        return await _press(self.server, self.member, self.message_id, button.custom_id)


async def _replay(server: Server, table: Table | str, member: MemberActor | None = None) -> Reader:
    who = member or server.members[4]
    result = await server.slash(who, "replay", game=table if isinstance(table, str) else table.id)
    return Reader(server, who, _answer(result).id)


async def _history(server: Server, player: MemberActor | None = None) -> Reader:
    who = server.members[4]
    options: dict[str, Any] = {} if player is None else {"player": player}
    return Reader(server, who, _answer(await server.slash(who, "history", **options)).id)


# ------------------------------------------------------------------------------------------------------------- replay


async def test_a_game_is_gone_through_roll_by_roll(server: Server) -> None:
    table = await finished(server)
    reader = await _replay(server, table)
    async with server.bot.core.database.read() as connection:
        expected = positions(2, table.turn_order, await load_events(connection, table.id))
    assert "Round 1 of 7" in reader.text
    assert f"1 of {len(expected)} · {table.id}" in reader.text
    assert reader.steps[Step.FIRST][0].disabled
    assert reader.steps[Step.BACK][0].disabled
    seen = [reader.text]
    while not reader.steps[Step.NEXT][0].disabled:
        await reader.press(Step.NEXT)
        seen.append(reader.text)
    assert len(set(seen)) == len(seen) == len(expected), "every position is shown, and each is another one"
    assert reader.steps[Step.LAST][0].disabled
    assert reader.steps[Step.TURN][0].disabled
    whole = "\n".join(seen)
    assert all(f"Round {number} is over" in whole for number in range(1, 8))
    assert "🏆" in seen[-1]
    assert "Ada" in seen[-1]


async def test_the_buttons_lead_where_they_say(server: Server) -> None:
    reader = await _replay(server, await finished(server))
    first = reader.text
    await reader.press(Step.TURN)
    assert "Roll 1" in reader.text
    turn = reader.text
    await reader.press(Step.TURN)
    assert "Roll 1" in reader.text
    assert reader.text != turn
    await reader.press(Step.TURN)
    assert "Round 1 is over" in reader.text
    await reader.press(Step.LAST)
    assert "🏆" in reader.text
    await reader.press(Step.BACK)
    assert "Round 7 is over" in reader.text
    await reader.press(Step.FIRST)
    assert reader.text == first


async def test_a_replay_shows_the_board_with_its_words(server: Server) -> None:
    reader = await _replay(server, await finished(server))
    await reader.press(Step.NEXT)
    (picture,) = reader.page.attachments
    assert picture.filename == "board.png"
    assert picture.description is not None
    assert "Challenge card" in picture.description
    assert (await picture.read()).startswith(b"\x89PNG")
    await reader.press(Step.LAST)
    assert [attachment.filename for attachment in reader.page.attachments] == ["results.png"]


async def test_without_pictures_the_dice_are_told(server: Server) -> None:
    await preferences.change_settings(server.bot.core, server.guild.id, preferences.SettingsChange(pictures=False))
    reader = await _replay(server, await finished(server))
    await reader.press(Step.NEXT)
    assert reader.page.attachments == []
    assert "# " in reader.text


async def test_a_replay_goes_on_after_a_restart(server: Server) -> None:
    reader = await _replay(server, await finished(server))
    before = reader.text
    await server.restart()
    await reader.press(Step.NEXT)
    assert reader.text != before


async def test_only_the_one_who_asked_sees_it(server: Server) -> None:
    seen = len(server.messages)
    await _replay(server, await finished(server))
    await _history(server)
    assert len(server.messages) == seen


async def test_a_game_that_was_given_up_can_be_gone_through(server: Server) -> None:
    table = await play_on(server.bot.core, await begun(server, 3), 9)
    await lobby.cancel(
        server.bot.core, table.id, Person(server.members[0].id, "Ada"), moderator=False, interaction_id=None
    )
    reader = await _replay(server, table)
    await reader.press(Step.LAST)
    assert "cancelled" in reader.text


async def test_a_game_that_is_played_stays_hidden(server: Server) -> None:
    table = await play_on(server.bot.core, await begun(server), 5)
    assert "still played" in private(await server.slash(server.members[0], "replay", game=table.id))
    for step in (Step.OPEN, Step.NEXT, Step.FILE):
        result = await _press(server, server.members[0], 0, HistoryPage(step, table.id, 3).custom_id)
        assert "still played" in private(result)


async def test_games_of_other_servers_are_not_shown(server: Server) -> None:
    table = await play_on(server.bot.core, await begun(server, guild_id=server.guild.id + 1))
    assert "no such game" in private(await server.slash(server.members[0], "replay", game=table.id))
    for step in (Step.OPEN, Step.NEXT, Step.TURN, Step.FILE):
        result = await _press(server, server.members[0], 0, HistoryPage(step, table.id, 1).custom_id)
        assert "no such game" in private(result)
    for step in (Step.NEWER, Step.OLDER):
        result = await _press(server, server.members[0], 0, HistoryPage(step, table.id).custom_id)
        assert "not there any more" in private(result)
    assert "No game" in (await _history(server)).text
    assert await _offered(server, "") == []


async def test_what_is_no_game_is_refused(server: Server) -> None:
    await finished(server)
    for game in ("", "nonsense", "ffffffffffff", "**x**", "' or 1=1", "x" * 2000):
        assert "no such game" in private(await server.slash(server.members[0], "replay", game=game))


async def test_a_table_that_was_closed_in_the_lobby_has_nothing_to_see(server: Server) -> None:
    table = await server.seat(2)
    await server.slash(server.members[0], "cancel")
    assert "nothing to see" in private(await server.slash(server.members[0], "replay", game=table.id))


async def test_a_number_beyond_the_end_shows_the_end(server: Server) -> None:
    reader = await _replay(server, table := await finished(server))
    await _press(server, reader.member, reader.message_id, HistoryPage(Step.NEXT, table.id, 999_999).custom_id)
    assert "🏆" in reader.text


async def test_the_export_of_a_replay_verifies(server: Server) -> None:
    table = await finished(server, 3)
    reader = await _replay(server, table)
    answer = _answer(await reader.press(Step.FILE))
    (attachment,) = answer.attachments
    assert attachment.filename == f"highscore-{table.id}.json"
    content = await attachment.read()
    assert verify(read_export(content)).state == table.game
    assert json.loads(content)["seed"] == table.seed.hex()


async def test_an_error_behind_a_button_is_answered(
    server: Server, monkeypatch: pytest.MonkeyPatch, error_log: list[Any]
) -> None:
    reader = await _replay(server, await finished(server))

    async def broken(*_args: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("bot.cogs.history.replay", broken)
    assert "went wrong" in private(await reader.press(Step.NEXT))
    assert len(error_log) == 1
    error_log.clear()


async def _offered(server: Server, typed: str) -> list[tuple[str, str]]:
    choices = await server.members[0].autocomplete(server.channel, "highscore replay", "game", typed)
    return [(choice["name"], choice["value"]) for choice in choices]


async def test_recent_games_are_offered_while_one_types(server: Server) -> None:
    first, second = await finished(server, 2), await finished(server, 3)
    everything = await _offered(server, "")
    assert [value for _name, value in everything] == [second.id, first.id]
    assert all("Ada" in name and len(name) <= 100 for name, _value in everything)
    assert [value for _name, value in await _offered(server, "CEM")] == [second.id]
    assert [value for _name, value in await _offered(server, first.id[:5].upper())] == [first.id]
    assert len(await _offered(server, f"{server.bot.core.now():%Y-%m-%d}")) == 2
    assert await _offered(server, "nobody") == []


async def test_names_format_nothing(server: Server) -> None:
    ada, ben = server.members[:2]
    core = server.bot.core
    table = await lobby.open_table(core, Person(ada.id, "Ada"), guild_id=server.guild.id, channel_id=1, locale="en")
    await lobby.join(core, table.id, Person(ben.id, "**LOUD** @everyone"))
    await play_on(core, await lobby.start(core, table.id, Person(ada.id, "Ada")))
    reader, history = await _replay(server, table), await _history(server)
    whole = [reader.text, history.text]
    while not reader.steps[Step.NEXT][0].disabled:
        await reader.press(Step.TURN)
        embed = reader.page.embeds[0]
        whole.append(str([embed.title, embed.description, [field.value for field in embed.fields]]))
    assert "LOUD" in "".join(whole)
    whole.append(_text(await _stats(server, ben)))
    for text in whole[1:]:
        assert "**LOUD**" not in text
        assert "@everyone" not in text


# ------------------------------------------------------------------------------------------------------------ history


async def test_the_history_has_pages(server: Server) -> None:
    tables = [await finished(server) for _number in range(2 * GAMES_A_PAGE + 1)]
    reader = await _history(server)
    newest = [table.id for table in reversed(tables)]

    def shown() -> list[str]:
        return [str(button.custom_id).split(":")[2] for button in reader.steps[Step.OPEN]]

    assert shown() == newest[:GAMES_A_PAGE]
    assert Step.NEWER not in reader.steps
    await reader.press(Step.OLDER)
    assert shown() == newest[GAMES_A_PAGE : 2 * GAMES_A_PAGE]
    await server.restart()
    await reader.press(Step.OLDER)
    assert shown() == newest[2 * GAMES_A_PAGE :]
    assert Step.OLDER not in reader.steps
    await reader.press(Step.NEWER)
    await reader.press(Step.NEWER)
    assert shown() == newest[:GAMES_A_PAGE]
    assert Step.NEWER not in reader.steps
    assert Step.OLDER in reader.steps


async def test_a_game_opens_from_the_history(server: Server) -> None:
    old, new = await finished(server), await finished(server)
    reader = await _history(server)
    assert old.id in _text(_answer(await reader.press(Step.OPEN, 1)))
    assert new.id in _text(_answer(await reader.press(Step.OPEN, 0)))


async def test_a_players_history_has_only_their_games(server: Server) -> None:
    for _number in range(GAMES_A_PAGE + 1):
        await finished(server, 2)
    with_cem = await finished(server, 3)
    reader = await _history(server, server.members[2])
    assert [str(button.custom_id).split(":")[2] for button in reader.steps[Step.OPEN]] == [with_cem.id]
    assert "Cem" in reader.text
    ben = await _history(server, server.members[1])
    await ben.press(Step.OLDER)
    assert len(ben.steps[Step.OPEN]) == 2
    assert "Finished games of Ben" in ben.text
    assert "No game" in (await _history(server, server.members[5])).text


async def test_the_history_names_places_points_and_former_players(server: Server) -> None:
    table = await finished(server)
    await privacy.forget(server.bot.core, Person(server.members[1].id, "Ben"))
    reader = await _history(server)
    assert "a former player" in reader.text
    assert "Ben" not in reader.text
    assert "🏆" in reader.text
    assert "Ben" not in (await _replay(server, table)).text
    assert "a former player" in (await _replay(server, table)).text


# -------------------------------------------------------------------------------------------------------------- stats


async def _stats(server: Server, player: MemberActor | None = None) -> ResponseMessage:
    options: dict[str, Any] = {} if player is None else {"player": player}
    return _answer(await server.slash(server.members[0], "stats", **options))


async def test_stats_tell_what_somebody_has_done(server: Server) -> None:
    tables = [await finished(server) for _number in range(3)]
    answer = await _stats(server)
    text = _text(answer)
    (line,) = server.rows(
        "select games, wins, gold, silver, bronze, best, points from standings where period = 'all' and user_id = ?",
        server.members[0].id,
    )
    games, wins, gold, silver, bronze, best, points = line
    assert games == len(tables)
    assert f"**3 games** · **{wins} win" in text
    assert f"🥇 {gold}   🥈 {silver}   🥉 {bronze} · {points} point" in text
    assert f"Best result: **{best}**" in text
    assert all(words in text for words in ("Rating: **", "Best card", "Worst card", "Average result on each card"))
    (picture,) = answer.attachments
    assert picture.description is not None
    assert "over the last 3 rated games" in picture.description
    assert f"{gold} gold chip" in picture.description
    assert (await picture.read()).startswith(b"\x89PNG")


async def test_stats_of_somebody_else(server: Server) -> None:
    await finished(server, 3)
    assert "Cem" in _text(await _stats(server, server.members[2]))


async def test_stats_of_whoever_has_not_played_here(server: Server) -> None:
    await play_on(server.bot.core, await begun(server, guild_id=server.guild.id + 1))
    assert "You have not finished" in private(await server.slash(server.members[0], "stats"))
    other = await server.slash(server.members[0], "stats", player=server.members[1])
    assert "That person has not finished" in private(other)


async def test_luck_is_told_once_games_are_reviewed(server: Server) -> None:
    await finished(server)
    await server.bot.core.database.write(_reviewed)
    assert "Given away per decision: **0.020**" in _text(await _stats(server))


async def _reviewed(connection: Any) -> None:
    await connection.execute(sql("update standings set reviewed = 1, luck = 1500000, loss = 400000, decisions = 20"))
