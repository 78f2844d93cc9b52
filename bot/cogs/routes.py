"""Every button and dialog, with its class, its handler and the kind of its answer; and every command, in one group."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from discord import app_commands
from discord.ext import commands

from bot.cogs.away import AwayCommands, end_absence
from bot.cogs.coaching import begin_practice, pick_practice_dice, play_practice, show_practice_card, show_report
from bot.cogs.common import AnswerInteraction, Context, Result
from bot.cogs.cup import (
    LEGS,
    CupCommands,
    change_cup,
    open_page,
    play_leg,
    prove_draws,
    quit_cup,
    remove_from_cup,
    show_results,
)
from bot.cogs.daily import DAILY, DailyCommands, open_daily, open_todays, share_daily
from bot.cogs.guide import GuideCommands, show_card, show_rules, turn_guide
from bot.cogs.history import HistoryCommands, export_game, turn_history, turn_replay
from bot.cogs.leaderboard import LeaderboardCommands, turn_board
from bot.cogs.learn import (
    LearnCommands,
    begin_lesson,
    open_first_table,
    pick_lesson_dice,
    play_lesson,
    show_lesson_card,
    turn_lesson,
)
from bot.cogs.lobby import (
    ask_word,
    call_role,
    join_thread,
    leave_or_ask,
    make_handler,
    on_options,
    pick_order,
    pick_pace,
    posting,
    show_options,
    take_word,
)
from bot.cogs.privacy import PrivacyCommands, answer_data_press
from bot.cogs.proof import prove_game
from bot.cogs.run import OWN_PACE, RunCommands, end_run, open_run
from bot.cogs.seats import SeatCommands, answer_cancelling, cancel_game, quit_game
from bot.cogs.setup import (
    SetupCommands,
    clear_setting,
    end_setup,
    open_setup,
    pick_setting,
    take_setting,
    turn_setup,
    type_setting,
)
from bot.cogs.sharing import share_game
from bot.cogs.table import TableCommands, open_rematch
from bot.cogs.turn import pick_dice, play_turn, show_hint
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.leaderboard import Order
from bot.locales import _
from bot.services.away import take_seat_back, wake_table
from bot.services.lobby import add_house_player, join_table, send_house_player_off, start_alone, start_game
from bot.ui.buttons import (
    FAME,
    Action,
    AwayPress,
    CancelPress,
    ChallengePress,
    CupPage,
    CupPress,
    CupQuestion,
    DailyPress,
    DataPress,
    EndRuns,
    GuidePress,
    HistoryPress,
    LeaderboardPress,
    LessonPress,
    PracticePress,
    RecordPress,
    RemoveEntrant,
    ReplayPress,
    ResultsPress,
    ReviewPress,
    RunPress,
    SettingPress,
    SetupDialog,
    SetupPress,
    SetupStep,
    SharePress,
    TablePress,
    TurnPress,
    UnknownPress,
    WordDialog,
)
from bot.ui.lobby import render_seat_notice

A = TypeVar("A", bound=Action)
Handler = Callable[[Context, Interaction, A], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Route:
    """The handler of some buttons, which are given by the first two parts of their custom_ids."""

    buttons: str
    action: type[Action]
    handler: Handler[Any]
    kind: AnswerKind = AnswerKind.UPDATE


async def refuse_unknown(_context: Context, _interaction: Interaction, _action: Action) -> Result:
    raise Refused(_("There is no such button here."))


def route(buttons: str, action: type[A], handler: Handler[A], kind: AnswerKind = AnswerKind.UPDATE) -> Route:
    """Return a route, for which mypy checks that the handler takes the class."""
    return Route(buttons, action, handler, kind)


def by_prefix(*routes: Route) -> Mapping[str, Route]:
    return {prefix: each for each in routes for prefix in each.buttons.split()}


ROUTES = by_prefix(
    route("hs:join", TablePress, posting(make_handler(join_table, render_seat_notice))),
    route("hs:enter", TablePress, join_thread),
    route("hs:leave", TablePress, leave_or_ask),
    route("hs:start", TablePress, posting(make_handler(start_game))),
    route("hs:solo", TablePress, posting(make_handler(start_alone))),
    route("hs:rules", TablePress, show_rules),
    route("hs:options", TablePress, show_options),
    route("hs:call", TablePress, posting(on_options(call_role))),
    route("hs:house", TablePress, posting(on_options(make_handler(add_house_player)))),
    route("hs:nohouse", TablePress, on_options(make_handler(send_house_player_off))),
    route("hs:pace", TablePress, on_options(pick_pace)),
    route("hs:order", TablePress, on_options(pick_order)),
    route("hs:word", TablePress, on_options(ask_word), AnswerKind.MODAL),
    route("hs:take hs:roll hs:set hs:stop", TurnPress, play_turn),
    route("hs:die hs:ask", TurnPress, pick_dice),
    route("hs:hint", TurnPress, show_hint),
    route("hs:card", TurnPress, show_card),
    route("hs:back", TablePress, make_handler(take_seat_back)),
    route("hs:wake", TablePress, make_handler(wake_table)),
    route("hs:quit", TablePress, quit_game),
    route("hs:cancel", CancelPress, cancel_game),
    route("hs:agree hs:disagree", TablePress, answer_cancelling),
    route("hs:report", TablePress, show_report),
    route("hs:share hs:final", SharePress, share_game),
    route("hs:again", TablePress, open_rematch),
    route("hs:proof", TablePress, prove_game),
    route("hr:play", RunPress, open_run),
    route("hr:take hr:roll hr:set hr:stop", RunPress, OWN_PACE.play),
    route("hr:die hr:ask", RunPress, OWN_PACE.pick),
    route("hr:hint", RunPress, OWN_PACE.hint),
    route("hr:card", RunPress, OWN_PACE.explain),
    route("hr:end", EndRuns, end_run),
    route("hd:play", DailyPress, open_daily),
    route("hd:take hd:roll hd:set hd:stop", ChallengePress, DAILY.play),
    route("hd:die hd:ask", ChallengePress, DAILY.pick),
    route("hd:hint", ChallengePress, DAILY.hint),
    route("hd:card", ChallengePress, DAILY.explain),
    route("hd:review", ReviewPress, DAILY.review),
    route("hd:proof", ChallengePress, DAILY.prove),
    route("hd:share", ChallengePress, share_daily),
    route("hc:options", CupPage, open_page),
    route("hc:enter hc:prolong", CupPress, change_cup),
    route("hc:leave hc:end", CupQuestion, quit_cup),
    route("hc:remove", RemoveEntrant, remove_from_cup),
    route("hc:report", ResultsPress, show_results),
    route("hc:draws", CupPress, prove_draws),
    route("hc:play", CupPress, play_leg),
    route("hc:take hc:roll hc:set hc:stop", ChallengePress, LEGS.play),
    route("hc:die hc:ask", ChallengePress, LEGS.pick),
    route("hc:hint", ChallengePress, LEGS.hint),
    route("hc:card", ChallengePress, LEGS.explain),
    route("hc:review", ReviewPress, LEGS.review),
    route("hc:proof", ChallengePress, LEGS.prove),
    route("hl:learn", LessonPress, begin_lesson),
    route("hl:next", LessonPress, turn_lesson),
    route("hl:take hl:roll hl:set hl:stop", LessonPress, play_lesson),
    route("hl:die", LessonPress, pick_lesson_dice),
    route("hl:card", LessonPress, show_lesson_card),
    route("hl:new", LessonPress, open_first_table),
    route("hl:play", LessonPress, open_todays),
    route("ht:try ht:retry", PracticePress, begin_practice),
    route("ht:roll ht:set ht:stop", PracticePress, play_practice),
    route("ht:die ht:ask", PracticePress, pick_practice_dice),
    route("ht:card", PracticePress, show_practice_card),
    route("hg:page", GuidePress, turn_guide),
    route("ha:newer ha:older", HistoryPress, turn_history),
    route("ha:open ha:first ha:back ha:next ha:turn ha:last", ReplayPress, turn_replay),
    route("ha:file", RecordPress, export_game),
    route("ha:proof", RecordPress, prove_game),
    route(" ".join(f"hb:{board}" for board in (FAME, *(order.value for order in Order))), LeaderboardPress, turn_board),
    route("hp:file hp:delete hp:sure hp:forever hp:keep", DataPress, answer_data_press),
    route("hw:back", AwayPress, end_absence),
    route("hu:open", SetupPress, open_setup),
    route("hu:step", SetupStep, turn_setup),
    route("hu:pick", SettingPress, pick_setting),
    route("hu:type", SettingPress, type_setting, AnswerKind.MODAL),
    route("hu:clear", SettingPress, clear_setting),
    route("hu:done", SetupPress, end_setup),
)
DIALOGS = by_prefix(
    route("hs:word", WordDialog, on_options(take_word)),
    route("hu:typed", SetupDialog, take_setting),
)
"""The routes of every dialog. The dialog's own callback is not used: a restart of the bot would forget it."""
UNKNOWN = route("", UnknownPress, refuse_unknown)


def prefix_of(custom_id: str) -> str:
    """Return the first two parts of a custom_id, by which its route is found."""
    return ":".join(custom_id.split(":", 2)[:2])


def find_route(custom_id: str, routes: Mapping[str, Route] = ROUTES) -> tuple[Route, Action]:
    """Return a button's route and its meaning. What no button can say is refused."""
    if found := routes.get(prefix_of(custom_id)):
        with suppress(ValueError):
            return found, found.action.parse(custom_id)
    return UNKNOWN, UnknownPress()


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class HighScore(
    GuideCommands,
    LearnCommands,
    PrivacyCommands,
    SetupCommands,
    AwayCommands,
    HistoryCommands,
    LeaderboardCommands,
    SeatCommands,
    CupCommands,
    DailyCommands,
    RunCommands,
    TableCommands,
    commands.GroupCog,
    group_name="highscore",
    group_description="Play High Score, the dice game with the changing challenges",
):
    """All commands of the bot, registered from the last part to the first. Discord allows 25 in one group.

    They cannot be installed for a user: elsewhere than on its own servers, the bot can post nothing.
    """

    def __init__(self, context: Context, answer: AnswerInteraction) -> None:
        self.context = context
        self.answer = answer
