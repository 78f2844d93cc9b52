"""/highscore setup, its buttons and selects, and the message that offers it to new servers."""

import asyncio
import logging
from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import Answer, Feature, Private, UserRequest, answers
from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.messages import post_quietly
from bot.discord_api.permissions import may_play_in
from bot.domain.calendar import likely_zones
from bot.domain.errors import Refused
from bot.domain.server_settings import POINTING, ServerSettings, Target
from bot.locales import _, language_for, language_name, languages, speaking_in
from bot.services.core import get_server_settings
from bot.services.setup import choose_setting, clear_deleted
from bot.ui import setup as ui
from bot.ui.buttons import SettingPress, SetupDialog, SetupPress, SetupStep

log = logging.getLogger(__name__)


class SetupCommands(Feature):
    @app_commands.command(description="Change this server's settings (needs the Manage Server permission)")
    @answers()
    async def setup(self, request: UserRequest) -> Answer:
        """Show the first step with a setting whose channel or role was deleted, or else the first step."""
        return Answer(ui.render_setup(await _load_steps(request)))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Offer the setup to a server that the bot has joined, unless its settings were already changed."""
        try:
            if await get_server_settings(self.context.core, guild.id) != ServerSettings():
                return
            # The system channel is the channel that a server has chosen for messages such as this one.
            channels = (each for each in (guild.system_channel, *guild.text_channels) if each is not None)
            if (channel := next(filter(may_play_in, channels), None)) is None:
                return
            with speaking_in(language_for(guild.preferred_locale)):
                await post_quietly(channel, f"setup {guild.id}", **await ui.render_setup_offer().prepare_message())
        except DISCORD_ERRORS as error:
            log.info("guild %s: Discord refused the message that offers the setup: %s", guild.id, error)
        except Exception:
            log.exception("guild %s: the message that offers the setup could not be sent", guild.id)


async def open_setup(request: UserRequest, _press: SetupPress) -> Private:
    """Show the first step in a new message below the offer."""
    return Private(ui.render_setup(await _load_steps(request)), instead_of="setup")


async def turn_setup(request: UserRequest, press: SetupStep) -> Answer:
    return Answer(ui.render_setup(await _load_steps(request), press.step))


async def pick_setting(request: UserRequest, press: SettingPress) -> Answer:
    return await _save_setting(request, press.setting, request.picked_values)


async def clear_setting(request: UserRequest, press: SettingPress) -> Answer:
    existing = request.find_existing()
    settings = await clear_deleted(request.core, _check_administrator(request), press.setting, existing)
    steps = await _load_steps(request, settings)
    return Answer(ui.render_setup(steps, ui.find_step(steps, press.setting)))


async def type_setting(request: UserRequest, press: SettingPress) -> discord.ui.Modal:
    for step in await _load_steps(request):
        for setting in step.settings:
            if setting.name == press.setting:
                return ui.SetupModal(setting)
    raise Refused(_("This button doesn't work here."))


async def take_setting(request: UserRequest, dialog: SetupDialog) -> Answer:
    return await _save_setting(request, dialog.setting, [request.read_typed(ui.TYPED_FIELD)])


async def end_setup(request: UserRequest, _press: SetupPress) -> Answer:
    return Answer(ui.render_setup_done(await _load_steps(request)))


async def _save_setting(request: UserRequest, name: str, values: Sequence[str]) -> Answer:
    own = request.guild_language
    guild_id = _check_administrator(request)
    if request.interaction.guild is not None and POINTING.get(name, Target.ROLE) is not Target.ROLE:
        for channel in request.interaction.guild.channels:
            if str(channel.id) in values:
                await request.check_may_post(channel.id)
    existing = request.find_existing()
    settings = await choose_setting(request.core, guild_id, name, values, existing, own)
    steps = await _load_steps(request, settings)
    # The new setting may have opened today's challenge. Wake the workers, so that they plan for its end.
    request.context.wake_at(request.core.now())
    return Answer(ui.render_setup(steps, ui.find_step(steps, name)))


async def _load_steps(request: UserRequest, settings: ServerSettings | None = None) -> tuple[ui.Step, ...]:
    """Return the steps of the setup with the current settings. Raise Refused if the user may not manage the server."""
    guild_id = _check_administrator(request)
    if settings is None:
        settings = await get_server_settings(request.core, guild_id)
    limit = settings.tables_per_channel or request.core.tables_per_channel
    zones, own_language = likely_zones(str(request.interaction.locale)), request.guild_language
    # The first call for a language reads a file, which would delay presses.
    await asyncio.to_thread(lambda: [*map(language_name, languages())])
    return ui.setup_steps(settings, limit, zones, request.find_existing(), own_language)


def _check_administrator(request: UserRequest) -> int:
    """Return the id of the user's server. Raise Refused if the user may not manage the server, or not any more."""
    if not request.interaction.permissions.manage_guild:
        raise Refused(_("Only people with the Manage Server permission can see and change these settings."))
    return request.guild_id
