"""A whole game (rules R2, R9): an immutable state and the events that lead from one state to the next.

A game is one run for each seat over the same seven cards. ``TurnOrder`` says which runs may go on. A round is scored
when every run has finished its card. Starting seat, cards and dice are events, like the decisions of the players.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from highscore import turn as turns
from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.errors import BadEvent, GameOver, IllegalChoice, NotYourTurn
from highscore.events import (
    Abandoned,
    CardRevealed,
    Decided,
    Decision,
    Event,
    LeftOut,
    Remarked,
    Rolled,
    StartPlayerDrawn,
    TakeDice,
)
from highscore.runs import FinishedRound, FinishedTurn, Hand, PlayedCard, Run
from highscore.track import Chip, Placement, place_pieces
from highscore.turn import Turn
from highscore.turn_order import TurnOrder


class Awaiting(Enum):
    """The event that a game waits for."""

    START_PLAYER = "start player"
    CARD = "card"
    PLAYER = "player"
    """A player who takes the dice, or in own pace also one who makes a choice."""
    DICE = "dice"
    CHOICE = "choice"
    """A choice of the player who has the shared dice."""
    NOTHING = "nothing"
    """The game has ended."""


@dataclass(frozen=True)
class Game:
    """The state of a game. Immutable; ``apply_event`` makes the next one.

    ``seat``, ``turn`` and ``by_house`` describe the turn with the shared dice, so in own pace they are None, None and
    False. ``find_run`` returns the state of one seat in every turn order.
    """

    players: int
    turn_order: TurnOrder
    start_seat: int | None = None
    """The seat that starts this round (in OPEN it is only named first). None before the lot is drawn (R2.2)."""
    finished: tuple[FinishedRound, ...] = ()
    cards: tuple[Card, ...] = ()
    """The face-up cards of rounds that are not scored: this round's card, and later ones that a run has reached."""
    played: tuple[FinishedTurn, ...] = ()
    """The finished turns on these cards, in the order in which they ended; after ``hide_unseen``, by seat."""
    hands: tuple[Hand, ...] = ()
    """The turns that are being played: at most one if the dice are shared."""
    left_out: tuple[int, ...] = ()
    """Seats that are out of the game (R9.5)."""
    abandoned: bool = False
    hidden: tuple[int, ...] = ()
    """The number of finished turns of each seat that ``hide_unseen`` has removed; empty in the complete state."""
    hidden_begun: tuple[int, ...] = ()
    """The seats that have begun, stored by ``hide_unseen`` because it may remove the turns that show it."""

    def __post_init__(self) -> None:
        allowed = self.turn_order.players
        if self.players not in allowed:
            raise BadEvent(f"High Score is for {allowed[0]} to {allowed[-1]} players, not {self.players}")

    @cached_property
    def seats(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.players) if seat not in self.left_out)

    @property
    def round(self) -> int:
        """The number of the round that is being played, 1 to 7; 7 after the last round."""
        return min(len(self.finished) + 1, ROUNDS)

    @property
    def card(self) -> Card | None:
        """The challenge card of this round; None until it is turned up, and after the last round."""
        return self.cards[0] if self.cards else None

    @property
    def complete(self) -> bool:
        return len(self.finished) == ROUNDS

    @property
    def over(self) -> bool:
        """True after all seven rounds, or if the game was abandoned."""
        return self.complete or self.abandoned

    @property
    def hand(self) -> Hand | None:
        """The turn that is played with the shared dice; None if nobody has them, and in own pace."""
        return self.hands[0] if self.hands and self.turn_order.shared else None

    @property
    def seat(self) -> int | None:
        """The seat that has the shared dice; None if nobody has them, and in own pace."""
        return None if self.hand is None else self.hand.seat

    @property
    def turn(self) -> Turn | None:
        return None if self.hand is None else self.hand.turn

    @property
    def by_house(self) -> bool:
        """True if the house made any decision of the turn that is played with the shared dice."""
        return self.hand is not None and self.hand.by_house

    @property
    def hand_to_roll(self) -> Hand | None:
        """The turn whose dice have to be rolled next, or None.

        Even in own pace there is at most one such turn, because a decision to roll is followed by the roll.
        """
        return next((hand for hand in self.hands if hand.turn.to_roll), None)

    @cached_property
    def awaiting(self) -> Awaiting:
        if self.over:
            return Awaiting.NOTHING
        if self.start_seat is None:
            return Awaiting.START_PLAYER
        if self.hand_to_roll is not None:
            return Awaiting.DICE
        if len(self.finished) + len(self.cards) < self.cards_due:
            return Awaiting.CARD
        return Awaiting.PLAYER if self.seat is None else Awaiting.CHOICE

    @property
    def cards_due(self) -> int:
        """The number of cards that have to be face up now, including those of finished rounds."""
        if self.turn_order.shared:
            return self.round
        return min(max(map(self.count_finished, self.seats)) + 1, ROUNDS)

    @cached_property
    def begun(self) -> frozenset[int]:
        """The seats whose player took the dice themselves in round one, in own pace on the first card (R9.6).

        A house player has begun once it has taken the dice. No later event removes a seat, except for LeftOut.
        """
        turns: list[FinishedTurn | Hand] = [*(self.finished[0].turns if self.finished else self.played), *self.hands]
        own: dict[int, bool] = {}
        for turn in turns:
            own.setdefault(turn.seat, turn.own)
        return frozenset((*self.hidden_begun, *(seat for seat in own if own[seat])))

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """The pieces of this round so far, in the order of play."""
        return place_pieces({turn.seat: turn.result for turn in self.turns_of_round})

    @cached_property
    def turns_of_round(self) -> tuple[FinishedTurn, ...]:
        """The finished turns of this round, in order of play (R5.3).

        In own pace a seat may be ahead of the round. Then only the earliest of its turns in ``played`` is returned.
        """
        first = {turn.seat: turn for turn in reversed(self.played)}
        as_finished = list(dict.fromkeys(turn.seat for turn in self.played))
        from_start = [seat for seat in self.seats_from_start if seat in first]
        return tuple(first[seat] for seat in self.turn_order.order_seats(as_finished, from_start))

    @cached_property
    def seats_of_finished_turns(self) -> tuple[int, ...]:
        """The seat of each finished turn of the game, in the order in which the turns ended.

        In own pace, the turns of scored rounds are in order of play instead (R9.5). After ``hide_unseen``, the other
        turns are in seat order.
        """
        ended = (turn for done in self.finished for turn in done.turns)
        return tuple(turn.seat for turn in (*ended, *self.played))

    @cached_property
    def seats_from_start(self) -> tuple[int, ...]:
        """The seats in seat order, starting with this round's start player."""
        start = self.start_seat or 0
        return tuple(sorted(self.seats, key=lambda seat: (seat - start) % self.players))

    @cached_property
    def to_play(self) -> tuple[int, ...]:
        """The seats that have not finished this round's card, in seat order from the start player on.

        Empty before the start player is drawn and after the end of the game.
        """
        if self.over or self.start_seat is None:
            return ()
        return tuple(seat for seat in self.seats_from_start if self.count_finished(seat) <= len(self.finished))

    @cached_property
    def may_act(self) -> tuple[int, ...]:
        """The seats that may make a decision now.

        If somebody has the shared dice, only that seat. If nobody has them, the next seat in CLOCKWISE, and every seat
        that has not played this round in OPEN. In own pace, every seat that has a face-up card to play.

        Nobody may act after the end, or while the start player, dice or a card are due. But in own pace, a card that is
        due for one run does not stop the other runs.
        """
        if not self.turn_order.shared and self.awaiting in (Awaiting.PLAYER, Awaiting.CARD):
            face_up = len(self.finished) + len(self.cards)
            return tuple(seat for seat in self.seats_from_start if self.count_finished(seat) < face_up)
        if self.awaiting not in (Awaiting.PLAYER, Awaiting.CHOICE):
            return ()
        return self.turn_order.pick_beginners(self.to_play) if self.seat is None else (self.seat,)

    def count_finished(self, seat: int) -> int:
        """Count the cards that a seat has finished, 0 to 7 (0 for a seat that was left out).

        The number is right even after ``hide_unseen``, because everybody may know it (R9.5).
        """
        if seat in self.left_out:
            return 0
        waiting = sum(turn.seat == seat for turn in self.played)
        return len(self.finished) + waiting + (self.hidden[seat] if self.hidden else 0)

    def find_run(self, seat: int) -> Run:
        scored = [PlayedCard(ended.card, turn) for ended in self.finished for turn in ended.turns if turn.seat == seat]
        waiting = [turn for turn in self.played if turn.seat == seat]
        later = self.cards[len(waiting) :]
        return Run(
            seat,
            (*scored, *map(PlayedCard, self.cards, waiting)),
            later[0] if later else None,
            next((hand for hand in self.hands if hand.seat == seat), None),
        )


def list_decisions(game: Game, seat: int) -> tuple[Decision, ...]:
    """Return every decision that the player in this seat may make now; none if the seat may not act."""
    if seat not in game.may_act:
        return ()
    turn = game.find_run(seat).turn
    return (TakeDice(),) if turn is None else turns.list_choices(turn)


def verify_decision(game: Game, seat: int, decision: Decision) -> None:
    """Raise IllegalChoice (or its subclasses NotYourTurn and GameOver), with a message for the player, unless the
    decision is legal."""
    if game.over:
        raise GameOver("This game is over.")
    if seat not in game.seats:
        raise NotYourTurn("You are not playing in this game.")
    run = game.find_run(seat)
    if seat not in game.may_act:
        if run.turn is not None:
            raise IllegalChoice("The dice have to be rolled first.")
        if run.complete:
            raise NotYourTurn("You have played all seven cards.")
        if seat not in game.to_play:
            raise NotYourTurn("Your turn in this round is already over.")
        if game.turn_order is TurnOrder.OPEN and game.seat is not None:
            raise NotYourTurn("Somebody else has the dice. You can take them when that turn is over.")
        raise NotYourTurn("It is not your turn yet.")
    if isinstance(decision, TakeDice):
        if run.turn is not None:
            raise IllegalChoice("You already have the dice.")
    elif run.turn is None:
        raise IllegalChoice("Take the dice first.")
    else:
        turns.verify_choice(run.turn, decision)


def can_decide(game: Game, seat: int, decision: Decision) -> bool:
    try:
        verify_decision(game, seat, decision)
    except IllegalChoice:
        return False
    return True


def apply_event(game: Game, event: Event) -> Game:
    """Return the state after an event.

    Raises IllegalChoice for a decision that the rules do not allow, GameOver if a game is abandoned after its end, and
    BadEvent for any other event that is not possible in this state.
    """
    match event:
        case Decided(seat, decision, by_house):
            verify_decision(game, seat, decision)
            return _apply_decision(game, game.find_run(seat), decision, by_house)
        case Remarked():
            return game
        case Abandoned():
            if game.over:
                raise GameOver("This game is over.")
            return replace(game, abandoned=True, hands=())
        case LeftOut(seat):
            return _leave_out(game, seat)
        case StartPlayerDrawn(seat):
            _check_awaited(game, Awaiting.START_PLAYER, event)
            if not 0 <= seat < game.players:
                raise BadEvent(f"there is no seat {seat} in a game of {game.players}")
            return replace(game, start_seat=seat)
        case CardRevealed(card):
            _check_awaited(game, Awaiting.CARD, event)
            if any(card.id == known.id for known in (*(ended.card for ended in game.finished), *game.cards)):
                raise BadEvent(f"card {card.id} was played in this game already (R2.1)")
            return replace(game, cards=(*game.cards, card))
        case Rolled(faces):
            _check_awaited(game, Awaiting.DICE, event)
            assert game.hand_to_roll is not None
            return _put_hand(game, replace(game.hand_to_roll, turn=turns.roll_dice(game.hand_to_roll.turn, faces)))


def replay_events(players: int, turn_order: TurnOrder, events: Iterable[Event]) -> Game:
    """Return the state after these events. Raises IllegalChoice or BadEvent for events that cannot have happened.

    >>> replay_events(2, TurnOrder.CLOCKWISE, [StartPlayerDrawn(1)]).awaiting
    <Awaiting.CARD: 'card'>
    """
    game = Game(players, turn_order)
    for event in events:
        game = apply_event(game, event)
    return game


def _check_awaited(game: Game, awaited: Awaiting, event: Event) -> None:
    if game.awaiting is not awaited:
        raise BadEvent(f"{type(event).__name__} came while the game was waiting for {game.awaiting.value}")


def _apply_decision(game: Game, run: Run, decision: Decision, by_house: bool) -> Game:
    if isinstance(decision, TakeDice):
        assert run.card is not None
        return _put_hand(game, Hand(run.seat, turns.begin_turn(run.card), by_house, own=not by_house))
    assert run.hand is not None
    hand, turn = run.hand, turns.make_choice(run.hand.turn, decision)
    return _put_hand(game, replace(hand, turn=turn, by_house=hand.by_house or by_house))


def _leave_out(game: Game, seat: int) -> Game:
    if game.turn_order.shared or game.over or seat not in game.seats or len(game.seats) == 1:
        raise BadEvent(f"seat {seat} cannot be left out now")
    if game.count_finished(seat):
        raise BadEvent(f"seat {seat} has finished a turn, so it stays in the game (R9.5)")
    hands = tuple(hand for hand in game.hands if hand.seat != seat)
    return score_rounds(replace(game, hands=hands, left_out=(*game.left_out, seat)))


def _put_hand(game: Game, hand: Hand) -> Game:
    """Return the game with this hand. If its turn is over (R3.5), it becomes a finished turn, and full rounds are
    scored."""
    others = tuple(other for other in game.hands if other.seat != hand.seat)
    if not hand.turn.over:
        return replace(game, hands=(*others, hand))
    turn = hand.turn
    done = FinishedTurn(hand.seat, turn.dice, turn.score.total, turn.rolls, hand.by_house, hand.own)
    return score_rounds(replace(game, hands=others, played=(*game.played, done)))


def score_rounds(game: Game) -> Game:
    """Score every round that all seats have finished (R2.3), and choose the seat that starts the next one (R2.4)."""
    while game.cards and not game.to_play and not game.over:
        ended = FinishedRound(game.cards[0], game.turns_of_round)
        gold = next((seat for seat, chip in ended.chips.items() if chip is Chip.GOLD), None)
        game = replace(
            game,
            finished=(*game.finished, ended),
            cards=game.cards[1:],
            played=tuple(turn for turn in game.played if not any(turn is done for done in ended.turns)),
            start_seat=game.turn_order.pick_next_start(game.seats_from_start, gold),
        )
    return game


def hide_unseen(game: Game, viewer: int | None) -> Game:
    """Return the game without anything that the seat ``viewer`` may not see yet (R9.5).

    A viewer sees the others' turns only on cards that the viewer has finished. ``count_finished`` and ``begun`` still
    give the same answers. A viewer who is left out, or None for somebody without a seat, sees scored rounds and the
    card of the current round. If the dice are shared, or the game is over, nothing is removed.
    """
    if game.turn_order.shared or game.over:
        return game
    scored = len(game.finished)
    done = game.count_finished(viewer) if viewer is not None and viewer in game.seats else scored
    kept: list[FinishedTurn] = []
    hidden = [0] * game.players
    number = dict.fromkeys(range(game.players), scored)
    for turn in game.played:
        number[turn.seat] += 1
        if turn.seat == viewer or number[turn.seat] <= done:
            kept.append(turn)
        else:
            hidden[turn.seat] += 1
    return replace(
        game,
        cards=game.cards[: done + 1 - scored],
        # In seat order, to hide the order in which the turns were finished. It decides nothing in own pace.
        played=tuple(sorted(kept, key=lambda turn: turn.seat)),
        hands=tuple(hand for hand in game.hands if hand.seat == viewer),
        hidden=tuple(hidden),
        hidden_begun=tuple(sorted(game.begun)),
    )
