"""/highscore reminders: how somebody wants to be told that it is their turn."""

from discord import app_commands

from bot.cogs.answers import Feature, Private, answers, say
from bot.cogs.common import chosen
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.notify import Notify
from bot.locales import _
from bot.services.reminders import set_notify


class ReminderCommands(Feature):
    """The part of /highscore about reminders."""

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
