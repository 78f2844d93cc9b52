"""A table: one game with its people, as the services hand it to the pictures. Knows no database and no Discord."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Self

from bot.domain.pace import Pace
from bot.domain.timing import NO_TIMING, News, Timing
from highscore.deck import Deck
from highscore.fairness import Source
from highscore.game import Game
from highscore.sight import seen_by
from highscore.turn_order import TurnOrder

MAX_SEATS = TurnOrder.CLOCKWISE.players[-1]
MIN_PLAYERS = TurnOrder.CLOCKWISE.players[0]
MAX_LUCKY_WORD = 32
"""The longest lucky word, in characters."""
OPENING, FIRST_TURN = 1, 2
"""Pages of a table."""


class Status(Enum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"

    @property
    def open(self) -> bool:
        """Whether people still sit here: these tables count towards a channel's limit."""
        return self in (Status.LOBBY, Status.PLAYING)


@dataclass(frozen=True, slots=True)
class Options:
    """How a table is played, fixed when it is opened."""

    pace: Pace = Pace.DAY
    allowed_seconds: int = 2 * 3600
    """For a turn, in open order for a round, in own pace for the game."""
    hold_seconds: int = 15 * 60
    """In open order: for holding the dice."""
    hints: bool = True
    """Whether players may ask for the odds while they play."""
    pictures: bool = True
    """Whether the table is shown as a picture too; without, everything is told in text."""
    newcomers: tuple[int, ...] = ()
    """Users who had never finished a game when they sat down: they get a line of help."""
    starts_when_full: bool = False
    """Whether the game begins by itself when the last seat is taken."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at a table."""

    user_id: int | None
    """None for a house player; negative for a former player, whose data was deleted."""
    name: str
    """As the server showed it when they sat down; a house player's is one that nobody else of the house has here."""
    lucky_word: str = ""
    house: str | None = None
    """Which temperament plays this seat, if the house does: a house player's, or in place of an absent person."""
    left: bool = False
    """Whether the person has left the game for good; the house plays on for them."""
    misses: int = 0
    """Turns in a row that the house had to play because the time was up."""
    hints: int = 0
    """Hints used in this game."""
    invited: bool = False
    """Whether the seat is reserved at a rematch: its player has not pressed *Join* yet."""

    @property
    def former(self) -> bool:
        """Whether somebody sat here whose data was deleted since; nobody knows who."""
        return self.user_id is not None and self.user_id < 0

    @property
    def present(self) -> bool:
        """Whether a person sits here who has not left."""
        return self.user_id is not None and not self.left and not self.invited


@dataclass(frozen=True, slots=True)
class Table:
    """Everything there is to show and to decide about one table. Immutable."""

    id: str
    """Public; 12 hexadecimal digits."""
    guild_id: int
    channel_id: int
    host_id: int
    status: Status
    version: int
    """Grows by one with every committed change."""
    locale: str
    """The language of what the whole channel sees."""
    max_seats: int
    turn_order: TurnOrder
    deck: Deck
    seats: tuple[Seat, ...]
    seed: bytes = field(repr=False)
    """Secret until the game is over."""
    game: Game | None
    """None in the lobby."""
    seal: str = ""
    """Of the seed, made when the table was opened and only read since, so that another seed would not have it."""
    message_id: int | None = None
    """The message that shows the table now; None when none was delivered yet."""
    shown_version: int = -1
    """The newest version that was delivered."""
    shown_page: int = -1
    """The page that the message shows, see ``page``."""
    options: Options = Options()
    timing: Timing = NO_TIMING
    news: tuple[News, ...] = ()
    """What happened at the table since its last page."""
    words_digest: str | None = None
    """The digest of the lucky words as they were when the game was started."""
    opening_id: int | None = None
    """The message that opened the game: its id goes into the dice, so nothing is drawn before there is one."""

    @property
    def source(self) -> Source:
        """Where the dice of this game come from; complete once everybody has sat down."""
        words = tuple(seat.lucky_word for seat in self.seats)
        return Source(self.seed, self.id, words, self.words_digest, self.opening_id)

    @property
    def opening(self) -> bool:
        """Whether the game was started, but the message that opens it is not known to be in the channel."""
        return self.status is Status.PLAYING and self.opening_id is None

    @property
    def page(self) -> int:
        """Which message the table is on: 0 the lobby, 1 the opening, then a new one each turn and one for the end.

        In own pace there is one message instead of those of the turns.
        """
        if self.game is None:
            return 0
        if self.opening:
            return OPENING
        if not self.turn_order.shared:
            return FIRST_TURN + self.game.over
        finished = sum(len(done.turns) for done in self.game.finished)
        return FIRST_TURN + finished + len(self.game.played) + (1 if self.game.abandoned else 0)

    @property
    def people(self) -> tuple[int, ...]:
        """The users who sit at the table and have not left it, in seat order."""
        return tuple(seat.user_id for seat in self.seats if seat.present and seat.user_id is not None)

    @property
    def counts(self) -> bool:
        """Whether it counts towards its channel's limit: not while it sleeps, nor where nobody waits for anybody."""
        return self.turn_order.shared and self.timing.asleep_until is None

    @property
    def span(self) -> int:
        """What one deadline, and one reminder, is for: the turn (its page), or in open order the round (negative)."""
        if self.game is None or self.turn_order is not TurnOrder.OPEN:
            return self.page
        return -self.game.round

    def seen_by(self, seat: int | None) -> Self:
        """The table with nothing in it that a seat (None: anybody else) may not see of the game (R9.5)."""
        return self if self.game is None else replace(self, game=seen_by(self.game, seat))

    @property
    def owed(self) -> bool:
        """Whether something was committed that the channel has not been shown."""
        return self.shown_version < self.version

    def seat_of(self, user_id: int) -> int | None:
        """The seat of a user, 0 to 4, or None for a spectator."""
        return next((at for at, seat in enumerate(self.seats) if seat.user_id == user_id), None)

    def sits(self, user_id: int) -> bool:
        """Whether a user has a seat, and not only a reserved one."""
        at = self.seat_of(user_id)
        return at is not None and not self.seats[at].invited

    @property
    def taken(self) -> tuple[Seat, ...]:
        """The seats that are not only reserved."""
        return tuple(seat for seat in self.seats if not seat.invited)

    def with_seat(self, at: int, **changes: Any) -> Self:
        """The table with something about one seat changed."""
        return replace(self, seats=(*self.seats[:at], replace(self.seats[at], **changes), *self.seats[at + 1 :]))
