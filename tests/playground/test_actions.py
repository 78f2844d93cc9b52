import asyncio
import logging
from typing import Any

import pytest

from playground.simulated import engine
from tests.playground.visitor import Visitor, is_sentence


async def test_a_command_with_every_kind_of_option_reaches_the_bot(ada: Visitor, bruno: Visitor) -> None:
    await ada.slash("stub table", rounds="3", speed="s", name="Blue", open_seats=False, partner=ada.id_of("Bruno"))
    message = await bruno.until(lambda: bruno.said("Blue"))
    assert message["content"] == f"**Blue** · 3 rounds, Slow, open: False, with <@{ada.id_of('Bruno')}>"
    assert message["command"]["name"] == "stub table"
    assert message["command"]["user"] == "Ada"
    assert message["mention"], "Bruno is called by it"
    assert not ada.messages[message["id"]]["mention"]
    await ada.slash(
        "stub echo",
        channel=ada.channel,
        role=ada.world["guild"]["roles"][1]["id"],
        anybody=ada.id_of("Emma"),
        share=0.25,
    )
    expected = f"<#{ada.channel}> High Score <@{ada.id_of('Emma')}> 0.25"
    assert await ada.until(lambda: ada.said(expected))


async def test_a_private_answer_is_seen_and_dismissed_by_one_person_only(ada: Visitor, bruno: Visitor) -> None:
    message = await ada.table()
    await bruno.click(message, "act:whisper")
    answer = await bruno.until(lambda: bruno.said("Only for"))
    assert answer["ephemeral"]
    assert not answer["edited"]
    status, refusal = await ada.post("dismiss", channel=answer["channel"], message=answer["id"])
    assert (status, ada.said("Only for")) == (404, None), refusal
    await bruno.do("dismiss", channel=answer["channel"], message=answer["id"])
    await bruno.until(lambda: bruno.said("Only for") is None)
    status, _ = await bruno.post("click", channel=answer["channel"], message=answer["id"], custom_id="x")
    assert status == 404


async def test_the_menus_of_people_and_messages_reach_the_bot(ada: Visitor, bruno: Visitor) -> None:
    await ada.do("locale", locale="de", server=False)
    async with ada.session.get("/api/commands", params={"as": "Ada", "channel": ada.channel}) as answer:
        commands = await answer.json()
    assert (commands["user"], commands["message"]) == (
        [{"name": "Greet", "shown": "Begrüßen"}],
        [{"name": "Repeat this", "shown": "Repeat this"}],
    )
    emma = ada.id_of("Emma")
    await ada.do("menu", channel=ada.channel, command="Greet", of="user", user=emma)
    greeting = await ada.until(lambda: ada.said(f"Hello, <@{emma}>!"))
    assert (greeting["command"]["name"], greeting["command"]["slash"]) == ("Begrüßen", False)
    await bruno.do("menu", channel=ada.channel, command="Repeat this", of="message", message=greeting["id"])
    private = await bruno.until(lambda: bruno.said("It says Hello"))
    wrong: list[dict[str, Any]] = [
        {"command": "Greet", "of": "message", "message": greeting["id"]},
        {"command": "Repeat this", "of": "message", "message": private["id"]},
        {"command": "Repeat this", "of": "message", "message": "1"},
        {"command": "Greet", "of": "user", "user": "1"},
        {"command": "stub table", "of": "slash", "user": emma},
    ]
    for what in wrong:
        status, refusal = await ada.post("menu", channel=ada.channel, **what)
        assert status in (400, 404), what
        assert is_sentence(refusal), refusal


async def test_a_form_is_shown_filled_in_and_sent_once(ada: Visitor, bruno: Visitor) -> None:
    message = await ada.table()
    modal = (await ada.click(message, "act:name"))["modal"]
    assert modal["title"] == "Name your table"
    table, motto, _colour = modal["components"]
    ids = table["components"][0]["custom_id"], motto["component"]["custom_id"]
    status, refusal = await bruno.post("modal", modal=modal["id"], values={ids[0]: "Stolen"})
    assert status == 410, refusal
    wrong: tuple[Any, ...] = ("x" * 21, "", 5)
    for values in (*({ids[0]: each} for each in wrong), {"nothing": "x"}, {ids[0]: "x", "colour": "Green"}, {}):
        status, refusal = await ada.post("modal", modal=modal["id"], values=values)
        assert status == 409
        assert is_sentence(refusal), refusal
    await ada.do("modal", modal=modal["id"], values={ids[0]: "Green", ids[1]: "Go"})
    assert await bruno.until(lambda: bruno.said("The table is called **Green**."))
    status, _ = await ada.post("modal", modal=modal["id"], values={ids[0]: "Again"})
    assert status == 410


async def test_a_bot_which_does_not_answer_in_time_fails_and_blocks_nobody(
    ada: Visitor, bruno: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert engine._ANSWER_WITHIN == 3.0
    monkeypatch.setattr(engine, "_ANSWER_WITHIN", 0.3)
    message = await ada.table()
    silent = asyncio.create_task(ada.click(message, "act:silent"))
    await asyncio.sleep(0)
    await bruno.do("say", channel=bruno.channel, content="Meanwhile")
    assert not silent.done()
    assert (await silent)["answered"] is False


async def test_time_goes_on_while_the_bot_computes_so_it_can_acknowledge_in_time(ada: Visitor) -> None:
    answer = await ada.slash("stub compute")
    assert answer["answered"], "its timer has run although a thread is busy"
    assert await ada.until(lambda: ada.said("Computed."))


async def test_a_stuck_task_and_an_error_in_the_bot_do_not_stop_the_playground(
    ada: Visitor, error_log: list[logging.LogRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    await ada.slash("stub stuck")
    message = await ada.table()
    assert (await ada.click(message, "roll:0"))["answered"]
    assert (await ada.do("time", seconds=3600))["caught_up"]
    monkeypatch.setattr(engine, "_ANSWER_WITHIN", 0.3)
    assert (await ada.click(message, "act:fail"))["answered"] is False
    assert [record.name for record in error_log] == ["discord.ui.view"]
    error_log.clear()


async def test_only_the_author_and_the_moderator_delete_a_message(ada: Visitor, bruno: Visitor) -> None:
    by_ada = (await ada.do("say", channel=ada.channel, content="Mine"))["message"]
    by_bruno = (await bruno.do("say", channel=ada.channel, content="His"))["message"]
    await bruno.until(lambda: by_ada in bruno.messages and by_bruno in bruno.messages)
    assert not bruno.messages[by_ada]["mine"]
    status, refusal = await bruno.post("delete", channel=ada.channel, message=by_ada)
    assert (status, refusal["error"]) == (403, "Discord would reject that: Missing Permissions.")
    await bruno.do("delete", channel=ada.channel, message=by_bruno)
    await ada.until(lambda: by_bruno not in ada.messages)
    third = (await bruno.do("say", channel=ada.channel, content="Gone soon"))["message"]
    await ada.do("delete", channel=ada.channel, message=third)
    await bruno.until(lambda: third not in bruno.messages)


async def test_time_can_be_let_pass_and_what_was_due_happens(ada: Visitor, bruno: Visitor) -> None:
    await ada.slash("stub later", seconds=3000, who=ada.id_of("Bruno"))
    assert bruno.said("your turn!") is None
    assert await ada.do("time", seconds=3600) == {"offset": 3600.0, "caught_up": True}
    reminder = await bruno.until(lambda: bruno.said("your turn!"))
    assert reminder["mention"]
    private = await bruno.until(lambda: bruno.said("It is your turn in the channel."))
    assert [one["kind"] for one in bruno.world["channels"]] == ["text", "text", "dm"]
    assert [one["kind"] for one in ada.world["channels"]] == ["text", "text"]
    assert ada.said("It is your turn in the channel.") is None
    assert bruno.world["clock"]["offset"] == 3600
    await bruno.click(private, "roll:1")
    await bruno.until(lambda: bruno.messages[private["id"]]["edited"])
    await bruno.do("say", channel=private["channel"], content="Thanks")
    assert await bruno.until(lambda: bruno.said("Thanks"))
    status, _ = await ada.post("say", channel=private["channel"], content="Let me in")
    assert status == 404
