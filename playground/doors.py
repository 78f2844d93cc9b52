"""What somebody sees who opens the page for the first time: what the bot is for, and buttons that call a command."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Door:
    """A button above an empty channel, which calls a command of the bot's."""

    labels: Mapping[str, str]
    """The button's text, by Discord's name of a language; English, `en-US`, is among them."""
    command: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def json(self, locale: str) -> dict[str, Any]:
        """Return the button as the page shows it to somebody with this language."""
        label = self.labels.get(locale, self.labels["en-US"])
        return {"label": label, "command": self.command, "options": dict(self.options)}


@dataclass(frozen=True, slots=True)
class Pitch:
    """What the bot is for, in a sentence and a picture."""

    sentences: Mapping[str, str]
    """The sentence, by Discord's name of a language; English, `en-US`, is among them."""
    picture: bytes
    """A PNG. The page has no words for it, so it shows nothing that the sentence or the bot does not say."""
