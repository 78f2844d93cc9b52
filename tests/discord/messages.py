import copy
import itertools
import re
import time
from typing import Any

from tests.discord import errors, validation
from tests.discord.state import EPHEMERAL, Channel, Interaction, Json, Message, User, World

NONCE_SECONDS = 180.0
"""The seconds a nonce is known with ``enforce_nonce``: Discord says "the past few minutes"."""
_MENTION = re.compile(r"<@!?(\d+)>")


class Messages:
    def __init__(self, world: World) -> None:
        self.world = world
        self.nonce_seconds = NONCE_SECONDS
        self._nonces: dict[str, Message] = {}

    def find(self, channel: Channel, message_id: int) -> Message:
        message = channel.messages.get(message_id)
        if message is None or message.deleted or message.ephemeral:
            raise errors.Refusal(*errors.UNKNOWN_MESSAGE)
        return message

    def post(self, channel: Channel, body: Json, files: list[Json]) -> Message:
        """Make a message of the bot, or with ``enforce_nonce`` return the one it has sent under the same nonce."""
        validation.check_message(body, files, new=True)
        nonce = None if body.get("nonce") is None else str(body["nonce"])
        if nonce is not None and body.get("enforce_nonce"):
            # Discord's documentation speaks of the same author only, so it is taken at its word: in any channel.
            earlier = self._nonces.get(nonce)
            if earlier is not None and time.time() - earlier.created < self.nonce_seconds:
                earlier.heard = True
                return earlier
        message = self.make(channel, body, files)
        if nonce is not None:
            message.nonce = nonce
            self._nonces[nonce] = message
        return message

    def answer_lost(self, body: Any) -> None:
        """Note that the sender of this does not learn whether it was sent, if it is a message with a nonce."""
        if isinstance(body, dict) and (message := self._nonces.get(str(body.get("nonce")))):
            message.heard = False

    def make(
        self,
        channel: Channel,
        body: Json,
        files: list[Json],
        by: Interaction | None = None,
        reader: User | None = None,
    ) -> Message:
        message = Message(self.world.new_id(), channel, self.world.bot, by_interaction=by, reader=reader)
        message.flags = EPHEMERAL if reader is not None else 0
        self._fill(message, body, files)
        message.notified = self._called(message, body)
        channel.messages[message.id] = message
        return message

    def edit(self, message: Message, body: Json, files: list[Json]) -> None:
        if message.deleted:
            raise errors.Refusal(*errors.UNKNOWN_MESSAGE)
        kept = [each for each in message.attachments if "attachments" not in body]
        validation.check_message(body, [*files, *kept], new=False)
        message.edited = time.time()
        message.loading = False
        self._fill(message, body, files)

    def _fill(self, message: Message, body: Json, files: list[Json]) -> None:
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = copy.deepcopy(body["embeds"] or [])
        if "components" in body:
            message.components = _numbered(body["components"] or [])
            message.looks.append(message.components)
        if files or "attachments" in body:
            message.attachments = [self._attachment(message, file) for file in files]
        for embed in message.embeds:
            image = embed.get("image")
            if image is not None and image["url"].startswith("attachment://"):
                name = image["url"].removeprefix("attachment://")
                image["url"] = f"http://127.0.0.1/attachments/{message.channel.id}/{message.id}/{name}"

    def _attachment(self, message: Message, file: Json) -> Json:
        url = f"http://127.0.0.1/attachments/{message.channel.id}/{message.id}/{file['filename']}"
        found: Json = {"id": str(self.world.new_id()), "url": url, "proxy_url": url, "content_type": "image/png"}
        return {**found, **without_nulls(file)}

    def _called(self, message: Message, body: Json) -> tuple[int, ...]:
        named = {int(user_id) for user_id in _MENTION.findall(message.content)}
        allowed = body.get("allowed_mentions")
        if allowed is not None and "users" not in allowed.get("parse", []):
            named &= {int(user_id) for user_id in allowed.get("users", [])}
        return tuple(sorted(named & set(self.world.users)))


def without_nulls(sent: Any) -> Any:
    """Return an object as Discord gives it back: without empty values."""
    if isinstance(sent, dict):
        return {name: without_nulls(value) for name, value in sent.items() if value is not None}
    return [without_nulls(each) for each in sent] if isinstance(sent, list) else sent


def _numbered(rows: list[Json]) -> list[Json]:
    """Give components their numbers, as Discord does, and leave out what selects have for modals."""
    numbers = itertools.count(1)

    def numbered(component: Json) -> Json:
        found = {"id": next(numbers), **without_nulls(component)}
        found.pop("required", None)
        for chosen in found.get("default_values", ()):
            chosen["id"] = str(chosen["id"])
        if "components" in component:
            found["components"] = [numbered(child) for child in component["components"]]
        if component.get("type") == 2:
            found.setdefault("disabled", False)
        return found

    return [numbered(row) for row in rows]
