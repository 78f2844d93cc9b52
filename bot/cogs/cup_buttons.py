"""The buttons of cups, and the private page of a leg."""

from bot.cogs.answers import Answer, Private
from bot.cogs.challenge import ChallengeGame
from bot.cogs.common import channel_id_of, guild_id_of, person_of, picked_value
from bot.cogs.context import Context
from bot.cogs.private_page import add_best
from bot.discord_api.replies import Interaction
from bot.domain.challenge import Attempt
from bot.domain.cup import CupView, LegChallenge, Status
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import Core, get_server_settings
from bot.services.cup import (
    end_cup,
    enter_cup,
    find_own_challenge,
    list_cups,
    prolong_leg,
    remove_entrant,
    view_cup,
    withdraw_from_cup,
)
from bot.services.cup_leg import RULES, begin_leg
from bot.ui.buttons import Press, Verb
from bot.ui.cup_page import NO_CUP, leg_page, leg_press, leg_title, render_cup, render_cup_question, render_results
from bot.ui.message import Rendered
from bot.ui.private_page import PrivatePage, render_private


async def open_page(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    """Show a cup, perhaps one that was picked, or another leaf of its entrants to moderators."""
    cup_id = press.table_id
    if cup_id == NO_CUP:
        picked, cups = picked_value(interaction), await list_cups(context.core, guild_id_of(interaction))
        if picked not in [each.id for each in cups]:
            raise Refused(_("Pick one from the list."))
        cup_id = picked
    return await _show_cup(context, interaction, cup_id, leaf=press.version)


async def enter(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    await enter_cup(context.core, press.table_id, person_of(interaction))
    return await _show_cup(context, interaction, press.table_id)


async def withdraw(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    """Withdraw from a cup; from one that has begun, after a question."""
    cup = (await view_cup(context.core, press.table_id)).cup
    if cup.status is not Status.ENTRY and not press.argument and cup.number_of(interaction.user.id) in cup.there:
        return _show(interaction, render_cup_question(cup, Verb.LEAVE))
    await withdraw_from_cup(context.core, cup.id, person_of(interaction))
    return await _show_cup(context, interaction, cup.id)


async def play_leg(context: Context, interaction: Interaction, press: Press) -> Private:
    """Show a person's page of the open leg."""
    attempt = await begin_leg(context.core, person_of(interaction), press.table_id, channel_id_of(interaction))
    page = await _make_page(context.core, attempt, await view_cup(context.core, press.table_id))
    return Private(render_private(page))


async def show_results(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    """Show a match of a closed leg: the person's own, or one that was picked."""
    view, picked = await view_cup(context.core, press.table_id), picked_value(interaction)
    if not 1 <= press.version <= len(view.closed):
        raise Refused(_("That comes when the leg is over, as others may still be playing."))
    at = int(picked) if picked in map(str, range(len(view.closed[press.version - 1].groups))) else None
    own = await find_own_challenge(context.core, view.cup, press.version, interaction.user.id)
    pictures = await _has_pictures(context.core, view)
    return _show(interaction, render_results(view, press.version, interaction.user.id, own, at, pictures=pictures))


async def remove(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    """Remove an entrant who was picked, after a question."""
    cup = (await view_cup(context.core, press.table_id)).cup
    if press.version:
        await remove_entrant(context.core, cup.id, person_of(interaction), press.argument)
        return await _show_cup(context, interaction, cup.id)
    picked = picked_value(interaction)
    if picked not in map(str, cup.there):
        raise Refused(_("Pick one from the list."))
    return _show(interaction, render_cup_question(cup, Verb.REMOVE, int(picked)))


async def prolong(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    """Give the open leg more hours, if it is still the one of the button."""
    leg = (await view_cup(context.core, press.table_id)).open_leg
    if leg is not None and leg.number == press.version:
        await prolong_leg(context.core, press.table_id, person_of(interaction), press.argument)
    return await _show_cup(context, interaction, press.table_id)


async def end(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    """End a cup, after a question."""
    if press.argument:
        await end_cup(context.core, press.table_id, person_of(interaction))
        return await _show_cup(context, interaction, press.table_id)
    return _show(interaction, render_cup_question((await view_cup(context.core, press.table_id)).cup, Verb.END))


async def _show_cup(context: Context, interaction: Interaction, cup_id: str, leaf: int = 0) -> Answer | Private:
    view = await view_cup(context.core, cup_id)
    pictures, moderates = await _has_pictures(context.core, view), person_of(interaction).manages_server
    shown = render_cup(view, interaction.user.id, pictures=pictures, moderates=moderates, leaf=leaf)
    return _show(interaction, shown)


def _show(interaction: Interaction, rendered: Rendered) -> Answer | Private:
    """Show a private message: in place of the one that was pressed, or besides one that all see."""
    message = interaction.message
    return Answer(rendered) if message is not None and message.flags.ephemeral else Private(rendered)


async def _has_pictures(core: Core, view: CupView) -> bool:
    return (await get_server_settings(core, view.cup.guild_id)).pictures


async def _make_page(core: Core, attempt: Attempt[LegChallenge], view: CupView | None = None) -> PrivatePage:
    settings = await get_server_settings(core, attempt.challenge.guild_id)
    page = leg_page(attempt, view, pictures=settings.pictures, rare=settings.rare)
    return await add_best(core, page, attempt.challenge.guild_id, attempt.user_id)


LEGS = ChallengeGame(RULES, _make_page, leg_press, leg_title)
"""The pages of those who play a leg."""
