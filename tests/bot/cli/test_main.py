import subprocess
import sys

import click
import pytest

from bot.cli import COMMANDS, main
from highscore import __version__
from tests.bot.cli import commands, process


def test_python_m_bot_is_the_command() -> None:
    command = [sys.executable, "-m", "bot", "--help"]
    done = subprocess.run(command, env=process.environment({}), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: highscore-bot [OPTIONS] COMMAND")
    assert all(f"\n  {command} " in done.stdout for command in COMMANDS)
    assert len(COMMANDS) == 10
    assert commands.invoke("--version").output == f"highscore-bot, version {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_and_an_unknown_one_is_refused(command: str) -> None:
    result = commands.invoke(command, "--help")
    assert result.exit_code == 0
    described = main.get_command(click.Context(main), command)
    assert described is not None
    assert described.get_short_help_str(200) == COMMANDS[command], "the list of --help is written without importing it"
    assert result.output.startswith(f"Usage: main {command}")
    result = commands.invoke(f"{command}ing")
    assert result.exit_code == 2
    assert f"No such command '{command}ing'" in result.stderr
