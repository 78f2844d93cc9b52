"""The one slash group, /highscore, made of its parts."""

from discord import app_commands
from discord.ext import commands

from bot.cogs.away import AwayCommands
from bot.cogs.common import AnswerInteraction, Context
from bot.cogs.cup import CupCommands
from bot.cogs.daily import DailyCommands
from bot.cogs.guide import GuideCommands
from bot.cogs.history import HistoryCommands
from bot.cogs.leaderboard import LeaderboardCommands
from bot.cogs.learn import LearnCommands
from bot.cogs.privacy import PrivacyCommands
from bot.cogs.run import RunCommands
from bot.cogs.seats import SeatCommands
from bot.cogs.setup import SetupCommands
from bot.cogs.table import TableCommands


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class HighScore(
    GuideCommands,
    LearnCommands,
    PrivacyCommands,
    SetupCommands,
    AwayCommands,
    HistoryCommands,
    LeaderboardCommands,
    SeatCommands,
    CupCommands,
    DailyCommands,
    RunCommands,
    TableCommands,
    commands.GroupCog,
    group_name="highscore",
    group_description="Play High Score, the dice game with the changing challenges",
):
    """All commands of the bot, registered from the last part to the first. Discord allows 25 in one group.

    They cannot be installed for a user: elsewhere than on its own servers, the bot can post nothing.
    """

    def __init__(self, context: Context, answer: AnswerInteraction) -> None:
        self.context = context
        self.answer = answer
