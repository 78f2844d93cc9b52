"""A table: one game with its people, as the services hand it to the screens."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Self

from bot.domain.practised import knows_card, note_cards
from bot.domain.screens import FIRST_TURN, LOBBY, OPENING, TurnScreen, read_screen, screen_of
from bot.domain.timing import NO_TIMING, News, NewsKind, Pace, Timing
from highscore.cards import Card
from highscore.deck import Deck
from highscore.fairness import Source
from highscore.game import Game, hide_unseen
from highscore.turn_order import TurnOrder

MAX_SEATS = TurnOrder.CLOCKWISE.players[-1]
MIN_PLAYERS = TurnOrder.CLOCKWISE.players[0]
MAX_LUCKY_WORD = 32


class Status(Enum):
    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"

    @property
    def open(self) -> bool:
        """True while people sit at the table."""
        return self in (Status.LOBBY, Status.PLAYING)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a table, fixed when it is opened."""

    pace: Pace = Pace.DAY
    allowed_seconds: int = 2 * 3600
    """The time for a turn, in open order for a round, in own pace for the game."""
    hold_seconds: int = 15 * 60
    """The time for holding the dice in open order."""
    hints: bool = True
    """True if players may ask for the odds during the game."""
    pictures: bool = True
    """True if the table is shown as a picture; otherwise everything is told in text."""
    starts_when_full: bool = False
    """True if the game begins by itself when the last seat is taken."""
    may_call: bool = False
    """True if players may be called: the server has a role for that, which was not called to this table yet."""


@dataclass(frozen=True, slots=True)
class Seat:
    user_id: int | None
    """None for a house player; negative for a former player, whose data was deleted."""
    name: str
    """The name in the server when the person sat down; house players of one table have different names."""
    lucky_word: str = ""
    house: str | None = None
    """The temperament with which the house plays this seat, for itself or for an absent person; None if it does not."""
    left: bool = False
    """True if the person has left the game for good; the house plays on in this seat."""
    misses: int = 0
    """The turns in a row that the house had to play because the time was up."""
    hints: int = 0
    practised: str = ""
    """The scorings and roll types that the person had played on this server before (``domain.practised``)."""
    invited: bool = False
    """True if the seat is only kept for a person, invited or at a rematch, who has not pressed *Join* yet."""
    uncalled: bool = False
    """True if nobody calls the person to the kept seat; the reason is private."""
    gives_up: bool | None = None
    """True if the player agrees to cancel the game, or asks for it as the host; False if they declined (R9.7)."""
    away_until: datetime | None = None
    """The end of the absence that the player has announced; None for a player who is not away."""
    counts: bool = True
    """True if the game counts for its player (R9.6), which is decided when it starts."""
    erased: bool = False
    """True if the data of the player was deleted during the game, so that nobody is compared with them (R9.6)."""

    @property
    def former(self) -> bool:
        """True if the data of the person was deleted since; nobody knows who it was."""
        return self.user_id is not None and self.user_id < 0

    @property
    def newcomer(self) -> bool:
        """True if the person had finished no turn on this server before."""
        return self.present and not self.former and not self.practised

    @property
    def present(self) -> bool:
        """True if a person sits here who has not left."""
        return self.user_id is not None and not self.left and not self.invited


@dataclass(frozen=True, slots=True)
class Table:
    """One game with its people, settings and moments. Immutable."""

    id: str
    """12 hexadecimal digits. Public."""
    guild_id: int
    channel_id: int
    host_id: int
    status: Status
    version: int
    """Incremented whenever existing buttons must stop working."""
    locale: str
    """The language of public messages."""
    max_seats: int
    turn_order: TurnOrder
    deck: Deck
    seats: tuple[Seat, ...]
    seed: bytes = field(repr=False)
    """The seed of all dice and cards, secret until the game is over."""
    game: Game | None
    """None in the lobby."""
    seal: str = ""
    """The seal of the seed, made when the table was opened and only read since: a changed seed would not match."""
    message_id: int | None = None
    """The message that shows the table now; None when none was delivered yet."""
    content_version: int = 0
    """Incremented whenever the message must show something else: with ``version``, or when a visible time changes."""
    shown_content_version: int = -1
    """The newest content version that Discord has acknowledged; -1 before the first."""
    shown_screen: int = -1
    """The screen that the message shows; -1 before the first."""
    screen_since: int = 0
    """The version with which the table got to its screen. A message with older buttons shows an earlier screen."""
    log: tuple[int, ...] = ()
    """The messages of the records, which stay: one a round; in own pace one, when the game is over."""
    options: Options = Options()
    timing: Timing = NO_TIMING
    news: tuple[News, ...] = ()
    """The news of the table since its last screen."""
    words_digest: str | None = None
    """The digest of the lucky words at the start of the game."""
    opening_id: int | None = None
    """The message that opened the game. Its id goes into the dice, so nothing is drawn before it is there."""
    day_ends_at: datetime | None = None
    """The end of the server's day on which the game started; None if the game counts for nobody (R9.6)."""

    @property
    def source(self) -> Source:
        """The source of the dice of this game; complete when everybody has sat down."""
        words = tuple(seat.lucky_word for seat in self.seats)
        return Source(self.seed, self.id, words, self.words_digest, self.opening_id)

    @property
    def awaits_opening(self) -> bool:
        """True if the game was started, but the message that opens it is not known to be in the channel."""
        return self.status is Status.PLAYING and self.opening_id is None

    @property
    def screen(self) -> int:
        """The number of the screen that the table should show, see ``domain.screens``."""
        if self.game is None:
            return LOBBY
        return OPENING if self.awaits_opening else screen_of(self.game)

    @property
    def rounds(self) -> int:
        return 0 if self.game is None else len(self.game.finished)

    @property
    def permanent_messages(self) -> frozenset[int]:
        """The messages that are never deleted: the opening of the game, and the records of its rounds."""
        return frozenset(one for one in (self.opening_id, *self.log) if one is not None)

    @property
    def lobby(self) -> tuple[object, ...]:
        """The parts of the table that a lobby shows; after the start of the game only its status."""
        if self.status is not Status.LOBBY:
            return (self.status,)
        return self.status, self.host_id, self.seats, self.turn_order, self.options, self.timing.seats_reserved_until

    def shows_round(self, screen: int) -> bool:
        """Return whether the table's message shows a turn of the same round as a screen, and not the record yet."""
        if self.game is None:
            return False
        shown, other = read_screen(self.game, self.shown_screen), read_screen(self.game, screen)
        return isinstance(shown, TurnScreen) and other is not None and shown.round == other.round

    @property
    def people(self) -> tuple[int, ...]:
        """The users who sit at the table and have not left it, in seat order."""
        return tuple(seat.user_id for seat in self.seats if seat.present and seat.user_id is not None)

    @property
    def counts_towards_limit(self) -> bool:
        """True if the table counts towards its channel's limit: awake, not in own pace, and allowed to be shown."""
        if self.timing.cannot_post:
            return False
        return self.status is Status.LOBBY or (self.turn_order.shared and self.timing.asleep_until is None)

    @property
    def deadline_scope(self) -> int:
        """What one deadline and its reminder are for: a turn (its screen), or in open order a round (negative)."""
        if self.game is None or self.turn_order is not TurnOrder.OPEN:
            return self.screen
        return -self.game.round

    @property
    def invited(self) -> tuple[int, ...]:
        """The users for whom a seat is only kept."""
        return tuple(seat.user_id for seat in self.seats if seat.invited and seat.user_id is not None)

    @property
    def begins_when_all_join(self) -> bool:
        """True if seats are kept for a rematch. A table with other invitations is started by its host."""
        return bool(self.invited) and self.timing.seats_reserved_until is None

    @property
    def uncalled(self) -> tuple[int, ...]:
        return tuple(seat.user_id for seat in self.seats if seat.uncalled and seat.user_id is not None)

    @property
    def free_seats(self) -> int:
        """The number of people who may still sit down; a kept seat is not free."""
        return self.max_seats - len(self.seats)

    def seen_by(self, seat: int | None) -> Self:
        """Hide what a seat (None: a spectator) may not see of the game (R9.5)."""
        seen = None if self.game is None else hide_unseen(self.game, seat)
        return self if seen is self.game else replace(self, game=seen)

    @property
    def is_unshown(self) -> bool:
        """True if Discord has not acknowledged the newest content yet."""
        return self.shown_content_version < self.content_version

    def differs_only_in_progress(self, before: "Table") -> bool:
        """Return whether the only public change is the progress of runs in own pace, which may be shown later."""
        if self.turn_order.shared or self.screen != FIRST_TURN:
            return False
        now = self.timing
        timing = replace(before.timing, house_plays_at=now.house_plays_at, turns_at_last_press=now.turns_at_last_press)
        seats = tuple(replace(seat, hints=other.hints) for seat, other in zip(before.seats, self.seats, strict=True))
        went_on = replace(before, game=self.game, seats=seats, timing=timing)
        return self == replace(went_on, version=self.version, content_version=self.content_version)

    def seat_of(self, user_id: int) -> int | None:
        """Return the seat of a user, 0 to 4, or None for a spectator."""
        return next((at for at, seat in enumerate(self.seats) if seat.user_id == user_id), None)

    def has_seat(self, user_id: int) -> bool:
        """Return whether a user has a seat, perhaps only a kept one, and has not left it."""
        at = self.seat_of(user_id)
        return at is not None and not self.seats[at].left

    def sits(self, user_id: int) -> bool:
        """Return whether a user has a seat that is not only kept."""
        at = self.seat_of(user_id)
        return at is not None and not self.seats[at].invited

    def knows(self, seat: int, card: Card) -> bool:
        """Return whether a player has finished a turn with a card's scoring and one with its roll type."""
        finished = () if self.game is None else self.game.find_run(seat).finished
        played = (each for each, turn in finished if not turn.by_house)
        return knows_card(note_cards(played, self.seats[seat].practised), card)

    def house_plays(self, seat: int) -> bool:
        """Return whether the house plays a seat when its turn comes: for itself, or (shared dice) for an absentee."""
        sitting = self.seats[seat]
        return sitting.house is not None or (sitting.away_until is not None and self.turn_order.shared)

    def is_away(self, user_id: int) -> bool:
        """Return whether a user has announced to be away; nothing is sent to an absent user."""
        at = self.seat_of(user_id)
        return at is not None and self.seats[at].away_until is not None

    @property
    def taken_seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if not seat.invited)

    @property
    def changed_at(self) -> int | None:
        """The moment, in seconds since 1970, at which the host changed order or pace while others sat there."""
        return next((news.at for news in self.news if news.kind is NewsKind.CHANGED), None)

    @property
    def starts_now(self) -> bool:
        """True if the table starts by itself now: the last seat is taken."""
        return self.options.starts_when_full and len(self.taken_seats) == self.max_seats

    def without(self, gone: Collection[int]) -> Self:
        """Return the lobby without some seats. News of the others follows them; a change stays while two people do."""
        left = [at for at in range(len(self.seats)) if at not in gone]
        there = replace(self, seats=tuple(self.seats[at] for at in left))
        changed = len(there.people) > 1
        stays = [one for one in self.news if (changed if one.kind is NewsKind.CHANGED else one.seat in left)]
        news = tuple(replace(one, seat=left.index(one.seat) if one.seat in left else 0) for one in stays)
        return replace(there, news=news)

    def without_invited(self) -> Self:
        return self.without([at for at, seat in enumerate(self.seats) if seat.invited])

    def with_seat(self, at: int, **changes: Any) -> Self:
        return replace(self, seats=(*self.seats[:at], replace(self.seats[at], **changes), *self.seats[at + 1 :]))
