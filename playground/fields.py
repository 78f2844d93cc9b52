"""Reads and checks the fields of a request. An invalid field raises RefusedError."""

from collections.abc import Mapping
from typing import Any

from playground.errors import RefusedError

_SNOWFLAKE_DIGITS = 20


class Fields:
    """The members of a JSON object."""

    def __init__(self, body: Any) -> None:
        if not isinstance(body, dict):
            raise RefusedError("The request must be a JSON object.")
        self._body: Mapping[str, Any] = body

    def text(self, name: str, *, longest: int = 4000, empty: bool = False) -> str:
        value = self._body.get(name)
        if not isinstance(value, str):
            raise RefusedError("“{name}” must be text.", name=name)
        if not value.strip() and not empty:
            raise RefusedError("“{name}” must not be empty.", name=name)
        if len(value) > longest:
            raise RefusedError(
                "“{name}” has {length} characters. The limit is {longest}.",
                name=name,
                length=len(value),
                longest=longest,
            )
        return value

    def snowflake(self, name: str) -> int:
        return as_snowflake(name, self._body.get(name))

    def boolean(self, name: str) -> bool:
        value = self._body.get(name)
        if not isinstance(value, bool):
            raise RefusedError("“{name}” must be true or false.", name=name)
        return value

    def seconds(self, name: str, *, most: float) -> float:
        value = self._body.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
            raise RefusedError(
                "“{name}” must be a number of seconds above 0 and at most {most}.", name=name, most=f"{most:.0f}"
            )
        return float(value)

    def texts(self, name: str, *, most: int = 25) -> list[str]:
        value = self._body.get(name)
        if not isinstance(value, list) or len(value) > most or not all(isinstance(one, str) for one in value):
            raise RefusedError("“{name}” must be a list of at most {most} texts.", name=name, most=most)
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """Return a JSON object, which is empty if the field is missing."""
        value = self._body.get(name, {})
        if not isinstance(value, dict):
            raise RefusedError("“{name}” must be a JSON object.", name=name)
        return value


def as_snowflake(name: str, value: Any) -> int:
    """Parse an id. It has to be a string, because JavaScript's numbers cannot represent every id."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= _SNOWFLAKE_DIGITS:
        return int(value)
    raise RefusedError("“{name}” must be an ID, which is a string of digits.", name=name)
