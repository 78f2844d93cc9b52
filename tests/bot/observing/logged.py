"""The log as an operator gets it, caught in a test."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import SecretStr

from bot.cli.common import start_logging
from bot.config import Settings
from bot.observing.logs import CHATTY, OURS, LogFormat, LogLevel

EVERY = ("", *OURS, *CHATTY, "sqlalchemy", "sqlalchemy.engine", "sqlalchemy.pool")
"""Loggers whose level a test may change; "" is the root's."""


class Log:
    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


@contextmanager
def logged(settings: Settings | None = None, level: LogLevel = "DEBUG", form: LogFormat = "text") -> Iterator[Log]:
    wanted = (settings or plain()).model_copy(update={"log_level": level, "log_format": form})
    before = {name: logging.getLogger(name).level for name in EVERY}
    stream = io.StringIO()
    handler = start_logging(wanted, stream)
    try:
        yield Log(stream)
    finally:
        logging.getLogger().removeHandler(handler)
        for name, number in before.items():
            logging.getLogger(name).setLevel(number)


def plain(**wanted: Any) -> Settings:
    defaults = {name: one.default for name, one in Settings.model_fields.items()}
    secret = {name: SecretStr(value) for name, value in wanted.items() if isinstance(value, str)}
    return Settings.model_construct(**{**defaults, **wanted, **secret})
