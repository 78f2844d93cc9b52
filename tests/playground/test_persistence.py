"""A world outlives the playground: stopped, killed, moved in time, or broken."""

import json
import signal
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from playground import PlaygroundError
from playground.store import Store
from tests.bot.cli.process import SOON, running
from tests.playground.visitor import run, visit


def ids(world: dict[str, Any]) -> list[Any]:
    parts = (world["people"], world["channels"], [world["bot"], world["guild"]])
    return [one["id"] for part in parts for one in part]


async def test_a_world_is_the_same_after_a_stop_and_a_start(state: Path) -> None:
    async with run(state) as address, visit(address, "Ada") as ada:
        message = await ada.table()
        await ada.click(message, "roll:0")
        await ada.slash("stub people")
        await ada.until(lambda: ada.said("Who plays?") and ada.messages[message["id"]]["edited"])
        before, world = dict(ada.messages), ada.world
        picture = ada.messages[message["id"]]["embeds"][0]["image"]["url"]
    async with run(state) as address, visit(address, "Ada") as ada:
        assert ids(ada.world) == ids(world)
        assert ada.messages == before
        async with ada.session.get(picture) as response:
            assert response.content_type == "image/png"
            assert (await response.read()).startswith(b"\x89PNG")
        await ada.click(before[message["id"]], "roll:1")
        edited = await ada.until(lambda: "`2`" in str(ada.messages[message["id"]]["embeds"]))
        assert edited, "a button of before the stop still works"


async def test_a_new_id_is_never_an_old_one(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    # The wall clock stands still and once goes back a year: ids are made of time, and must not repeat.
    moments = [datetime(2027, 5, 1, tzinfo=UTC)] * 2 + [datetime(2026, 5, 1, tzinfo=UTC)]
    for moment in moments:
        monkeypatch.setattr("playground.world.real_now", lambda moment=moment: moment)
        monkeypatch.setattr("playground.clock.real_now", lambda moment=moment: moment)
        async with run(state) as address, visit(address, "Ada") as ada:
            sent = [await ada.do("say", channel=ada.channel, content=str(number)) for number in range(20)]
            seen += [int(one["message"]) for one in sent]
    assert seen == sorted(set(seen))


async def test_languages_dismissals_and_what_is_unread_are_kept(state: Path) -> None:
    async with run(state) as address, visit(address, "Ada") as ada, visit(address, "Bruno") as bruno:
        await bruno.do("locale", locale="de", server=False)
        await ada.do("locale", locale="de", server=True)
        message = await ada.table()
        await bruno.click(message, "act:whisper")
        private = await bruno.until(lambda: bruno.said("Only for"))
        await bruno.click(message, "act:whisper")
        kept = await bruno.until(
            lambda: next(
                (m for m in bruno.messages.values() if "Only for" in m["content"] and m["id"] != private["id"]), None
            )
        )
        await bruno.do("dismiss", channel=private["channel"], message=private["id"])
        await ada.do("say", channel=ada.world["channels"][1]["id"], content=f"<@{ada.id_of('Clara')}>?")
    async with run(state) as address, visit(address, "Bruno") as bruno:
        people = {one["name"]: one for one in bruno.world["people"]}
        assert people["Bruno"]["locale"] == "de"
        assert people["Clara"]["mentions"] == 1
        assert bruno.world["guild"]["locale"] == "de"
        assert private["id"] not in bruno.messages
        assert kept["id"] in bruno.messages


async def test_a_killed_playground_loses_nothing_that_was_answered(state: Path) -> None:
    program = f"from tests.playground.stub import main; main({str(state)!r})"

    async def talk(address: str) -> tuple[dict[str, Any], dict[str, Any], str]:
        async with visit(address, "Ada") as ada:
            message = await ada.table()
            for roll in range(4):
                await ada.click(message, f"roll:{roll}")
            await ada.do("time", seconds=60)
            said = (await ada.do("say", channel=ada.channel, content="The last thing said"))["message"]
            await ada.until(lambda: said in ada.messages)
            return ada.world, dict(ada.messages), message["id"]

    with running(program=program) as process:
        world, messages, message = await talk(process.wait_for("http").strip())
        assert process.end(signal.SIGKILL, within=SOON) == -signal.SIGKILL

    with running(program=program) as process:
        async with visit(process.wait_for("http").strip(), "Ada") as ada:
            assert ids(ada.world) == ids(world)
            assert ada.messages == messages
            assert ada.world["clock"]["offset"] == pytest.approx(60, abs=2)
            await ada.click(messages[message], "roll:4")
            await ada.until(lambda: "`5`" in str(ada.messages[message]["embeds"]))
        assert process.end(signal.SIGINT, within=SOON) == 0


async def test_two_playgrounds_do_not_share_a_file(state: Path) -> None:
    async with run(state):
        with pytest.raises(PlaygroundError, match=r"Another playground is using .* Stop that one first"):
            async with run(state):
                pass


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Not a database at all, but longer than the header of one would be. " * 20)
    before = path.read_bytes()
    with pytest.raises(PlaygroundError, match="is not a file of the playground"):
        Store(path)
    assert path.read_bytes() == before
    with pytest.raises(PlaygroundError, match="cannot open its file"):
        Store(tmp_path)


def test_a_file_of_a_newer_playground_is_left_alone(state: Path) -> None:
    Store(state).close()
    with sqlite3.connect(state) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(PlaygroundError, match="newer version of the playground"):
        Store(state)


async def test_a_file_which_makes_no_sense_is_named(state: Path) -> None:
    async with run(state):
        pass
    for kind, body in (
        ("app", "{}"),
        ("clock", '{"offset": 0}'),
        ("user", '{"$": "Unheard"}'),
        ("guild", '{"$": "Guild"}'),
    ):
        store = Store(state)
        record = next(record for record in store.records() if record[0] == kind)
        store.write(records=[(kind, record[1], body)])
        store.close()
        with pytest.raises(PlaygroundError, match=r"cannot read what is in .* Move that file away"):
            async with run(state):
                pass
        store = Store(state)
        store.write(records=[(kind, record[1], json.dumps(record[2]))])
        store.close()
