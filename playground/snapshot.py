"""What one person can see, as JSON for the page."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

from playground.clock import Ticker
from playground.simulated import Engine, MessageKey
from playground.world import World

#: The number of messages that are loaded first, and each time that somebody asks for older ones.
PAGE = 50

#: From this number on, JavaScript cannot represent every integer.
_INEXACT = 2**53

_OPTION_TYPES = {
    3: "string",
    4: "integer",
    5: "boolean",
    6: "user",
    7: "channel",
    8: "role",
    9: "mentionable",
    10: "number",
}

_CDN = re.compile(r"^https://cdn\.simcord\.invalid/(.+)$")


def local_url(url: str, attachments: Iterable[dict[str, Any]] = ()) -> str | None:
    """Return the playground's URL of a file in a message, or None if the file is elsewhere on the internet.

    The page fetches nothing from other servers, so none of them learns that somebody is playing.
    """
    if url.startswith("attachment://"):
        name = url.removeprefix("attachment://")
        url = next((str(item["url"]) for item in attachments if item["filename"] == name), "")
    found = _CDN.match(url)
    return None if found is None else f"/cdn/{found[1]}"


def person_json(user: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": user["id"],
        "name": user["global_name"] or user["username"],
        "bot": bool(user["bot"]),
        "avatar": f"/avatar/{user['id']}.svg",
    }


def world_json(world: World, ticker: Ticker, viewer: int) -> dict[str, Any]:
    """Return everything apart from the messages: people, channels, unread messages, the time."""
    engine = world.engine
    people = [
        {
            **person_json(engine.user(person)),
            "moderator": person == world.owner,
            "mentions": world.mentions(person),
            "locale": engine.locale(person),
        }
        for person in world.people
    ]
    channels = []
    for channel, shown in engine.channels_for(viewer).items():
        parent = None if shown["parent"] is None else str(shown["parent"])
        channels.append({**shown, "id": str(channel), "parent": parent, **asdict(world.seen_by(viewer, channel))})
    return {
        "me": str(viewer),
        "people": people,
        "bot": person_json(engine.user(engine.bot_id)),
        "guild": {"id": str(world.guild), **engine.guild(world.guild)},
        "locales": world.locales,
        "chosen": engine.has_chosen_locale,
        "introduction": _find_introduction(world, engine.locale(viewer)),
        "shortcuts": [shortcut.json(engine.locale(viewer)) for shortcut in world.shortcuts],
        "channels": channels,
        "clock": {"offset": round(ticker.offset, 3), "behind": round(ticker.behind)},
    }


def _find_introduction(world: World, locale: str) -> str | None:
    sentences = {} if world.introduction is None else world.introduction.sentences
    return sentences.get(locale, sentences.get("en-US"))


def message_json(world: World, viewer: int, key: MessageKey) -> dict[str, Any] | None:
    """Return a message as this person sees it, or None if they cannot see it."""
    if key[1] in world.dismissed:
        return None
    message = world.engine.message(viewer, key)
    if message is None:
        return None
    author = message["author"]
    attachments = message["attachments"]
    shown: set[str] = set()
    embeds = [_embed(embed, attachments, shown) for embed in message["embeds"]]
    deletable = int(author["id"]) == viewer or world.engine.has_permission(viewer, key[0], "manage_messages")
    return {
        "id": message["id"],
        "channel": message["channel_id"],
        "author": person_json(author),
        "content": message["content"],
        "time": message["timestamp"],
        "edited": message["edited_timestamp"] if not message["ephemeral"] else None,
        "type": message["type"],
        "ephemeral": message["ephemeral"],
        "loading": message["loading"],
        "mention": str(viewer) in {str(one) for one in message["pings"]},
        "mine": deletable and not message["ephemeral"],
        "embeds": embeds,
        "components": components_json(message["components"]),
        "attachments": [_attachment(one) for one in attachments if str(one["id"]) not in shown],
        "reactions": [{"emoji": one["emoji"], "count": one["count"], "me": one["me"]} for one in message["reactions"]],
        "command": _command(world, viewer, message),
    }


def page_json(world: World, viewer: int, channel: int, before: int | None = None) -> tuple[list[dict[str, Any]], bool]:
    """Return a page of messages, the oldest first, and whether there are older ones."""
    ids = list(islice(world.engine.message_ids(viewer, channel, before=before), PAGE + 1))
    found = [message_json(world, viewer, (channel, one)) for one in reversed(ids[:PAGE])]
    return [one for one in found if one is not None], len(ids) > PAGE


def _media(part: Any, attachments: list[dict[str, Any]], shown: set[str]) -> dict[str, Any] | None:
    if not isinstance(part, dict) or not part.get("url"):
        return None
    url = str(part["url"])
    if url.startswith("attachment://"):
        # A file that is shown in an embed is not listed again below the message.
        name = url.removeprefix("attachment://")
        shown.update(str(item["id"]) for item in attachments if item["filename"] == name)
    return {"url": local_url(url, attachments), "source": url}


def _embed(embed: dict[str, Any], attachments: list[dict[str, Any]], shown: set[str]) -> dict[str, Any]:
    return {
        "title": embed.get("title"),
        "description": embed.get("description"),
        "color": embed.get("color"),
        "footer": (embed.get("footer") or {}).get("text"),
        "fields": [
            {"name": one["name"], "value": one["value"], "inline": bool(one.get("inline"))}
            for one in embed.get("fields") or []
        ],
        "image": _media(embed.get("image"), attachments, shown),
    }


def components_json(components: Any) -> Any:
    """Return the components with ids as strings, because JavaScript would round the numbers."""
    if isinstance(components, list):
        return [components_json(one) for one in components]
    if isinstance(components, int) and abs(components) >= _INEXACT:
        # discord.py sends the ids of emoji and default values as numbers.
        return str(components)
    if not isinstance(components, dict):
        return components
    changed = {key: components_json(value) for key, value in components.items()}
    if isinstance(emoji := changed.get("emoji"), dict) and emoji.get("id") is not None:
        changed["emoji"] = {**emoji, "id": str(emoji["id"])}
    return changed


def _attachment(item: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": item["filename"],
        "size": item["size"],
        "type": item.get("content_type") or "",
        "description": item.get("description"),
        "url": local_url(str(item["url"])),
    }


def _command(world: World, viewer: int, message: dict[str, Any]) -> dict[str, Any] | None:
    metadata = message.get("interaction_metadata") or {}
    if not metadata.get("name"):
        return None
    user = metadata["user"]
    return {
        "name": _shown_name(world.engine, viewer, int(message["channel_id"]), metadata["name"]),
        "slash": metadata.get("command_type", 1) == 1,
        "user": user["global_name"] or user["username"],
        "avatar": f"/avatar/{user['id']}.svg",
    }


def _shown_name(engine: Engine, viewer: int, channel: int, name: str) -> str:
    """Return the name of a command in the language of the viewer."""
    menus = {one["name"]: [one] for found in engine.menus(viewer, channel).values() for one in found}
    path = (menus | dict(engine.command_paths(viewer, channel))).get(name, ())
    return _translate_path(path, engine.locale(viewer)) or name


def commands_json(engine: Engine, viewer: int, channel: int) -> dict[str, Any]:
    """Return the commands that this person can use here, with names in their language."""
    locale = engine.locale(viewer)
    return {
        "slash": [
            {
                "name": name,
                "shown": _translate_path(path, locale),
                "description": _translate(path[-1], "description", locale),
                "options": [_option(one, locale) for one in path[-1].get("options") or []],
            }
            for name, path in engine.command_paths(viewer, channel)
        ],
        **{
            kind: [{"name": one["name"], "shown": _translate(one, "name", locale)} for one in found]
            for kind, found in engine.menus(viewer, channel).items()
        },
    }


def _translate_path(path: Iterable[dict[str, Any]], locale: str) -> str:
    return " ".join(_translate(part, "name", locale) for part in path)


def _translate(part: dict[str, Any], key: str, locale: str) -> str:
    translated = (part.get(f"{key}_localizations") or {}).get(locale)
    return str(translated or part.get(key) or "")


def _option(option: dict[str, Any], locale: str) -> dict[str, Any]:
    return {
        "name": option["name"],
        "shown": _translate(option, "name", locale),
        "description": _translate(option, "description", locale),
        "type": _OPTION_TYPES.get(int(option["type"]), "string"),
        "required": bool(option.get("required")),
        "autocomplete": bool(option.get("autocomplete")),
        "choices": [
            {"name": _translate(one, "name", locale), "value": one["value"]} for one in option.get("choices") or []
        ],
        "min": option.get("min_value"),
        "max": option.get("max_value"),
        "shortest": option.get("min_length"),
        "longest": option.get("max_length"),
    }
