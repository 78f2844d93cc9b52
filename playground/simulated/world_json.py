"""Converts the simulated Discord to JSON values, and back.

simcord's models are dataclasses of plain values, so one general conversion works for all of them. If a newer simcord
has no such field, the stored value is ignored. Fields that it has added get their default values.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

import simcord.backend.models as simcord_models
from simcord.backend.models import Message

from playground.simulated.backend import MessageKey, WatchedBackend, emoji_url

#: (kind, id, JSON value)
Record = tuple[str, str, Any]

_TAG = "$"
_MODELS: dict[str, Any] = {
    name: model
    for name, model in vars(simcord_models).items()
    if isinstance(model, type) and dataclasses.is_dataclass(model)
}


def encode(value: Any) -> Any:
    """Convert a model, or any value in one, to JSON values."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (bool, str, int, float)):
        return value
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        if _TAG not in value and all(type(key) is str for key in value):
            return {key: encode(item) for key, item in value.items()}
        return {_TAG: "dict", "items": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, (set, frozenset, tuple)):
        return {_TAG: type(value).__name__, "items": [encode(item) for item in value]}
    if dataclasses.is_dataclass(value):
        fields = {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {_TAG: type(value).__name__, **fields}
    raise TypeError(f"a {type(value).__name__} cannot be stored in the playground's file")


def decode(value: Any) -> Any:
    """Convert JSON values from `encode` back to the original value."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    tag = value.get(_TAG)
    if tag is None:
        return {key: decode(item) for key, item in value.items()}
    if tag == "dict":
        return {decode(key): decode(item) for key, item in value["items"]}
    if tag in ("set", "frozenset", "tuple"):
        collect = {"set": set, "frozenset": frozenset, "tuple": tuple}[tag]
        return collect(decode(item) for item in value["items"])
    model = _MODELS[tag]
    known = {field.name for field in dataclasses.fields(model)}
    return model(**{key: decode(item) for key, item in value.items() if key in known})


def dump_message(backend: WatchedBackend, key: MessageKey) -> Any | None:
    channel_id, message_id = key
    message = backend.messages.get(channel_id, {}).get(message_id)
    return None if message is None else encode(message)


def dump_commands(backend: WatchedBackend) -> Record:
    """Dump the registered commands, because a bot that only syncs changed commands expects the others to be there."""
    scopes = [[scope, list(commands.values())] for scope, commands in backend.commands.items()]
    return ("commands", "all", scopes)


def dump_world(backend: WatchedBackend) -> Iterator[Record]:
    """Dump the application, locales, users, servers, channels, emoji and webhooks. This is little enough to compare
    after every action. Messages, commands and files are stored separately; interactions are not stored.
    """
    yield (
        "app",
        "bot",
        {"application": backend.application_id, "user": backend.bot_user.id, "dms": encode(backend.dm_channels)},
    )
    yield ("locales", "all", encode(backend.locales))
    for kind, items in _collections(backend).items():
        for item_id, item in items.items():
            yield (kind, str(item_id), encode(item))


def _collections(backend: WatchedBackend) -> dict[str, dict[int, Any]]:
    """Return simcord's dictionaries of models by kind, apart from messages."""
    return {
        "user": backend.users,
        "guild": backend.guilds,
        "channel": backend.channels,
        "emoji": backend.application_emojis,
        "webhook": backend.webhooks,
    }


def _messages(backend: WatchedBackend) -> Iterator[Message]:
    return (message for channel in backend.messages.values() for message in channel.values())


def restore(backend: WatchedBackend, records: Iterable[Record]) -> None:
    """Fill a new backend with the records of the dump functions. Everything gets its old id."""
    backend.users.clear()
    collections, app = _collections(backend), dict[str, Any]()
    for kind, _, value in records:
        if kind == "app":
            app = value
        elif kind == "locales":
            backend.locales = decode(value)
        elif kind == "commands":
            for scope, commands in value:
                backend.commands[scope] = {(one["name"], one["type"]): one for one in commands}
        elif kind == "message":
            message: Message = decode(value)
            backend.messages.setdefault(message.channel_id, {})[message.id] = message
        elif kind in collections:
            model = decode(value)
            collections[kind][model.id] = model
    backend.webhook_tokens.update({webhook.token: webhook.id for webhook in backend.webhooks.values()})
    backend.application_id = app["application"]
    backend.bot_user = backend.users[app["user"]]
    backend.dm_channels = decode(app["dms"])
    for channel_id in backend.channels:
        backend.messages.setdefault(channel_id, {})
    _reserve_ids(backend)
    _drop_unused_content(backend)


def _reserve_ids(backend: WatchedBackend) -> None:
    """Make sure that ids in use are not given out again, even in the millisecond in which they were."""
    backend._reserved_ids.update(*_collections(backend).values())
    backend._reserved_ids.add(backend.application_id)
    for message in _messages(backend):
        backend._reserved_ids.update((message.id, *(int(item["id"]) for item in message.attachments)))
    for commands in backend.commands.values():
        backend._reserved_ids.update(int(one["id"]) for one in commands.values())


def _drop_unused_content(backend: WatchedBackend) -> None:
    used = {emoji_url(emoji_id) for emoji_id in backend.application_emojis}
    used.update(str(item["url"]) for message in _messages(backend) for item in message.attachments)
    backend.content.drop(backend.content.urls() - used)
