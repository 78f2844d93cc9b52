"""What a committed change announces. The end of ``HighScoreBot._make_workers`` lists who listens to what."""

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain.table import Table
from bot.store.table import DisplayLease
from highscore.events import Event

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableChanged:
    """A table was opened or changed."""

    after: Table
    before: Table | None = None
    """The table before the change; None if it is new."""
    events: Sequence[Event] = ()
    other: DisplayLease | None = None
    """The lease of another process that may be sending ``before``; None if there is none."""


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game was played to the end; its luck and skill are still to be worked out."""


@dataclass(frozen=True, slots=True)
class MessagesReplaced:
    """Messages in a channel are no longer needed and can be deleted."""


@dataclass(frozen=True, slots=True)
class CallsAdded:
    """Somebody is to be pinged, now or later."""


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """A lobby has changed that is also shown in other messages than its table's own."""


@dataclass(frozen=True, slots=True)
class CameBack:
    """A user's absence has ended."""


@dataclass(frozen=True, slots=True)
class CupChanged:
    """A cup was changed, so something may be due, or a message is to be sent or redrawn."""


Fact = TableChanged | GameFinished | MessagesReplaced | CallsAdded | LobbyChanged | CameBack | CupChanged
Listener = Callable[[Any], object]


class Facts:
    """Passes facts on to the functions that have subscribed to their kind."""

    def __init__(self) -> None:
        self._listeners: defaultdict[type[Fact], list[Listener]] = defaultdict(list)

    def subscribe(self, fact: type[Fact], *listeners: Listener) -> None:
        """Call these, in this order and after earlier subscribers, with every fact of a kind."""
        self._listeners[fact] += listeners

    def publish(self, *facts: Fact) -> None:
        """Call the listeners to each fact, in order, before the caller goes on.

        The change is committed, so an error of a listener is logged and does not reach the caller.
        """
        for fact in facts:
            for listener in self._listeners[type(fact)]:
                try:
                    listener(fact)
                except Exception:
                    log.exception("a listener failed to handle %s", type(fact).__name__)
