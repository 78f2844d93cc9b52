"""/highscore daily and its buttons."""

from functools import partial

from discord import app_commands

from bot.cogs.answers import Answer, Choices, Feature, Private, answers, suggests
from bot.cogs.common import channel_id_of, find_game_place, person_of
from bot.cogs.context import Context
from bot.cogs.private_page import PrivateGame, add_best
from bot.cogs.proof import make_proof_message
from bot.cogs.sharing import check_may_share
from bot.cogs.turn_buttons import decision_of
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.daily import Attempt, daily_number
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import Core, get_server_settings
from bot.services.daily import (
    advise_attempt,
    begin_attempt,
    decide_daily,
    load_boards,
    load_past_days,
    prove_day,
    review_attempt,
    share_attempt,
    view_attempt,
)
from bot.ui.actions import Action
from bot.ui.buttons import Press
from bot.ui.coaching import render_hint
from bot.ui.daily import attempt_press, daily_page
from bot.ui.daily_pictures import past_day_name
from bot.ui.daily_review import render_daily_review
from bot.ui.message import Rendered
from bot.ui.private_page import PrivatePage, render_private
from bot.ui.proof import proof_lines
from highscore.deck import ROUNDS


class DailyCommands(Feature):
    @app_commands.command(description="Today's seven cards, alone and in private; the same dice for the same choices")
    @app_commands.describe(number="A past challenge, to be played unranked")
    @answers(AnswerKind.PRIVATE)
    async def daily(self, interaction: Interaction, number: str | None = None) -> Answer:
        """Begin the challenge of today or of a past day, or show the page of one that was begun."""
        asked = None if number is None else _parse_number(number)
        return Answer(await _begin_daily(self.context, interaction, asked))

    @daily.autocomplete("number")
    @suggests
    async def complete_number(self, interaction: Interaction, _typed: str) -> Choices:
        """Offer the latest days that are over, with the person's scores."""
        if interaction.guild_id is None:
            return []
        days = await load_past_days(self.context.core, interaction.guild_id, interaction.user.id)
        return [(past_day_name(day, score), str(daily_number(day))) for day, score in days.items()]


def _parse_number(typed: str) -> int:
    """Parse the number of a challenge. Raise Refused where there is none."""
    text = typed.strip().lstrip("#")
    if not (text.isascii() and text.isdecimal()):
        raise Refused(_("A challenge has a number, such as 123."))
    return int(text[:9])


async def _begin_daily(context: Context, interaction: Interaction, number: int | None) -> Rendered:
    attempt = await begin_attempt(
        context.core,
        person_of(interaction),
        number=number,
        **find_game_place(interaction),
    )
    context.wake_at(attempt.daily.ends_at)
    return render_private(await _make_page(context.core, attempt))


async def open_daily(context: Context, interaction: Interaction, press: Press) -> Private:
    """Show a person's page of the day whose number the button says, or of today."""
    return Private(await _begin_daily(context, interaction, press.version or None))


async def open_todays(context: Context, interaction: Interaction, _press: Action) -> Private:
    """Show a person's page of today, from a button that belongs to no day."""
    return Private(await _begin_daily(context, interaction, None))


async def share_daily(context: Context, interaction: Interaction, press: Press) -> Answer:
    """Have a line about a finished challenge posted in the channel of the press."""
    check_may_share(interaction)
    attempt = await share_attempt(context.core, press.table_id, person_of(interaction), channel_id_of(interaction))
    context.wake_at(attempt.shared_at)
    return Answer(render_private(await _make_page(context.core, attempt)))


async def hint_daily(context: Context, interaction: Interaction, press: Press) -> Private:
    """Advise a person who plays a past day."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        attempt, advice = await advise_attempt(context.core, press.table_id, interaction.user.id, press.version)
    return Private(render_hint(attempt.game, advice, partial(attempt_press, attempt)), instead_of=attempt.daily.id)


async def review_daily(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
    """Show a person's decisions beside the best ones: a message of its own, whose buttons turn its leaves."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        attempt, report = await review_attempt(context.core, press.table_id, interaction.user.id)
    page = render_daily_review(attempt, report, min(press.argument, ROUNDS + 1), context.core.now())
    return Answer(page) if press.argument else Private(page)


async def prove_daily(context: Context, interaction: Interaction, press: Press) -> Private:
    """Check the day's dice against their seal, and hand out a file that anybody can check again."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        proof, document = await prove_day(context.core, press.table_id, interaction.user.id)
    return Private(make_proof_message(proof_lines(proof), document, press.table_id))


async def _decide_daily(context: Context, interaction: Interaction, press: Press) -> Attempt:
    who, where, decision = person_of(interaction), channel_id_of(interaction), decision_of(press)
    return await decide_daily(context.core, press.table_id, who, decision, step=press.version, channel_id=where)


async def _make_page(core: Core, attempt: Attempt) -> PrivatePage:
    ranking, week = await load_boards(core, attempt.daily) if attempt.game.complete else ((), ())
    settings = await get_server_settings(core, attempt.daily.guild_id)
    page = daily_page(attempt, core.now(), ranking, week, pictures=settings.pictures, rare=settings.rare)
    return await add_best(core, page, attempt.daily.guild_id, attempt.user_id)


DAILY = PrivateGame(view_attempt, _decide_daily, _make_page)
"""The pages of those who play the challenge of a day."""
