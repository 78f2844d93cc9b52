"""People with such names play, from the first command to the last, and everything that is sent is looked at."""

import os
import unicodedata
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import discord
import pytest
from simcord import InteractionResult, ResponseMessage

from bot.ui.buttons import RecordPress, ReplayPress, Step, Verb
from bot.ui.lobby import WORD_FIELD
from bot.ui.text import END_ISOLATE, ISOLATE, clean_name, escape_name, is_visible
from tests import hostile, simulation
from tests.bot.dailies import Player
from tests.bot.passing import CALL, administer, moderator, press
from tests.bot.played import play_out
from tests.bot.server import Server
from tests.bot.ui.limits import check_embeds, length

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
OURS = frozenset("\n\u200b\u200d\ufe0f\u20e3")
"""The invisible characters that the bot writes itself: of lines, of its emoji, and a space that breaks @everyone."""
NEVER = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


def companies() -> list[tuple[str, ...]]:
    """Group people in fours; with HIGHSCORE_LARGE all. tests/bot/ui/test_names.py has the others on every screen."""
    if LARGE:
        names = hostile.NAMES
        return [names[at : at + 4] for at in range(0, len(names) - 3, 4)] + [names[-4:]]
    return [
        ("\u202eevil\u2067 שלום", "@everyone <@123456789012345678>", "null\x00byte **bold** {0}", "\u200b\u3164\ufe0f")
    ]


@dataclass
class Party:
    """A server and what the people in it are called; the last one of them has an ordinary name."""

    server: Server
    names: tuple[str, ...]

    def called(self, at: int) -> str:
        """Return the name of a person; the user name, which is unique, if nothing of it can be seen."""
        return self.names[at] if is_visible(self.names[at]) else self.server.members[at].name


@pytest.fixture
async def party(server: Server, request: pytest.FixtureRequest) -> AsyncIterator[Party]:
    """Serve a server of people with these names, of whom the fourth reads German."""
    names: tuple[str, ...] = request.param
    people = [
        server.guild.add_member(server.env.create_user(f"user{number}", global_name=name or None))
        for number, name in enumerate(names)
    ]
    await server.env.settle()
    with simulation.locales({people[-1].id: "de"}, "en-US"):
        yield Party(replace(server, members=[*people, server.members[0]]), names)


def told(result: InteractionResult) -> ResponseMessage:
    """Return the message that answered somebody."""
    found = [message for message in (result.response, *result.followups) if message is not None]
    assert found
    return found[-1]


async def say_words(party: Party) -> None:
    """Give everybody the name of another person as their lucky word."""
    server = party.server
    for member, name in zip(server.members[:4], reversed(party.names), strict=True):
        asked = await server.press(member, Verb.LUCKY_WORD)
        assert (await member.submit_modal(asked, {WORD_FIELD: name[:32]})).acknowledged


async def everything_that_can_be_done(party: Party) -> None:
    """Play a game from the lobby to its end, look at everything afterwards; play a daily challenge, and in a thread."""
    server = party.server
    host, guest = server.members[0], server.members[1]
    await server.seat(4)
    await say_words(party)
    again = await server.press(host, Verb.LUCKY_WORD)
    assert again.modal is not None
    await server.press(host, Verb.START)
    table = await server.table()
    await server.press(server.on_turn(table), Verb.TAKE)
    await server.press(server.on_turn(table), Verb.HINT)
    await server.slash(await moderator(server), "table", action="skip")
    table = await play_out(server.bot.core, await server.table())
    await server.redraw(table)
    for verb in (Verb.PROOF, Verb.REPORT):
        await server.press(guest, verb)
    for name in ("history", "stats"):
        await server.slash(guest, name)
        await server.slash(guest, name, player=host)
    for name in ("leaderboard", "me", "show", "setup"):
        await server.slash(guest, name)
    choices = await guest.autocomplete(server.channel, "highscore history", "game", "")
    assert choices
    assert all(0 < length(choice["name"]) <= 100 for choice in choices)
    check_invisible([choice["name"] for choice in choices])
    page = told(await server.slash(guest, "history", game=table.id))
    for number in (5, 60, 999):
        await server.send(guest, ReplayPress(Step.TURN, table.id, number).custom_id, page.id)
    await server.send(guest, RecordPress(Step.FILE, table.id).custom_id, page.id)
    player = await Player.begin(server, host)
    await player.play_cards()
    await server.env.settle()
    (final,) = [message for message in server.messages if server.buttons(Verb.REMATCH, message)]
    await server.press(guest, Verb.REMATCH, message=final)
    await server.settle()
    await server.press(server.members[2], Verb.JOIN)
    await server.slash(server.members[3], "leave")
    await server.press(guest, Verb.START)
    await server.slash(await moderator(server), "table", action="remove", player=server.members[2])
    await server.settle()
    await server.cancel(guest)
    await invite_and_call(party)
    result = await server.slash(host, "new", thread=True)
    assert result.acknowledged


async def invite_and_call(party: Party) -> None:
    """Let the first invite the others, one of them by direct message, and call a role with a name like theirs."""
    server = party.server
    host, second, third, fourth = server.members[:4]
    role = server.guild.create_role(party.names[1][:100], mentionable=True)
    await server.env.settle()
    await administer(server, player_role=role.id)
    await server.slash(second, "me", reminders="dm")
    await server.slash(host, "new", invite=second, invite2=third, invite3=fourth, invite4=host)
    await server.settle()
    await press(server, host, Verb.CALL)
    await server.settle()
    await press(server, second, Verb.JOIN)
    await server.cancel(host)


def sent(server: Server) -> Iterator[dict[str, Any]]:
    """Yield every message that was sent, to channels or as an answer, and every change of one."""
    for request in server.env.http_requests:
        outer = request.json if isinstance(request.json, dict) else {}
        for body in (outer, outer.get("data")):
            if isinstance(body, dict) and body.keys() & {"content", "embeds", "components"}:
                yield body


def formatted(body: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that Discord formats."""
    yield body.get("content") or ""
    for embed in body.get("embeds") or ():
        yield from (embed.get("title", ""), embed.get("description", ""))
        yield from (each[part] for each in embed.get("fields", ()) for part in ("name", "value"))


def unformatted(body: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that Discord shows as they are: footers, descriptions of pictures, buttons, dialogs."""
    yield from (embed.get("footer", {}).get("text", "") for embed in body.get("embeds") or ())
    yield from (attachment.get("description") or "" for attachment in body.get("attachments") or ())
    for row in body.get("components") or ():
        yield from (child.get("label") or "" for child in row.get("components", ()))


def check_invisible(texts: list[str]) -> None:
    """Check that texts have no invisible character but ours, and keep writing from right to left together."""
    for text in texts:
        assert text.count(ISOLATE) == text.count(END_ISOLATE), ascii(text)
        rest = [each for each in text if each not in OURS and each not in (ISOLATE, END_ISOLATE)]
        assert not [each for each in rest if unicodedata.category(each) in NEVER], ascii(text)


def check_mentions(server: Server, body: dict[str, Any]) -> None:
    """Check that one person at most is notified, by the bot's own wish, except for the calls of a rematch, an opening,
    an end, an invitation, or the server's role."""
    if body.get("content") or body.get("embeds"):
        allowed: dict[str, Any] = body.get("allowed_mentions", {"parse": ["everyone"]})
        assert allowed["parse"] == [], body
        assert not allowed.get("roles") or "players are wanted" in body["content"]
        everybody = ("seats are reserved", "The game begins", "the game is over", "invites you")
        assert len(allowed.get("users", [])) <= 1 or any(words in str(body) for words in everybody)
        assert set(map(int, allowed.get("users", []))) <= {member.id for member in server.members}


def raw(name: str) -> bool:
    """Return whether a name acts where it stands as it is, and is too long to stand anywhere by chance."""
    return len(name.strip()) >= 6 and escape_name(name) != name


@pytest.mark.parametrize("party", companies(), indirect=True)
async def test_nothing_that_is_sent_is_formatted_or_turned_by_a_name_and_nobody_is_mentioned(party: Party) -> None:
    server, names = party.server, party.names
    await everything_that_can_be_done(party)
    shown = set()
    bodies = list(sent(server))
    assert len(bodies) > 40
    called = [body.get("allowed_mentions", {}) for body in bodies if CALL in (body.get("content") or "")]
    assert [len(one.get("users", ())) for one in called].count(2) == 1, "two are invited in the channel"
    assert sum(len(one.get("roles", ())) for one in called) == 1, "a role is called"
    for body in bodies:
        texts, plainly = list(formatted(body)), list(unformatted(body))
        check_mentions(server, body)
        check_invisible([*texts, *plainly])
        if body.get("embeds"):
            check_embeds([discord.Embed.from_dict(embed) for embed in body["embeds"]])
        assert length(body.get("content")) <= 2000
        assert all(length(attachment.get("description")) <= 1024 for attachment in body.get("attachments") or ())
        for name in names:
            assert not raw(name) or not [text for text in texts if name in text.replace(escape_name(name), "")]
            shown |= {name for text in texts if escape_name(name) in text}
            shown |= {name for text in plainly if clean_name(name) in text}
    assert shown >= set(filter(is_visible, names)), "a name that is nowhere was not looked at"
    for member, name in zip(server.members, names, strict=False):
        if not is_visible(name):
            assert any(escape_name(member.name) in text for body in sent(server) for text in formatted(body)), (
                "not told apart"
            )
    assert [thread.name for thread in server.channel.threads] == ["High Score: " + clean_name(party.called(0))]
    stored = [text for row in server.rows("select name, lucky_word from seats") for text in row]
    assert len(stored) >= 8
    assert not [each for each in "".join(stored) if unicodedata.category(each) in ("Cc", "Cs")], "no database takes it"
