"""The ids that every line of the log carries: its game, server and interaction.

The ids are kept in a context variable, so every module's lines have them. A task inherits the ids of the task that
starts it; a task that outlives that one, or works on something else, sets its own with ``set_log_fields``.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

FIELDS = ("game", "guild", "channel", "interaction", "user", "command")
"""All fields, in the order of the log: ids and names of commands, nothing that people wrote."""

Value = int | str | None

_NOTHING: Mapping[str, int | str] = {}
_work: ContextVar[Mapping[str, int | str]] = ContextVar("work", default=_NOTHING)


def current_fields() -> Mapping[str, int | str]:
    return _work.get()


def set_log_fields(**fields: Value) -> None:
    """Replace the fields of the current task."""
    _work.set(_NOTHING)
    add_log_fields(**fields)


def add_log_fields(**fields: Value) -> None:
    _work.set({**_work.get(), **{name: value for name, value in fields.items() if value is not None}})


@contextmanager
def without_log_fields() -> Iterator[None]:
    """Leave all fields out until the block ends, for lines that must not name a person. Fields it adds end with it."""
    token = _work.set(_NOTHING)
    try:
        yield
    finally:
        _work.reset(token)
