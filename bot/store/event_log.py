"""Events as they are stored: one text a committed move, a line an event (highscore.notation)."""

from collections.abc import Iterable, Iterator

from highscore.game import Event
from highscore.notation import format_event, parse_event


def to_lines(happened: Iterable[Event]) -> str:
    """What one committed move consisted of."""
    return "\n".join(map(format_event, happened))


def from_lines(moves: Iterable[str]) -> Iterator[Event]:
    """The events of moves in their order. Raises ValueError for a line that is no event."""
    return (parse_event(line) for lines in moves for line in lines.split("\n"))
