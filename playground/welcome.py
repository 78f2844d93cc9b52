"""What people see when they open the page for the first time: an introduction, and buttons that run a command."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A button at the top of a channel that runs one of the bot's commands."""

    labels: Mapping[str, str]
    """The text of the button by Discord locale, `en-US` included."""
    command: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def json(self, locale: str) -> dict[str, Any]:
        label = self.labels.get(locale, self.labels["en-US"])
        return {"label": label, "command": self.command, "options": dict(self.options)}


@dataclass(frozen=True, slots=True)
class Introduction:
    """Explains what the bot is, with a sentence and a picture."""

    sentences: Mapping[str, str]
    """The sentence by Discord locale, `en-US` included."""
    picture: bytes
    """A PNG file. It has no alt text, because the sentence and the bot say everything that it shows."""
