"""The errors of the rules engine. Each message is a sentence that a player or a host can act on."""

from __future__ import annotations


class HighScoreError(ValueError):
    """Base of all errors of the engine."""


class NotationError(HighScoreError):
    """A text (dice, card, choice, turn, event) that does not follow its notation, or a stored state that is invalid."""


class CardError(HighScoreError):
    """A challenge card that the rules leave undefined (rules R4)."""


class DeckError(HighScoreError):
    """A deck, or a deck file, that cannot be used. The message names the file, the card and the reason."""


class IllegalChoice(HighScoreError):
    """Raised for a choice that the rules (R3) do not allow in this state. The state has not changed."""


class NotYourTurn(IllegalChoice):
    """Raised for a choice by a player who may not act now (R2.2, R9.1). The state has not changed."""


class GameOver(IllegalChoice):
    """Raised for a choice in a game that has ended. The state has not changed."""


class BadEvent(HighScoreError):
    """An event that is not possible in this state: the event log is damaged or out of order."""
