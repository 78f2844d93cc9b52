"""People of the fake Discord: they give commands, press buttons, fill in what pops up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.discord.state import BUTTON, COMMAND, COMPONENT, MODAL, Channel, Interaction, Json, Message, User

if TYPE_CHECKING:
    from tests.discord.server import Discord

TEXT_INPUT, LABEL = 4, 18


@dataclass(eq=False)
class Person:
    """Somebody who acts. Every action returns when the bot has answered, or when Discord no longer waits for it."""

    discord: Discord
    user: User
    patience: float | None = None
    """Seconds they wait for an answer; None for as long as Discord does."""

    @property
    def id(self) -> int:
        return self.user.id

    async def slash(self, channel: Channel, command: str, **options: Any) -> Interaction:
        # A bot is connected before it has registered its commands.
        await self.discord.until(lambda: bool(self.discord.world.commands), what="commands")
        interaction = self.begin_slash(channel, command, **options)
        await self.discord.until_answered(interaction, self.patience)
        return interaction

    async def ask(self, channel: Channel, command: str, **options: Any) -> str:
        """Give a command; return the private answer."""
        asked = await self.slash(channel, command, **options)
        return await self.discord.until(lambda: asked.private)

    def begin_slash(self, channel: Channel, command: str, **options: Any) -> Interaction:
        """Give a command, and do not wait."""
        return self.discord.interact(self.user, channel, COMMAND, self._command(command, options))

    def begin_press(self, message: Message, custom_id: str) -> Interaction:
        """Press a button, which need not exist any more, and do not wait."""
        data = {"custom_id": custom_id, "component_type": BUTTON, "id": 1}
        return self.discord.interact(self.user, message.channel, COMPONENT, data, message)

    async def press(self, message: Message, custom_id: str) -> Interaction:
        interaction = self.begin_press(message, custom_id)
        await self.discord.until_answered(interaction, self.patience)
        return interaction

    async def submit(self, popped_up: Interaction, *texts: str) -> Interaction:
        """Fill the text fields of what popped up, in their order, and send it."""
        assert popped_up.modal is not None
        left = list(texts)
        components = [_filled(each, left) for each in popped_up.modal["components"]]
        data = {"custom_id": popped_up.modal["custom_id"], "components": components}
        interaction = self.discord.interact(self.user, popped_up.channel, MODAL, data, popped_up.message)
        await self.discord.until_answered(interaction, self.patience)
        return interaction

    def _command(self, name: str, options: dict[str, Any]) -> Json:
        names = name.split()
        described = _named(self.discord.world.commands, names[0])
        data: Json = {"id": described["id"], "name": described["name"], "type": 1, "options": []}
        inner = data
        for part in names[1:]:
            described = _named(described["options"], part)
            inner["options"] = [{"type": described["type"], "name": part, "options": []}]
            inner = inner["options"][0]
        for option, value in options.items():
            kind = _named(described["options"], option)["type"]
            inner["options"].append({"type": kind, "name": option, "value": value})
        return data


def _named(described: list[Json], name: str) -> Json:
    found = next((each for each in described if each["name"] == name), None)
    assert found is not None, f"no {name!r} among {[each['name'] for each in described]}"
    return found


def _filled(component: Json, texts: list[str]) -> Json:
    """Return the component as it is sent back, with the next text in every text field."""
    found: Json = {"type": component["type"], "id": component.get("id", 0)}
    if component["type"] == TEXT_INPUT:
        return found | {"custom_id": component["custom_id"], "value": texts.pop(0)}
    if component["type"] == LABEL:
        return found | {"component": _filled(component["component"], texts)}
    return found | {"components": [_filled(child, texts) for child in component["components"]]}
