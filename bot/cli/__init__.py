"""The commands of ``highscore-bot``. Exit codes: 0 done, 1 a check failed, 2 something has to be set right first."""

import click

from bot.cli.backup import backup
from bot.cli.copy_database import copy_database
from bot.cli.doctor import doctor
from bot.cli.migrate import migrate
from bot.cli.odds import odds
from bot.cli.play import play
from bot.cli.rebuild import rebuild
from bot.cli.restore import restore
from bot.cli.run import run
from bot.cli.verify import verify
from highscore import __version__


@click.group()
@click.version_option(__version__, prog_name="highscore-bot")
def main() -> None:
    """Play High Score on Discord.

    Settings come from the environment or a file .env in the current folder; .env.example lists them.
    """


for command in (play, run, migrate, backup, restore, copy_database, rebuild, doctor, verify, odds):
    main.add_command(command)
