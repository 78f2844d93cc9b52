"""The floor of a press: a bot whose button only answers, with messages that another bot has answered with."""

import io
import json
import logging
import os
import re
from itertools import count
from pathlib import Path
from typing import Any, Self

import discord

GIVEN, TOKEN = "GIVEN_ANSWERS", "DISCORD_TOKEN"
"""The names of environment variables: the file with the answers, and the bot's token."""
TAPS = 100
"""The number of the first button of a message that is pressed as dice are tapped."""
TAP = f"floor:{TAPS}"
PROGRAM = """
from benchmarks.answering import serve
serve()
"""


class OnlyAnswer(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=re.compile("floor:(?P<at>[0-9]+)")
):
    """A button that answers with the next message of a list."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(discord.ui.Button(custom_id=match.string))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: Floor = interaction.client
        await interaction.response.edit_message(**bot.message(tap=self.item.custom_id == TAP))


class Floor(discord.AutoShardedClient):
    """A bot that does nothing but answer."""

    def __init__(self, given: list[dict[str, Any]]) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self._all = given
        self._taps = [each for each in given if set(each["message"]) == {"components"}]
        self._answered = count()
        self._picture = os.urandom(max((file["size"] for each in given for file in each["files"]), default=0))

    async def setup_hook(self) -> None:
        self.add_dynamic_items(OnlyAnswer)

    def message(self, *, tap: bool) -> dict[str, Any]:
        """Return the next answer, made of new objects as a bot has to make them; its picture is ready.

        The answer to a ``tap`` on a die has nothing but buttons.
        """
        answers = self._taps if tap else self._all
        given = answers[next(self._answered) % len(answers)]
        message, view = given["message"], discord.ui.View(timeout=None)
        for row, parts in enumerate(message["components"]):
            for at, part in enumerate(parts["components"]):
                emoji = discord.PartialEmoji.from_dict(part["emoji"]) if "emoji" in part else None
                button: discord.ui.Button[discord.ui.View] = discord.ui.Button(
                    custom_id=f"floor:{row * 5 + at + (TAPS if tap else 0)}",
                    label=part.get("label"),
                    emoji=emoji,
                    style=discord.ButtonStyle(part["style"]),
                    disabled=part["disabled"],
                    row=row,
                )
                view.add_item(OnlyAnswer(button))
        if "content" not in message:
            return {"view": view}
        return {
            "content": message["content"],
            "embeds": [discord.Embed.from_dict(embed) for embed in message["embeds"]],
            "view": view,
            "attachments": [
                discord.File(
                    io.BytesIO(self._picture[: file["size"]]), file["filename"], description=file["description"]
                )
                for file in given["files"]
            ],
            "allowed_mentions": discord.AllowedMentions.none(),
        }


def serve() -> None:
    """Run that bot until the process ends."""
    given = json.loads(Path(os.environ[GIVEN]).read_text(encoding="utf-8"))
    Floor(given).run(os.environ[TOKEN], log_level=logging.ERROR)
