"""/highscore setup, its buttons and selects, and the offer of it to a server to which the bot is new."""

import asyncio
import logging
from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import (
    Answer,
    Context,
    Feature,
    Private,
    answers,
    check_may_post,
    find_existing,
    guild_id_of,
    picked_values,
    typed_text,
)
from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.messages import post_quietly
from bot.discord_api.permissions import may_play_in
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.calendar import likely_zones
from bot.domain.errors import Refused
from bot.domain.server_settings import POINTING, ServerSettings, Target
from bot.locales import _, language_for, language_name, languages, speaking_in
from bot.services.core import get_server_settings
from bot.services.setup import choose_setting, clear_deleted
from bot.ui.buttons import SettingPress, SetupDialog, SetupPress, SetupStep
from bot.ui.setup import (
    TYPED_FIELD,
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
        """Show the first step, or one with a setting that has to be mended."""
        return Answer(render_setup(await _load_steps(self.context, interaction)))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Offer the setup to a server that the bot has joined, unless its settings have been changed before."""
        try:
            if await get_server_settings(self.context.core, guild.id) != ServerSettings():
                return
            # The server's own channel for such news comes first.
            channels = (each for each in (guild.system_channel, *guild.text_channels) if each is not None)
            if (channel := next(filter(may_play_in, channels), None)) is None:
                return
            with speaking_in(language_for(guild.preferred_locale)):
                await post_quietly(channel, f"setup {guild.id}", **await render_setup_offer().sending())
        except DISCORD_ERRORS as error:
            log.info("guild %s could not be offered a setup: %s", guild.id, error)
        except Exception:
            log.exception("guild %s was not offered a setup", guild.id)


async def open_setup(context: Context, interaction: Interaction, _press: SetupPress) -> Private:
    """Show the first step below the offer, which stays as it is."""
    return Private(render_setup(await _load_steps(context, interaction)), instead_of="setup")


async def turn_setup(context: Context, interaction: Interaction, press: SetupStep) -> Answer:
    return Answer(render_setup(await _load_steps(context, interaction), press.step))


async def pick_setting(context: Context, interaction: Interaction, press: SettingPress) -> Answer:
    return await _save_setting(context, interaction, press.setting, picked_values(interaction))


async def clear_setting(context: Context, interaction: Interaction, press: SettingPress) -> Answer:
    """Take the deleted channels or roles out of a setting."""
    existing = find_existing(interaction.guild)
    settings = await clear_deleted(context.core, _check_administrator(interaction), press.setting, existing)
    steps = await _load_steps(context, interaction, settings)
    return Answer(render_setup(steps, find_step(steps, press.setting)))


async def type_setting(context: Context, interaction: Interaction, press: SettingPress) -> discord.ui.Modal:
    """Open the dialog of a setting that no select can offer."""
    for step in await _load_steps(context, interaction):
        for setting in step.settings:
            if setting.name == press.setting:
                return SetupModal(setting)
    raise Refused(_("There is no such button here."))


async def take_setting(context: Context, interaction: Interaction, dialog: SetupDialog) -> Answer:
    return await _save_setting(context, interaction, dialog.setting, [typed_text(interaction, TYPED_FIELD)])


async def end_setup(context: Context, interaction: Interaction, _press: SetupPress) -> Answer:
    """Show the settings without buttons and selects."""
    return Answer(render_setup_done(await _load_steps(context, interaction)))


async def _save_setting(context: Context, interaction: Interaction, name: str, values: Sequence[str]) -> Answer:
    own = language_for(interaction.guild_locale)
    guild_id = _check_administrator(interaction)
    if interaction.guild is not None and POINTING.get(name, Target.ROLE) is not Target.ROLE:
        for channel in interaction.guild.channels:
            if str(channel.id) in values:
                await check_may_post(interaction, channel.id)
    existing = find_existing(interaction.guild)
    settings = await choose_setting(context.core, guild_id, name, values, existing, own)
    steps = await _load_steps(context, interaction, settings)
    # The clock does not wait yet for the end of a day that this setting may have opened.
    context.wake_at(context.core.now())
    return Answer(render_setup(steps, find_step(steps, name)))


async def _load_steps(
    context: Context, interaction: Interaction, settings: ServerSettings | None = None
) -> tuple[Step, ...]:
    """Load the steps of the setup, with the settings, for a person who may see and change them."""
    guild_id = _check_administrator(interaction)
    if settings is None:
        settings = await get_server_settings(context.core, guild_id)
    limit = settings.tables_per_channel or context.core.tables_per_channel
    zones, own_language = likely_zones(str(interaction.locale)), language_for(interaction.guild_locale)
    await asyncio.to_thread(lambda: [*map(language_name, languages())])
    return setup_steps(settings, limit, zones, find_existing(interaction.guild), own_language)


def _check_administrator(interaction: Interaction) -> int:
    """Return the server of a person who may still manage it. Raise Refused for any other person."""
    if not interaction.permissions.manage_guild:
        raise Refused(_("Only people who may manage the server can see and change how it plays."))
    return guild_id_of(interaction)
