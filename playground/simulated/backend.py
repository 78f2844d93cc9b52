"""A simcord backend that reports changes and does not keep logs."""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from simcord._clock import Clock
from simcord.backend import Backend
from simcord.backend.cdn import CDN_BASE, CdnStore
from simcord.backend.models import GuildEmoji, Interaction, Message

#: (channel id, message id)
MessageKey = tuple[int, int]

#: With more interactions than this, the expired ones are removed. simcord itself never removes any.
_MOST_INTERACTIONS = 300


def emoji_url(emoji_id: int) -> str:
    """Return the URL under which the picture of a custom emoji is stored. simcord itself does not store it."""
    return f"{CDN_BASE}/emojis/{emoji_id}"


class _NewestOnly(list[Any]):
    """Replaces one of simcord's logs, which grow without limit. It has only the newest entry, and reports each one."""

    def __init__(self, on_entry: Callable[[], None]) -> None:
        super().__init__()
        self._on_entry = on_entry

    def append(self, entry: Any) -> None:
        self[:] = [entry]
        self._on_entry()


class WatchedCdn(CdnStore):
    """The files of the simulated Discord, and the URLs of those that were added or removed since the last save."""

    def __init__(self) -> None:
        super().__init__()
        self.added: set[str] = set()
        self.dropped: set[str] = set()

    def store_attachment(
        self, attachment_id: int, channel_id: int, filename: str, data: bytes, description: str | None
    ) -> dict[str, Any]:
        stored = super().store_attachment(attachment_id, channel_id, filename, data, description)
        self.added.add(str(stored["url"]))
        return stored

    def put(self, url: str, data: bytes) -> None:
        self._blobs[url] = data
        self.added.add(url)

    def load(self, blobs: Iterable[tuple[str, bytes]]) -> None:
        self._blobs.update(blobs)

    def drop(self, urls: Iterable[str]) -> None:
        for url in urls:
            if self._blobs.pop(url, None) is not None:
                self.added.discard(url)
                self.dropped.add(url)

    def urls(self) -> set[str]:
        return set(self._blobs)


class WatchedBackend(Backend):
    """simcord's world, which records what has to be saved and shown again."""

    def __init__(self, clock: Clock) -> None:
        self.changed_messages: set[MessageKey] = set()
        self.commands_changed = False
        self.last_interaction: Interaction | None = None
        #: The language of each user's client, by user id.
        self.locales: dict[int, str] = {}
        self.on_change: Callable[[], None] = lambda: None
        super().__init__(clock=clock)
        self.content = WatchedCdn()
        self.cdn = self.content
        # simcord logs every event and every answer, even those that change no message, such as a deferred update or an
        # autocompletion. So the log is the one place that sees everything.
        self.transcript = _NewestOnly(lambda: self.on_change())
        self.http_requests = _NewestOnly(lambda: None)

    def mark_changed(self, channel_id: int, message_id: int) -> None:
        self.changed_messages.add((channel_id, message_id))
        self.on_change()

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        channel_id = payload.get("channel_id")
        message_id = payload.get("id") if event.startswith("MESSAGE_") else None
        message_id = payload.get("message_id", message_id)
        if channel_id is not None and message_id is not None:
            self.mark_changed(int(channel_id), int(message_id))
        super().emit(event, payload)

    # These four methods are overridden because private answers and their edits cause no event.

    def commit_message(self, message: Message, *, broadcast: bool = True) -> Message:
        committed = super().commit_message(message, broadcast=broadcast)
        self.mark_changed(message.channel_id, message.id)
        return committed

    def edit_message(self, channel_id: int, message_id: int, fields: dict[str, Any]) -> Message:
        before = {str(item["url"]) for item in self.get_message(channel_id, message_id).attachments}
        message = super().edit_message(channel_id, message_id, fields)
        self.content.drop(before - {str(item["url"]) for item in message.attachments})
        self.mark_changed(channel_id, message_id)
        return message

    def delete_message(self, channel_id: int, message_id: int) -> None:
        message = self.get_message(channel_id, message_id)
        super().delete_message(channel_id, message_id)
        self.content.drop(str(item["url"]) for item in message.attachments)
        self.mark_changed(channel_id, message_id)

    def bulk_delete_messages(self, channel_id: int, message_ids: Iterable[int]) -> list[int]:
        deleted = super().bulk_delete_messages(channel_id, message_ids)
        for message_id in deleted:
            self.mark_changed(channel_id, message_id)
        return deleted

    def register_commands(self, guild_id: int | None, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
        registered = super().register_commands(guild_id, payloads)
        self.commands_changed = True
        return registered

    def create_application_emoji(self, name: str, *, animated: bool = False) -> GuildEmoji:
        emoji = super().create_application_emoji(name, animated=animated)
        # simcord has removed the picture from the arguments by now, but the request log still has it.
        body = getattr(self.http_requests[-1], "json", None) if self.http_requests else None
        image = body.get("image") if isinstance(body, dict) else None
        if isinstance(image, str) and ";base64," in image:
            with suppress(binascii.Error):
                self.content.put(emoji_url(emoji.id), base64.b64decode(image.split(",", 1)[1]))
        return emoji

    def new_interaction(
        self,
        type: int,  # noqa: A002 - simcord's name
        channel_id: int,
        user_id: int,
        guild_id: int | None,
    ) -> Interaction:
        record = super().new_interaction(type, channel_id, user_id, guild_id)
        self.last_interaction = record
        if len(self.interactions) > _MOST_INTERACTIONS:
            now = self.now_iso()
            for old in [one for one in self.interactions.values() if (one.expires_at or now) <= now]:
                del self.interactions[old.id]
                self.interaction_tokens.pop(old.token, None)
        return record
