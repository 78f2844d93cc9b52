"""Somebody who watches a whole game: what everybody could see, and what is stored."""

from __future__ import annotations

import re
from collections import Counter

from bot.domain.table import Table
from bot.services.proof import export
from bot.ui.text import signed
from highscore import Game, replay, standings
from highscore.deck import ROUNDS
from highscore.events import Rolled
from highscore.notation import parse_event
from highscore.proof import export_json, read_export, verify
from highscore.turn_order import TurnOrder
from tests.bot.server import Server

MENTION = re.compile(r"<@!?(\d+)>")


async def check_replay(server: Server, table: Table) -> Game:
    """The stored state is what the stored events lead to, and the dice are those of the seed."""
    rows = server.rows("select lines from events where game_id = ? order by seq", table.id)
    events = [parse_event(line) for (lines,) in rows for line in lines.splitlines()]
    state = replay(len(table.seats), table.turn_order, events)
    assert state == table.game
    if not table.status.open:
        exported = await export(server.bot.core, table.id)
        assert list(exported.events) == events
        proof = verify(read_export(export_json(exported)))
        assert proof.state == state
        assert proof.rolls == sum(isinstance(event, Rolled) for event in events)
    return state


def check_results_shown(server: Server, state: Game) -> None:
    """Lobby and opening, then for every turn a message of its own that says what came out, then one for the end."""
    turns = [turn for played in state.finished for turn in played.turns]
    lobby, opening, *pages, end = server.messages
    for page, turn in zip(pages, turns, strict=True):
        assert f" {signed(turn.result)} " in str(page.embeds[0].title)
    final = str([embed.to_dict() for embed in end.embeds])
    assert all(f"**{line.points}**" in final for line in standings(state))
    assert [message.id for message in server.messages if server.buttons(message=message)] == [end.id]
    assert not any(message.components for message in (lobby, opening, *pages))


def notified(server: Server) -> list[int]:
    """Who was notified, in order: at most one person a message, and nobody by an edit or an answer."""
    found = []
    for entry in server.env.http_requests:
        body = entry.json if isinstance(entry.json, dict) else {}
        body = body.get("data", body)
        if entry.method not in ("POST", "PATCH") or "embeds" not in body:
            continue
        allowed = body["allowed_mentions"]
        assert (allowed["parse"], allowed.get("roles", [])) == ([], []), entry
        users = [int(user) for user in allowed.get("users", [])]
        sent = entry in server.sent
        assert users == ([int(user) for user in MENTION.findall(body.get("content") or "")] if sent else [])
        assert len(users) <= 1
        found += users
    return found


def check_notified(table: Table, users: list[int]) -> None:
    """In the rulebook's order everybody is called once a round, in open order only the last one who is left."""
    assert table.game is not None
    turns = [[table.seats[turn.seat].user_id for turn in played.turns] for played in table.game.finished]
    if table.turn_order is TurnOrder.CLOCKWISE:
        assert users == [user for played in turns for user in played]
        assert set(Counter(users).values()) == {ROUNDS}
    else:
        assert users == [played[-1] for played in turns]
