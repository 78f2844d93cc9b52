"""The text of an exception in the log.

An exception's type and traceback are always logged, its message only where that cannot quote a person. Libraries'
exceptions often quote: a driver the row it refused, Discord the request, a KeyError its key. So a message is logged
only for the types below, and for types that a room has registered with a function that makes a safe one.
"""

import traceback
from collections.abc import Callable, Iterator
from typing import TypeVar

from highscore.errors import HighScoreError

Error = TypeVar("Error", bound=BaseException)
_Describe = Callable[[BaseException], str]

_describers: dict[type[BaseException], _Describe] = {}


def describe_errors(kind: type[Error], describe: Callable[[Error], str] = str) -> None:
    """Use ``describe`` for the messages of a type of exception and its subtypes. An empty message is left out."""
    _describers[kind] = describe  # type: ignore[assignment]


# Errors of the network, files, the program, and our own about decks and moves: no message of theirs quotes a value.
for _safe in (OSError, AssertionError, AttributeError, ImportError, MemoryError, NameError, RuntimeError, TypeError):
    describe_errors(_safe)
describe_errors(ZeroDivisionError)
describe_errors(HighScoreError)


def safe_message(error: BaseException) -> str:
    """Describe an exception in one line that quotes nobody and no database row."""
    name = type(error).__name__
    describe = next((_describers[kind] for kind in type(error).__mro__ if kind in _describers), None)
    message = describe(error) if describe is not None else ""
    return f"{name}: {message}" if message else name


def safe_traceback(error: BaseException) -> str:
    """Format the traceback of an exception and of its causes, each with its safe message. No line break at the end."""
    return "".join(_parts(error, set())).rstrip("\n")


def _parts(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and id(cause) not in seen:
        yield from _parts(cause, seen)
        relation = "caused" if error.__cause__ is not None else "was being handled during"
        yield f"\nThe error above {relation} this one:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{safe_message(error)}\n"
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield "\nOne of the errors of this group:\n\n"
            yield from _parts(part, seen)
