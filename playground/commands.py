"""The bot's commands as JSON, in a person's own language."""

from collections.abc import Iterable
from typing import Any

from playground.simulated import Engine

_TYPES = {
    3: "string",
    4: "integer",
    5: "boolean",
    6: "user",
    7: "channel",
    8: "role",
    9: "mentionable",
    10: "number",
}


def shown_name(engine: Engine, viewer: int, channel: int, name: str) -> str:
    """Return the name of a command in the language of the viewer."""
    menus = {one["name"]: [one] for found in engine.menus(viewer, channel).values() for one in found}
    path = (menus | dict(engine.command_paths(viewer, channel))).get(name, ())
    return _translate_path(path, engine.locale(viewer)) or name


def commands_json(engine: Engine, viewer: int, channel: int) -> dict[str, Any]:
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
        "type": _TYPES.get(int(option["type"]), "string"),
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
