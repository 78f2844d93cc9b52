"""Client of the playground that does what a page does, without a browser."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord

from playground.run import playground
from tests.playground.stub import LOCALES, StubBot

Json = dict[str, Any]


class Visitor:
    def __init__(self, session: aiohttp.ClientSession, name: str) -> None:
        self.session = session
        self.name = name
        self.world: Json = {}
        self.messages: dict[str, Json] = {}
        self._news = asyncio.Event()

    async def listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Take in what the playground tells."""
        async for piece in socket:
            news = json.loads(piece.data)
            match news["t"]:
                case "hello":
                    self.world = news["world"]
                    for page in news["pages"].values():
                        self.messages |= {one["id"]: one for one in page["messages"]}
                case "world":
                    self.world = news["world"]
                case "message":
                    self.messages[news["message"]["id"]] = news["message"]
                case "deleted":
                    self.messages.pop(news["id"], None)
            self._news.set()

    async def until(self, true: Callable[[], Any], within: float = 5.0) -> Any:
        """Wait for something to be true of what this page knows."""

        async def look() -> Any:
            while not (found := true()):
                self._news.clear()
                await self._news.wait()
            return found

        return await asyncio.wait_for(look(), within)

    async def post(self, action: str, **what: Any) -> tuple[int, Json]:
        async with self.session.post(f"/api/{action}", json={"as": self.name, **what}) as response:
            return response.status, await response.json()

    async def do(self, action: str, **what: Any) -> Json:
        status, answer = await self.post(action, **what)
        assert status == 200, answer
        return answer

    async def slash(self, command: str, /, **options: Any) -> Json:
        return await self.do("slash", channel=self.channel, command=command, options=options)

    async def click(self, message: Json, custom_id: str) -> Json:
        return await self.do("click", channel=message["channel"], message=message["id"], custom_id=custom_id)

    async def table(self) -> Json:
        before = set(self.messages)
        await self.slash("stub table", rounds=3, speed="f")
        found: Json = await self.until(
            lambda: next((one for key, one in self.messages.items() if key not in before and one["embeds"]), None)
        )
        return found

    @property
    def channel(self) -> str:
        return str(self.world["channels"][0]["id"])

    def id_of(self, name: str) -> str:
        return next(str(one["id"]) for one in self.world["people"] if one["name"] == name)

    def said(self, text: str) -> Json | None:
        return next((one for one in self.messages.values() if text in one["content"]), None)


def is_sentence(answer: Json) -> bool:
    """Return True if an answer explains itself and tells nothing of the server's inside."""
    text = answer["error"]
    return bool(re.match(r"[A-Z“].*[.]$", text)) and "Traceback" not in text and "simcord" not in text


@asynccontextmanager
async def visit(address: str, name: str) -> AsyncIterator[Visitor]:
    async with aiohttp.ClientSession(address) as session:
        visitor = Visitor(session, name)
        async with session.ws_connect("/api/live", params={"as": name}) as socket:
            listening = asyncio.create_task(visitor.listen(socket))
            try:
                await visitor.until(lambda: visitor.world)
                yield visitor
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)


@asynccontextmanager
async def run(
    state: Path, *, bot: Callable[[], discord.Client] = StubBot, forwarded: Sequence[str] = ()
) -> AsyncIterator[str]:
    async with playground(bot, state=state, forwarded=forwarded, locales=LOCALES) as address:
        yield address
