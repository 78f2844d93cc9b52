"""Fixture that fails tests on logged errors; each conftest that wants it imports it."""

import logging
from collections.abc import Iterator

import pytest


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def error_log() -> Iterator[list[logging.LogRecord]]:
    """Collect logged errors. A test that expects some takes them off the list; any that is left fails it.

    discord.py only logs what a button raises, so without this a broken button would pass its test.
    """
    handler = _Errors()
    logging.getLogger().addHandler(handler)
    try:
        yield handler.records
    finally:
        logging.getLogger().removeHandler(handler)
    if handler.records:
        formatter = logging.Formatter("%(name)s: %(message)s")
        pytest.fail("logged as errors:\n" + "\n".join(map(formatter.format, handler.records)))
