"""Make contract.json: the part of Discord's own description of its REST interface that the bot uses, without prose.

By hand, with the path of ``specs/openapi.json`` of https://github.com/discord/discord-api-spec (MIT, Discord):

    python -m tests.discord.make_contract openapi.json

What it keeps are words of JSON Schema: types, names, limits. References are bare names; integers and texts with a
list of values are that list.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

CONTRACT = Path(__file__).with_name("contract.json")

ROUTES = """
    GET /users/@me
    GET /users/@me/guilds
    POST /users/@me/channels
    GET /oauth2/applications/@me
    GET /gateway/bot
    GET /applications/{application_id}/commands
    PUT /applications/{application_id}/commands
    GET /applications/{application_id}/emojis
    POST /applications/{application_id}/emojis
    GET /guilds/{guild_id}/members/{user_id}
    GET /guilds/{guild_id}/scheduled-events
    POST /guilds/{guild_id}/scheduled-events
    PATCH /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}
    DELETE /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}
    GET /channels/{channel_id}
    PATCH /channels/{channel_id}
    POST /channels/{channel_id}/threads
    GET /channels/{channel_id}/messages
    POST /channels/{channel_id}/messages
    PATCH /channels/{channel_id}/messages/{message_id}
    DELETE /channels/{channel_id}/messages/{message_id}
    POST /interactions/{interaction_id}/{interaction_token}/callback
    POST /webhooks/{webhook_id}/{webhook_token}
    PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}
    DELETE /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}
"""
UNUSED = re.compile(
    "ErrorDetails|Poll|Sticker|Theme|Reference|Snapshot|Lobby|Purchase|SKU|Activity|Forum|Checkbox"
    "|FileUpload|(Container|Section|Separator|File|MediaGallery|Thumbnail|Mentionable\\w*)Component|Video|Provider"
    "|Pong|Collectible|AvatarDecoration|PrimaryGuildResponse|Reaction|Team|InstallParams|RoleSubscription|Call(Response)$"
    "|MessageInteractionResponse|Resolved|AttachmentOption|BasicApplication"
    "|PrivateGroup|(Guild|DM)Channel(Re|Partial)|UpdateG?(uild|roup)?(Channel|DM)|InteractionMetadata|MentionableSelect|BasicMessage"
)
"""Schemas of what the bot neither sends nor reads: a body in which one of them turns up is refused as unknown."""
AMENDED: dict[str, dict[str, Any]] = {
    # A limit that only the documentation has.
    "ApplicationCommandOptionStringChoice": {"value": {"type": "string", "max": 100}},
    # Parts that discord.py sends though they are not described, and Discord puts up with.
    "ApplicationCommandUpdateRequest": {"nsfw": {"type": "boolean"}},
    "RichEmbed": {"flags": {"type": "integer"}},
    "MessageEditRequestPartial": {"tts": {"type": "boolean"}},
    "IncomingWebhookUpdateRequestPartial": {"tts": {"type": "boolean"}},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts": {"type": "boolean"}},
}
CREDIT = "github.com/discord/discord-api-spec: specs/openapi.json, MIT License, Copyright 2023 Discord"
LIMITS = dict.fromkeys(("minLength", "minItems", "minimum"), "min") | dict.fromkeys(
    ("maxLength", "maxItems", "maximum", "maxProperties"), "max"
)
INTEGER = 2**31 - 1
"""Numbers as large as a type has no need to be told."""


class Maker:
    """Schemas as they are kept, and those that others name."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.described = described["components"]["schemas"]
        self.kept: dict[str, Any] = {}

    def keep(self, schema: dict[str, Any]) -> dict[str, Any] | None:
        """Return the kept part of a schema, or None if it is not used."""
        if (named := schema.get("$ref")) is not None:
            return self._keep_named(named.rsplit("/", 1)[1])
        kinds = schema.get("oneOf") or schema.get("anyOf")
        if kinds and all("const" in kind for kind in kinds):
            return {"type": schema["type"], "enum": [kind["const"] for kind in kinds]}
        if kinds:
            found = [kept for kind in kinds if (kept := self.keep(kind)) is not None]
            return {"anyOf": found} if len(found) > 1 else found[0] if found else None
        if "allOf" in schema and "enum" not in schema:
            return self._join([kept for part in schema["allOf"] if (kept := self.keep(part)) is not None])
        return self._keep_parts(schema)

    def _keep_named(self, name: str) -> dict[str, Any] | None:
        if UNUSED.search(name):
            return None
        described = self.described[name]
        if described.get("type") != "object":
            return self.keep(described)
        if name not in self.kept:
            self.kept[name] = {}  # It may hold itself.
            self.kept[name] = self.keep(described)
            self.kept[name]["properties"] |= AMENDED.get(name, {})
        return {"$ref": name}

    def _keep_parts(self, schema: dict[str, Any]) -> dict[str, Any] | None:
        found = {"type": schema["type"]}
        if "enum" in schema:
            return found | {"enum": schema["enum"]}
        if schema.get("format") == "snowflake":
            found["format"] = "snowflake"
        found |= {limit: schema[name] for name, limit in LIMITS.items() if abs(schema.get(name, INTEGER)) < INTEGER}
        if schema.get("uniqueItems"):
            found["unique"] = True
        if "properties" in schema:
            parts = {name: self.keep(part) for name, part in schema["properties"].items()}
            found["properties"] = {name: part for name, part in parts.items() if part is not None}
            if required := [name for name in schema.get("required", ()) if parts[name] is not None]:
                found["required"] = required
        for name in ("items", "additionalProperties"):
            if isinstance(schema.get(name), dict):
                if (part := self.keep(schema[name])) is None:
                    return None
                found[name] = part
        return found

    def _join(self, parts: list[dict[str, Any]]) -> dict[str, Any]:
        parts = [self.kept[part["$ref"]] if "$ref" in part else part for part in parts]
        return {
            "type": "object",
            "properties": {name: each for part in parts for name, each in part["properties"].items()},
            "required": [name for part in parts for name in part.get("required", ())],
        }

    def body(self, described: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON of a request or an answer; null if it has none."""
        content = described.get("content", {}).get("application/json")
        kept = None if content is None else self.keep(content["schema"])
        return {"type": "null"} if kept is None else kept


def make(described: dict[str, Any]) -> dict[str, Any]:
    """Return the contract: the routes with queries, requests, answers by status and refusals, and the named schemas."""
    maker = Maker(described)
    routes = {}
    for route in ROUTES.split("\n")[1:-1]:
        method, path = route.split()
        way = described["paths"][path][method.lower()]
        routes[f"{method} {path}"] = {
            "query": [each["name"] for each in way.get("parameters", ()) if each["in"] == "query"],
            "request": maker.body(way.get("requestBody", {})),
            "answers": {status: maker.body(each) for status, each in way["responses"].items() if status < "3"},
        }
    refusal = {"anyOf": [maker.keep({"$ref": f"/{name}"}) for name in ("ErrorResponse", "RatelimitedResponse")]}
    return {"credit": CREDIT, "routes": routes, "refusal": refusal, "schemas": dict(sorted(maker.kept.items()))}


if __name__ == "__main__":
    made = make(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    CONTRACT.write_text(json.dumps(made, separators=(",", ":")) + "\n", "utf-8")
