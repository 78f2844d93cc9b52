"""A whole game (rules R2, R9.1): an immutable state and the events that lead from one state to the next.

Chance is explicit: which seat starts, which card is turned up and what the dice show come in as events, like the
decisions of the players. So the state never holds a later card, and replaying the events gives the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from highscore import turn as turns
from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.dice import Dice, Face
from highscore.errors import BadEvent, GameOver, IllegalChoice, NotYourTurn
from highscore.track import Chip, Placement, award, place
from highscore.turn import Choice, Turn

PLAYERS = range(2, 6)
"""Two to five players."""


class TurnOrder(Enum):
    """Who may take the dice within a round."""

    CLOCKWISE = "clockwise"
    """The rulebook's: one after the other in seat order, from the start player on (R2.2)."""
    OPEN = "open"
    """Whoever has not played yet this round, one turn at a time (R9.1)."""


class Awaiting(Enum):
    """What the game waits for."""

    START_PLAYER = "start player"
    CARD = "card"
    PLAYER = "player"
    """Somebody who may take the dice."""
    DICE = "dice"
    CHOICE = "choice"
    NOTHING = "nothing"
    """The game has ended."""


@dataclass(frozen=True, slots=True)
class TakeDice:
    """The decision to begin one's turn; the first roll of all seven dice follows (R3)."""

    def __str__(self) -> str:
        return "take"


Decision = TakeDice | Choice


@dataclass(frozen=True, slots=True)
class StartPlayerDrawn:
    """Chance: who starts the first round (R2.2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """Chance: the challenge card of the round that begins (R2.1)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the player in a seat; ``by_house`` when the house made it for them (R9.3)."""

    seat: int
    decision: Decision
    by_house: bool = False


@dataclass(frozen=True, slots=True)
class Rolled:
    """Chance: what the dice that were due showed, in the order of their positions."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game was given up; it has no winner. ``by`` names who did it, in one line."""

    by: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", _one_line(self.by))


@dataclass(frozen=True, slots=True)
class Remarked:
    """A record of something that changes nothing in the game, such as who left or who skipped whom.

    The text becomes one line without surrounding blanks. Raises BadEvent when nothing is left of it.
    """

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", _one_line(self.text))
        if not self.text:
            raise BadEvent("a remark has to say something")


def _one_line(text: str) -> str:
    """Display names may hold line breaks and runs of spaces; the event log is one line an event."""
    return " ".join(text.split())


Event = StartPlayerDrawn | CardRevealed | Decided | Rolled | Abandoned | Remarked


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """What is kept of a turn when it is over."""

    seat: int
    dice: Dice
    result: int
    rolls: int
    by_house: bool = False
    """Whether the house made any decision of it (R9.3)."""


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round after its chips were handed out (R2.3)."""

    card: Card
    turns: tuple[FinishedTurn, ...]
    """In the order of play, which decides about taken spaces (R5.3)."""

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Where the pieces stood, in the order of play."""
        return place((turn.seat, turn.result) for turn in self.turns)

    @property
    def chips(self) -> Mapping[int, Chip]:
        """Who got which chip, by seat (R6)."""
        return award(self.placements, len(self.turns))


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game. Immutable; ``apply`` makes the next one."""

    players: int
    turn_order: TurnOrder
    start_seat: int | None = None
    """Who starts this round (in OPEN: who is named first); None before the lot was drawn."""
    finished: tuple[FinishedRound, ...] = ()
    card: Card | None = None
    """The challenge card of this round, once it is revealed."""
    played: tuple[FinishedTurn, ...] = ()
    """The turns of this round that are over, in order of play."""
    seat: int | None = None
    """Who holds the dice, if anybody."""
    turn: Turn | None = None
    by_house: bool = False
    """Whether the house made any decision of the turn that is being played."""
    abandoned: bool = False

    def __post_init__(self) -> None:
        if self.players not in PLAYERS:
            raise BadEvent(f"High Score is for {PLAYERS[0]} to {PLAYERS[-1]} players, not {self.players}")

    @property
    def round(self) -> int:
        """The number of the round that is being played, 1 to 7; 7 when the game has ended."""
        return min(len(self.finished) + 1, ROUNDS)

    @property
    def complete(self) -> bool:
        """Whether all seven rounds were played."""
        return len(self.finished) == ROUNDS

    @property
    def over(self) -> bool:
        """Whether the game has ended, played to the end or abandoned."""
        return self.complete or self.abandoned

    @property
    def awaiting(self) -> Awaiting:
        """What has to happen next."""
        if self.over:
            return Awaiting.NOTHING
        if self.start_seat is None:
            return Awaiting.START_PLAYER
        if self.card is None:
            return Awaiting.CARD
        if self.turn is None:
            return Awaiting.PLAYER
        return Awaiting.DICE if self.turn.to_roll else Awaiting.CHOICE

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Where the pieces of this round stand, in the order of play."""
        return place((turn.seat, turn.result) for turn in self.played)

    @property
    def to_play(self) -> tuple[int, ...]:
        """Seats that have not finished their turn this round, in seat order from the start player on.

        In CLOCKWISE the first of them is on; in OPEN each of them may take the dice when nobody holds them.
        """
        if self.over or self.start_seat is None:
            return ()
        done = {turn.seat for turn in self.played}
        clockwise = ((self.start_seat + step) % self.players for step in range(self.players))
        return tuple(seat for seat in clockwise if seat not in done)

    @property
    def may_act(self) -> tuple[int, ...]:
        """Seats whose decision the game waits for: one, several (OPEN, dice free) or none (chance, or ended)."""
        match self.awaiting:
            case Awaiting.PLAYER:
                return self.to_play[:1] if self.turn_order is TurnOrder.CLOCKWISE else self.to_play
            case Awaiting.CHOICE if self.seat is not None:
                return (self.seat,)
            case _:
                return ()


def legal_decisions(game: Game, seat: int) -> tuple[Decision, ...]:
    """Every decision the player in this seat may make now."""
    if seat not in game.may_act:
        return ()
    return (TakeDice(),) if game.turn is None else turns.legal_choices(game.turn)


def verify_decision(game: Game, seat: int, decision: Decision) -> None:
    """Raise IllegalChoice (or NotYourTurn, GameOver), with a sentence for the player, unless the decision is legal."""
    if game.over:
        raise GameOver("This game is over.")
    if not 0 <= seat < game.players:
        raise NotYourTurn("You are not playing in this game.")
    if seat not in game.may_act:
        if seat == game.seat:
            raise IllegalChoice("The dice have to be rolled first.")
        if any(turn.seat == seat for turn in game.played):
            raise NotYourTurn("You have already played this round.")
        if game.turn_order is TurnOrder.OPEN and game.seat is not None:
            raise NotYourTurn("Somebody else has the dice; you can take them when that turn is finished.")
        raise NotYourTurn("It is not your turn yet.")
    if isinstance(decision, TakeDice):
        if game.turn is not None:
            raise IllegalChoice("You have the dice already.")
    elif game.turn is None:
        raise IllegalChoice("Take the dice first.")
    else:
        turns.verify_choice(game.turn, decision)


def can_decide(game: Game, seat: int, decision: Decision) -> bool:
    """Whether the decision is legal now."""
    try:
        verify_decision(game, seat, decision)
    except IllegalChoice:
        return False
    return True


def apply(game: Game, event: Event) -> Game:
    """The state after an event.

    Raises IllegalChoice for a decision the rules do not allow and BadEvent for chance that is not due. The state
    handed in never changes.
    """
    match event:
        case Decided(seat, decision, by_house):
            verify_decision(game, seat, decision)
            return _decided(game, seat, decision, by_house)
        case Remarked():
            return game
        case Abandoned():
            if game.over:
                raise GameOver("This game is over.")
            return replace(game, abandoned=True, seat=None, turn=None, by_house=False)
        case StartPlayerDrawn(seat):
            _expect(game, Awaiting.START_PLAYER, event)
            if not 0 <= seat < game.players:
                raise BadEvent(f"there is no seat {seat} in a game of {game.players}")
            return replace(game, start_seat=seat)
        case CardRevealed(card):
            _expect(game, Awaiting.CARD, event)
            if any(card.id == earlier.card.id for earlier in game.finished):
                raise BadEvent(f"card {card.id} was played in this game already (R2.1)")
            return replace(game, card=card)
        case Rolled(faces):
            _expect(game, Awaiting.DICE, event)
            assert game.turn is not None
            return _settled(replace(game, turn=turns.roll(game.turn, faces)))


def replay(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> Game:
    """The state a game's events lead to. Raises IllegalChoice or BadEvent where they cannot have happened."""
    game = Game(players, turn_order)
    for event in events:
        game = apply(game, event)
    return game


def _expect(game: Game, awaited: Awaiting, event: Event) -> None:
    if game.awaiting is not awaited:
        raise BadEvent(f"{type(event).__name__} came while the game was waiting for {game.awaiting.value}")


def _decided(game: Game, seat: int, decision: Decision, by_house: bool) -> Game:
    if isinstance(decision, TakeDice):
        assert game.card is not None
        return replace(game, seat=seat, turn=turns.begin(game.card), by_house=by_house)
    assert game.turn is not None
    return _settled(replace(game, turn=turns.choose(game.turn, decision), by_house=game.by_house or by_house))


def _settled(game: Game) -> Game:
    """Ends the turn when it is over (R3.5), and the round with its last turn (R2.3, R2.4)."""
    turn = game.turn
    if turn is None or not turn.over:
        return game
    assert game.seat is not None
    assert game.card is not None
    done = FinishedTurn(game.seat, turn.dice, turn.score.total, turn.rolls, game.by_house)
    played = (*game.played, done)
    free = replace(game, played=played, seat=None, turn=None, by_house=False)
    if len(played) < game.players:
        return free
    ended = FinishedRound(game.card, played)
    gold = next((seat for seat, chip in ended.chips.items() if chip is Chip.GOLD), game.start_seat)
    return replace(free, finished=(*game.finished, ended), card=None, played=(), start_seat=gold)
