"""The questions that several cogs ask of an interaction."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import Any, TypedDict, TypeVar

import discord
from discord import app_commands

from bot.cogs.context import Context
from bot.discord_api.permissions import explain_obstacle
from bot.discord_api.replies import Interaction
from bot.domain.clean_text import make_storable
from bot.domain.errors import Refused, Stale
from bot.domain.pace import Pace
from bot.domain.server_settings import Existing, Target
from bot.locales import _, language_for
from bot.services.core import Person, get_server_settings
from bot.ui.message import Rendered
from bot.ui.setup import CHANNEL_TYPES
from bot.ui.text import is_visible

Choice = TypeVar("Choice", bound=Enum)

PACES = [
    app_commands.Choice(name="live: everybody is there", value=Pace.LIVE.value),
    app_commands.Choice(name="day: the game ends within a day", value=Pace.DAY.value),
    app_commands.Choice(name="relaxed: a day for every turn", value=Pace.RELAXED.value),
]
"""The choices of a command that asks for a pace."""


def person_of(interaction: Interaction) -> Person:
    """Return the person who asks."""
    user, may = interaction.user, interaction.permissions
    roles = [role.id for role in user.roles] if isinstance(user, discord.Member) else []
    rights = {"moderator": may.manage_messages, "manages_server": may.manage_guild}
    return Person(user.id, name_of(user), interaction.id, role_ids=roles, **rights)


def name_of(user: discord.abc.User) -> str:
    """Return a user's name on the server, or their unique user name where the former has no visible character."""
    return user.display_name if is_visible(user.display_name) else user.name


def parent_of(interaction: Interaction) -> int | None:
    """Return the channel of the thread in which somebody asks; None outside of threads."""
    return interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None


def choice_of(kind: type[Choice], value: str) -> Choice:
    """Return the choice that an option's value stands for. Raise Refused where there is none."""
    try:
        return kind(value)
    except ValueError:
        raise Refused(_("Pick one from the list.")) from None


def picked_value(interaction: Interaction) -> str:
    """Return the value that was picked in a select; empty where a forged press names none."""
    return next(iter(picked_values(interaction)), "")


def picked_number(interaction: Interaction, offered: Iterable[int]) -> int | None:
    """Return the number that was picked in a select; None in a press of a button. Raise Refused for any other."""
    picked = picked_value(interaction)
    if picked and picked not in map(str, offered):
        raise Refused(_("Pick one from the list."))
    return int(picked) if picked else None


def picked_values(interaction: Interaction) -> list[str]:
    """Return all values that were picked in a select, as they can be looked up: forged ones can be anything."""
    data: dict[str, Any] = dict(interaction.data or {})
    return [make_storable(str(value)) for value in data.get("values", ())]


def guild_id_of(interaction: Interaction) -> int:
    """Return the server in which somebody asks. Raise NoPrivateMessage outside of servers."""
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id


def channel_id_of(interaction: Interaction) -> int:
    """Return the channel in which somebody asks. Raise NoPrivateMessage outside of servers."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.channel_id


class GamePlace(TypedDict):
    """The place and the language of a game, as services take them."""

    guild_id: int
    channel_id: int
    parent_id: int | None
    locale: str


async def find_game_place(context: Context, interaction: Interaction) -> GamePlace:
    """Return the place in which somebody wants to play. Raise Refused if the next turn could not be shown there."""
    guild_id, channel_id = guild_id_of(interaction), channel_id_of(interaction)
    settings = await get_server_settings(context.core, guild_id)
    if settings.channels and not settings.list_existing_ids("channels", find_existing(interaction.guild)):
        raise Refused(explain_deleted())
    await check_may_post(interaction)
    language = language_for(interaction.guild_locale)
    return GamePlace(guild_id=guild_id, channel_id=channel_id, parent_id=parent_of(interaction), locale=language)


def explain_deleted() -> str:
    """Tell that a setting points to nothing that is left, and who can mend it."""
    return _(
        "The channel or role that is set for this was deleted."
        " Whoever may manage the server can pick another with `/highscore setup`."
    )


async def warn_of_obstacle(interaction: Interaction) -> str:
    """Return a line for an answer about what prevents the bot from playing here; empty if nothing does."""
    obstacle = await explain_obstacle(interaction)
    return f"\n⚠️ {_('The game is paused.')} {obstacle}" if obstacle else ""


def typed_text(interaction: Interaction, field: str) -> str:
    """Return the text that was typed into a field of a dialog; empty where nothing was."""
    data: dict[str, Any] = dict(interaction.data or {})
    return next(_find_values(data.get("components", []), field), "")


def _find_values(components: list[dict[str, Any]], field: str) -> Iterator[str]:
    """Find the values of a field, wherever Discord nests it (rows or labels)."""
    for component in components:
        if component.get("custom_id") == field:
            yield str(component.get("value") or "")
        inner = component.get("component")
        yield from _find_values([*component.get("components", []), *([inner] if inner else [])], field)


async def check_may_post(interaction: Interaction, channel_id: int | None = None) -> None:
    """Raise Refused if the bot cannot post in a channel, by default the interaction's own."""
    if obstacle := await explain_obstacle(interaction, channel_id):
        raise Refused(obstacle)


def explain_refusal(refused: Refused) -> str:
    """Return the sentence of a refusal: the same for all presses on an older version of a table."""
    return _("A moment too late: the table has moved on.") if isinstance(refused, Stale) else str(refused)


async def draw_first(context: Context, rendered: Rendered) -> Rendered:
    """Have the helper draw a message's picture that takes longer than a table's, and return the message with it."""
    if rendered.picture is None:
        return rendered
    try:
        png = await context.core.helper.run(rendered.picture.draw, *rendered.picture.view)
    except Exception as error:
        return rendered.without(rendered.picture, error)
    return replace(rendered, picture=replace(rendered.picture, draw=lambda *_view: png))


def find_existing(guild: discord.Guild | None) -> Existing | None:
    """Return the channels and roles that a server has now, or None while Discord has not told them."""
    if guild is None or guild.unavailable or not guild.roles:
        return None
    channels = {target: {at.id for at in guild.channels if at.type in types} for target, types in CHANNEL_TYPES.items()}
    return {Target.ROLE: {role.id for role in guild.roles}, **channels}
