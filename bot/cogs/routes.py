"""The table of every button and dialog there is: how it is read, what is done with it, what kind of answer it has."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.cogs.answers import Result
from bot.cogs.coaching import show_hint, show_report
from bot.cogs.context import Context
from bot.cogs.daily import pick_daily, play_daily, prove_daily, show_daily_card
from bot.cogs.guide import show_card, show_rules, turn_guide_page
from bot.cogs.history import export_game, open_replay, turn_history, turn_replay
from bot.cogs.leaderboard import turn_board
from bot.cogs.lobby import changed_by, join_thread, open_rematch
from bot.cogs.lucky_words import ask_word, take_word
from bot.cogs.privacy import ask_again, export_data, forget_everything, keep_everything
from bot.cogs.proof import prove_game
from bot.cogs.run import hint_run, open_run, pick_run, play_run
from bot.cogs.seats import cancel_game, quit_game
from bot.cogs.turn import pick, play
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.leaderboard import Order
from bot.locales import _
from bot.services.absence import come_back, wake
from bot.services.lobby import add_house_player, join, leave, send_house_player_off, start
from bot.ui.buttons import Action, BoardPage, DataPress, GuidePage, HistoryPage, Press
from bot.ui.lobby import seal_note
from bot.ui.lucky_words import WordDialog
from highscore.events import Decision, TakeDice
from highscore.turn import Roll, SetAside, Stop

A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Route(Generic[A]):
    """What is done with the buttons of a prefix."""

    codec: type[A]
    handler: Callable[[Context, Interaction, A], Awaitable[Result]]
    kind: AnswerKind = AnswerKind.UPDATE


DECISIONS: Mapping[str, Callable[[Press], Decision]] = {
    "take": lambda _press: TakeDice(),
    "stop": lambda _press: Stop(),
    "roll": lambda press: Roll(press.positions),
    "set": lambda press: SetAside(press.positions),
}
ROUTES: Mapping[str, Route[Any]] = {
    "hs:join": Route(Press, changed_by(join, seal_note)),
    "hs:enter": Route(Press, join_thread),
    "hs:leave": Route(Press, changed_by(leave)),
    "hs:start": Route(Press, changed_by(start)),
    "hs:house": Route(Press, changed_by(add_house_player)),
    "hs:nohouse": Route(Press, changed_by(send_house_player_off)),
    "hs:back": Route(Press, changed_by(come_back)),
    "hs:wake": Route(Press, changed_by(wake)),
    "hs:word": Route(Press, ask_word, AnswerKind.MODAL),
    **{f"hs:{verb}": Route(Press, play(decision)) for verb, decision in DECISIONS.items()},
    **dict.fromkeys(("hs:die", "hs:ask"), Route(Press, pick)),
    "hr:play": Route(Press, open_run),
    **{f"hr:{verb}": Route(Press, play_run(decision)) for verb, decision in DECISIONS.items()},
    **dict.fromkeys(("hr:die", "hr:ask"), Route(Press, pick_run)),
    "hr:hint": Route(Press, hint_run),
    "hs:hint": Route(Press, show_hint),
    "hs:card": Route(Press, show_card),
    "hs:rules": Route(Press, show_rules),
    "hs:quit": Route(Press, quit_game),
    "hs:cancel": Route(Press, cancel_game),
    "hs:report": Route(Press, show_report),
    "hs:again": Route(Press, open_rematch),
    "hs:proof": Route(Press, prove_game),
    **{f"hd:{verb}": Route(Press, play_daily(decision)) for verb, decision in DECISIONS.items()},
    **dict.fromkeys(("hd:die", "hd:ask"), Route(Press, pick_daily)),
    "hd:card": Route(Press, show_daily_card),
    "hd:proof": Route(Press, prove_daily),
    "hg:page": Route(GuidePage, turn_guide_page),
    **dict.fromkeys(("ha:newer", "ha:older"), Route(HistoryPage, turn_history)),
    "ha:open": Route(HistoryPage, open_replay),
    **{f"ha:{step}": Route(HistoryPage, turn_replay) for step in ("first", "back", "next", "turn", "last")},
    "ha:file": Route(HistoryPage, export_game),
    **{f"hb:{board}": Route(BoardPage, turn_board) for board in ("fame", *(order.value for order in Order))},
    "hp:file": Route(DataPress, export_data),
    **dict.fromkeys(("hp:delete", "hp:sure"), Route(DataPress, ask_again)),
    "hp:forever": Route(DataPress, forget_everything),
    "hp:keep": Route(DataPress, keep_everything),
}
"""Every button there is."""
DIALOGS: Mapping[str, Route[Any]] = {"hs:word": Route(WordDialog, take_word)}
"""Every dialog there is. Not taken by the dialog's own callback, which a restart of the bot would forget."""


async def _no_such_button(_context: Context, _interaction: Interaction, _action: Action) -> Result:
    raise Refused(_("There is no such button here."))


def prefix(custom_id: str) -> str:
    """What a handler is found by."""
    return ":".join(custom_id.split(":", 2)[:2])


def route_of(custom_id: str) -> Route[Any]:
    """What is done with a button of ours, also with one that is none of the table's."""
    return ROUTES.get(prefix(custom_id), Route(Press, _no_such_button))
