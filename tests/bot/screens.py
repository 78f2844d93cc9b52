"""Every message that people see while they play, as text that can be compared: golden files.

Each step is a press, a command or a change of time. After it come the messages that are new or different, with
everything they say: content, embeds, the alt text of pictures, and each button with its label, style and custom_id.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from discord import ButtonStyle, ComponentType
from simcord.backend.serializers import message_payload

from tests import simulation
from tests.bot.server import Server
from tests.simulation import Made

ID = re.compile(r"\b\d{17,20}\b")
DIALOG = 9
"""The type of an answer to an interaction that opens a dialog."""


@dataclass
class Screens:
    """The steps so far, as text, and the messages as they are now."""

    server: Server
    lines: list[str] = field(default_factory=list)
    _numbers: dict[int, str] = field(default_factory=dict)
    _shown: dict[str, str] = field(default_factory=dict)
    _dialogs: list[str] = field(default_factory=list)
    _public: Iterator[int] = field(default_factory=lambda: count(1))
    _private: Iterator[int] = field(default_factory=lambda: count(1))

    def step(self, what: str) -> None:
        self._write_changes()
        self.lines.append(f"\n> {what}")

    def text(self) -> str:
        """Return all steps. Ids of Discord's are replaced by names: they depend on all that was made before."""
        self._write_changes()
        return ID.sub(self._name_of, "\n".join([*self.lines, ""]).lstrip("\n"))

    def acted(self, user_id: int, data: Mapping[str, Any]) -> None:
        name = next(user.name for user in self.server.env.backend.users.values() if user.id == user_id)
        if "custom_id" in data:
            picked = "".join(f" {value}" for value in data.get("values", ()))
            self.step(f"{name} presses {data['custom_id']}{picked}")
        else:
            (command,) = data["options"]
            options = "".join(f" {each['name']}:{each['value']}" for each in command.get("options", ()))
            self.step(f"{name} gives /highscore {command['name']}{options}")

    def requested(self, made: Made) -> None:
        """Remember a dialog, which is no message."""
        if made.path.startswith("/interactions") and made.body.get("type") == DIALOG:
            dialog = made.body["data"]
            self._dialogs += [f"dialog {dialog['custom_id']}: {dialog['title']}", *_list_fields(dialog["components"])]

    def _write_changes(self) -> None:
        backend = self.server.env.backend
        stored = [message for messages in backend.messages.values() for message in messages.values()]
        shown = {self._name(message): "\n".join(_describe(message_payload(backend, message))) for message in stored}
        for name, text in shown.items():
            if self._shown.get(name) != text:
                self.lines.append(f"## {name}{' changes' * (name in self._shown)}\n{text}".rstrip())
        self.lines += [f"## {name} is deleted" for name in self._shown if name not in shown]
        self.lines += self._dialogs
        self._shown, self._dialogs = shown, []

    def _name_of(self, found: re.Match[str]) -> str:
        """Return the name of a message, a user, a channel or a server, or the id if it is none of these."""
        backend, key = self.server.env.backend, int(found[0])
        if key in self._numbers:
            return self._numbers[key]
        named = (places[key].name for places in (backend.users, backend.channels, backend.guilds) if key in places)
        return str(next(named, found[0]))

    def _name(self, message: Any) -> str:
        if message.id not in self._numbers:
            channel = self.server.env.backend.channels[message.channel_id]
            private = channel.guild_id is None or message.is_ephemeral
            number = next(self._private if private else self._public)
            self._numbers[message.id] = f"{'private message' if private else 'message'} {number}"
        return self._numbers[message.id]


def _describe(message: Mapping[str, Any]) -> Iterator[str]:
    if message["content"]:
        yield message["content"]
    for embed in message["embeds"]:
        for part in ("author", "title", "description"):
            if text := embed.get(part):
                yield f"{part}: {text['name'] if part == 'author' else text}"
        for each in embed.get("fields", ()):
            yield f"field: {each['name']}: {each['value']}"
        if "footer" in embed:
            yield f"footer: {embed['footer']['text']}"
    for file in message["attachments"]:
        yield f"file {file['filename']}: {file.get('description')}"
    for row in message["components"]:
        yield "row"
        for each in row["components"]:
            yield f"  {_describe_component(each)}"
            yield from (f"    {_describe_option(option)}" for option in each.get("options", ()))


def _describe_component(each: Mapping[str, Any]) -> str:
    emoji = (each.get("emoji") or {}).get("name") or ""
    if each["type"] == ComponentType.button.value:
        what = f"[{' '.join(filter(None, (emoji, each.get('label'))))}] {ButtonStyle(each['style']).name}"
    else:
        what = f"select [{each.get('placeholder') or ''}] {each.get('min_values', 1)} to {each.get('max_values', 1)}"
    return f"{what} {each.get('custom_id') or each.get('url')}{' disabled' * bool(each.get('disabled'))}"


def _describe_option(option: Mapping[str, Any]) -> str:
    chosen = "*" if option.get("default") else "-"
    about = f": {option['description']}" if option.get("description") else ""
    return f"{chosen} {option['label']}{about} ({option['value']})"


def _list_fields(components: Any) -> Iterator[str]:
    """Yield the fields of a dialog, which lie in rows or in labels."""
    for each in components:
        inner = [*each.get("components", ()), *filter(None, [each.get("component")])]
        if each.get("label") or each.get("content"):
            about = f" ({each['description']})" if each.get("description") else ""
            yield f"  {each.get('label') or each['content']}{about}: {each.get('custom_id', '')}"
        elif "custom_id" in each:
            yield f"  {each['custom_id']}"
        yield from (f"    {_describe_option(option)}" for option in each.get("options", ()))
        yield from _list_fields(inner)


@contextmanager
def watched_screens(server: Server) -> Iterator[Screens]:
    """Write down everything that is shown inside."""
    screens = Screens(server)
    with simulation.watched(screens.acted, screens.requested):
        yield screens
