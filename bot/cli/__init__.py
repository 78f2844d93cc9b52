"""The commands of ``highscore-bot``.

Exit codes: 0 if the command has done its work, 1 if a check failed, 2 if the operator has to correct something first.
"""

import gc
import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from highscore import __version__

COMMANDS = {
    "backup": "Copy the database to FILE, also while the bot plays, and check the copy.",
    "copy-database": "Copy everything from one database to another, empty one.",
    "doctor": "Check settings, deck, database, token, commands and permissions, and print the invite link.",
    "migrate": "Bring the database to this version's schema (``run`` does it too).",
    "odds": "Compute the exact value of a position of a turn, and rank every choice.",
    "play": "Play in the browser on this machine, with no Discord account.",
    "rebuild": "Recompute results, standings, ratings and records from the event logs of all finished games.",
    "restore": "Replace the contents of the database by those of the backup FILE.",
    "run": "Connect to Discord and play, until Ctrl-C or SIGTERM.",
    "verify": "Check a game, daily challenge, leg of a cup, or the draws of a cup, by its sealed seed.",
}
"""The names of the commands, each with its line in ``--help``."""
_MODULES = {"restore": "backup", "migrate": "database", "rebuild": "database", "copy_database": "database"}
"""The modules of those commands whose module has another name than the command."""


class Commands(click.Group):
    """A group that imports a command only when it is used, because importing all of them would make ``--help`` slow."""

    def main(self, *args: Any, **options: Any) -> Any:
        # Write a character that the output's encoding lacks as \uXXXX. Otherwise it would end the command.
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            return super().main(*args, **options)
        except OSError as error:
            click.echo(f"The command has stopped, or its output could not be written: {error}.", err=True)
            raise SystemExit(1) from None
        finally:
            _drop_unwritable_output()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        # Garbage collection during the imports takes an eighth of their time and finds nothing. ``freeze`` excludes
        # what was imported from later collections, which would raise the 99th percentile of a press from 32 to 62 ms
        # (200 tables, 25 presses a second).
        gc.disable()
        command: click.Command = getattr(import_module(f"bot.cli.{_MODULES.get(name, name)}"), name)
        gc.freeze()
        gc.enable()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


def _drop_unwritable_output() -> None:
    """If output cannot be written, drop it. Otherwise Python would try again at its exit and print a traceback."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Commands)
@click.version_option(__version__, prog_name="highscore-bot")
def main() -> None:
    """Play High Score on Discord.

    Settings come from the environment or a file .env in the current folder; .env.example lists them.
    """
