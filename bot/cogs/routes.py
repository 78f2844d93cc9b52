"""The table of every button and dialog: its class, its handler, and the kind of its answer."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from bot.cogs.answers import Result
from bot.cogs.away import end_absence
from bot.cogs.coaching import show_report
from bot.cogs.context import Context
from bot.cogs.cup import LEGS, change_cup, open_page, play_leg, prove_draws, show_results
from bot.cogs.daily import DAILY, open_daily, open_todays, share_daily
from bot.cogs.guide import show_card, show_rules, turn_guide
from bot.cogs.history import export_game, turn_history, turn_replay
from bot.cogs.invitations import call_role
from bot.cogs.leaderboard import turn_board
from bot.cogs.learn import begin_lesson, open_first_table, pick_lesson_dice, play_lesson, show_lesson_card, turn_lesson
from bot.cogs.lobby import (
    ask_word,
    join_thread,
    make_handler,
    on_options,
    pick_order,
    pick_pace,
    posting,
    show_options,
    take_word,
)
from bot.cogs.practice import begin_practice, pick_practice_dice, play_practice, show_practice_card
from bot.cogs.privacy import answer_data_press
from bot.cogs.proof import prove_game
from bot.cogs.run import OWN_PACE, end_run, hint_run, open_run
from bot.cogs.seats import answer_cancelling, cancel_game, quit_game
from bot.cogs.setup import clear_setting, end_setup, open_setup, pick_setting, take_setting, turn_setup, type_setting
from bot.cogs.sharing import share_game
from bot.cogs.table import open_rematch
from bot.cogs.turn import Route, make_turn_routes, pick_dice, play_turn, show_hint
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.leaderboard import Order
from bot.locales import _
from bot.services.away import take_seat_back, wake_table
from bot.services.lobby import add_house_player, join_table, leave_lobby, send_house_player_off, start_game
from bot.ui.buttons import (
    Action,
    AwayPress,
    DataPress,
    GuidePress,
    HistoryPress,
    LeaderboardPress,
    LessonPress,
    PracticePress,
    Press,
    RecordPress,
    ReplayPress,
    SettingPress,
    SetupDialog,
    SetupPress,
    SetupStep,
    UnknownPress,
    Verb,
    Wish,
    WordDialog,
)
from bot.ui.lobby import render_seat_notice

ROUTES: Mapping[str, Route[Any]] = {
    "hs:join": Route(Press, posting(make_handler(join_table, render_seat_notice))),
    "hs:enter": Route(Press, join_thread),
    "hs:leave": Route(Press, make_handler(leave_lobby)),
    "hs:start": Route(Press, posting(make_handler(start_game))),
    "hs:options": Route(Press, show_options),
    "hs:call": Route(Press, posting(on_options(call_role))),
    "hs:house": Route(Press, posting(on_options(make_handler(add_house_player)))),
    "hs:nohouse": Route(Press, on_options(make_handler(send_house_player_off))),
    "hs:pace": Route(Press, on_options(pick_pace)),
    "hs:order": Route(Press, on_options(pick_order)),
    "hs:word": Route(Press, on_options(ask_word), AnswerKind.MODAL),
    "hs:back": Route(Press, make_handler(take_seat_back)),
    "hs:wake": Route(Press, make_handler(wake_table)),
    **make_turn_routes("hs", Press, play=play_turn, pick=pick_dice, explain=show_card),
    "hr:play": Route(Press, open_run),
    "hr:end": Route(Press, end_run),
    "hr:hint": Route(Press, OWN_PACE.present_if_moved(hint_run)),
    **OWN_PACE.routes("hr"),
    "hs:hint": Route(Press, show_hint),
    "hs:rules": Route(Press, show_rules),
    "hs:quit": Route(Press, quit_game),
    "hs:cancel": Route(Press, cancel_game),
    **dict.fromkeys(("hs:agree", "hs:disagree"), Route(Press, answer_cancelling)),
    "hs:report": Route(Press, show_report),
    **dict.fromkeys(("hs:share", "hs:final"), Route(Press, share_game)),
    "hs:again": Route(Press, open_rematch),
    "hs:proof": Route(Press, prove_game),
    **DAILY.routes("hd"),
    "hd:play": Route(Press, open_daily),
    "hd:share": Route(Press, share_daily),
    **LEGS.routes("hc"),
    "hc:play": Route(Press, play_leg),
    "hc:options": Route(Press, open_page),
    "hc:report": Route(Press, show_results),
    "hc:draws": Route(Press, prove_draws),
    **{f"hc:{verb}": Route(Press, change_cup) for verb in ("enter", "leave", "remove", "prolong", "end")},
    "hl:learn": Route(LessonPress, begin_lesson),
    "hl:next": Route(LessonPress, turn_lesson),
    **make_turn_routes(
        "hl", LessonPress, play=play_lesson, pick=pick_lesson_dice, explain=show_lesson_card, without=[Verb.ASK]
    ),
    "hl:new": Route(LessonPress, open_first_table),
    "hl:play": Route(LessonPress, open_todays),
    **dict.fromkeys(("ht:try", "ht:retry"), Route(PracticePress, begin_practice)),
    **make_turn_routes(
        "ht",
        PracticePress,
        play=play_practice,
        pick=pick_practice_dice,
        explain=show_practice_card,
        without=[Verb.TAKE],
    ),
    "hg:page": Route(GuidePress, turn_guide),
    **dict.fromkeys(("ha:newer", "ha:older"), Route(HistoryPress, turn_history)),
    **{f"ha:{step}": Route(ReplayPress, turn_replay) for step in ("open", "first", "back", "next", "turn", "last")},
    "ha:file": Route(RecordPress, export_game),
    "ha:proof": Route(RecordPress, prove_game),
    **{f"hb:{board}": Route(LeaderboardPress, turn_board) for board in ("fame", *(order.value for order in Order))},
    **{f"hp:{wish.value}": Route(DataPress, answer_data_press) for wish in Wish},
    "hw:back": Route(AwayPress, end_absence),
    "hu:open": Route(SetupPress, open_setup),
    "hu:step": Route(SetupStep, turn_setup),
    "hu:pick": Route(SettingPress, pick_setting),
    "hu:type": Route(SettingPress, type_setting, AnswerKind.MODAL),
    "hu:clear": Route(SettingPress, clear_setting),
    "hu:done": Route(SetupPress, end_setup),
}
DIALOGS: Mapping[str, Route[Any]] = {
    "hs:word": Route(WordDialog, on_options(take_word)),
    "hu:typed": Route(SetupDialog, take_setting),
}
"""The routes of every dialog. The dialog's own callback is not used: a restart of the bot would forget it."""


async def refuse_unknown(_context: Context, _interaction: Interaction, _action: Action) -> Result:
    raise Refused(_("There is no such button here."))


def prefix_of(custom_id: str) -> str:
    """Return the first two parts of a custom_id, by which its route is found."""
    return ":".join(custom_id.split(":", 2)[:2])


def find_route(custom_id: str, routes: Mapping[str, Route[Any]] = ROUTES) -> tuple[Route[Any], Action]:
    """Return a button's route and its meaning. What no button can say is refused."""
    route = routes.get(prefix_of(custom_id))
    if route is not None:
        with suppress(ValueError):
            return route, route.action.parse(custom_id)
    return Route(UnknownPress, refuse_unknown), UnknownPress()
