"""highscore-bot play: the playground, which is the same bot on a simulated Discord in the browser."""

import asyncio
import os
import sys
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from discord import Locale
from pydantic import SecretStr
from sqlalchemy import URL

from bot.app import HighScoreBot
from bot.cli.common import CANNOT_START, end, end_on_error, load_settings, run_until_stopped, start_logging
from bot.config import Settings
from bot.domain.learn import lesson_position
from bot.locales import DEFAULT, language_for, language_name, speaking_in
from bot.store.sqlite import make_folder
from bot.ui.learn import first_game_label, learn_label
from bot.ui.lobby import pitch_text
from bot.ui.pictures.views import game_view
from bot.ui.turn import board_picture
from highscore.turn_order import TurnOrder

if TYPE_CHECKING:
    from playground import Introduction, Shortcut

DEFAULT_PORT = 8765
FIRST_GAME: dict[str, Any] = {"seats": 3, "house": 2, "order": TurnOrder.CLOCKWISE.value, "autostart": True}
"""The options of a table that is filled with house players, so that the game starts immediately."""


@click.command()
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data/playground"),
    show_default=True,
    help="Folder that keeps the games and the simulated server.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="Port of the page."
)
@click.option(
    "--forwarded",
    metavar="URL",
    multiple=True,
    help="Another address of the page, where its port is forwarded: https://name-8765.app.github.dev, for example."
    " Everybody who can open that address can act as everybody in the playground.",
)
@click.option("--browser/--no-browser", default=True, help="Open the page in a browser.")
def play(state: Path, port: int, forwarded: tuple[str, ...], browser: bool) -> None:
    """Play in the browser on this machine, with no Discord account. Ctrl-C stops; the game goes on next time."""
    try:
        from playground import PlaygroundError, playground
    except ImportError as error:
        end(f"The playground needs the extra 'play' ({error.name} is missing): pip install 'highscore-bot[play]'")
    settings = load_settings()

    async def serve(here: Settings) -> None:
        async with playground(
            partial(HighScoreBot, here),
            state=state / "discord.sqlite3",
            port=port,
            forwarded=forwarded,
            shortcuts=make_shortcuts(),
            introduction=make_introduction(),
            locales=list_locales(),
        ) as address:
            click.echo(f"The playground is open at {' and '.join((address, *forwarded))} (Ctrl-C stops it).")
            if browser and _has_screen():
                webbrowser.open(address)
            await asyncio.get_running_loop().create_future()  # until the task is cancelled

    with end_on_error("The playground stops", (PlaygroundError, *CANNOT_START)):
        here = _change_settings(settings, state)
        start_logging(here)
        make_folder(state)
        run_until_stopped(serve(here))


def _change_settings(settings: Settings, state: Path) -> Settings:
    """Return the settings for the playground: no Discord token, and a database in the folder ``state``."""
    database = (state / "highscore.sqlite3").resolve()
    url = URL.create("sqlite+aiosqlite", database=database.as_posix()).render_as_string()
    # The real bot may be running on the same machine and use the metrics port.
    changed = {"discord_token": None, "database_url": SecretStr(url), "log_level": "WARNING", "metrics_port": None}
    return settings.model_copy(update=changed)


def make_shortcuts() -> "list[Shortcut]":
    from playground import Shortcut

    return [
        Shortcut(_label_in_all_languages(first_game_label), "highscore new", FIRST_GAME),
        Shortcut(_label_in_all_languages(learn_label), "highscore learn"),
    ]


def make_introduction() -> "Introduction":
    from playground import Introduction

    board = board_picture(game_view(lesson_position(2).game), ("Ada", "Bruno", "Clara"))
    return Introduction(_label_in_all_languages(pitch_text), board.draw(*board.view))


def list_locales() -> dict[str, str]:
    """Return the names of the bot's languages by Discord locale, English first. Each language has one locale."""
    spoken = {DEFAULT: Locale.american_english, "es": Locale.spain_spanish}
    for locale in Locale:
        spoken.setdefault(language_for(locale), locale)
    return {locale.value: language_name(language) for language, locale in spoken.items()}


def _label_in_all_languages(label: Callable[[], str]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for locale in Locale:
        with speaking_in(language_for(locale)):
            labels[locale.value] = label()
    return labels


def _has_screen() -> bool:
    """Return whether a browser window can open. Without a screen, ``webbrowser`` may start a text browser."""
    return sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
