"""The command itself."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bot.cli import main
from highscore import __version__
from tests.bot.cli.process import highscore_bot

COMMANDS = ("play", "run", "migrate", "doctor", "verify")


def test_python_m_bot_is_the_command() -> None:
    done = highscore_bot("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: highscore-bot [OPTIONS] COMMAND")
    assert all(f"\n  {command} " in done.stdout for command in COMMANDS)


def test_the_version_is_the_packages() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"highscore-bot, version {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {command}")


def test_an_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["dance"])
    assert result.exit_code == 2
    assert "No such command 'dance'" in result.stderr
