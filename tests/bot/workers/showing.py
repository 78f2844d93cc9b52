"""A channel that remembers its messages, and a process that shows tables in it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord

from bot.discord_api.messages import Offer
from bot.domain.display import Request
from bot.domain.table import Table
from bot.services.core import Core, get_table
from bot.services.facts import Facts, MessagesReplaced, TableChanged
from bot.ui.message import Rendered
from bot.workers.delivery import Delivery
from bot.workers.worker import Clock
from tests.bot.workers.posting import Client


def words_of(fields: dict[str, Any]) -> str:
    """Return what can be read in a message that is sent or edited: its last embed, and the texts of its pictures."""
    pictures = fields.get("files", fields.get("attachments", ()))
    return "\n".join([str(fields["embeds"][-1].to_dict()), *(str(each.description) for each in pictures)])


class Channel(Client):
    """A channel that remembers its messages, and can be made to fail. It is also its own client."""

    def __init__(self) -> None:
        self.messages: dict[int, str] = {}
        self.calls = 0
        """Requests to send or to edit."""
        self.looks = 0
        """Requests for its messages."""
        self.deleted: list[int] = []
        self.closed: list[int] = []
        """Messages whose buttons were taken away."""
        self.undeletable: list[Exception] = []
        """The errors of the next deletions."""
        self.errors: list[Exception] = []
        """The errors of the next calls, before anything is done."""
        self.lost: list[Exception] = []
        """The errors of the next sends, after the message was sent."""
        self._by_nonce: dict[str, SimpleNamespace] = {}
        self.called = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    def get_partial_messageable(self, _channel_id: int) -> discord.PartialMessageable:
        channel: Any = self
        return channel  # type: ignore[no-any-return]

    async def send_directly(self, user_id: int, text: str, nonce: str, link: discord.ui.View | None = None) -> Any:
        raise NotImplementedError("these tests only show tables")

    async def send(self, **fields: Any) -> SimpleNamespace:
        """Make a message, or for a repeated nonce return the one that was made before, as Discord does."""
        await self._called()
        sent = self._by_nonce.get(fields["nonce"])
        if sent is None:
            rows = [discord.ActionRow(row) for row in fields["view"].to_components()]
            sent = SimpleNamespace(author=None, id=len(self._by_nonce) + 1, components=rows, embeds=fields["embeds"])
            self._by_nonce[fields["nonce"]] = sent
            self.messages[sent.id] = words_of(fields)
        if self.lost:
            raise self.lost.pop(0)
        return sent

    def forget_nonces(self) -> None:
        """Forget all nonces, as Discord does after some minutes."""
        self._by_nonce = {f"forgotten {nonce}": sent for nonce, sent in self._by_nonce.items()}

    async def history(self, *, limit: int) -> AsyncIterator[SimpleNamespace]:
        """Yield the newest messages first."""
        self.looks += 1
        for sent in list(reversed(self._by_nonce.values()))[:limit]:
            if sent.id not in self.deleted:
                yield sent

    def get_partial_message(self, message_id: int) -> SimpleNamespace:
        async def edit(**fields: Any) -> None:
            await self._called()
            view: discord.ui.View | None = fields.get("view")
            if view is None or not view.children:
                self.closed.append(message_id)
            if "embeds" in fields:
                self.messages[message_id] = words_of(fields)

        async def delete() -> None:
            if self.undeletable:
                raise self.undeletable.pop(0)
            self.deleted.append(message_id)
            self.messages.pop(message_id, None)

        return SimpleNamespace(edit=edit, delete=delete)

    async def _called(self) -> None:
        self.calls += 1
        self.called.set()
        await self.open.wait()
        if self.errors:
            raise self.errors.pop(0)


class Showing:
    """A process that shows tables in a channel; its clock stands still."""

    def __init__(self, core: Core, channel: Channel) -> None:
        self.core, self.channel = core, channel
        self.delivery = Delivery(core, Clock(core.now), channel)
        # A process of before listens no more.
        core.facts = Facts()
        core.facts.subscribe(TableChanged, self.delivery.notice)
        core.facts.subscribe(MessagesReplaced, self.delivery.tidying.notice)

    def other(self, **core: Any) -> "Showing":
        return Showing(replace(self.core, **core) if core else self.core, self.channel)

    async def settle(self) -> None:
        await self.delivery.settle()
        await self.delivery.tidying.settle()

    async def show(self, table: Table) -> Table:
        self.delivery.request_redraw(table.id)
        return await self.stored(table)

    async def begin(self, table: Table) -> None:
        """Begin to show a table; the call to Discord hangs until ``channel.open``."""
        self.channel.open.clear()
        self.channel.called.clear()
        self.delivery.request_redraw(table.id)
        await self.channel.called.wait()

    async def stored(self, table: Table) -> Table:
        await self.settle()
        return await get_table(self.core, table.id)

    async def press(self, table: Table, message_id: int, picked: int | None = None) -> int | None:
        async def show(rendered: Rendered | None) -> int:
            fields: dict[str, Any] = {} if rendered is None else await rendered.prepare_edit()
            await self.channel.get_partial_message(message_id).edit(**fields)
            return message_id

        return await self.delivery.show_by_answer(table, Offer(show, Request(edits=message_id, picked_in=picked)))

    async def command(self, table: Table) -> int | None:
        async def show(rendered: Rendered | None) -> int:
            assert rendered is not None
            sent = await self.channel.send(nonce=f"answer {self.channel.calls}", **await rendered.prepare_message())
            return int(sent.id)

        return await self.delivery.show_by_answer(table, Offer(show, Request(sends=True)))

    async def look(self) -> None:
        """Show unshown tables and delete old messages, as a process does when it starts."""
        self.delivery.wake()
        self.delivery.tidying.wake()
        await self.settle()

    async def are_unshown(self, *tables: Table) -> list[bool]:
        return [(await get_table(self.core, table.id)).is_unshown for table in tables]
