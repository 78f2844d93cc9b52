"""/highscore daily and its buttons."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from discord import app_commands

from bot.cogs.answers import Feature, Page, Private, answers
from bot.cogs.common import check_permissions, parent_of, person, place, proof_message
from bot.cogs.context import Context
from bot.cogs.guide import explained
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.daily import Attempt
from bot.domain.errors import Refused
from bot.locales import _, language_for
from bot.observing.in_flight import committed, note_result
from bot.observing.metrics import InteractionResult
from bot.services.core import Core
from bot.services.daily import MovedOn, begin, decide, look, prove, standing
from bot.ui.buttons import Press, Verb
from bot.ui.daily import daily_page
from bot.ui.proof import proof_lines
from highscore.events import Decision


class DailyCommands(Feature):
    """The part of /highscore that is played alone."""

    @app_commands.command(description="Today's seven cards, alone and in private; the same dice for the same choices")
    @answers(AnswerKind.PRIVATE)
    async def daily(self, interaction: Interaction) -> Page:
        """Begin the day's challenge, or show how far one has come."""
        guild_id, channel_id = place(interaction)
        check_permissions(interaction)
        attempt = await begin(
            self.context.core,
            person(interaction),
            guild_id=guild_id,
            channel_id=channel_id,
            parent_id=parent_of(interaction),
            locale=language_for(interaction.guild_locale),
            interaction_id=interaction.id,
        )
        self.context.wake_at(attempt.daily.ends_at)
        return await _page(self.context.core, attempt)


def play_daily(decision: Callable[[Press], Decision]) -> Callable[[Context, Interaction, Press], Awaitable[Page]]:
    """The handler of the buttons that stand for a decision."""

    async def handler(context: Context, interaction: Interaction, press: Press) -> Page:
        try:
            attempt = await decide(
                context.core,
                press.table_id,
                person(interaction),
                decision(press),
                version=press.version,
                channel_id=place(interaction)[1],
                interaction_id=interaction.id,
            )
        except MovedOn as moved:
            return await _newest_page(context.core, moved)
        committed()
        context.core.metrics.decided(decision(press))
        # The line about a finish is due at once.
        context.wake_at(attempt.finished_at)
        return await _page(context.core, attempt)

    return handler


async def pick_daily(context: Context, interaction: Interaction, press: Press) -> Page:
    """Pick a die or put it back, or be asked. Both live in the message's buttons; nothing is written."""
    try:
        attempt = await look(context.core, press.table_id, interaction.user.id, press.version)
    except MovedOn as moved:
        return await _newest_page(context.core, moved)
    turn = attempt.run.turn
    if turn is None or not set(press.positions) <= set(turn.free):
        raise Refused(_("That die cannot be picked now."))
    return Page(daily_page(attempt, selected=press.positions, asking=press.verb is Verb.ASK))


async def show_daily_card(context: Context, interaction: Interaction, press: Press) -> Page | Private:
    """Explain the card that somebody is at."""
    try:
        card = (await look(context.core, press.table_id, interaction.user.id, press.version)).run.card
    except MovedOn as moved:
        return await _newest_page(context.core, moved)
    if card is None:
        raise Refused(_("No card is turned up."))
    return Private(await explained(context, card))


async def prove_daily(context: Context, interaction: Interaction, press: Press) -> Private:
    """Check the day's dice against their seal, and hand out what anybody can check again."""
    proof, document = await prove(context.core, press.table_id, interaction.user.id)
    return Private(proof_message(proof_lines(proof), document, press.table_id))


async def _newest_page(core: Core, moved: MovedOn) -> Page:
    note_result(InteractionResult.STALE)
    newest = await _page(core, moved.attempt)
    return Page(replace(newest.rendered, content=str(moved)))


async def _page(core: Core, attempt: Attempt) -> Page:
    ranking = await standing(core, attempt.daily.id) if attempt.game.complete else ()
    return Page(daily_page(attempt, ranking))
