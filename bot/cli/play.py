"""highscore-bot play: the playground, the same bot on a simulated Discord in the browser."""

import os
import sys
import webbrowser
from pathlib import Path

import click
from pydantic import SecretStr

from bot.app import HighScoreBot
from bot.cli.common import CANNOT_START, end, load_settings, reason, run_until_stopped, start_logging
from bot.store.sqlite_file import make_folder

DEFAULT_PORT = 8765


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
@click.option("--browser/--no-browser", default=True, help="Open the page in a browser.")
def play(state: Path, port: int, browser: bool) -> None:
    """Play in the browser on this machine, with no Discord account. Ctrl-C stops; the game goes on next time."""
    try:
        from playground import PlaygroundError, serve
    except ImportError as error:
        end(f"The playground needs the extra 'play' ({error.name} is missing): pip install 'highscore-bot[play]'")
    settings = load_settings()
    database = (state / "highscore.sqlite3").resolve()
    here = settings.model_copy(
        update={
            "discord_token": None,
            "database_url": SecretStr(f"sqlite+aiosqlite:///{database.as_posix()}"),
            "log_level": "WARNING",
            # The port is the real bot's, which may be running on the same machine.
            "metrics_port": None,
        }
    )

    def ready(address: str) -> None:
        click.echo(f"The playground is open at {address} (Ctrl-C stops it).")
        if browser and _has_screen():
            webbrowser.open(address)

    start_logging(here)
    try:
        make_folder(state)
        run_until_stopped(serve(lambda: HighScoreBot(here), state=state / "discord.sqlite3", port=port, ready=ready))
    except (PlaygroundError, *CANNOT_START) as error:
        end(f"The playground stops: {reason(error)}.")


def _has_screen() -> bool:
    """Whether a browser window can open; without a screen ``webbrowser`` may start a text browser in the terminal."""
    return sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
