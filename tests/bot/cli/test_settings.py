"""Settings, .env files and database URLs with anything in them: a sentence, or settings that work."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bot.cli.common import load_settings
from bot.config import Settings
from bot.store.database import Database, parse_url
from bot.store.errors import DatabaseError
from tests import hostile

fuzzed = hypothesis_settings(suppress_health_check=[*HealthCheck])
SECRETS = {name for name, one in Settings.model_fields.items() if "SecretStr" in str(one.annotation)}


def loaded(capsys: pytest.CaptureFixture[str]) -> str | None:
    """Return the sentence with which the program ends, or None where the settings are sound."""
    try:
        load_settings()
    except SystemExit as error:
        code = error.code
    else:
        return None
    assert code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "Traceback" not in printed.err
    return printed.err


@fuzzed
@given(
    name=st.sampled_from(sorted(Settings.model_fields)),
    value=st.one_of(hostile.TEXTS, st.sampled_from([*hostile.DIGITS, *map(str, hostile.HUGE), "nan", "inf", "-inf"])),
)
def test_a_setting_with_anything_in_it(name: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        os.environ[name.upper()] = value
    except ValueError:
        return  # No environment can hold it.
    try:
        sentence = loaded(capsys)
    finally:
        del os.environ[name.upper()]
    if sentence is not None:
        assert name.upper() in sentence or "SHARD" in sentence
        assert name not in SECRETS or len(value) < 8 or value not in sentence


@fuzzed
@given(content=st.one_of(st.binary(max_size=200), hostile.TEXTS.map(lambda text: text.encode("utf-8", "ignore"))))
def test_a_file_of_settings_with_anything_in_it(content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".env").write_bytes(content)
    sentence = loaded(capsys)
    assert sentence is None or ".env" in sentence


def test_settings_that_are_no_file_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Docker makes a folder where the file of a mount is missing."""
    Path(".env").mkdir()
    assert ".env is not a file, so no settings can be read from it" in str(loaded(capsys))
    Path(".env").rmdir()
    Path(".env").symlink_to("nowhere")
    assert ".env is not a file, so no settings can be read from it" in str(loaded(capsys))


PIECES = st.one_of(
    st.sampled_from(
        ["", "bot", "localhost", "127.0.0.1", "[::1]", "%40", "%00", "%", "%zz", "a@b", "a:b", "a/b", "games"]
    ),
    st.sampled_from([*hostile.DIGITS, *map(str, hostile.HUGE)]),
    hostile.TEXTS,
)
OPTIONS = st.lists(
    st.tuples(st.sampled_from(["ssl", "sslmode", "host", "port", "service", "password", "gsslib", "x"]), PIECES),
    max_size=3,
).map(lambda options: "&".join("=".join(option) for option in options))
URLS = st.one_of(
    st.tuples(
        st.sampled_from(["postgresql", "postgres", "postgresql+asyncpg", "mysql", "sqlite", ""]),
        *[PIECES] * 5,
        OPTIONS,
    ).map(lambda part: "{}://{}:{}@{}:{}/{}?{}".format(*part)),
    hostile.TEXTS,
)


@fuzzed
@given(text=URLS)
def test_a_database_url_with_anything_in_it(text: str) -> None:
    try:
        url = parse_url(text)
    except DatabaseError as error:
        sentence = str(error)
    else:
        if url.get_backend_name() == "postgresql":
            Database(url)  # connects to nothing yet
        return
    assert sentence.startswith("DATABASE_URL ")
