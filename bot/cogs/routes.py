"""The table of all buttons and dialogs, with the class, the handler and the kind of answer of each. Also the group of
all commands."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from discord import app_commands
from discord.ext import commands

from bot.cogs import (
    away,
    coaching,
    cup,
    daily,
    dare,
    guide,
    history,
    leaderboard,
    learn,
    lobby,
    privacy,
    proof,
    run,
    setup,
    table,
    turn,
)
from bot.cogs.common import AnswerInteraction, Context, Result, UserRequest
from bot.discord_api.messages import AnswerKind
from bot.domain.errors import Refused
from bot.domain.leaderboard import Order
from bot.locales import _
from bot.services.away import take_seat_back, wake_table
from bot.services.lobby import add_house_player, join_table, send_house_player_off, start_alone, start_game
from bot.ui import buttons
from bot.ui.buttons import FAME, Action, UnknownPress
from bot.ui.lobby import render_seat_notice

A = TypeVar("A", bound=Action)
Handler = Callable[[UserRequest, A], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Route(Generic[A]):
    """The class and the handler of some buttons. ``buttons`` lists the first two parts of their custom_ids, separated
    by spaces."""

    buttons: str
    action: type[A]
    handler: Handler[A]
    kind: AnswerKind = AnswerKind.UPDATE


async def refuse_unknown(_request: UserRequest, _action: Action) -> Result:
    raise Refused(_("This button doesn't work here."))


Routes = Mapping[str, Route[Any]]
"""Routes by the first two parts of their custom_ids."""


def by_prefix(*routes: Route[Any]) -> Routes:
    return {prefix: each for each in routes for prefix in each.buttons.split()}


ROUTES = by_prefix(
    Route("hs:join", buttons.TablePress, lobby.posting(lobby.make_handler(join_table, render_seat_notice))),
    Route("hs:enter", buttons.TablePress, lobby.join_thread),
    Route("hs:leave", buttons.TablePress, lobby.leave_or_ask),
    Route("hs:start", buttons.TablePress, lobby.posting(lobby.make_handler(start_game))),
    Route("hs:solo", buttons.TablePress, lobby.posting(lobby.make_handler(start_alone))),
    Route("hs:rules", buttons.TablePress, guide.show_rules),
    Route("hs:options", buttons.TablePress, lobby.show_options),
    Route("hs:call", buttons.TablePress, lobby.posting(lobby.on_options(lobby.call_role))),
    Route("hs:house", buttons.TablePress, lobby.posting(lobby.on_options(lobby.make_handler(add_house_player)))),
    Route("hs:nohouse", buttons.TablePress, lobby.on_options(lobby.make_handler(send_house_player_off))),
    Route("hs:change", buttons.TablePress, lobby.on_options(lobby.ask_options), AnswerKind.MODAL),
    Route("hs:word", buttons.TablePress, lobby.on_options(lobby.ask_word), AnswerKind.MODAL),
    Route("hs:take hs:roll hs:set hs:stop", buttons.TurnPress, turn.play_turn),
    Route("hs:die hs:ask", buttons.TurnPress, turn.pick_dice),
    Route("hs:hint", buttons.TurnPress, turn.show_hint),
    Route("hs:card", buttons.TurnPress, guide.show_card),
    Route("hs:back", buttons.TablePress, lobby.make_handler(take_seat_back)),
    Route("hs:wake", buttons.TablePress, lobby.make_handler(wake_table)),
    Route("hs:quit", buttons.TablePress, away.quit_game),
    Route("hs:cancel", buttons.CancelPress, away.cancel_game),
    Route("hs:agree hs:disagree", buttons.TablePress, away.answer_cancelling),
    Route("hs:report", buttons.TablePress, coaching.show_report),
    Route("hs:figures", buttons.TablePress, coaching.show_figures),
    Route("hs:share hs:final", buttons.SharePress, coaching.share_game),
    Route("hs:text", buttons.TablePress, coaching.show_text),
    Route("hs:again", buttons.TablePress, table.open_rematch),
    Route("hs:proof", buttons.TablePress, proof.prove_game),
    Route("hr:play", buttons.RunPress, run.open_run),
    Route("hr:take hr:roll hr:set hr:stop", buttons.RunPress, run.OWN_PACE.play),
    Route("hr:die hr:ask", buttons.RunPress, run.OWN_PACE.pick),
    Route("hr:hint", buttons.RunPress, run.OWN_PACE.hint),
    Route("hr:card", buttons.RunPress, run.OWN_PACE.explain),
    Route("hr:proof", buttons.RunPress, proof.prove_game),
    Route("hr:end", buttons.EndRuns, run.end_run),
    Route("hd:play", buttons.DailyPress, daily.open_daily),
    Route("hd:take hd:roll hd:set hd:stop", buttons.ChallengePress, daily.DAILY.play),
    Route("hd:die hd:ask", buttons.ChallengePress, daily.DAILY.pick),
    Route("hd:hint", buttons.ChallengePress, daily.DAILY.hint),
    Route("hd:card", buttons.ChallengePress, daily.DAILY.explain),
    Route("hd:review", buttons.ReviewPress, daily.DAILY.review),
    Route("hd:proof", buttons.ChallengePress, daily.DAILY.prove),
    Route("hd:text", buttons.ChallengePress, daily.DAILY.show_text),
    Route("hd:share", buttons.ChallengePress, daily.share_daily),
    Route("hc:options", buttons.CupPage, cup.open_page),
    Route("hc:enter hc:prolong", buttons.CupPress, cup.change_cup),
    Route("hc:leave hc:end", buttons.CupQuestion, cup.quit_cup),
    Route("hc:remove", buttons.RemoveEntrant, cup.remove_from_cup),
    Route("hc:report", buttons.ResultsPress, cup.show_results),
    Route("hc:draws", buttons.CupPress, cup.prove_draws),
    Route("hc:next", buttons.CupPress, cup.open_next_cup),
    Route("hc:play", buttons.CupPress, cup.play_leg),
    Route("hc:take hc:roll hc:set hc:stop", buttons.ChallengePress, cup.LEGS.play),
    Route("hc:die hc:ask", buttons.ChallengePress, cup.LEGS.pick),
    Route("hc:hint", buttons.ChallengePress, cup.LEGS.hint),
    Route("hc:card", buttons.ChallengePress, cup.LEGS.explain),
    Route("hc:review", buttons.ReviewPress, cup.LEGS.review),
    Route("hc:proof", buttons.ChallengePress, cup.LEGS.prove),
    Route("hs:dare", buttons.TablePress, dare.dare_others),
    Route("hx:play", buttons.ChallengePress, dare.open_dare),
    Route("hx:take hx:roll hx:set hx:stop", buttons.ChallengePress, dare.DARE.play),
    Route("hx:die hx:ask", buttons.ChallengePress, dare.DARE.pick),
    Route("hx:card", buttons.ChallengePress, dare.DARE.explain),
    Route("hx:review", buttons.ReviewPress, dare.DARE.review),
    Route("hx:proof", buttons.ChallengePress, dare.DARE.prove),
    Route("hx:text", buttons.ChallengePress, dare.DARE.show_text),
    Route("hl:learn", buttons.LessonPress, learn.begin_lesson),
    Route("hl:next", buttons.LessonPress, learn.turn_lesson),
    Route("hl:take hl:roll hl:set hl:stop", buttons.LessonPress, learn.play_lesson),
    Route("hl:die", buttons.LessonPress, learn.pick_lesson_dice),
    Route("hl:card", buttons.LessonPress, learn.show_lesson_card),
    Route("hl:new", buttons.LessonPress, learn.open_first_table),
    Route("hl:play", buttons.LessonPress, daily.open_todays),
    Route("ht:try ht:retry", buttons.PracticePress, coaching.begin_practice),
    Route("ht:roll ht:set ht:stop", buttons.PracticePress, coaching.play_practice),
    Route("ht:die ht:ask", buttons.PracticePress, coaching.pick_practice_dice),
    Route("ht:card", buttons.PracticePress, coaching.show_practice_card),
    Route("hg:page", buttons.GuidePress, guide.turn_guide),
    Route("hg:help", buttons.HelpPress, guide.show_whole_help),
    Route("ha:newer ha:older", buttons.HistoryPress, history.turn_history),
    Route("ha:open ha:first ha:back ha:next ha:turn ha:last", buttons.ReplayPress, history.turn_replay),
    Route("ha:more", buttons.FiguresPress, history.show_figures),
    Route("ha:file", buttons.RecordPress, history.export_game),
    Route("ha:proof", buttons.RecordPress, proof.prove_game),
    Route(
        " ".join(f"hb:{board}" for board in (FAME, *(order.value for order in Order))),
        buttons.LeaderboardPress,
        leaderboard.turn_board,
    ),
    Route("hb:counting", buttons.CountingPress, leaderboard.explain_counting),
    Route("hp:file hp:delete hp:sure hp:forever hp:keep", buttons.DataPress, privacy.answer_data_press),
    Route("hw:back", buttons.AwayPress, away.end_absence),
    Route("hu:open", buttons.SetupPress, setup.open_setup),
    Route("hu:step", buttons.SetupStep, setup.turn_setup),
    Route("hu:pick", buttons.SettingPress, setup.pick_setting),
    Route("hu:type", buttons.SettingPress, setup.type_setting, AnswerKind.MODAL),
    Route("hu:clear", buttons.SettingPress, setup.clear_setting),
    Route("hu:done", buttons.SetupPress, setup.end_setup),
)
DIALOGS = by_prefix(
    Route("hs:change", buttons.OptionsDialog, lobby.posting(lobby.on_options(lobby.take_options))),
    Route("hs:word", buttons.WordDialog, lobby.on_options(lobby.take_word)),
    Route("hu:typed", buttons.SetupDialog, setup.take_setting),
)
"""The routes of all dialogs. discord.py's callbacks of dialogs are not used, because a restart would lose them."""
UNKNOWN = Route("", UnknownPress, refuse_unknown)


def find_route(custom_id: str, routes: Routes = ROUTES) -> tuple[Route[Any], Action]:
    """Return the route of a custom_id, and the action that it describes. For a text that no button can have, return a
    route that refuses the press."""
    prefix = ":".join(custom_id.split(":", 2)[:2])
    if found := routes.get(prefix):
        with suppress(ValueError):
            return found, found.action.parse(custom_id)
    return UNKNOWN, UnknownPress()


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class HighScore(
    guide.GuideCommands,
    learn.LearnCommands,
    privacy.PrivacyCommands,
    setup.SetupCommands,
    away.AwayCommands,
    coaching.ReportMenu,
    history.HistoryCommands,
    leaderboard.LeaderboardCommands,
    away.SeatCommands,
    cup.CupCommands,
    daily.DailyCommands,
    run.RunCommands,
    table.TableCommands,
    commands.GroupCog,
    group_name="highscore",
    group_description="Play High Score, the dice game with the changing challenges",
):
    """All commands of the bot, registered from the last base class to the first. Discord allows 25 in a group.

    Users cannot install them for their account, because the bot can post only on servers that have added it.
    """

    def __init__(self, context: Context, answer: AnswerInteraction) -> None:
        self.context = context
        self.answer = answer

    def make_menus(self) -> list[app_commands.ContextMenu]:
        """Return the commands in the menus of users and messages. discord.py does not find them in a cog by itself."""
        methods: dict[str, Any] = {
            "Invite to High Score": self.invite,
            "Statistics": self.show_statistics,
            "Report of this game": self.report_message,
        }
        where = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
        whose = app_commands.AppInstallationType(guild=True, user=False)
        return [
            app_commands.ContextMenu(name=name, callback=method, allowed_contexts=where, allowed_installs=whose)
            for name, method in methods.items()
        ]
