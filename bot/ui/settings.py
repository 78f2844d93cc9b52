"""A server's settings as an embed."""

import discord

from bot.domain.season import SeasonLength
from bot.domain.server_settings import ServerSettings
from bot.locales import _, language_name, percentage
from bot.ui.message import make_embed
from bot.ui.reminders import pace_name


def settings_embed(settings: ServerSettings, tables: int) -> discord.Embed:
    """Everything that can be set, as it is."""
    quiet = _("off")
    if settings.quiet_from is not None and settings.quiet_to is not None:
        quiet = f"{settings.quiet_from:%H:%M}–{settings.quiet_to:%H:%M}"
    reminders = _("off")
    if settings.remind_percent:
        reminders = _("after {percent} of the time").format(percent=percentage(settings.remind_percent / 100))
    everywhere, everybody = _("everywhere"), _("everybody")
    fields = (
        (_("Language"), language_name(settings.language) if settings.language else _("the server's own in Discord")),
        (_("Pace"), pace_name(settings.pace)),
        (_("Time zone"), settings.zone),
        (_("Quiet hours"), quiet),
        (_("Channels"), " ".join(f"<#{channel}>" for channel in settings.channels[:20]) or everywhere),
        (_("Who may open tables"), everybody if settings.opener_role is None else f"<@&{settings.opener_role}>"),
        (_("Open tables a channel"), str(tables)),
        (_("Reminders"), reminders),
        (_("Pictures"), _("on") if settings.pictures else _("off")),
        (_("Seasons"), season_length(settings.season)),
        (_("Podium of a season"), _("nowhere") if settings.season_channel is None else f"<#{settings.season_channel}>"),
    )
    return make_embed(_("How this server plays"), fields=fields, inline=True)


def season_length(length: SeasonLength) -> str:
    """How long a season is, in words."""
    return {
        SeasonLength.MONTH: _("a month"),
        SeasonLength.QUARTER: _("a quarter of the year"),
        SeasonLength.HALF: _("half a year"),
        SeasonLength.YEAR: _("a year"),
    }[length]
