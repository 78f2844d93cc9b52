"""Errors of the playground, each with the sentence that its user reads."""


class PlaygroundError(Exception):
    """The playground cannot start or go on; the message tells its user what to do."""


class RefusedError(Exception):
    """A request of the page that cannot be carried out, with the sentence its user reads.

    The page says it in its reader's language, which it finds by ``said``: the sentence in English, with the names of
    ``values`` in braces.
    """

    def __init__(self, said: str, *, status: int = 400, **values: object) -> None:
        self.said = said
        self.values = {name: str(value) for name, value in values.items()}
        super().__init__(said.format(**self.values))
        self.status = status
