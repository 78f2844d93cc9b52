"""Somebody who watches a whole game: what everybody could see, and what is stored."""

import json
import re

from bot.domain.table import Table
from bot.services.proof import export_finished
from bot.ui import text, words
from highscore import Game, Rolled, TurnOrder, notation, rank_players, replay_events
from highscore.fairness import format_code
from highscore.proof import format_export, read_export, verify_export
from tests.bot.cores import game_of
from tests.bot.server import Server, embeds_of
from tests.highscore.referee import check

MENTION = re.compile(r"<@!?(\d+)>")


async def check_replay(server: Server, table: Table) -> Game:
    """Check that the stored events lead to the stored state, and that the dice are those of the seed."""
    rows = server.rows("select lines from events where game_id = ? order by seq", table.id)
    events = [notation.parse_event(line) for (lines,) in rows for line in lines.splitlines()]
    state = replay_events(len(table.seats), table.turn_order, events)
    assert state == table.game
    if not table.status.open:
        exported = await export_finished(server.bot.core, table.id)
        assert list(exported.events) == events
        document = format_export(exported)
        check(json.loads(document))
        proof = verify_export(read_export(document))
        assert proof.state == state
        assert proof.rolls == sum(isinstance(event, Rolled) for event in events)
    return state


def check_results_shown(server: Server, table: Table) -> None:
    """Check for nine messages: the opening, a record of each round with all dice and results, and the standings."""
    state = table.game
    assert state is not None
    opening, *records, end = server.messages
    assert [opening.id, *(record.id for record in records)] == [table.opening_id, *table.log]
    assert format_code(table.make_lock()) in str(opening.embeds[0].description)
    for record, played in zip(records, state.finished, strict=True):
        (embed,) = record.embeds
        for turn in played.turns:
            line = next(line for line in str(embed.description).split("\n") if table.seats[turn.seat].name in line)
            # If its space was taken, the piece stands elsewhere, which the line says after an arrow.
            assert re.search(rf"\*\*{re.escape(text.format_signed(turn.result))}(\*\*| → )", line)
            assert words.dice_code(turn.dice) in line
    final = embeds_of(end)
    assert all(f"**{line.points}**" in final for line in rank_players(state))
    assert [message.id for message in server.messages if server.buttons(message=message)] == [end.id]
    assert not any(message.components for message in records)


def notified(server: Server) -> list[tuple[int, ...]]:
    """Return the users that each message notified: edits and answers notify nobody."""
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
        assert set(users) <= ({int(user) for user in MENTION.findall(body.get("content") or "")} if sent else set())
        if users:
            found.append(tuple(users))
    return found


def check_notified(table: Table, users: list[tuple[int, ...]]) -> None:
    """Check that everybody is called once when the game begins, and then whoever's turn it is.

    In open order all when a round begins, and the last one who is left. When the game is over, all but whose press it
    was.
    """
    turns = [[table.seats[turn.seat].user_id for turn in played.turns] for played in game_of(table).finished]
    *during, at_the_end = users
    assert sorted(at_the_end) == sorted({*table.people} - {turns[-1][-1]})
    if table.turn_order is TurnOrder.CLOCKWISE:
        assert during == [table.people, *[(user,) for played in turns for user in played][1:]]
    else:
        assert [sorted(called) for called in during] == [
            called for played in turns for called in (sorted(table.people), [played[-1]])
        ]
