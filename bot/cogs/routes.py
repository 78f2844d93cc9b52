"""The table of all buttons and dialogs, with the class, the handler and the kind of answer of each. Also the group of
all commands."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

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
    sharing,
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
class Route:
    """The class and the handler of some buttons. ``buttons`` lists the first two parts of their custom_ids, separated
    by spaces."""

    buttons: str
    action: type[Action]
    handler: Handler[Any]
    kind: AnswerKind = AnswerKind.UPDATE


async def refuse_unknown(_request: UserRequest, _action: Action) -> Result:
    raise Refused(_("This button doesn't work here."))


def route(buttons: str, action: type[A], handler: Handler[A], kind: AnswerKind = AnswerKind.UPDATE) -> Route:
    """Return a route. Unlike a call of ``Route``, this lets mypy check that the handler accepts this class."""
    return Route(buttons, action, handler, kind)


def by_prefix(*routes: Route) -> Mapping[str, Route]:
    return {prefix: each for each in routes for prefix in each.buttons.split()}


ROUTES = by_prefix(
    route("hs:join", buttons.TablePress, lobby.posting(lobby.make_handler(join_table, render_seat_notice))),
    route("hs:enter", buttons.TablePress, lobby.join_thread),
    route("hs:leave", buttons.TablePress, lobby.leave_or_ask),
    route("hs:start", buttons.TablePress, lobby.posting(lobby.make_handler(start_game))),
    route("hs:solo", buttons.TablePress, lobby.posting(lobby.make_handler(start_alone))),
    route("hs:rules", buttons.TablePress, guide.show_rules),
    route("hs:options", buttons.TablePress, lobby.show_options),
    route("hs:call", buttons.TablePress, lobby.posting(lobby.on_options(lobby.call_role))),
    route("hs:house", buttons.TablePress, lobby.posting(lobby.on_options(lobby.make_handler(add_house_player)))),
    route("hs:nohouse", buttons.TablePress, lobby.on_options(lobby.make_handler(send_house_player_off))),
    route("hs:change", buttons.TablePress, lobby.on_options(lobby.ask_options), AnswerKind.MODAL),
    route("hs:word", buttons.TablePress, lobby.on_options(lobby.ask_word), AnswerKind.MODAL),
    route("hs:take hs:roll hs:set hs:stop", buttons.TurnPress, turn.play_turn),
    route("hs:die hs:ask", buttons.TurnPress, turn.pick_dice),
    route("hs:hint", buttons.TurnPress, turn.show_hint),
    route("hs:card", buttons.TurnPress, guide.show_card),
    route("hs:back", buttons.TablePress, lobby.make_handler(take_seat_back)),
    route("hs:wake", buttons.TablePress, lobby.make_handler(wake_table)),
    route("hs:quit", buttons.TablePress, away.quit_game),
    route("hs:cancel", buttons.CancelPress, away.cancel_game),
    route("hs:agree hs:disagree", buttons.TablePress, away.answer_cancelling),
    route("hs:report", buttons.TablePress, coaching.show_report),
    route("hs:figures", buttons.TablePress, coaching.show_figures),
    route("hs:share hs:final", buttons.SharePress, sharing.share_game),
    route("hs:text", buttons.TablePress, sharing.show_text),
    route("hs:again", buttons.TablePress, table.open_rematch),
    route("hs:proof", buttons.TablePress, proof.prove_game),
    route("hr:play", buttons.RunPress, run.open_run),
    route("hr:take hr:roll hr:set hr:stop", buttons.RunPress, run.OWN_PACE.play),
    route("hr:die hr:ask", buttons.RunPress, run.OWN_PACE.pick),
    route("hr:hint", buttons.RunPress, run.OWN_PACE.hint),
    route("hr:card", buttons.RunPress, run.OWN_PACE.explain),
    route("hr:proof", buttons.RunPress, proof.prove_game),
    route("hr:end", buttons.EndRuns, run.end_run),
    route("hd:play", buttons.DailyPress, daily.open_daily),
    route("hd:take hd:roll hd:set hd:stop", buttons.ChallengePress, daily.DAILY.play),
    route("hd:die hd:ask", buttons.ChallengePress, daily.DAILY.pick),
    route("hd:hint", buttons.ChallengePress, daily.DAILY.hint),
    route("hd:card", buttons.ChallengePress, daily.DAILY.explain),
    route("hd:review", buttons.ReviewPress, daily.DAILY.review),
    route("hd:proof", buttons.ChallengePress, daily.DAILY.prove),
    route("hd:text", buttons.ChallengePress, daily.DAILY.show_text),
    route("hd:share", buttons.ChallengePress, daily.share_daily),
    route("hc:options", buttons.CupPage, cup.open_page),
    route("hc:enter hc:prolong", buttons.CupPress, cup.change_cup),
    route("hc:leave hc:end", buttons.CupQuestion, cup.quit_cup),
    route("hc:remove", buttons.RemoveEntrant, cup.remove_from_cup),
    route("hc:report", buttons.ResultsPress, cup.show_results),
    route("hc:draws", buttons.CupPress, cup.prove_draws),
    route("hc:next", buttons.CupPress, cup.open_next_cup),
    route("hc:play", buttons.CupPress, cup.play_leg),
    route("hc:take hc:roll hc:set hc:stop", buttons.ChallengePress, cup.LEGS.play),
    route("hc:die hc:ask", buttons.ChallengePress, cup.LEGS.pick),
    route("hc:hint", buttons.ChallengePress, cup.LEGS.hint),
    route("hc:card", buttons.ChallengePress, cup.LEGS.explain),
    route("hc:review", buttons.ReviewPress, cup.LEGS.review),
    route("hc:proof", buttons.ChallengePress, cup.LEGS.prove),
    route("hs:dare", buttons.TablePress, dare.dare_others),
    route("hx:play", buttons.ChallengePress, dare.open_dare),
    route("hx:take hx:roll hx:set hx:stop", buttons.ChallengePress, dare.DARE.play),
    route("hx:die hx:ask", buttons.ChallengePress, dare.DARE.pick),
    route("hx:card", buttons.ChallengePress, dare.DARE.explain),
    route("hx:review", buttons.ReviewPress, dare.DARE.review),
    route("hx:proof", buttons.ChallengePress, dare.DARE.prove),
    route("hx:text", buttons.ChallengePress, dare.DARE.show_text),
    route("hl:learn", buttons.LessonPress, learn.begin_lesson),
    route("hl:next", buttons.LessonPress, learn.turn_lesson),
    route("hl:take hl:roll hl:set hl:stop", buttons.LessonPress, learn.play_lesson),
    route("hl:die", buttons.LessonPress, learn.pick_lesson_dice),
    route("hl:card", buttons.LessonPress, learn.show_lesson_card),
    route("hl:new", buttons.LessonPress, learn.open_first_table),
    route("hl:play", buttons.LessonPress, daily.open_todays),
    route("ht:try ht:retry", buttons.PracticePress, coaching.begin_practice),
    route("ht:roll ht:set ht:stop", buttons.PracticePress, coaching.play_practice),
    route("ht:die ht:ask", buttons.PracticePress, coaching.pick_practice_dice),
    route("ht:card", buttons.PracticePress, coaching.show_practice_card),
    route("hg:page", buttons.GuidePress, guide.turn_guide),
    route("hg:help", buttons.HelpPress, guide.show_whole_help),
    route("ha:newer ha:older", buttons.HistoryPress, history.turn_history),
    route("ha:open ha:first ha:back ha:next ha:turn ha:last", buttons.ReplayPress, history.turn_replay),
    route("ha:more", buttons.FiguresPress, history.show_figures),
    route("ha:file", buttons.RecordPress, history.export_game),
    route("ha:proof", buttons.RecordPress, proof.prove_game),
    route(
        " ".join(f"hb:{board}" for board in (FAME, *(order.value for order in Order))),
        buttons.LeaderboardPress,
        leaderboard.turn_board,
    ),
    route("hb:counting", buttons.CountingPress, leaderboard.explain_counting),
    route("hp:file hp:delete hp:sure hp:forever hp:keep", buttons.DataPress, privacy.answer_data_press),
    route("hw:back", buttons.AwayPress, away.end_absence),
    route("hu:open", buttons.SetupPress, setup.open_setup),
    route("hu:step", buttons.SetupStep, setup.turn_setup),
    route("hu:pick", buttons.SettingPress, setup.pick_setting),
    route("hu:type", buttons.SettingPress, setup.type_setting, AnswerKind.MODAL),
    route("hu:clear", buttons.SettingPress, setup.clear_setting),
    route("hu:done", buttons.SetupPress, setup.end_setup),
)
DIALOGS = by_prefix(
    route("hs:change", buttons.OptionsDialog, lobby.posting(lobby.on_options(lobby.take_options))),
    route("hs:word", buttons.WordDialog, lobby.on_options(lobby.take_word)),
    route("hu:typed", buttons.SetupDialog, setup.take_setting),
)
"""The routes of all dialogs. discord.py's callbacks of dialogs are not used, because a restart would lose them."""
UNKNOWN = route("", UnknownPress, refuse_unknown)


def find_route(custom_id: str, routes: Mapping[str, Route] = ROUTES) -> tuple[Route, Action]:
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
