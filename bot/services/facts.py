"""Facts that are published after a commit. The end of ``HighScoreBot._make_workers`` lists who listens to which."""

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
    after: Table
    before: Table | None = None
    """The table before the change; None if it is new."""
    events: Sequence[Event] = ()
    other: DisplayLease | None = None
    """The lease of another process that may be sending ``before`` right now, or None."""


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game was played to its end. Its luck and skill are still to be computed."""


@dataclass(frozen=True, slots=True)
class MessagesReplaced:
    """Messages in a channel can be deleted."""


@dataclass(frozen=True, slots=True)
class CallsAdded:
    """There are new pings to send, now or later."""


@dataclass(frozen=True, slots=True)
class MessagesOutdated:
    """A message in addition to a table's own may have to be redrawn: the copy of a lobby in the parent channel, or the
    dares of a game."""


@dataclass(frozen=True, slots=True)
class CameBack:
    """A user's absence may have ended early."""


@dataclass(frozen=True, slots=True)
class CupChanged:
    """A cup may have changed, so something may be due, or a message may have to be sent or redrawn."""


Fact = TableChanged | GameFinished | MessagesReplaced | CallsAdded | MessagesOutdated | CameBack | CupChanged
Listener = Callable[[Any], object]


class Facts:
    def __init__(self) -> None:
        self._listeners: defaultdict[type[Fact], list[Listener]] = defaultdict(list)

    def subscribe(self, fact: type[Fact], *listeners: Listener) -> None:
        """Call these listeners with every fact of this kind, in this order and after earlier subscribers."""
        self._listeners[fact] += listeners

    def publish(self, *facts: Fact) -> None:
        """Call all listeners of each fact, in order.

        The change is already committed, so an error in a listener is logged and not raised.
        """
        for fact in facts:
            for listener in self._listeners[type(fact)]:
                try:
                    listener(fact)
                except Exception:
                    log.exception("the change is committed, but a listener failed to handle %s", type(fact).__name__)
