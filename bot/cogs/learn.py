"""/highscore learn and the buttons of the lesson, of which nothing is stored."""

from discord import app_commands

from bot.cogs.common import Answer, Context, Feature, Private, answers, find_game_place, person_of
from bot.cogs.guide import explain_card
from bot.cogs.turn import decision_of
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.learn import lesson_position
from bot.locales import _
from bot.observing.logs import add_log_fields
from bot.services.lobby import OPPONENTS, NewTable, open_table
from bot.ui.buttons import LessonPress
from bot.ui.learn import nudge_text, render_lesson, render_lesson_tap
from bot.ui.lobby import render_seat_notice


class LearnCommands(Feature):
    @app_commands.command(description="Learn the game by playing three cards, in two minutes and in private")
    @answers(AnswerKind.PRIVATE)
    async def learn(self, _interaction: Interaction) -> Answer:
        return Answer(render_lesson(lesson_position(0)))


async def begin_lesson(_context: Context, _interaction: Interaction, _press: LessonPress) -> Private:
    return Private(render_lesson(lesson_position(0)))


async def turn_lesson(_context: Context, _interaction: Interaction, press: LessonPress) -> Answer:
    return Answer(render_lesson(lesson_position(press.step + 1)))


async def play_lesson(context: Context, interaction: Interaction, press: LessonPress) -> Answer:
    """Show the next step after the decision that the lesson asks for; a nudge after any other."""
    at = lesson_position(press.step)
    if decision_of(press) == at.expected:
        return await turn_lesson(context, interaction, press)
    return Answer(render_lesson(at, sentence=nudge_text()))


async def pick_lesson_dice(_context: Context, _interaction: Interaction, press: LessonPress) -> Answer:
    """Pick a die or put it back; only the message knows of it."""
    at = lesson_position(press.step)
    return Answer(render_lesson_tap(at, at.movable(press.dice)))


async def show_lesson_card(context: Context, _interaction: Interaction, press: LessonPress) -> Private:
    game = lesson_position(press.step).game
    return Private(await explain_card(context, game.card, game.players, game.turn_order))


async def open_first_table(context: Context, interaction: Interaction, _press: LessonPress) -> Private:
    """Begin a game against the house for a person who has finished the lesson."""
    wishes = NewTable(seats=1 + OPPONENTS, house=OPPONENTS, starts_when_full=True)
    where = await find_game_place(context, interaction)
    table = await open_table(context.core, person_of(interaction), wishes=wishes, **where)
    add_log_fields(game=table.id)
    context.display.request_redraw(table.id)
    text = _("Your game has begun, in this channel.")
    return Private(render_seat_notice(table, interaction.user.id, text))
