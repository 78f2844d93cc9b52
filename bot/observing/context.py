"""What is being worked on: the ids that every line of the log carries.

A context variable, so that whatever is logged on the way, by whatever module, says which game, server and click it was
about. Tasks inherit it from whoever starts them. So a task that lives on after that, or that looks after something
else, begins with ``work_on``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

FIELDS = ("game", "guild", "channel", "interaction", "user", "shard", "command")
"""Every field there is, in the order in which the log has them. Ids and the names of commands; nothing people wrote."""

Value = int | str | None

_NOTHING: Mapping[str, int | str] = {}
_work: ContextVar[Mapping[str, int | str]] = ContextVar("work", default=_NOTHING)


def current() -> Mapping[str, int | str]:
    """The fields that are known here and now."""
    return _work.get()


def work_on(**fields: Value) -> None:
    """From now on the current task is about this and nothing else."""
    _work.set(_known(_NOTHING, fields))


def also(**fields: Value) -> None:
    """More is known about what the current task is about."""
    _work.set(_known(_work.get(), fields))


@contextmanager
def working_on(**fields: Value) -> Iterator[None]:
    """Everything inside is about this, too."""
    token = _work.set(_known(_work.get(), fields))
    try:
        yield
    finally:
        _work.reset(token)


@contextmanager
def nobody() -> Iterator[None]:
    """Inside, nothing says whom it is about: for what must not be told of a person."""
    token = _work.set(_NOTHING)
    try:
        yield
    finally:
        _work.reset(token)


def _known(before: Mapping[str, int | str], fields: Mapping[str, Value]) -> Mapping[str, int | str]:
    return {**before, **{name: value for name, value in fields.items() if value is not None}}
