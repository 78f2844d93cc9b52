"""The button that proves that the dice of a game were fair."""

from bot.cogs.answers import Private
from bot.cogs.common import proof_message
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.services.proof import prove
from bot.ui.buttons import Press
from bot.ui.proof import proof_lines


async def prove_game(context: Context, interaction: Interaction, press: Press) -> Private:
    """Check a game against its seal, and hand out what anybody can check again."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        proof, document = await prove(context.core, press.table_id)
    return Private(proof_message(proof_lines(proof), document, press.table_id))
