import json
import logging
import re

import pytest

from bot.domain.table import Table
from bot.services.core import Person
from bot.services.privacy import erase_person
from bot.store.table import load_events
from bot.ui.buttons import FiguresPress, HistoryPress, RecordPress, ReplayPress, Step, Verb
from highscore import proof, replaying
from tests.bot.databases import execute
from tests.bot.played import begun, finished, play_on, play_out
from tests.bot.server import PrivatePage, Server, private, private_message


async def _replay(server: Server, table: Table) -> PrivatePage:
    who = server.members[4]
    return PrivatePage.of(server, who, await server.slash(who, "history", game=table.id))


async def _history(server: Server) -> PrivatePage:
    who = server.members[4]
    return PrivatePage.of(server, who, await server.slash(who, "history"))


async def _offered(server: Server, typed: str) -> list[tuple[str, str]]:
    choices = await server.members[0].autocomplete(server.channel, "highscore history", "game", typed)
    return [(choice["name"], choice["value"]) for choice in choices]


async def test_a_game_is_gone_through_roll_by_roll_by_the_one_who_asked(server: Server) -> None:
    table = await finished(server)
    seen_by_all = len(server.messages)
    reader = await _replay(server, table)
    expected = replaying.list_positions(2, table.turn_order, await server.bot.core.database.read(load_events, table.id))
    assert "Round 1 of 7" in reader.text
    assert f"1 of {len(expected)} · {table.id}" in reader.text
    assert not reader.buttons(Step.FIRST)
    assert not reader.buttons(Step.BACK)
    seen = [reader.text]
    while reader.buttons(Step.NEXT):
        await reader.press(Step.NEXT)
        seen.append(reader.text)
        if len(seen) == 2:
            (picture,) = reader.page.attachments
            assert picture.filename == "board.png"
            assert "Challenge card" in str(picture.description)
            assert (await picture.read()).startswith(b"\x89PNG")
            await server.restart()
    assert len(set(seen)) == len(seen) == len(expected), "every position is shown, and each is another one"
    assert not reader.buttons(Step.LAST)
    assert not reader.buttons(Step.TURN)
    assert [attachment.filename for attachment in reader.page.attachments] == ["results.png"]
    whole = "\n".join(seen)
    assert all(f"Round {number} of 7" in whole for number in range(1, 8))
    assert len(re.findall("takes gold|No gold", whole)) == 7
    assert "🏆" in seen[-1]
    assert "Ada" in seen[-1]

    await reader.press(Step.BACK)
    assert "Round 7 of 7" in reader.text
    assert "gold" in reader.text
    await reader.press(Step.FIRST)
    assert reader.text == seen[0]
    turns = []
    for words in ("Roll 1", "Roll 1", "gold"):
        await reader.press(Step.TURN)
        assert words in reader.text
        turns.append(reader.text)
    assert turns[0] != turns[1]
    await reader.press(Step.LAST)
    assert reader.text == seen[-1]
    await reader.press(Step.FIRST)
    beyond = ReplayPress(Step.NEXT, table.id, 999_999).custom_id
    await reader.send(beyond)
    assert reader.text == seen[-1]

    (attachment,) = private_message(await reader.press(Step.FILE)).attachments
    assert attachment.filename == f"highscore-{table.id}.json"
    content = await attachment.read()
    assert proof.verify_export(proof.read_export(content)).state == table.game
    assert json.loads(content)["seed"] == table.seed.hex()
    assert len(server.messages) == seen_by_all


async def test_a_proof_of_a_game_in_which_something_was_exchanged_says_so(
    server: Server, error_log: list[logging.LogRecord]
) -> None:
    for change, exchanged, reason in (
        ("update games set seed = ?", bytes(32), "does not match the seal"),
        ("update games set lock = ?", "none", "has to be 32 letters and digits"),
    ):
        await server.begin(2)
        execute(server.settings, change, exchanged)
        await server.cancel(server.members[0])
        told = private(await server.press(server.members[1], Verb.PROOF))
        assert "The check has failed" in told
        assert reason in told
        assert "do not follow from its seed" in error_log.pop().getMessage()


async def test_games_that_cannot_be_looked_at_get_a_sentence(server: Server) -> None:
    ada, core = server.members[0], server.bot.core
    playing = await play_on(core, await begun(server), 5)
    elsewhere = await play_out(core, await begun(server, channel_id=2, guild_id=server.guild.id + 1))
    for table, reason in ((playing, "when the game is over"), (elsewhere, "can't find that game")):
        assert reason in private(await server.slash(ada, "history", game=table.id))
    for table, refusal in ((playing, "when the game is over"), (elsewhere, "doesn't work here")):
        presses = [ReplayPress(step, table.id, 1) for step in (Step.OPEN, Step.NEXT, Step.TURN)]
        for press in (*presses, RecordPress(Step.FILE, table.id)):
            assert refusal in private(await server.send(ada, press.custom_id, 0))
    for step in (Step.NEWER, Step.OLDER):
        result = await server.send(ada, HistoryPress(step, elsewhere.id).custom_id, 0)
        assert "doesn't work here" in private(result)
    assert "No game" in (await _history(server)).text
    assert await _offered(server, "") == []
    assert "You haven't finished a game" in private(await server.slash(ada, "stats"))
    other = await server.slash(ada, "stats", player=server.members[1])
    assert "That person hasn't finished a game" in private(other)
    for game in ("", "nonsense", "ffffffffffff", "**x**", "' or 1=1", "x" * 2000):
        assert "can't find that game" in private(await server.slash(ada, "history", game=game))
    closed = await server.seat(2)
    await server.cancel(ada)
    assert "Nobody played" in private(await server.slash(ada, "history", game=closed.id))


async def test_more_shows_the_other_figures_until_the_data_is_deleted(server: Server) -> None:
    table = await finished(server)
    player, reader = server.members[0], server.members[4]
    page = PrivatePage.of(server, reader, await server.slash(reader, "stats", player=player))
    assert table.seats[0].user_id == player.id
    custom_id = FiguresPress(player.id).custom_id
    assert "Average result on each card" in private(await page.send(custom_id))
    assert "That person hasn't finished a game" in private(await page.send(FiguresPress(reader.id + 1).custom_id))
    await erase_person(server.bot.core, Person(player.id, "Ada", 1))
    assert "That person hasn't finished a game" in private(await page.send(custom_id))


async def test_the_pages_of_a_servers_history_lead_to_its_older_and_newer_games(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("services", "ui"):
        monkeypatch.setattr(f"bot.{module}.history.GAMES_PER_PAGE", 1)
    tables = [await finished(server) for _game in range(2)]
    pages = await _history(server)
    shown = [str(pages.buttons(Step.OPEN)[0].custom_id)]
    for step in (Step.OLDER, Step.NEWER):
        await pages.press(step)
        shown.append(str(pages.buttons(Step.OPEN)[0].custom_id))
    assert [ReplayPress.parse(each).game_id for each in shown] == [tables[1].id, tables[0].id, tables[1].id]
