"""The one slash group, /highscore, put together from its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.cogs.daily import DailyCommands
from bot.cogs.guide import GuideCommands
from bot.cogs.history import ArchiveCommands
from bot.cogs.leaderboard import BoardCommands
from bot.cogs.privacy import PrivacyCommands
from bot.cogs.seats import SeatCommands
from bot.cogs.settings import PreferenceCommands
from bot.cogs.table import TableCommands

if TYPE_CHECKING:
    from bot.app import HighScoreBot


@app_commands.guild_only()
class HighScore(
    TableCommands,
    SeatCommands,
    DailyCommands,
    BoardCommands,
    ArchiveCommands,
    PreferenceCommands,
    PrivacyCommands,
    GuideCommands,
    commands.GroupCog,
    group_name="highscore",
    group_description="Play High Score, the dice game with the changing challenges",
):
    """All commands of the bot. Discord allows 25 in one group."""

    def __init__(self, bot: HighScoreBot) -> None:
        self.bot = bot
