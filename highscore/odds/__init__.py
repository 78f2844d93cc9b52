"""Exact odds: what every position of a turn is worth, for any goal, and what to do in it.

>>> from highscore import STANDARD_DECK
>>> from highscore.odds import POINTS, at_least, solve
>>> card = STANDARD_DECK.card("same-frozen")
>>> round(solve(card, POINTS).start, 6)
17.264466
>>> round(solve(card, at_least(20)).start, 6)
0.424751
"""

from highscore.odds.chips import chip_chances, chip_utility, prepare
from highscore.odds.hint import Hint, Prospect, hint
from highscore.odds.policy import Policy, RankedChoice, solve
from highscore.odds.utility import POINTS, Utility, at_least, up_to

__all__ = [
    "POINTS",
    "Hint",
    "Policy",
    "Prospect",
    "RankedChoice",
    "Utility",
    "at_least",
    "chip_chances",
    "chip_utility",
    "hint",
    "prepare",
    "solve",
    "up_to",
]
