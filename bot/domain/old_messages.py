"""Messages that are to be deleted."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OldMessage:
    """A message that is to be deleted: a page that other pages have followed, or a reminder of a turn that is over."""

    message_id: int
    channel_id: int
    game_id: str
    due_at: datetime | None = None
    """The moment from which the message may be deleted; None while it calls somebody who has not acted since."""
    delete_until: datetime | None = None
    """The end of a process's lease on deleting the message."""
