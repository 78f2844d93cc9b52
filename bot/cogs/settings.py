"""/highscore settings (for administrators) and reminders (for everybody)."""

import discord
from discord import app_commands

from bot.cogs.answers import Feature, Page, Private, answers, say
from bot.cogs.common import PACES, chosen, place
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.notify import Notify
from bot.domain.pace import Pace
from bot.domain.season import SeasonLength
from bot.locales import _, language_for, language_name, languages
from bot.services.settings import LATEST_REMINDER, MOST_TABLES, SettingsChange, change_settings, set_notify
from bot.ui.message import Rendered
from bot.ui.settings import settings_embed

OWN_LANGUAGE = "server"
"""Chosen to go back to the language the server has in Discord."""


class SettingsCommands(Feature):
    """The part of /highscore that is set once."""

    @app_commands.command(description="How this server plays (for those who may manage the server)")
    @app_commands.describe(
        language="The language of what everybody sees",
        pace="The pace of tables that are opened without one",
        time_zone="The server's time zone, for example Europe/Berlin",
        quiet_hours="When the clock stands still, for example 23:00-08:00; off for never",
        channel="Allow play in this channel, or take that back; play is allowed everywhere until one is named",
        opener="The role that may open tables; @everyone for everybody",
        tables="Open tables a channel may have",
        reminders="Percent of the time that passes before people are reminded of their turn; 0 for never",
        pictures="Whether new tables are shown as pictures too; the text alone is enough to play",
        season="How long a season of the leaderboard is, from the next game on",
        podium="Post the podium of every season here when it is over; name the channel again to stop that",
    )
    @app_commands.choices(
        language=[
            app_commands.Choice(name="the server's own in Discord", value=OWN_LANGUAGE),
            *(app_commands.Choice(name=language_name(code), value=code) for code in languages()),
        ],
        pace=PACES,
        season=[
            app_commands.Choice(name="a month", value=SeasonLength.MONTH.value),
            app_commands.Choice(name="a quarter of the year", value=SeasonLength.QUARTER.value),
            app_commands.Choice(name="half a year", value=SeasonLength.HALF.value),
            app_commands.Choice(name="a year", value=SeasonLength.YEAR.value),
        ],
    )
    @answers(AnswerKind.PRIVATE)
    async def settings(
        self,
        interaction: Interaction,
        language: str | None = None,
        pace: str | None = None,
        time_zone: str | None = None,
        quiet_hours: str | None = None,
        channel: discord.TextChannel | None = None,
        opener: discord.Role | None = None,
        tables: app_commands.Range[int, 1, MOST_TABLES] | None = None,
        reminders: app_commands.Range[int, 0, LATEST_REMINDER] | None = None,
        pictures: bool | None = None,
        season: str | None = None,
        podium: discord.TextChannel | None = None,
    ) -> Page:
        """Change what was given and show everything."""
        guild_id, _channel_id = place(interaction)
        if not interaction.permissions.manage_guild:
            raise Refused(_("Only people who may manage the server can see and change these settings."))
        core = self.context.core
        wishes = SettingsChange(
            language="" if language == OWN_LANGUAGE else language,
            pace=None if pace is None else chosen(Pace, pace),
            zone=time_zone,
            quiet=quiet_hours,
            toggle_channel=None if channel is None else channel.id,
            opener_role=None if opener is None else (0 if opener.id == guild_id else opener.id),
            tables_per_channel=tables,
            remind_percent=reminders,
            pictures=pictures,
            season=None if season is None else chosen(SeasonLength, season),
            toggle_season_channel=None if podium is None else podium.id,
        )
        own = language_for(interaction.guild_locale)
        settings = await change_settings(core, guild_id, wishes, own_language=own, interaction_id=interaction.id)
        limit = settings.tables_per_channel or core.tables_per_channel
        return Page(Rendered([settings_embed(settings, limit)]))

    @app_commands.command(description="How you want to be reminded when it is your turn")
    @app_commands.describe(way="Where the reminder comes, if one is to come")
    @app_commands.choices(
        way=[
            app_commands.Choice(name="mention me in the channel", value=Notify.CHANNEL.value),
            app_commands.Choice(name="by direct message", value=Notify.DIRECT.value),
            app_commands.Choice(name="not at all", value=Notify.NONE.value),
        ]
    )
    @answers(AnswerKind.PRIVATE)
    async def reminders(self, interaction: Interaction, way: str) -> Private:
        notify = chosen(Notify, way)
        await set_notify(self.context.core, interaction.user.id, notify.value)
        texts = {
            Notify.CHANNEL: _("You will be mentioned in the channel, once a turn."),
            Notify.DIRECT: _("You will get a direct message; if you take none, you are mentioned in the channel."),
            Notify.NONE: _("You will not be reminded."),
        }
        return say(texts[notify])
