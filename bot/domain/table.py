"""A table: one game with its people, settings and times."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Self

from bot.domain.screens import FIRST_TURN, LOBBY, OPENING, TurnScreen, read_screen, screen_of
from bot.domain.timing import NO_TIMING, News, NewsKind, Pace, Timing
from highscore.cards import Card
from highscore.deck import ROUNDS, Deck
from highscore.fairness import EARLIER, Source, hash_words, lock_game, version_of
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
        return self in (Status.LOBBY, Status.PLAYING)


@dataclass(frozen=True, slots=True)
class Options:
    """The options that the host chooses, and two that are set from the server's settings (pictures, may_call)."""

    pace: Pace = Pace.DAY
    allowed_seconds: int = 2 * 3600
    """The time for each turn, in open order for each round, in own pace for the whole game."""
    hold_seconds: int = 15 * 60
    """In open order: the time for each decision of the player who has the dice, while another person waits."""
    hints: bool = True
    """True if players may ask for the odds during the game."""
    pictures: bool = True
    starts_when_full: bool = False
    may_call: bool = False
    """True if the server has a role that may be pinged for free seats, and it was not pinged for this table yet."""


@dataclass(frozen=True, slots=True)
class Seat:
    user_id: int | None
    """None for a house player; negative for a former player, whose data was deleted."""
    name: str
    """The name on the server when the person sat down. House players at one table have different names."""
    lucky_word: str = ""
    house: str | None = None
    """The temperament of the house player in this seat, or of the house after it took over for a person. None for a
    person who plays."""
    left: bool = False
    """True if the person has left the game for good, or was removed."""
    misses: int = 0
    """The number of turns in a row that the house played because the person's time was up."""
    hints: int = 0
    practised: str = ""
    """The scorings and roll types that the person had already played on this server (``note_cards``)."""
    invited: bool = False
    """True if the seat is reserved, for an invited person or at a rematch, until that person presses *Join*."""
    uncalled: bool = False
    """True if the person is not pinged for the reserved seat. The reason is private."""
    gives_up: bool | None = None
    """True for a player who agrees to cancel the game, and for the host who asks for it. False for a player who has
    declined, and for the host after withdrawing the request. None if they have not answered or asked (R9.7)."""
    away_until: datetime | None = None
    """The end of the absence that the player has announced; None for a player who is not away."""
    counts: bool = True
    """True if the game counts for its player's rating (R9.6). This is decided when the game starts."""
    erased: bool = False
    """True if the player's data was deleted during the game. Then nobody is compared with them (R9.6)."""

    @property
    def former(self) -> bool:
        """True if the person's data was deleted."""
        return self.user_id is not None and self.user_id < 0

    @property
    def newcomer(self) -> bool:
        """True for a person who had finished no turn on this server before sitting down here."""
        return self.present and not self.former and not self.practised

    @property
    def present(self) -> bool:
        """True if a person has taken this seat and not left it. A seat that is only reserved does not count."""
        return self.user_id is not None and not self.left and not self.invited


@dataclass(frozen=True, slots=True)
class Table:
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
    """The stored seal, made when the table was opened. It is not computed again, so a changed seed would not match."""
    message_id: int | None = None
    """The live message: the one that shows the table now. None until one was sent."""
    content_version: int = 0
    """Incremented together with ``version``, and when a time changes that the message shows."""
    shown_content_version: int = -1
    """The newest content version that Discord has acknowledged; -1 before the first."""
    shown_screen: int = -1
    """The screen that the message shows; -1 before the first."""
    screen_since: int = 0
    """The version at which the table reached its current screen. A message whose buttons carry an older version shows
    an earlier screen."""
    log: tuple[int, ...] = ()
    """The messages with the records of rounds, oldest first. In own pace there is one record, after the game."""
    options: Options = Options()
    timing: Timing = NO_TIMING
    news: tuple[News, ...] = ()
    """The news of the current screen, and earlier news that stays (``News.stays``)."""
    lock: str | None = None
    """The stored lock, made at the start of the game (``make_lock``). In an earlier version's games, a digest of the
    lucky words."""
    opening_id: int | None = None
    """The message that opened the game. Its id is part of the source of the dice, so nothing is drawn before it is
    sent."""
    day_ends_at: datetime | None = None
    """The end of the server's day on which the game started. None in the lobby, and if the game counts for nobody
    (R9.6)."""

    @property
    def source(self) -> Source:
        """The source of the dice of this game. It is complete only after the opening was sent."""
        return Source(self.seed, self.id, self.lock or "", self.opening_id, version=version_of(self.seal))

    @property
    def ids(self) -> tuple[str, ...]:
        """The user id of each seat as the lock contains it: as text, which is empty for a house player."""
        return tuple("" if seat.user_id is None else str(seat.user_id) for seat in self.seats)

    def make_lock(self) -> str:
        """Compute the lock from the seats as they are now. It differs from the stored lock if a player's data was
        deleted since the start of the game."""
        words = [seat.lucky_word for seat in self.seats]
        if version_of(self.seal) == EARLIER:
            return hash_words(words)
        return lock_game(self.id, self.seal, self.turn_order.value, self.deck, self.ids, words)

    @property
    def awaits_opening(self) -> bool:
        """True if the game was started, but Discord has not confirmed the opening yet."""
        return self.status is Status.PLAYING and self.opening_id is None

    @property
    def screen(self) -> int:
        """The number of the screen that the table should show, see ``domain.screens``."""
        if self.game is None:
            return LOBBY
        return OPENING if self.awaits_opening else screen_of(self.game)

    @property
    def rounds(self) -> int:
        """The number of finished rounds."""
        return 0 if self.game is None else len(self.game.finished)

    @property
    def permanent_messages(self) -> frozenset[int]:
        """The messages that are never deleted: the opening of the game, and the records of its rounds."""
        return frozenset(one for one in (self.opening_id, *self.log) if one is not None)

    @property
    def lobby(self) -> tuple[object, ...]:
        """The values whose change redraws the copy of a thread's lobby. After the start, only the status."""
        if self.status is not Status.LOBBY:
            return (self.status,)
        places = self.host_id, self.seats, self.max_seats, self.timing.seats_reserved_until
        return self.status, *places, self.turn_order, self.options

    def shows_round(self, screen: int) -> bool:
        """Return whether the live message shows a turn (not the record) of the round that ``screen`` belongs to."""
        if self.game is None:
            return False
        shown, other = read_screen(self.game, self.shown_screen), read_screen(self.game, screen)
        return isinstance(shown, TurnScreen) and other is not None and shown.round == other.round

    @property
    def people(self) -> tuple[int, ...]:
        """The users who sit at the table and have not left it, in seat order. Reserved seats are left out."""
        return tuple(seat.user_id for seat in self.seats if seat.present and seat.user_id is not None)

    @property
    def counts_towards_limit(self) -> bool:
        """True if an open table counts towards its channel's limit.

        Every lobby does, and every game that is neither in own pace nor asleep. A paused table does not.
        """
        if self.timing.cannot_post:
            return False
        return self.status is Status.LOBBY or (self.turn_order.shared and self.timing.asleep_until is None)

    @property
    def deadline_scope(self) -> int:
        """A number that changes when a new deadline starts.

        In a game in open order it is minus the number of the round. In other games, and in every lobby, it is the
        number of the screen.
        """
        if self.game is None or self.turn_order is not TurnOrder.OPEN:
            return self.screen
        return -self.game.round

    @property
    def invited(self) -> tuple[int, ...]:
        """The users who have a reserved seat, in seat order."""
        return tuple(seat.user_id for seat in self.seats if seat.invited and seat.user_id is not None)

    @property
    def begins_when_all_join(self) -> bool:
        """True if the game begins when the last person with a reserved seat joins: at a rematch, but not after other
        invitations."""
        return bool(self.invited) and self.timing.seats_reserved_until is None

    @property
    def uncalled(self) -> tuple[int, ...]:
        return tuple(seat.user_id for seat in self.seats if seat.uncalled and seat.user_id is not None)

    @property
    def free_seats(self) -> int:
        """The number of seats that are neither taken nor reserved."""
        return self.max_seats - len(self.seats)

    def seen_by(self, seat: int | None) -> Self:
        """Return the table without the parts of the game that a seat may not see yet (R9.5). None is a spectator."""
        seen = None if self.game is None else hide_unseen(self.game, seat)
        return self if seen is self.game else replace(self, game=seen)

    @property
    def is_unshown(self) -> bool:
        """True if Discord has not acknowledged the newest content yet."""
        return self.shown_content_version < self.content_version

    def differs_only_in_progress(self, before: "Table") -> bool:
        """Return whether the only public change since ``before`` is the progress of runs in own pace.

        Such a change may be shown later.
        """
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
        """Return whether a user has a seat that they have not left. A reserved seat counts."""
        at = self.seat_of(user_id)
        return at is not None and not self.seats[at].left

    def sits(self, user_id: int) -> bool:
        """Return whether a user has taken a seat, even if they have left it since. A reserved seat does not count."""
        at = self.seat_of(user_id)
        return at is not None and not self.seats[at].invited

    def knows(self, seat: int, card: Card) -> bool:
        """Return whether a player has finished a turn with this card's scoring, and one with its roll type.

        Turns in which the house decided anything do not count.
        """
        finished = () if self.game is None else self.game.find_run(seat).finished
        played = (each for each, turn in finished if not turn.by_house)
        return knows_card(note_cards(played, self.seats[seat].practised), card)

    def house_plays(self, seat: int) -> bool:
        """Return whether the house plays the turns of a seat.

        It plays for house players, for people from whom it has taken over, and, if the dice are shared, for people who
        are away.
        """
        sitting = self.seats[seat]
        return sitting.house is not None or (sitting.away_until is not None and self.turn_order.shared)

    def is_away(self, user_id: int) -> bool:
        """Return whether a user has a seat and has announced an absence. People who are away get no pings and no
        reminders."""
        at = self.seat_of(user_id)
        return at is not None and self.seats[at].away_until is not None

    @property
    def taken_seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if not seat.invited)

    @property
    def changed_at(self) -> int | None:
        """When the host last changed order or pace while others had a seat, in seconds since 1970. None if never."""
        return next((news.at for news in self.news if news.kind is NewsKind.CHANGED), None)

    @property
    def starts_now(self) -> bool:
        """True if the last seat is taken and the game then starts by itself. Reserved seats do not count as taken."""
        return self.options.starts_when_full and len(self.taken_seats) == self.max_seats

    def without(self, removed: Collection[int]) -> Self:
        """Return the lobby without the seats ``removed``. News of these seats is dropped; other news gets the new seat
        numbers.

        The news that the host changed pace or order stays as long as two people sit at the table.
        """
        remaining = [at for at in range(len(self.seats)) if at not in removed]
        smaller = replace(self, seats=tuple(self.seats[at] for at in remaining))
        changed = len(smaller.people) > 1
        stays = [one for one in self.news if (changed if one.kind is NewsKind.CHANGED else one.seat in remaining)]
        news = tuple(replace(one, seat=remaining.index(one.seat) if one.seat in remaining else 0) for one in stays)
        return replace(smaller, news=news)

    def without_invited(self) -> Self:
        return self.without([at for at, seat in enumerate(self.seats) if seat.invited])

    def with_seat(self, at: int, **changes: Any) -> Self:
        return replace(self, seats=(*self.seats[:at], replace(self.seats[at], **changes), *self.seats[at + 1 :]))


def people_begun(table: Table) -> tuple[int, ...]:
    """Return the seats of people who have begun the game (R9.6), even if they have left or had their data deleted."""
    begun = () if table.game is None else table.game.begun
    return tuple(seat for seat in sorted(begun) if table.seats[seat].user_id is not None)


def seats_playing_themselves(table: Table) -> tuple[int, ...]:
    """Return the seats of people who are in the game and for whom the house has not taken over."""
    seats = () if table.game is None else table.game.seats
    return tuple(seat for seat in seats if table.seats[seat].present and table.seats[seat].house is None)


def seats_begun(table: Table) -> tuple[int, ...]:
    begun = people_begun(table)
    return tuple(seat for seat in seats_playing_themselves(table) if seat in begun)


def seats_yet_to_begin(table: Table) -> tuple[int, ...]:
    """Return the seats in ``seats_playing_themselves`` that have not begun. In own pace they are left out when the
    time is up."""
    begun = people_begun(table)
    return tuple(seat for seat in seats_playing_themselves(table) if seat not in begun)


def seats_done(table: Table) -> tuple[int, ...]:
    game = table.game
    return () if game is None else tuple(seat for seat in game.seats if game.count_finished(seat) == ROUNDS)


def leaves_unbegun(table: Table, seat: int) -> bool:
    """Return whether leaving now means that the game leaves out the seat: in own pace if it has not begun (R9.5).

    Also true for a seat that was left out already.
    """
    return table.game is not None and not table.turn_order.shared and seat not in table.game.begun


def waits_only_for_unbegun(table: Table) -> bool:
    """Return whether a game in own pace waits only for people who have not begun.

    At least one person must have begun, and all people who have begun must be done. People whom the house has replaced
    do not count.
    """
    game, begun = table.game, seats_begun(table)
    if game is None or game.over or game.turn_order.shared or not begun:
        return False
    return all(game.count_finished(seat) == ROUNDS for seat in begun) and bool(seats_yet_to_begin(table))


def note_cards(cards: Iterable[Card], practised: str = "") -> str:
    """Add the scorings and roll types of finished cards to ``practised``, a text of sorted names.

    >>> from highscore import STANDARD_DECK
    >>> note_cards(STANDARD_DECK.cards[:1], "ODD")
    'FOUR_FULL ODD TOTAL'
    """
    return " ".join(sorted({*practised.split(), *(name for card in cards for name in _names(card))}))


def knows_card(practised: str, card: Card) -> bool:
    """Return whether ``practised`` contains this card's scoring and roll type. If not, the card is explained."""
    return _names(card) <= set(practised.split())


def _names(card: Card) -> set[str]:
    return {card.scoring.value, card.roll_type.value}
