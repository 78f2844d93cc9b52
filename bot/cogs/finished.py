"""The buttons of a game: its report, the proof that its dice were fair, and both report and standings for others."""

import discord

from bot.cogs.answers import Context, Page, Private
from bot.cogs.common import check_may_share, drawn, proof_message
from bot.discord_api.messages import post
from bot.discord_api.replies import Interaction
from bot.domain.errors import Refused
from bot.domain.sharing import Shared
from bot.locales import _, speaking
from bot.services.coaching import report
from bot.services.proof import prove
from bot.services.sharing import share, shared
from bot.ui.buttons import Press, Verb
from bot.ui.coaching import report_page
from bot.ui.proof import proof_lines
from bot.ui.table import shared_standings


async def show_report(context: Context, interaction: Interaction, press: Press) -> Private:
    """Show who was lucky and who played well."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, made = await report(context.core, press.table_id)
        return Private(await drawn(context, report_page(table, made, Shared, table.seat_of(interaction.user.id))))


async def share_game(context: Context, interaction: Interaction, press: Press) -> Page:
    """Post the report or the standings, once a press, and take that button away."""
    check_may_share(interaction)
    channel = interaction.channel
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused(_("There is nothing to write in here."))
    what, other = Shared.REPORT, Shared.STANDINGS
    if press.verb is Verb.SHARE_FINAL:
        what, other = other, what
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, made = await share(context.core, press.table_id, interaction.id)
        with speaking(table.locale):
            rendered = report_page(table, made) if what is Shared.REPORT else shared_standings(table)
        fields = await (await drawn(context, rendered)).sending()
        # Somebody who presses twice at once posts once: Discord knows the key for some minutes.
        key = f"share:{table.id}:{what.value}:{interaction.user.id}:{interaction.channel_id}"
        message = await post(channel, key, **fields)
        await shared(context.core, table, what, message.channel.id, message.id)
        left = [] if press.argument else [other]
        return Page(await drawn(context, report_page(table, made, left, table.seat_of(interaction.user.id))))


async def prove_game(context: Context, interaction: Interaction, press: Press) -> Private:
    """Check a game against its seal, and hand out what anybody can check again."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        proof, document = await prove(context.core, press.table_id)
    return Private(proof_message(proof_lines(proof), document, press.table_id))
