"""/highscore setup, its buttons and selects, and the offer of it to a server to which the bot is new."""

import logging
from collections.abc import Iterator, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.answers import Answer, Feature, OpenModal, Private, answers
from bot.cogs.common import picked_values, place, typed_text
from bot.cogs.context import Context
from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.messages import post_quietly
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.server_settings import ServerSettings
from bot.domain.time_zones import likely_zones
from bot.locales import _, language_for, speaking_in
from bot.services.core import server_settings
from bot.services.setup import choose_setting, clear_deleted
from bot.ui.actions import SetupPress
from bot.ui.setup import (
    TYPED_FIELD,
    SetupDialog,
    SetupModal,
    Step,
    find_step,
    render_setup,
    render_setup_done,
    render_setup_offer,
    setup_steps,
)

log = logging.getLogger(__name__)


class SetupCommands(Feature):
    @app_commands.command(description="Set up how this server plays (for those who may manage the server)")
    @answers(AnswerKind.PRIVATE)
    async def setup(self, interaction: Interaction) -> Answer:
        """The first step, or one where something is to be mended."""
        return Answer(render_setup(await _steps(self.context, interaction)))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot is new on a server, or is back on one: whoever set something there needs no offer."""
        try:
            if await server_settings(self.context.core, guild.id) != ServerSettings():
                return
            if (channel := next(_writable(guild), None)) is None:
                return
            with speaking_in(language_for(guild.preferred_locale)):
                await post_quietly(channel, f"setup {guild.id}", **await render_setup_offer().sending())
        except DISCORD_ERRORS as error:
            log.info("guild %s could not be offered a setup: %s", guild.id, error)
        except Exception:
            log.exception("guild %s was not offered a setup", guild.id)


def _writable(guild: discord.Guild) -> Iterator[discord.TextChannel]:
    """Channels in which the bot may write, that for such news first."""
    needed = discord.Permissions(view_channel=True, send_messages=True, embed_links=True)
    for channel in (guild.system_channel, *guild.text_channels):
        if channel is not None and needed <= channel.permissions_for(guild.me):
            yield channel


async def open_setup(context: Context, interaction: Interaction, _press: SetupPress) -> Private:
    """Begin with the setup from the offer, which stays as it is."""
    return Private(render_setup(await _steps(context, interaction)), instead_of="setup")


async def turn_setup(context: Context, interaction: Interaction, press: SetupPress) -> Answer:
    return Answer(render_setup(await _steps(context, interaction), int(press.what) if press.what.isdecimal() else 0))


async def pick_setting(context: Context, interaction: Interaction, press: SetupPress) -> Answer:
    return await _set(context, interaction, press.what, picked_values(interaction))


async def clear_setting(context: Context, interaction: Interaction, press: SetupPress) -> Answer:
    """Leave out what was deleted of what a setting points to."""
    settings = await clear_deleted(context.core, _administered(interaction), press.what)
    steps = await _steps(context, interaction, settings)
    return Answer(render_setup(steps, find_step(steps, press.what)))


async def type_setting(context: Context, interaction: Interaction, press: SetupPress) -> OpenModal:
    """Open the dialog for what no select has."""
    for step in await _steps(context, interaction):
        for setting in step.settings:
            if setting.name == press.what:
                return OpenModal(SetupModal(setting))
    raise Refused(_("There is no such button here."))


async def take_setting(context: Context, interaction: Interaction, dialog: SetupDialog) -> Answer:
    return await _set(context, interaction, dialog.name, [typed_text(interaction, TYPED_FIELD)])


async def end_setup(context: Context, interaction: Interaction, _press: SetupPress) -> Answer:
    """Show what is set, without anything to set it by."""
    return Answer(render_setup_done(await _steps(context, interaction)))


async def _set(context: Context, interaction: Interaction, name: str, values: Sequence[str]) -> Answer:
    own = language_for(interaction.guild_locale)
    guild_id = _administered(interaction)
    steps = await _steps(
        context, interaction, await choose_setting(context.core, guild_id, name, values, own_language=own)
    )
    # A day may have been opened whose end nobody waits for yet.
    context.wake_at(context.core.now())
    return Answer(render_setup(steps, find_step(steps, name)))


async def _steps(
    context: Context, interaction: Interaction, settings: ServerSettings | None = None
) -> tuple[Step, ...]:
    """What is set, for somebody who may see and change it."""
    guild_id = _administered(interaction)
    if settings is None:
        settings = await server_settings(context.core, guild_id)
    limit = settings.tables_per_channel or context.core.tables_per_channel
    zones = likely_zones(str(interaction.locale))
    return setup_steps(settings, limit, zones, context.core.existing(guild_id))


def _administered(interaction: Interaction) -> int:
    """The server of somebody who may manage it. Their rights may have changed since the message was sent."""
    if not interaction.permissions.manage_guild:
        raise Refused(_("Only people who may manage the server can see and change how it plays."))
    return place(interaction)[0]
