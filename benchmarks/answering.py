"""A minimal bot, whose buttons only answer with messages that the real bot has sent.

No bot that uses discord.py can answer faster.
"""

import io
import json
import logging
import os
import re
from itertools import count
from pathlib import Path
from typing import Any, Self

import discord

ANSWERS = "BENCHMARK_ANSWERS"
"""The environment variable that names the file with the answers."""
PRESS, TAP = "minimal:0", "minimal:100"
"""The custom_ids of the buttons for a press and for a tap on a die. The other buttons have the numbers after these."""
PROGRAM = """
from benchmarks.answering import serve
serve()
"""


class AnswerButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=re.compile("minimal:[0-9]+")):
    """A button that answers with the next message of the list."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(discord.ui.Button(custom_id=match.string))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: MinimalBot = interaction.client
        await interaction.response.edit_message(**bot.next_answer(is_tap=self.item.custom_id == TAP))


class MinimalBot(discord.AutoShardedClient):
    def __init__(self, answers: list[dict[str, Any]]) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self._answers = answers
        self._tap_answers = [each for each in answers if set(each["message"]) == {"components"}]
        self._numbers = count()
        self._picture = os.urandom(max((file["size"] for each in answers for file in each["files"]), default=0))

    async def setup_hook(self) -> None:
        self.add_dynamic_items(AnswerButton)

    def next_answer(self, *, is_tap: bool) -> dict[str, Any]:
        """Create the objects of the next answer, except for its picture, whose bytes exist already.

        The answer to a tap on a die has only buttons.
        """
        answers = self._tap_answers if is_tap else self._answers
        answer = answers[next(self._numbers) % len(answers)]
        message, view = answer["message"], discord.ui.View(timeout=None)
        for row, parts in enumerate(message["components"]):
            for at, part in enumerate(parts["components"]):
                emoji = discord.PartialEmoji.from_dict(part["emoji"]) if "emoji" in part else None
                button: discord.ui.Button[discord.ui.View] = discord.ui.Button(
                    custom_id=f"minimal:{row * 5 + at + (100 if is_tap else 0)}",
                    label=part.get("label"),
                    emoji=emoji,
                    style=discord.ButtonStyle(part["style"]),
                    disabled=part["disabled"],
                    row=row,
                )
                view.add_item(AnswerButton(button))
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
                for file in answer["files"]
            ],
            "allowed_mentions": discord.AllowedMentions.none(),
        }


def serve() -> None:
    """Run the bot until the process ends."""
    answers = json.loads(Path(os.environ[ANSWERS]).read_text(encoding="utf-8"))
    MinimalBot(answers).run(os.environ["DISCORD_TOKEN"], log_level=logging.ERROR)
