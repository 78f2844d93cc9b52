"""A backend that says what changed, and does not grow with every event it passes on."""

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

#: Above this many remembered interactions the expired ones are dropped: simcord keeps every one for ever.
_INTERACTIONS_KEPT = 300


def emoji_url(emoji_id: int) -> str:
    """Return the URL under which a custom emoji's picture is kept: simcord itself throws such pictures away."""
    return f"{CDN_BASE}/emojis/{emoji_id}"


class _Tap(list[Any]):
    """Stands in for one of simcord's endless logs: tells of every entry, keeps the newest only."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self._tell = tell

    def append(self, entry: Any) -> None:
        self[:] = [entry]
        self._tell()


class WatchedCdn(CdnStore):
    """The content store, with the addresses that were added or dropped since somebody asked."""

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
        """Store bytes under an address of our own choosing."""
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
    """simcord's world, marking what has to be saved and shown again."""

    def __init__(self, clock: Clock) -> None:
        self.changed_messages: set[MessageKey] = set()
        self.commands_changed = False
        self.last_interaction: Interaction | None = None
        #: user id -> the language of that user's client; guild id -> the server's language
        self.locales: dict[int, str] = {}
        self.on_change: Callable[[], None] = lambda: None
        super().__init__(clock=clock)
        self.content = WatchedCdn()
        self.cdn = self.content
        # Everything that crosses either seam is logged there first, also what changes no message (a
        # deferred update, an answered autocompletion), so the log is the one place to listen at.
        self.transcript = _Tap(self._touched)
        self.http_requests = _Tap(lambda: None)

    def _touched(self) -> None:
        self.on_change()

    def _mark(self, channel_id: int, message_id: int) -> None:
        self.changed_messages.add((channel_id, message_id))
        self.on_change()

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        channel_id = payload.get("channel_id")
        message_id = payload.get("id") if event.startswith("MESSAGE_") else None
        message_id = payload.get("message_id", message_id)
        if channel_id is not None and message_id is not None:
            self._mark(int(channel_id), int(message_id))
        super().emit(event, payload)

    # Private answers and their edits are never announced by an event, hence these four.

    def commit_message(self, message: Message, *, broadcast: bool = True) -> Message:
        committed = super().commit_message(message, broadcast=broadcast)
        self._mark(message.channel_id, message.id)
        return committed

    def edit_message(self, channel_id: int, message_id: int, fields: dict[str, Any]) -> Message:
        before = {str(item["url"]) for item in self.get_message(channel_id, message_id).attachments}
        message = super().edit_message(channel_id, message_id, fields)
        self.content.drop(before - {str(item["url"]) for item in message.attachments})
        self._mark(channel_id, message_id)
        return message

    def delete_message(self, channel_id: int, message_id: int) -> None:
        message = self.get_message(channel_id, message_id)
        super().delete_message(channel_id, message_id)
        self.content.drop(str(item["url"]) for item in message.attachments)
        self._mark(channel_id, message_id)

    def bulk_delete_messages(self, channel_id: int, message_ids: Iterable[int]) -> list[int]:
        deleted = super().bulk_delete_messages(channel_id, message_ids)
        for message_id in deleted:
            self._mark(channel_id, message_id)
        return deleted

    def register_commands(self, guild_id: int | None, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
        registered = super().register_commands(guild_id, payloads)
        self.commands_changed = True
        return registered

    def create_application_emoji(self, name: str, *, animated: bool = False) -> GuildEmoji:
        emoji = super().create_application_emoji(name, animated=animated)
        # The route discards the uploaded picture before it calls us; the request log still has it.
        body = getattr(self.http_requests[-1], "json", None) if self.http_requests else None
        image = body.get("image") if isinstance(body, dict) else None
        if isinstance(image, str) and ";base64," in image:
            with suppress(binascii.Error):
                self.content.put(emoji_url(emoji.id), base64.b64decode(image.split(",", 1)[1]))
        return emoji

    def new_interaction(
        self,
        type: int,  # noqa: A002 - simcord's own name for it
        channel_id: int,
        user_id: int,
        guild_id: int | None,
    ) -> Interaction:
        record = super().new_interaction(type, channel_id, user_id, guild_id)
        self.last_interaction = record
        if len(self.interactions) > _INTERACTIONS_KEPT:
            now = self.now_iso()
            for old in [one for one in self.interactions.values() if (one.expires_at or now) <= now]:
                del self.interactions[old.id]
                self.interaction_tokens.pop(old.token, None)
        return record
