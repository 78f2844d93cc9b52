"""The bot's tables as they can be seen in the fake's channels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.ui.buttons import RunPress, TurnPress, Verb
from tests.discord.state import Channel, Json, Message, User

if TYPE_CHECKING:
    from tests.discord.server import Discord

Press = TurnPress | RunPress
"""A button of a table: that of a turn has all fields that there are."""


@dataclass(frozen=True)
class Seen:
    """A table as a message shows it."""

    message: Message
    table_id: str
    version: int
    presses: tuple[Press, ...]
    """The presses that its buttons offer."""

    @property
    def own_pace(self) -> bool:
        """True if everybody plays alone: its one button says nothing of a version."""
        return isinstance(self.presses[0], RunPress)

    def press(self, verb: Verb) -> Press | None:
        return next((press for press in self.presses if press.verb is verb), None)

    def custom_id(self, *verbs: Verb) -> str:
        """Return the id of a button that has to be there, the first of these; of several, that for the most dice."""
        found = next(found for verb in verbs if (found := [press for press in self.presses if press.verb is verb]))
        return max(found, key=lambda press: sum(1 << at for at in press.dice)).custom_id


def presses_in(components: list[Json]) -> tuple[Press, ...]:
    return tuple(_presses(components))


def _presses(components: list[Json]) -> Iterator[Press]:
    for component in components:
        yield from _presses(component.get("components", []))
        press = parsed(str(component.get("custom_id", "")))
        if press is not None and not component.get("disabled"):
            yield press


def parsed(custom_id: str) -> Press | None:
    kinds: tuple[type[Press], ...] = (TurnPress, RunPress)
    return next((kind.parse(custom_id) for kind in kinds if kind.matches(custom_id)), None)


def version_of(press: Press) -> int:
    """Return the version of the table that a button names, or the step of the run."""
    return press.version if isinstance(press, TurnPress) else press.step


def seen(message: Message) -> Seen | None:
    presses = presses_in(message.components)
    return Seen(message, presses[0].table_id, version_of(presses[0]), presses) if presses else None


def shown_in(channel: Channel, table_id: str | None = None) -> list[Seen]:
    found = [look for message in channel.shown if (look := seen(message)) is not None]
    return [look for look in found if table_id in (None, look.table_id)]


def page_of(channel: Channel, reader: User, table_id: str, *, older: bool = False) -> Seen | None:
    """Return the private page of somebody's run, or the ``older`` one before it."""
    theirs = [message for message in channel.messages.values() if message.reader is reader and not message.deleted]
    found = [look for message in theirs if (look := seen(message)) and look.own_pace and look.table_id == table_id]
    pages = [look for look in found if look.press(Verb.PLAY) is None]
    return pages[-2:][0 if older else -1] if pages else None


async def newest(discord: Discord, channel: Channel) -> Seen:
    """Return the newest table of a channel, as soon as there is one: a command's answer may only be promised yet."""
    return (await discord.until(lambda: shown_in(channel), what="a table"))[-1]


async def until_shown(discord: Discord, channel: Channel, table_id: str, version: int, seconds: float = 120.0) -> Seen:
    """Wait until a table is shown at a version or a newer one; the message that does."""

    def look() -> Seen | None:
        return next((seen for seen in shown_in(channel, table_id) if seen.version >= version), None)

    found = await discord.until(look, seconds, what=f"table {table_id} at version {version}")
    assert found is not None
    return found
