"""Recordings of the bot's requests to Discord while people play, a line each: to be read and compared.

======================  =================================================================================
``send``, ``reply``     a new message: in a channel; as the answer to a command
``tell``                a new message that one person sees
``answer``, ``edit``    a message changes, as the answer to a press (or after it, by its token), by its id
``acknowledge``         a press or a command is acknowledged, and no message changes
``! 10008``             Discord refuses it with this code
======================  =================================================================================

Messages have numbers in the order in which they were sent, and what they show is named by their title. Private
messages have no number, because they may be sent at any time in a step. Deletions wait for their own time.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from discord import InteractionResponseType as ResponseType
from simcord.backend.models import EPHEMERAL_FLAG

from tests import simulation
from tests.bot.server import Server
from tests.simulation import Made

TITLES = {
    r"High Score: a table is open": "lobby",
    r"The game has started|This table is closed": "closed lobby",
    r"The game begins": "opening",
    r"(?:It is )?\W*(\w+)'s turn": r"\1's turn",
    r"The dice are free": r"free dice",
    r"Round (\d) of 7": r"record \1",
    r"Everybody plays at their own pace": "progress",
    r"Everybody played at their own pace": "record",
    r"\W*\w+: \W?\d+ points?": "turn that is over",
    r".* wins?\b.*": "standings",
    r"The game was cancelled": "standings of a cancelled game",
}
"""The names of messages in a recording, by the title of their last embed, or by what a record or the picture says."""
IN_THE_END = "in the end there are"
PRIVATE = ("tell", "answer private", "POST /users")
SENT = ("send", "reply", "tell")
_ACKNOWLEDGING = (ResponseType.deferred_channel_message.value, ResponseType.deferred_message_update.value)


@dataclass
class Recording:
    """Steps, each with the requests that it led to."""

    server: Server
    steps: list[tuple[str, list[str]]] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)
    _shown: dict[int, str] = field(default_factory=dict)

    def step(self, what: str) -> None:
        self.steps.append((what, []))

    def delete(self, message_id: int) -> None:
        self.step(f"{self._numbers[message_id]} is deleted")
        self.server.env.backend.delete_message(self.server.channel.id, message_id)

    def text(self) -> str:
        lines = []
        for what, requests in self.steps:
            private = [request for request in requests if request.startswith(PRIVATE)]
            public = [request for request in requests if not request.startswith((*PRIVATE, "delete"))]
            lines += [f"> {what}", *public, *sorted(private)]
        made = [request for _what, requests in self.steps for request in requests]
        lines += ["> at any time", *sorted(request for request in made if request.startswith("delete"))]
        there = [key for messages in self.server.env.backend.messages.values() for key in messages]
        stays = [f"{self._numbers[key]} {shown}" for key, shown in self._shown.items() if key in there]
        return "\n".join([*lines, f"> {IN_THE_END}", *stays, ""])

    def acted(self, user_id: int, data: Mapping[str, Any]) -> None:
        if "custom_id" in data:
            what = data["custom_id"].split(":")[1]
        else:
            (command,) = data["options"]
            options = [f" {each['name']}:{each['value']}" for each in command["options"]]
            what = f"/{command['name']}{''.join(options)}"
        self.step(f"{self.server.member(user_id).name}: {what}")

    def requested(self, made: Made) -> None:
        refused = "" if made.refused is None else f" ! {made.refused}"
        self.steps[-1][1].append(self._line(made) + refused)

    def _line(self, made: Made) -> str:
        if made.message_id is None:
            return f"{made.method} {re.sub(r'[0-9]+', '*', made.path)}"
        answers = made.path.startswith(("/interactions", "/webhooks"))
        if made.after is not None and self._is_private(made.after):
            return ("tell" if made.new else "answer private") + _buttons(made.after)
        number = self._numbers.setdefault(made.message_id, len(self._numbers) + 1)
        if made.method in ("GET", "DELETE"):
            return f"{made.method.lower()} {number}"
        if made.after is None or (answers and made.body.get("type") in _ACKNOWLEDGING):
            return f"acknowledge {number}" if made.refused is None else f"{'answer' if answers else 'edit'} {number}"
        self._shown[made.message_id] = shown = _title(made.after) + _buttons(made.after)
        if not made.new:
            return f"{'answer' if answers else 'edit'} {number} {shown}"
        return f"{'reply' if answers else 'send'} {number} {shown}{self._calls(made)}"

    def _is_private(self, message: Mapping[str, Any]) -> bool:
        """Return True if one person sees it, in the channel or in a private chat."""
        chat = self.server.env.backend.channels[int(message["channel_id"])].guild_id is None
        return chat or bool(message["flags"] & EPHEMERAL_FLAG)

    def _calls(self, made: Made) -> str:
        """Name the users whom a new message notifies."""
        body = made.body.get("data", made.body)
        allowed = body.get("allowed_mentions", {"parse": []})
        assert not allowed["parse"]
        users = [user for user in allowed.get("users", ()) if f"<@{user}>" in (body.get("content") or "")]
        return f", calls {' and '.join(self.server.member(int(user)).name for user in users)}" if users else ""


@contextmanager
def recorded(server: Server) -> Iterator[Recording]:
    recording = Recording(server)
    with simulation.watched(recording.acted, recording.requested):
        yield recording


def compare(before: str, now: str) -> None:
    """Compare a recording with the stored one.

    The same steps, the same new messages in each, which call the same people, and the same in the end. Other requests
    (edits, answers, deletions, looks) may be fewer, but those that are made were made before, in this order.
    """
    steps, steps_now = (re.split(r"^> ", text, flags=re.MULTILINE) for text in (before, now))
    assert [step.split("\n")[0] for step in steps] == [step.split("\n")[0] for step in steps_now]
    for step, step_now in zip(steps, steps_now, strict=True):
        rest = iter(step.split("\n"))
        assert all(line in rest for line in step_now.split("\n")), f"before:\n{step}\nnow:\n{step_now}"
        assert _lasting(step) == _lasting(step_now)


def _lasting(step: str) -> list[str]:
    return [line for line in step.split("\n") if step.startswith(IN_THE_END) or line.startswith(SENT)]


def _title(message: Mapping[str, Any]) -> str:
    titles = [embed.get("title") for embed in message["embeds"]] or [" ".join(message["content"].split()[:4])]
    records = (re.match(r"Round . of 7(?= · )", embed.get("description", "")) for embed in message["embeds"][-1:])
    titles += [record[0] for record in records if record]
    if titles[-1] is None:
        titles = re.findall(r"It is [^.]*turn", message["attachments"][0]["description"]) or ["The dice are free"]
    found = (re.sub(title, shown, titles[-1]) for title, shown in TITLES.items() if re.fullmatch(title, titles[-1]))
    return next(found, titles[-1])


def _buttons(message: Mapping[str, Any]) -> str:
    number = sum(len(row["components"]) for row in message["components"])
    return f", {number} button{'s' * (number > 1)}" if number else ""
