"""A table: one game with its people, as the services hand it to the pictures. Knows no database and no Discord."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Self

from bot.domain.pace import Pace
from bot.domain.pages import FIRST_TURN, OPENING, TurnPage, page_of, read_page
from bot.domain.timing import NO_TIMING, News, Timing
from highscore.deck import Deck
from highscore.fairness import Source
from highscore.game import Game
from highscore.sight import hide_unseen
from highscore.turn_order import TurnOrder

MAX_SEATS = TurnOrder.CLOCKWISE.players[-1]
MIN_PLAYERS = TurnOrder.CLOCKWISE.players[0]
MAX_LUCKY_WORD = 32
"""The longest lucky word, in characters."""


class Status(Enum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"

    @property
    def open(self) -> bool:
        """Whether people still sit here."""
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
    starts_when_full: bool = False
    """Whether the game begins by itself when the last seat is taken."""
    may_call: bool = False
    """Whether players may be called: the server has a role for that, and it was not called to this table yet."""


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
    newcomer: bool = False
    """Whether they had never finished a game when they sat down: they get a line of help."""
    invited: bool = False
    """Whether the seat is only kept, for somebody invited or at a rematch: they have not pressed *Join* yet."""
    uncalled: bool = False
    """Whether nobody calls them to the seat that is kept, for a reason that is theirs alone to know."""
    gives_up: bool | None = None
    """Whether the player agrees that the game is cancelled, or as its host asks for that; None for no answer (R9.7)."""
    away_until: datetime | None = None
    """Until when its player is away, as they have said, unless they come back before."""
    counts: bool = True
    """Whether the game counts for its player, as one of the first of their day (R9.6); known when it begins."""

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
    """Grows by one with every committed change that makes the buttons stale."""
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
    picture: int = 0
    """Grows by one with every committed change of what the message tells: with the version, or a moment moves."""
    shown_picture: int = -1
    """The newest picture that was delivered."""
    shown_page: int = -1
    """The page that the message shows, see ``page``."""
    page_since: int = 0
    """The version with which the table came to its page: what shows an older one shows an earlier page."""
    log: tuple[int, ...] = ()
    """The messages of the records, one a round (in own pace: of the progress, when the game is over). They stay."""
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
        """Where the table is: 0 the lobby, 1 the opening, then its turns, records and end, see ``domain.pages``."""
        if self.game is None:
            return 0
        return OPENING if self.opening else page_of(self.game)

    @property
    def rounds(self) -> int:
        """How many rounds of the game are complete."""
        return 0 if self.game is None else len(self.game.finished)

    @property
    def kept(self) -> frozenset[int]:
        """The messages that stay in the channel: what opened the game, and the records of its rounds."""
        return frozenset(one for one in (self.opening_id, *self.log) if one is not None)

    @property
    def lobby(self) -> tuple[object, ...]:
        """What a lobby tells of the table; from the start of the game on only where that is in its life."""
        if self.status is not Status.LOBBY:
            return (self.status,)
        until = self.timing.deadline, self.timing.kept_until
        return self.status, self.host_id, self.seats, self.turn_order, self.options, *until

    def shows_round(self, page: int) -> bool:
        """Return whether the table's message shows a turn of the round of a page, and is not its record yet."""
        if self.game is None:
            return False
        shown, other = read_page(self.game, self.shown_page), read_page(self.game, page)
        return isinstance(shown, TurnPage) and other is not None and shown.round == other.round

    @property
    def people(self) -> tuple[int, ...]:
        """The users who sit at the table and have not left it, in seat order."""
        return tuple(seat.user_id for seat in self.seats if seat.present and seat.user_id is not None)

    @property
    def counts(self) -> bool:
        """Whether it counts towards its channel's limit: not while it sleeps, nor while all play at their own pace."""
        return self.status is Status.LOBBY or (self.turn_order.shared and self.timing.asleep_until is None)

    @property
    def span(self) -> int:
        """What one deadline, and one reminder, is for: the turn (its page), or in open order the round (negative)."""
        if self.game is None or self.turn_order is not TurnOrder.OPEN:
            return self.page
        return -self.game.round

    @property
    def invited(self) -> tuple[int, ...]:
        """The users whose seats are only kept for them."""
        return tuple(seat.user_id for seat in self.seats if seat.invited and seat.user_id is not None)

    @property
    def begins_when_all_join(self) -> bool:
        """Whether seats are reserved for a rematch, which begins by itself when all have joined. Invited are others:
        the host of a new table starts it."""
        return bool(self.invited) and self.timing.kept_until is None

    @property
    def uncalled(self) -> tuple[int, ...]:
        """The users among the invited whom nobody calls."""
        return tuple(seat.user_id for seat in self.seats if seat.uncalled and seat.user_id is not None)

    @property
    def free_seats(self) -> int:
        """How many more people may sit down; a kept seat is not free."""
        return self.max_seats - len(self.seats)

    def seen_by(self, seat: int | None) -> Self:
        """The table with nothing in it that a seat (None: anybody else) may not see of the game (R9.5)."""
        seen = None if self.game is None else hide_unseen(self.game, seat)
        return self if seen is self.game else replace(self, game=seen)

    @property
    def owed(self) -> bool:
        """Whether something was committed that the channel has not been shown."""
        return self.shown_picture < self.picture

    def only_progress_since(self, before: "Table") -> bool:
        """Whether all that has happened publicly is that runs in own pace have gone on, which may be shown later."""
        if self.turn_order.shared or self.page != FIRST_TURN:
            return False
        now = self.timing
        timing = replace(before.timing, house_at=now.house_at, pressed=now.pressed, last_presses=now.last_presses)
        seats = tuple(replace(seat, hints=other.hints) for seat, other in zip(before.seats, self.seats, strict=True))
        went_on = replace(before, game=self.game, seats=seats, timing=timing)
        return self == replace(went_on, version=self.version, picture=self.picture)

    def seat_of(self, user_id: int) -> int | None:
        """The seat of a user, 0 to 4, or None for a spectator."""
        return next((at for at, seat in enumerate(self.seats) if seat.user_id == user_id), None)

    def sits(self, user_id: int) -> bool:
        """Whether a user has a seat, and not only a reserved one."""
        at = self.seat_of(user_id)
        return at is not None and not self.seats[at].invited

    def house_plays(self, seat: int) -> bool:
        """Whether the house plays a seat as its turn comes: a player of its own, or in place of somebody absent.

        In own pace nobody waits for the turns of whoever is away.
        """
        sitting = self.seats[seat]
        return sitting.house is not None or (sitting.away_until is not None and self.turn_order.shared)

    def away(self, user_id: int) -> bool:
        """Whether a user has said that they are away; then nothing is sent to them."""
        at = self.seat_of(user_id)
        return at is not None and self.seats[at].away_until is not None

    @property
    def taken(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if not seat.invited)

    @property
    def starts_now(self) -> bool:
        """Whether the last seat is taken of a table that starts by itself then."""
        return self.options.starts_when_full and len(self.taken) == self.max_seats

    def without(self, gone: Collection[int]) -> Self:
        """The lobby without some seats; what is told of the others goes with them."""
        left = [at for at in range(len(self.seats)) if at not in gone]
        news = tuple(replace(one, seat=left.index(one.seat)) for one in self.news if one.seat in left)
        return replace(self, seats=tuple(self.seats[at] for at in left), news=news)

    def without_invited(self) -> Self:
        return self.without([at for at, seat in enumerate(self.seats) if seat.invited])

    def with_seat(self, at: int, **changes: Any) -> Self:
        return replace(self, seats=(*self.seats[:at], replace(self.seats[at], **changes), *self.seats[at + 1 :]))
