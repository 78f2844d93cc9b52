"""High Score: the rules of the dice game, pure and synchronous.

This package knows no Discord, no database and no clock, and it draws no random numbers. The caller passes in what the
dice show, or derives it from a sealed seed with ``Source``. Here two players always take their first legal decision:

>>> from highscore import STANDARD_DECK, Decided, Game, Source, TurnOrder, list_decisions, play_event, rank_players
>>> source = Source(seed=bytes(range(32)), game="example", opening=1424242424242424242)
>>> game, _ = play_event(Game(2, TurnOrder.CLOCKWISE), None, source, STANDARD_DECK)
>>> while not game.over:
...     seat = game.may_act[0]
...     decision = list_decisions(game, seat)[0]
...     game, _ = play_event(game, Decided(seat, decision), source, STANDARD_DECK)
>>> [(line.place, line.seat, line.points) for line in rank_players(game)]
[(1, 0, 17), (2, 1, 10)]

A single roll on a single card:

>>> from highscore import Dice, score_dice
>>> score_dice(STANDARD_DECK.find_card("ascending-ten"), Dice.parse("1 2 3 4 5 V V")).total
35
"""

from highscore.cards import Card, RollType, Scoring, VortexKind, VortexValue
from highscore.deck import STANDARD_DECK, Deck, load_deck
from highscore.dice import Dice, Face
from highscore.errors import HighScoreError, IllegalChoice
from highscore.events import Abandoned, CardRevealed, Decided, Rolled, StartPlayerDrawn, TakeDice
from highscore.fairness import Source, play_event
from highscore.game import Awaiting, Game, apply_event, can_decide, list_decisions, replay_events, verify_decision
from highscore.scoring import Score, score_dice
from highscore.standings import Standing, find_winners, rank_players
from highscore.track import Chip, Placement, place_pieces
from highscore.turn import Roll, SetAside, Stop, Turn
from highscore.turn_order import TurnOrder

__version__ = "0.1.0"

__all__ = [
    "STANDARD_DECK",
    "Abandoned",
    "Awaiting",
    "Card",
    "CardRevealed",
    "Chip",
    "Decided",
    "Deck",
    "Dice",
    "Face",
    "Game",
    "HighScoreError",
    "IllegalChoice",
    "Placement",
    "Roll",
    "RollType",
    "Rolled",
    "Score",
    "Scoring",
    "SetAside",
    "Source",
    "Standing",
    "StartPlayerDrawn",
    "Stop",
    "TakeDice",
    "Turn",
    "TurnOrder",
    "VortexKind",
    "VortexValue",
    "apply_event",
    "can_decide",
    "find_winners",
    "list_decisions",
    "load_deck",
    "place_pieces",
    "play_event",
    "rank_players",
    "replay_events",
    "score_dice",
    "verify_decision",
]
