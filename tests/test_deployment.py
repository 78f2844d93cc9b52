import json
import re
import runpy
import shlex
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest

from bot.cli import main
from bot.config import Settings
from bot.shutdown import KILLED_AFTER
from tests.bot.cli.process import environment, running
from tests.discord import TOKEN, Discord

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SERVICES = sorted(DEPLOY.glob("*.service"))
OTHERS = {"PATH", "HOME", "PYTHONPATH", "PYTHONUNBUFFERED"}
"""Variables that are not the bot's."""


@cache
def dockerfile() -> list[tuple[str, str]]:
    read = runpy.run_path(str(ROOT / ".ci" / "try-image"))["instructions"]
    found: list[tuple[str, str]] = read((DEPLOY / "Dockerfile").read_text("utf-8"))
    return found


def instruction(word: str) -> str:
    (found,) = [rest for name, rest in dockerfile() if name == word]
    return found


def compose() -> str:
    return (DEPLOY / "compose.yaml").read_text("utf-8")


def unit(path: Path) -> list[tuple[str, str]]:
    """List every setting of a unit in order; some may be there more than once."""
    pairs = [line.split("=", 1) for line in path.read_text("utf-8").splitlines() if re.match(r"\w+=", line)]
    return [(name, value) for name, value in pairs]


def value(path: Path, name: str) -> str:
    (found,) = [given for key, given in unit(path) if key == name]
    return found


def test_the_image_is_made_of_what_there_is_and_of_nothing_else() -> None:
    let_through = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    }
    copied = [shlex.split(rest)[:-1] for word, rest in dockerfile() if word == "COPY"]
    sources = {source for words in copied for source in words if not words[0].startswith("--from=")}
    assert sources == let_through
    assert all((ROOT / source).exists() for source in sources)


def test_a_simulated_discord_is_not_beside_the_token() -> None:
    (file,) = [shlex.split(rest)[0] for word, rest in dockerfile() if word == "COPY" and "requirements" in rest]
    assert any(f"--requirement /build/{file}" in rest for word, rest in dockerfile() if word == "RUN")
    assert "simcord" not in (ROOT / file).read_text("utf-8")
    assert not any("playground" in rest for word, rest in dockerfile() if word == "COPY")


def test_variables_are_settings() -> None:
    image = [pair.partition("=")[0] for word, rest in dockerfile() if word == "ENV" for pair in shlex.split(rest)]
    # In compose.yaml the bot's are indented below "environment", up to what is not.
    block = compose().split("    environment:\n")[1].split("    depends_on:")[0]
    composed = re.findall(r"^      ([A-Z_]+):", block, re.MULTILINE)
    units = [given.partition("=")[0] for path in SERVICES for name, given in unit(path) if name == "Environment"]
    known = {name.upper() for name in Settings.model_fields} | OTHERS | {"PIP_DISABLE_PIP_VERSION_CHECK"}
    assert {"DATABASE_URL", "METRICS_PORT"} <= set(composed)
    assert "DATABASE_URL" in units
    assert {name for name in (*image, *composed, *units) if not name.startswith("PIP_")} <= known


def health_check() -> list[str]:
    """Return the command of the image's health check, for this Python."""
    options, command = instruction("HEALTHCHECK").split("CMD ")
    assert "--start-period=" in options
    words: list[str] = json.loads(command)
    assert words[0] == "python"
    return [sys.executable, *words[1:]]


def well(port: str) -> bool:
    done = subprocess.run(
        health_check(), env=environment({"METRICS_PORT": port}), capture_output=True, timeout=30, check=False
    )
    return done.returncode == 0


def test_the_health_check_tells_a_bot_that_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Discord().running() as fake, running("run", fake=fake, DISCORD_TOKEN=TOKEN, METRICS_PORT="0") as bot:
        (port,) = re.findall(r"127\.0\.0\.1:(\d+)/metrics", bot.wait_for("metrics at http://"))
        bot.wait_for("playing in")
        assert well(port)
        assert bot.end(signal.SIGTERM, within=10) == 0
    assert not well(port)


def test_image_and_compose_file_agree_on_the_port() -> None:
    (port,) = re.findall(r'METRICS_PORT: "(\d+)"', compose())
    assert instruction("EXPOSE") == port
    assert any(f"METRICS_PORT={port}" in rest for word, rest in dockerfile() if word == "ENV")


def test_no_port_is_published_and_no_password_is_written_down() -> None:
    assert "ports:" not in compose()
    assert re.findall(r"PASSWORD: (?!\$\{)", compose()) == []


def test_a_stop_has_the_time_it_needs() -> None:
    (grace,) = re.findall(r"stop_grace_period: (\d+)s", compose())
    for seconds in (grace, value(DEPLOY / "highscore-bot.service", "TimeoutStopSec")):
        assert float(seconds) > KILLED_AFTER + 2


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_what_a_unit_starts_is_a_command_with_options_that_there_are(path: Path) -> None:
    program, name, *arguments = shlex.split(value(path, "ExecStart"))
    assert program == "/opt/highscore/bin/highscore-bot"
    command = main.get_command(click.Context(main), name)
    assert command is not None
    # Raises where an option or an argument is not known.
    assert isinstance(command.make_context(name, arguments), click.Context)
