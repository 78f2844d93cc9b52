from pathlib import Path

import pytest
from click.testing import Result

from tests.bot.cli.commands import invoke, rows
from tests.bot.stocked import TABLES, stocked

FROM, TO = Path("from.sqlite3"), Path("to.sqlite3")
SOURCE, TARGET = f"sqlite:///{FROM}", f"sqlite:///{TO}"


def copy(source: str, target: str, **settings: str) -> Result:
    return invoke("copy-database", source, target, **settings)


def refused(result: Result, code: int = 2) -> str:
    assert result.exit_code == code
    return result.stderr.splitlines()[-1].removeprefix("Nothing was copied: ")


@pytest.fixture(autouse=True)
def stock_up() -> Path:
    return stocked(FROM)


def test_everything_is_copied_and_counted() -> None:
    result = copy(SOURCE, TARGET)
    assert (result.exit_code, result.stderr) == (0, "")
    assert rows(TO) == rows(FROM)
    lines = result.stdout.splitlines()
    assert f"games: {TABLES}" in lines
    assert lines[-1].startswith("Copied ")


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        (SOURCE, SOURCE, "FROM and TO are the same database."),
        (SOURCE, "sqlite:///./from.sqlite3", "FROM and TO are the same database."),
        (SOURCE, "env:NOWHERE", "TO is env:NOWHERE, but there is no NOWHERE in the environment or in .env."),
        ("env:", TARGET, "FROM is env:, but there is no  in the environment or in .env."),
        ("sqlite:///nothing.sqlite3", TARGET, "there is no database at nothing.sqlite3."),
        ("hunter2", TARGET, "FROM cannot be parsed; write it like sqlite"),
        (SOURCE, "mysql://bot:hunter2@localhost/games", "TO names the database 'mysql'; "),
        (
            "postgresql://bob:hunter2@127.0.0.1/games",
            "postgresql+asyncpg://eve:hunter2@127.0.0.1:5432/games",
            "FROM and TO are the same database.",
        ),
    ],
)
def test_what_cannot_be_copied_is_said_in_a_sentence(source: str, target: str, sentence: str) -> None:
    assert refused(copy(source, target)).startswith(sentence)
    assert [path.name for path in Path().iterdir()] == [FROM.name]


def test_a_server_that_cannot_be_reached_is_said_without_its_password() -> None:
    result = copy(SOURCE, "postgresql://bob:hunter2@127.0.0.1:1/games")
    assert "Connect call failed" in refused(result)
    assert "the password in that URL" in result.stderr
    assert "the password in that URL" not in copy(SOURCE, "env:NEW", NEW="postgresql://b:hunter2@127.0.0.1:1/g").stderr
