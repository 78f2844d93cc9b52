"""The fields a request of the page may contain, checked; a wrong one is refused with a sentence."""

from collections.abc import Mapping
from typing import Any

from playground.errors import RefusedError

_SNOWFLAKE_DIGITS = 20


class Fields:
    """The members of a JSON object."""

    def __init__(self, body: Any) -> None:
        if not isinstance(body, dict):
            raise RefusedError("The request has to be a JSON object.")
        self._body: Mapping[str, Any] = body

    def text(self, name: str, *, longest: int = 4000, empty: bool = False) -> str:
        value = self._body.get(name)
        if not isinstance(value, str):
            raise RefusedError("“{name}” has to be a text.", name=name)
        if not value.strip() and not empty:
            raise RefusedError("“{name}” must not be empty.", name=name)
        if len(value) > longest:
            raise RefusedError(
                "“{name}” is {length} characters long; {longest} is the most.",
                name=name,
                length=len(value),
                longest=longest,
            )
        return value

    def snowflake(self, name: str) -> int:
        """Return an id, which JavaScript has to carry as a string of digits."""
        return as_snowflake(name, self._body.get(name))

    def truth(self, name: str) -> bool:
        value = self._body.get(name)
        if not isinstance(value, bool):
            raise RefusedError("“{name}” has to be true or false.", name=name)
        return value

    def seconds(self, name: str, *, most: float) -> float:
        value = self._body.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
            raise RefusedError(
                "“{name}” has to be a number of seconds, more than 0 and at most {most}.", name=name, most=f"{most:.0f}"
            )
        return float(value)

    def texts(self, name: str, *, most: int = 25) -> list[str]:
        value = self._body.get(name)
        if not isinstance(value, list) or len(value) > most or not all(isinstance(one, str) for one in value):
            raise RefusedError("“{name}” has to be a list of at most {most} texts.", name=name, most=most)
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """Return a JSON object; an empty one when it is left out."""
        value = self._body.get(name, {})
        if not isinstance(value, dict):
            raise RefusedError("“{name}” has to be a JSON object.", name=name)
        return value


def as_snowflake(name: str, value: Any) -> int:
    """Return an id, which JavaScript has to carry as a string of digits."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= _SNOWFLAKE_DIGITS:
        return int(value)
    raise RefusedError("“{name}” has to be an id: a string of digits.", name=name)
