"""What the playground says when it cannot do what was asked."""

from __future__ import annotations


class PlaygroundError(Exception):
    """The playground cannot start or go on; the message tells its user what to do."""


class RefusedError(Exception):
    """A request of the page that cannot be carried out, with the sentence its user reads."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        super().__init__(message)
        self.status = status
