"""What is stored as JSON in one column: how a field is written follows from its type."""

from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from bot.domain.server_settings import ServerSettings
from bot.domain.table import Options
from bot.domain.timing import News, Timing

Value = TypeVar("Value")


class StoredJson(Generic[Value]):
    """Values of one type as JSON. ``short`` leaves out what has its default."""

    def __init__(self, kind: Any, *, short: bool = False) -> None:
        self._adapter: TypeAdapter[Value] = TypeAdapter(kind)
        self._short = short

    def write(self, value: Value) -> str:
        """The text that is stored."""
        return self._adapter.dump_json(value, exclude_defaults=self._short).decode()

    def read(self, text: str) -> Value:
        """What ``write`` wrote; a field that is missing has its default. Raises ValueError for anything else."""
        return self._adapter.validate_json(text)


AVERAGES = StoredJson[tuple[float, ...]](tuple[float, ...])
NEWS = StoredJson[tuple[News, ...]](tuple[News, ...])
OPTIONS = StoredJson[Options](Options)
SETTINGS = StoredJson[ServerSettings](ServerSettings)
TIMING = StoredJson[Timing](Timing, short=True)
