"""The floor of a click: a bot whose button only answers, with the very messages that another bot has answered with."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import discord
from discord.ext import commands
from simcord import Env

from benchmarks.clicking import Answer, Stopwatch
from tests.simulation import Click


class OnlyAnswer(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=re.compile("floor:(?P<count>[0-9]+):[0-9]+")
):
    """A button that answers with the next message of a list."""

    def __init__(self, count: int, button: discord.ui.Button[discord.ui.View]) -> None:
        super().__init__(button)
        self.count = count

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["count"]), discord.ui.Button(custom_id=match.string))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: Floor = interaction.client
        await interaction.response.edit_message(**bot.message(self.count))


class Floor(commands.Bot):
    """A bot that does nothing but answer: with the messages another bot has answered with."""

    def __init__(self, given: Sequence[Answer]) -> None:
        super().__init__(command_prefix=commands.when_mentioned, intents=discord.Intents(guilds=True))
        self._given = given

    async def setup_hook(self) -> None:
        self.add_dynamic_items(OnlyAnswer)

    def message(self, count: int) -> dict[str, Any]:
        """The message to answer with, made of new objects as a bot has to make them."""
        given, picture = self._given[count].message, self._given[count].picture
        files = [] if picture is None else [discord.File(io.BytesIO(picture), **_name(given))]
        view = discord.ui.View(timeout=None)
        for row, parts in enumerate(given["components"]):
            for at, part in enumerate(parts["components"]):
                button: discord.ui.Button[discord.ui.View] = discord.ui.Button(
                    custom_id=f"floor:{count}:{row * 5 + at}",
                    label=part.get("label"),
                    emoji=discord.PartialEmoji.from_dict(part["emoji"]) if "emoji" in part else None,
                    style=discord.ButtonStyle(part["style"]),
                    disabled=part["disabled"],
                    row=row,
                )
                view.add_item(OnlyAnswer(count, button))
        embeds = [discord.Embed.from_dict(embed) for embed in given["embeds"]]
        return {
            "content": given["content"],
            "embeds": embeds,
            "view": view,
            "attachments": files,
            "allowed_mentions": discord.AllowedMentions.none(),
        }


async def press_floor(given: Sequence[Answer]) -> list[float]:
    """Press the button of the floor's bot until it has given all these answers: the seconds each took."""
    times: list[float] = []
    env = Env(Floor(given), check_errors=False)
    await env.start()
    try:
        guild = env.create_guild()
        channel = guild.create_text_channel("floor")
        member = guild.add_member(env.create_user("ada"))
        await env.settle()
        message = await env.bot.get_partial_messageable(channel.id).send("Press")
        stopwatch = Stopwatch(env, channel)
        for count in range(len(given)):
            _began, taken = await stopwatch.click(Click(member, message.id, f"floor:{count}:0"))
            times.append(taken)
            await env.settle()
        assert stopwatch.answers == [changed_ids(answer, count) for count, answer in enumerate(given)]
    finally:
        await env.bot.close()
        await env.shutdown()
    return times


def _name(message: dict[str, Any]) -> dict[str, Any]:
    (attachment,) = message["attachments"]
    return {name: attachment[name] for name in ("filename", "description")}


def changed_ids(answer: Answer, count: int) -> Answer:
    """An answer as the floor gives it: only what its buttons say when they are pressed is different."""
    rows = [
        {
            **parts,
            "components": [
                {**part, "custom_id": f"floor:{count}:{row * 5 + at}"} for at, part in enumerate(parts["components"])
            ],
        }
        for row, parts in enumerate(answer.message["components"])
    ]
    return replace(answer, message={**answer.message, "components": rows})
