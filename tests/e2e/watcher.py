"""Somebody who watches a whole game and checks what everybody could see, and what is stored."""

from __future__ import annotations

import re

from bot.domain.table import Status, Table
from bot.services import proof as proofs
from bot.ui.text import signed
from highscore import Game, replay, standings
from highscore.deck import ROUNDS
from highscore.game import Event, Rolled
from highscore.notation import parse_event
from highscore.proof import export_json, read_export, verify
from tests.bot.server import Server

MENTION = re.compile(r"<@!?(\d+)>")


def stored_events(server: Server, table_id: str) -> list[Event]:
    """The event log, read without any help of the bot."""
    rows = server.rows("select lines from events where game_id = ? order by seq", table_id)
    return [parse_event(line) for (lines,) in rows for line in lines.splitlines()]


async def check_replay(server: Server, table: Table) -> Game:
    """The stored state is what the stored events lead to, and the dice are those of the seed."""
    assert table.game is not None
    events = stored_events(server, table.id)
    state = replay(len(table.seats), table.turn_order, events)
    assert state == table.game
    if not table.status.open:
        export = await proofs.export(server.bot.core, table.id)
        assert list(export.events) == events
        proof = verify(read_export(export_json(export)))
        assert proof.state == state
        assert proof.rolls == sum(isinstance(event, Rolled) for event in events)
    return state


def check_results_shown(server: Server, state: Game) -> None:
    """Every turn has a message of its own that says what came out, in the order of play."""
    turns = [turn for played in state.finished for turn in played.turns]
    # The lobby, then one message a turn, then the end of the game.
    lobby, *pages, end = server.messages
    assert len(pages) == len(turns)
    for page, turn in zip(pages, turns, strict=True):
        assert f" {signed(turn.result)} " in str(page.embeds[0].title)
    final = str([embed.to_dict() for embed in end.embeds])
    for line in standings(state):
        assert f"**{line.points}**" in final
    assert [message.id for message in server.messages if server.buttons(message=message)] == [end.id]
    assert not any(message.components for message in (lobby, *pages))


def check_messages_sent(server: Server, state: Game) -> None:
    """One new message a turn, and one for the end."""
    assert len(server.sent) == ROUNDS * state.players + 1


def check_mentions(server: Server) -> list[int]:
    """Who was notified, in order: at most one person a message, and nobody by an edit or an answer."""
    notified = []
    for entry in server.env.http_requests:
        body = entry.json if isinstance(entry.json, dict) else {}
        body = body.get("data", body)
        if entry.method not in ("POST", "PATCH") or "embeds" not in body:
            continue
        allowed = body["allowed_mentions"]
        assert allowed["parse"] == [], entry
        assert allowed.get("roles", []) == []
        users = [int(user) for user in allowed.get("users", [])]
        named = [int(user) for user in MENTION.findall(body.get("content") or "")]
        if entry in server.sent:
            assert users == named
            assert len(users) <= 1
            notified += users
        else:
            assert users == []
    return notified


def check_finished(table: Table) -> None:
    assert table.status is Status.FINISHED
    assert not table.owed
