"""Exact odds: what every position of a turn is worth, for any goal, and what to do in it.

>>> from highscore import STANDARD_DECK
>>> from highscore.odds import POINTS, at_least, solve
>>> card = STANDARD_DECK.card("same-frozen")
>>> round(solve(card, POINTS).start, 6)
17.264466
>>> round(solve(card, at_least(20)).start, 6)
0.424751
"""

from highscore.odds.analysis import (
    DecisionReview,
    Goal,
    PlayerReview,
    Report,
    RollReview,
    TurnReview,
    analyse,
    review_turn,
)
from highscore.odds.chips import chip_chances, chip_utility, prepare
from highscore.odds.facts import CardFacts, facts, par
from highscore.odds.hint import TYPICAL_PLAYERS, Hint, Prospect, hint, typical_chances
from highscore.odds.policy import Policy, RankedChoice, solve
from highscore.odds.question import Answer, ask, position
from highscore.odds.reason import Aim, Reason
from highscore.odds.utility import COUNTED, POINTS, Utility, at_least, up_to

__all__ = [
    "COUNTED",
    "POINTS",
    "TYPICAL_PLAYERS",
    "Aim",
    "Answer",
    "CardFacts",
    "DecisionReview",
    "Goal",
    "Hint",
    "PlayerReview",
    "Policy",
    "Prospect",
    "RankedChoice",
    "Reason",
    "Report",
    "RollReview",
    "TurnReview",
    "Utility",
    "analyse",
    "ask",
    "at_least",
    "chip_chances",
    "chip_utility",
    "facts",
    "hint",
    "par",
    "position",
    "prepare",
    "review_turn",
    "solve",
    "typical_chances",
    "up_to",
]
