"""Errors of the playground, each with the message that its user reads."""


class PlaygroundError(Exception):
    """The playground cannot start or continue. The message says what the user can do."""


class RefusedError(Exception):
    """A request of the page is refused. The message says why.

    The page translates ``said``, which is the English message with the names of ``values`` in braces.
    """

    def __init__(self, said: str, *, status: int = 400, **values: object) -> None:
        self.said = said
        self.values = {name: str(value) for name, value in values.items()}
        super().__init__(said.format(**self.values))
        self.status = status
