"""/highscore learn and the buttons of the lesson. Nothing about a lesson is stored."""

from discord import app_commands

from bot.cogs.common import Answer, Feature, Private, UserRequest, answers
from bot.cogs.guide import explain_card
from bot.cogs.turn import DECISION_OF
from bot.domain.learn import lesson_position
from bot.locales import _
from bot.observing.logs import add_log_fields
from bot.services.lobby import OPPONENTS, NewTable, open_table
from bot.ui.buttons import LessonPress
from bot.ui.learn import lesson_buttons, nudge_text, render_lesson
from bot.ui.lobby import render_seat_notice
from bot.ui.message import change_buttons


class LearnCommands(Feature):
    @app_commands.command(description="Learn the game by playing three cards, in two minutes and in private")
    @answers()
    async def learn(self, request: UserRequest) -> Answer:
        return Answer(render_lesson(lesson_position(0)))


async def begin_lesson(request: UserRequest, _press: LessonPress) -> Private:
    return Private(render_lesson(lesson_position(0)))


async def turn_lesson(request: UserRequest, press: LessonPress) -> Answer:
    return Answer(render_lesson(lesson_position(press.step + 1)))


async def play_lesson(request: UserRequest, press: LessonPress) -> Answer:
    """Show the next step if the decision is the one that the lesson asks for. Otherwise explain what to press."""
    at = lesson_position(press.step)
    if DECISION_OF[press.verb](press) == at.expected:
        return await turn_lesson(request, press)
    return Answer(render_lesson(at, sentence=nudge_text()))


async def pick_lesson_dice(request: UserRequest, press: LessonPress) -> Answer:
    at = lesson_position(press.step)
    return Answer(change_buttons(lesson_buttons(at, at.movable(press.dice))))


async def show_lesson_card(request: UserRequest, press: LessonPress) -> Private:
    game = lesson_position(press.step).game
    return Private(await explain_card(request, game.card, game.players, game.turn_order))


async def open_first_table(request: UserRequest, _press: LessonPress) -> Private:
    """After the lesson, start a first game against house players in this channel."""
    wishes = NewTable(seats=1 + OPPONENTS, house=OPPONENTS, starts_when_full=True)
    table = await open_table(request.core, request.person, await request.find_game_place(), wishes)
    add_log_fields(game=table.id)
    request.display.request_redraw(table.id)
    text = _("Your game has started in this channel.")
    return Private(render_seat_notice(table, request.user_id, text))
