"""What a person can do in a Discord channel: one method for each request that the page can send."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from playground.clock import Ticker
from playground.errors import RefusedError
from playground.simulated import ActionResult, Engine, Interaction, MessageKey
from playground.snapshot import components_json
from playground.world import World

_LONGEST_MESSAGE = 2000
_MOST_FORWARD = 7 * 86400.0
_CATCH_UP = 10.0
_ENTITIES = {6: "user", 7: "channel", 8: "role", 9: "mentionable"}
_SELECTS = {5: "user", 6: "role", 7: "mentionable", 8: "channel"}
_STRING, _INTEGER, _BOOLEAN, _NUMBER = 3, 4, 5, 10
_WHOLE_LIMIT = 2**53
_SNOWFLAKE_DIGITS = 20
_MOST_VALUES = 25
_OWN_EMOJI = re.compile(r"\w{2,32}:[0-9]{1,20}", re.ASCII)

Answer = dict[str, Any]


class Fields:
    """The members of the JSON object in a request. An invalid member raises RefusedError."""

    def __init__(self, body: Any) -> None:
        if not isinstance(body, dict):
            raise RefusedError("The request must be a JSON object.")
        self._body = body

    def text(self, name: str, *, longest: int = 4000, empty: bool = False) -> str:
        value = self._body.get(name)
        if not isinstance(value, str):
            raise RefusedError("“{name}” must be text.", name=name)
        if not value.strip() and not empty:
            raise RefusedError("“{name}” must not be empty.", name=name)
        if len(value) > longest:
            raise RefusedError(
                "“{name}” has {length} characters. The limit is {longest}.",
                name=name,
                length=len(value),
                longest=longest,
            )
        return value

    def snowflake(self, name: str) -> int:
        return as_snowflake(name, self._body.get(name))

    def boolean(self, name: str) -> bool:
        value = self._body.get(name)
        if not isinstance(value, bool):
            raise RefusedError("“{name}” must be true or false.", name=name)
        return value

    def seconds(self, name: str, *, most: float) -> float:
        value = self._body.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
            raise RefusedError(
                "“{name}” must be a number of seconds above 0 and at most {most}.", name=name, most=f"{most:.0f}"
            )
        return float(value)

    def texts(self, name: str) -> list[str]:
        value = self._body.get(name)
        if not isinstance(value, list) or len(value) > _MOST_VALUES or not all(isinstance(one, str) for one in value):
            raise RefusedError("“{name}” must be a list of at most {most} texts.", name=name, most=_MOST_VALUES)
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """Return a JSON object, which is empty if the field is missing."""
        value = self._body.get(name, {})
        if not isinstance(value, dict):
            raise RefusedError("“{name}” must be a JSON object.", name=name)
        return value


def as_snowflake(name: str, value: Any) -> int:
    """Parse an id. It has to be a string, because JavaScript's numbers cannot represent every id."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= _SNOWFLAKE_DIGITS:
        return int(value)
    raise RefusedError("“{name}” must be an ID, which is a string of digits.", name=name)


class Actions:
    """Performs the requests of the page, one at a time, as the person who sent them."""

    def __init__(self, world: World, ticker: Ticker, acting: asyncio.Lock) -> None:
        self._world = world
        self._ticker = ticker
        self._acting = acting

    @property
    def _engine(self) -> Engine:
        return self._world.engine

    def person(self, name: str | None) -> int:
        """Return the id of the person with this name ("Ada") or id. Without a name, return the owner's."""
        if not name:
            return self._world.owner
        for person in self._world.people:
            user = self._engine.user(person)
            if name == str(person) or name.casefold() in (user["username"], str(user["global_name"]).casefold()):
                return person
        names = ", ".join(str(self._engine.user(one)["global_name"]) for one in self._world.people)
        raise RefusedError(
            "There is nobody called “{name}” here. Try one of these: {names}.", status=404, name=name[:40], names=names
        )

    def channel(self, viewer: int, channel: int) -> int:
        if not self._engine.can_read(viewer, channel):
            raise RefusedError("That channel does not exist, or you cannot see it.", status=404)
        return channel

    def _message(self, viewer: int, fields: Fields) -> MessageKey:
        key = (self.channel(viewer, fields.snowflake("channel")), fields.snowflake("message"))
        if key[1] in self._world.dismissed or self._engine.message(viewer, key) is None:
            raise RefusedError("That message no longer exists, or you cannot see it.", status=404)
        return key

    # ------------------------------------------------------------- writing

    async def say(self, viewer: int, fields: Fields) -> Answer:
        channel = self.channel(viewer, fields.snowflake("channel"))
        text = fields.text("content", longest=_LONGEST_MESSAGE)
        async with self._acting:
            message = await self._engine.say(viewer, channel, text)
        self._world.read(viewer, channel)
        return {"message": str(message)}

    async def delete(self, viewer: int, fields: Fields) -> Answer:
        key = self._message(viewer, fields)
        async with self._acting:
            await self._engine.delete(viewer, key)
        return {}

    async def dismiss(self, viewer: int, fields: Fields) -> Answer:
        """Hide a private answer, as Discord does when somebody clicks *Dismiss message*."""
        key = self._message(viewer, fields)
        message = self._engine.message(viewer, key)
        if message is None or not message["ephemeral"]:
            raise RefusedError("You can only dismiss messages that nobody else can see.", status=409)
        self._world.dismissed.add(key[1])
        self._engine.mark_changed(key)
        return {}

    async def react(self, viewer: int, fields: Fields) -> Answer:
        key = self._message(viewer, fields)
        emoji, reacted = fields.text("emoji", longest=100), fields.boolean("on")
        if ":" in emoji and not _OWN_EMOJI.fullmatch(emoji):
            raise RefusedError("That is not an emoji. Choose one from the list.")
        async with self._acting:
            await self._engine.react(viewer, key, emoji, reacted=reacted)
        return {}

    # -------------------------------------------------------- interactions

    async def click(self, viewer: int, fields: Fields) -> Answer:
        key = self._message(viewer, fields)
        custom_id = fields.text("custom_id", longest=100)

        def act() -> Awaitable[Interaction]:
            # Another action may have changed the message while this one waited for the lock.
            self._find_control(viewer, key, custom_id)
            return self._engine.click(viewer, key, custom_id)

        return await self._interact(act)

    async def select(self, viewer: int, fields: Fields) -> Answer:
        key = self._message(viewer, fields)
        custom_id, chosen = fields.text("custom_id", longest=100), fields.texts("values")

        def act() -> Awaitable[Interaction]:
            values = self._parse_selection(int(self._find_control(viewer, key, custom_id)["type"]), chosen, key[0])
            return self._engine.select(viewer, key, custom_id, values)

        return await self._interact(act)

    async def slash(self, viewer: int, fields: Fields) -> Answer:
        channel = self.channel(viewer, fields.snowflake("channel"))
        command = fields.text("command", longest=110)
        declared = self._command(viewer, channel, command)
        options = {
            name: self._parse_option(_find_option(declared, name), value, channel)
            for name, value in fields.mapping("options").items()
        }
        for option in declared.get("options") or []:
            if option.get("required") and option["name"] not in options:
                raise RefusedError("“{name}” is required. Fill it in and send the command again.", name=option["name"])
        return await self._interact(lambda: self._engine.slash(viewer, channel, command, options))

    async def menu(self, viewer: int, fields: Fields) -> Answer:
        """Use a command in the menu of a person (in ``channel``) or of a message."""
        channel = self.channel(viewer, fields.snowflake("channel"))
        name, of = fields.text("command", longest=32), fields.text("of", longest=7)
        if name not in [one["name"] for one in self._engine.menus(viewer, channel).get(of, ())]:
            raise RefusedError("There is no “{name}” in this menu.", status=404, name=name)
        if of == "message":
            key = self._message(viewer, fields)
            return await self._interact(lambda: self._engine.message_menu(viewer, key, name))
        user = self._engine.entity("user", fields.snowflake("user"), channel)
        return await self._interact(lambda: self._engine.user_menu(viewer, channel, user, name))

    async def autocomplete(self, viewer: int, fields: Fields) -> Answer:
        channel = self.channel(viewer, fields.snowflake("channel"))
        command = fields.text("command", longest=110)
        declared = self._command(viewer, channel, command)
        focused = _find_option(declared, fields.text("option", longest=32))
        if not focused.get("autocomplete"):
            raise RefusedError("“{name}” has no suggestions.", status=409, name=focused["name"])
        filled = {}
        for name, value in fields.mapping("options").items():
            try:
                filled[name] = self._parse_option(_find_option(declared, name), value, channel)
            except RefusedError:
                # The other options may be incomplete. Discord leaves them out, too.
                continue
        typed = fields.text("value", longest=100, empty=True)

        def ask() -> Awaitable[Interaction]:
            return self._engine.autocomplete(viewer, channel, command, focused["name"], typed, filled)

        answer = await self._interact(ask)
        answer.setdefault("choices", [])
        return answer

    async def modal(self, viewer: int, fields: Fields) -> Answer:
        modal = fields.snowflake("modal")
        values = fields.mapping("values")
        answer = await self._interact(lambda: self._engine.submit(viewer, modal, values))
        if answer["answered"]:
            self._engine.close_modal(modal)
        return answer

    def _find_control(self, viewer: int, key: MessageKey, custom_id: str) -> dict[str, Any]:
        message = self._engine.message(viewer, key) or {}
        control = _find_control(message.get("components"), custom_id)
        if control is None:
            raise RefusedError("That button no longer exists. Check what the message shows now.", status=404)
        if control.get("disabled"):
            raise RefusedError("That button is disabled.", status=409)
        return control

    async def _interact(self, act: Callable[[], Awaitable[Interaction]]) -> Answer:
        async with self._acting:
            record = await act()
        outcome: ActionResult = await self._engine.wait_for_answer(record)
        answer: Answer = {"answered": outcome.answered}
        if outcome.modal is not None:
            answer["modal"] = {"id": str(outcome.interaction), **components_json(outcome.modal)}
        if outcome.choices is not None:
            answer["choices"] = outcome.choices
        return answer

    # ------------------------------------------------------------- options

    def _command(self, viewer: int, channel: int, name: str) -> dict[str, Any]:
        declared = self._engine.commands(viewer, channel).get(name)
        if declared is None:
            raise RefusedError(
                "There is no command /{name} here. Type / to see the available commands.", status=404, name=name
            )
        return declared

    def _parse_option(self, option: dict[str, Any], value: Any, channel: int) -> Any:
        kind, name = int(option["type"]), option["name"]
        if kind in _ENTITIES:
            return self._engine.entity(_ENTITIES[kind], as_snowflake(name, value), channel)
        if kind == _BOOLEAN and not isinstance(value, bool):
            raise RefusedError("“{name}” must be true or false.", name=name)
        if kind == _STRING and (not isinstance(value, str) or not value):
            raise RefusedError("“{name}” must be text.", name=name)
        if kind in (_INTEGER, _NUMBER):
            return _parse_number(name, value, whole=kind == _INTEGER)
        return value

    def _parse_selection(self, kind: int, values: list[str], channel: int) -> list[Any]:
        if kind not in _SELECTS:
            return list[Any](values)
        return [self._engine.entity(_SELECTS[kind], as_snowflake("values", one), channel) for one in values]

    # ------------------------------------------------------------ the page

    async def read(self, viewer: int, fields: Fields) -> Answer:
        self._world.read(viewer, self.channel(viewer, fields.snowflake("channel")))
        return {}

    async def locale(self, viewer: int, fields: Fields) -> Answer:
        """Change this person's language or, if the field ``server`` is true, the server's.

        Only the owner may change the server's.
        """
        locale = fields.text("locale", longest=10)
        if locale not in self._world.locales:
            languages = ", ".join(self._world.locales)
            raise RefusedError("The playground is only available in these languages: {languages}.", languages=languages)
        if not fields.boolean("server"):
            self._engine.set_locale(viewer, locale)
            return {}
        if viewer != self._world.owner:
            raise RefusedError("Only the server's owner can change its language.", status=403)
        async with self._acting:
            self._engine.set_guild_locale(self._world.guild, locale)
        return {}

    async def time(self, viewer: int, fields: Fields) -> Answer:
        del viewer
        self._ticker.fast_forward(fields.seconds("seconds", most=_MOST_FORWARD))
        self._world.offset = self._ticker.offset
        self._world.save(is_clock_moved=True)
        is_caught_up = await self._ticker.wait_until_caught_up(_CATCH_UP)
        return {"offset": self._ticker.offset, "caught_up": is_caught_up}


def _find_option(command: dict[str, Any], name: str) -> dict[str, Any]:
    for option in command.get("options") or []:
        if option["name"] == name:
            return dict(option)
    raise RefusedError("This command has no option “{name}”.", name=name[:40])


def _parse_number(name: str, value: Any, *, whole: bool) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise RefusedError("“{name}” must be a number.", name=name)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise RefusedError("“{name}” must be a number.", name=name) from None
    if not -_WHOLE_LIMIT < number < _WHOLE_LIMIT:
        raise RefusedError("The number for “{name}” is too large.", name=name)
    if whole and not number.is_integer():
        raise RefusedError("“{name}” must be a whole number.", name=name)
    return int(number) if whole else number


def _find_control(components: Any, custom_id: str) -> dict[str, Any] | None:
    """Find the control with this custom id at any depth of the tree; None if there is none."""
    if isinstance(components, list):
        found = (_find_control(one, custom_id) for one in components)
        return next((control for control in found if control is not None), None)
    if not isinstance(components, dict):
        return None
    if components.get("custom_id") == custom_id:
        return components
    return _find_control([components.get(one) for one in ("components", "component", "accessory")], custom_id)
