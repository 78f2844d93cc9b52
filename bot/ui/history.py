"""Finished games as a list, in an embed and while somebody types."""

from collections.abc import Callable

from discord.utils import format_dt

from bot.domain.history import GAMES_A_LEAF, FinishedGame, History, Player
from bot.locales import _
from bot.ui.actions import HistoryPress, Step
from bot.ui.buttons import ActionItem, button, leaf_buttons
from bot.ui.message import ACCENT, QUIET, Rendered, make_embed
from bot.ui.names import former_player_name
from bot.ui.text import HOUSE, TROPHY, clean_name, escape_name, shorten

LONGEST_CHOICE = 100
"""The most characters Discord takes for a choice."""
GAMES_A_ROW = 4


def render_history(history: History, name: str | None) -> Rendered:
    """Show a leaf of the history; ``name`` is that of the person whose games these are."""
    title = _("Finished games") if name is None else _("Finished games: {player}").format(player=escape_name(name))
    if not history.games:
        embed = make_embed(f"📚 {title}", _("No game has been finished here yet."), colour=QUIET)
    else:
        lines = [f"`{number}` {_game_line(game)}" for number, game in enumerate(history.games, start=1)]
        footer = _("A number opens the game to go through it roll by roll.")
        embed = make_embed(f"📚 {title}", *lines, colour=ACCENT, footer=footer)
    return Rendered([embed], buttons=_history_buttons(history))


def _history_buttons(history: History) -> list[ActionItem]:
    buttons = [
        button(HistoryPress(Step.OPEN, game.game_id), str(number + 1), emoji="🔎", row=number // GAMES_A_ROW)
        for number, game in enumerate(history.games)
    ]
    user_id = history.user_id or 0
    newer = HistoryPress(Step.NEWER, history.games[0].game_id, 0, user_id) if history.has_newer else None
    older = HistoryPress(Step.OLDER, history.games[-1].game_id, 0, user_id) if history.has_older else None
    return buttons + leaf_buttons(newer, older, row=GAMES_A_LEAF // GAMES_A_ROW)


def owner_name(history: History) -> str | None:
    """Return the name of the person whose games these are, as the newest game has it."""
    for game in history.games:
        for player in game.players:
            if history.user_id is not None and player.result.user_id == history.user_id:
                return player.name
    return None


def choice_name(game: FinishedGame) -> str:
    """Return a game as a line without any formatting, to be picked."""
    players = ", ".join(f"{_player_name(player, clean_name)} {player.result.points}" for player in game.players)
    return shorten(f"{game.finished_at:%Y-%m-%d} · {players}", LONGEST_CHOICE)


def _game_line(game: FinishedGame) -> str:
    names = [
        (f"{TROPHY} " if player.result.place == 1 else "")
        + f"{_player_name(player, escape_name)} **{player.result.points}**"
        for player in game.players
    ]
    when = format_dt(game.finished_at, "d")
    return f"{when} · {' · '.join(names)}"


def _player_name(player: Player, harmless: Callable[[str], str]) -> str:
    user_id = player.result.user_id
    if user_id is None:
        return f"{HOUSE} {player.name}"
    return former_player_name() if user_id < 0 else harmless(player.name)
