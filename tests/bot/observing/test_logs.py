import asyncio
import logging
import re

import pytest

from bot.observing.logs import HIDDEN, LogFormat, add_log_fields, report_unhandled, without_log_fields
from tests.bot.observing.logged import logged, plain

TOKEN = "MTIz.abc.a-token"
NAME = "Quittenlikör"
log = logging.getLogger("bot.test")


def raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as caught:
        return caught


FORMS: list[LogFormat] = ["text", "json"]


def test_a_line_of_text_says_when_how_bad_who_what_and_about_which_game() -> None:
    with logged() as lines:
        with without_log_fields():
            add_log_fields(user=5, guild=2**60, game="5f0c9a17e2b4")
            log.warning("table %s is late", "5f0c9a17e2b4")
        log.info("nothing special")
    first, second = lines.lines
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARNING bot\.test: table 5f0c9a17e2b4 is late"
        r" \[game=5f0c9a17e2b4 guild=1152921504606846976 user=5\]",
        first,
    )
    assert second.endswith("Z INFO    bot.test: nothing special")


def test_a_line_of_json_is_an_object_with_the_ids_as_strings() -> None:
    with logged(form="json") as lines, without_log_fields():
        add_log_fields(guild=2**60, game="5f0c9a17e2b4")
        log.warning("table %s is late", "5f0c9a17e2b4")
    (line,) = lines.objects
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "WARNING",
        "logger": "bot.test",
        "message": "table 5f0c9a17e2b4 is late",
        "game": "5f0c9a17e2b4",
        # Larger than a double is exact: many a program would read another id.
        "guild": "1152921504606846976",
    }


@pytest.mark.parametrize("form", FORMS)
def test_exceptions_are_told_without_what_they_quote(form: LogFormat, error_log: list[logging.LogRecord]) -> None:
    with logged(form=form) as lines:
        error = raised(KeyError(NAME))
        log.warning("that failed: %s", error)
        log.error("and this", exc_info=error)
    error_log.clear()
    assert NAME not in lines.text
    assert "that failed: KeyError" in lines.text
    assert "in raised" in lines.text
    assert form == "text" or lines.objects[1]["exception"].endswith("KeyError")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("url", "password"),
    [
        ("postgresql://bot:hunter2@db/games", "hunter2"),
        ("postgresql://bot:p%40ss%2Fw@db/games", "p@ss/w"),
        ("postgresql://bot:p%40ss%2Fw@db/games", "p%40ss%2Fw"),
    ],
)
def test_secrets_are_taken_out_wherever_they_turn_up(
    form: LogFormat, url: str, password: str, error_log: list[logging.LogRecord]
) -> None:
    with logged(plain(discord_token=TOKEN, database_url=url), form=form) as lines:
        log.info("the token is %s, the password is %s", TOKEN, password)
        error = raised(RuntimeError(f"cannot log in with {TOKEN}, {password}"))
        log.error("failed: %s", error, exc_info=error)
    error_log.clear()
    assert TOKEN not in lines.text
    assert password not in lines.text
    assert lines.text.count(HIDDEN) == 6


def test_a_clicks_token_in_a_url_is_taken_out() -> None:
    with logged() as lines:
        log.info("Connection timeout to host https://discord.com/api/v10/interactions/123/aW50ZXJ.x-_y/callback")
        log.info("https://discord.com/api/v10/webhooks/99/aW50ZXJ/messages/@original")
    assert "aW50ZXJ" not in lines.text
    assert "/interactions/123/***/callback" in lines.text
    assert "/webhooks/99/***/messages/@original" in lines.text


async def test_what_no_task_has_caught_is_logged_without_its_words(error_log: list[logging.LogRecord]) -> None:
    async def fails() -> None:
        raise ValueError(NAME)

    report_unhandled(asyncio.get_running_loop())
    with logged() as lines:
        task = asyncio.create_task(fails(), name="a task")
        await asyncio.wait({task})
        del task
        await asyncio.sleep(0)
    assert "an error in a task was not handled: Task exception was never retrieved" in lines.text
    assert "ValueError" in lines.text
    assert NAME not in lines.text
    error_log.clear()
