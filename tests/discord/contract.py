"""Discord's own description of its REST interface as the judge of every request and every answer of every test.

``contract.json`` holds the part that the bot uses; ``make_contract.py`` makes it. What breaks it is noted in
``broken``, and a fixture in tests/conftest.py fails the test in which that happened: an exception would reach the bot,
which would take it for one of Discord's.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.discord import errors, validation
from tests.discord.state import Json

broken: list[str] = []
"""The differences found since the last look."""

CONTRACT: Json = json.loads(Path(__file__).with_name("contract.json").read_text("utf-8"))
PATTERNS = [(route, re.compile(re.sub(r"{\w+}", "[^/]+", route))) for route in CONTRACT["routes"]]
KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
ID = 2**64
NOTHING = re.compile(r"(?!)")


def hold_request(method: str, path: str, query: Iterable[str], body: Any) -> None:
    """Note what is not as Discord describes it in a request."""
    route = _route(method, path)
    described = CONTRACT["routes"].get(route, {"query": [], "request": {"anyOf": []}})
    found = [f": no parameter {name!r}" for name in query if name not in described["query"]]
    found += problems(body, described["request"], requests=True)
    if route == "PUT /applications/{application_id}/commands" and not found:
        try:
            validation.check_commands(body)
        except errors.Refusal as refusal:
            found.append(f": {refusal}")
    broken.extend(f"{route}, request{each}" for each in found)


def hold_answer(method: str, path: str, status: int | None, body: Any, *, known: re.Pattern[str] = NOTHING) -> None:
    """Note what is not as Discord describes it in an answer; one without a status is that of a success."""
    route = _route(method, path)
    described: dict[str, Json] = CONTRACT["routes"].get(route, {"answers": {}})["answers"]
    if status is None:
        schema: Json = {"anyOf": [each for each in described.values() if (each == {"type": "null"}) is (body is None)]}
    else:
        schema = CONTRACT["refusal"] if status >= 400 else described.get(str(status), {"anyOf": []})
    found = [each for each in problems(body, schema) if not known.search(each)]
    broken.extend(f"{route}, answer {status or 'of a success'}{each}" for each in found)


def _route(method: str, path: str) -> str:
    asked = f"{method} {path}"
    return next((route for route, pattern in PATTERNS if pattern.fullmatch(asked)), f"{asked} (not in contract.json)")


def problems(value: Any, schema: Json, *, requests: bool = False) -> list[str]:
    """Return the problems of a value, each with its place."""
    if (name := schema.get("$ref")) is not None:
        schema = CONTRACT["schemas"][name]
    if (kinds := schema.get("anyOf")) is not None:
        return _problems_of_any(value, kinds, requests)
    kind, allowed = KINDS.get(type(value)) or _kind(value), schema["type"]
    if schema.get("format") == "snowflake":
        return [] if _is_id(value, requests) else [f" is {value!r:.80}, not an id"]
    if kind not in allowed and (kind != "integer" or "number" not in allowed):
        return [f" is {value!r:.80}, not {allowed}"]
    if (values := schema.get("enum")) is not None and value not in values and kind != "null":
        return [f" is {value!r:.80}, none of {values}"]
    if kind in ("boolean", "null"):
        return []
    size = value if kind in ("integer", "number") else validation.length(value) if kind == "string" else len(value)
    if not schema.get("min", size) <= size <= schema.get("max", size):
        return [f" has {size} where {schema.get('min', 0)} to {schema.get('max')} are allowed"]
    if kind == "array":
        if schema.get("unique") and len(set(map(str, value))) < len(value):
            return [f" is {value!r:.80}, with something twice"]
        inner = schema["items"]
        return [f"[{at}]{each}" for at, one in enumerate(value) for each in problems(one, inner, requests=requests)]
    return _problems_of_parts(value, schema, requests) if kind == "object" else []


def _problems_of_parts(value: Json, schema: Json, requests: bool) -> list[str]:
    found = [f".{name} is missing" for name in schema.get("required", ()) if name not in value]
    described, others = schema.get("properties", {}), schema.get("additionalProperties")
    for name, part in value.items():
        if (inner := described.get(name, others)) is None:
            found.append(f".{name} is not described")
        elif wrong := problems(part, inner, requests=requests):
            found += [f".{name}{each}" for each in wrong]
    return found


def _problems_of_any(value: Any, schemas: list[Json], requests: bool) -> list[str]:
    """Compare an object with the schema of its type; another value with the schema of its kind that fits best."""
    if isinstance(value, dict) and "type" in value:
        types = [_types(schema) for schema in schemas]
        schemas = [schema for schema, known in zip(schemas, types, strict=True) if value["type"] in known or not known]
        if not schemas:
            return [f".type is {value['type']!r:.80}, none of {[each for known in types for each in known]}"]
    found = [problems(value, schema, requests=requests) for schema in schemas]
    # The later one of two that fit equally badly is taken: null comes first.
    return min(reversed(found), key=_misfit, default=[" is not described"])


def _misfit(found: list[str]) -> tuple[bool, int]:
    return any(each.startswith(" is ") for each in found), len(found)


def _is_id(value: Any, requests: bool) -> bool:
    """Return True for an id: a string, or in requests an integer, discord.py's habit, which Discord puts up with."""
    text = str(value) if requests and type(value) is int else value
    return isinstance(text, str) and text.isascii() and text.isdecimal() and int(text) < ID


def _kind(value: Any) -> str:
    """Return the kind of a value that is not exactly of a type of JSON, such as a number with a name."""
    return next((kind for each, kind in KINDS.items() if isinstance(value, each)), "null")


def _types(schema: Json) -> list[Any]:
    """Return the values of ``type`` by which an object of this schema is known."""
    schema = CONTRACT["schemas"].get(schema.get("$ref"), schema)
    return list(schema.get("properties", {}).get("type", {}).get("enum", ()))
