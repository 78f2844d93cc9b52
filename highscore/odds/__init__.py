"""Exact odds: the value of every position of a turn, for any goal, and the best choice in it.

>>> from highscore import STANDARD_DECK
>>> from highscore.odds import POINTS, aim_at_least, answer_question, solve_card
>>> card = STANDARD_DECK.find_card("same-frozen")
>>> round(solve_card(card, POINTS).start, 6)
17.264466
>>> round(solve_card(card, aim_at_least(20)).start, 6)
0.424751
>>> for line in answer_question(card, "5 5 4 2 1 1 V").format_lines(top=2):
...     print(line)
same-frozen | 5 5 4 2 1 1 [V] | 1 froze
value (points): 19.552169
  1.  19.552169   +0.000000  roll 4 5 6         keeps 4 5 5 V
  2.  18.688014   -0.864155  roll 5 6           keeps 2 4 5 5 V
     and 34 more
"""

from highscore.odds.analysis import (
    DecisionReview,
    Goal,
    PlayerReview,
    Report,
    RollReview,
    TurnReview,
    analyse_game,
    review_turn,
)
from highscore.odds.chips import compute_chip_chances, make_chip_utility, prepare_odds
from highscore.odds.facts import CardFacts, compute_facts, compute_par
from highscore.odds.hint import TYPICAL_PLAYERS, Hint, Prospect, compute_typical_chances, find_hint
from highscore.odds.policy import Policy, RankedChoice, solve_card
from highscore.odds.question import Answer, answer_question, read_position
from highscore.odds.rarity import Feat, count_turns
from highscore.odds.reason import Aim, Reason
from highscore.odds.utility import COUNTED, POINTS, Utility, aim_at_least, cap_at

__all__ = [
    "COUNTED",
    "POINTS",
    "TYPICAL_PLAYERS",
    "Aim",
    "Answer",
    "CardFacts",
    "DecisionReview",
    "Feat",
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
    "aim_at_least",
    "analyse_game",
    "answer_question",
    "cap_at",
    "compute_chip_chances",
    "compute_facts",
    "compute_par",
    "compute_typical_chances",
    "count_turns",
    "find_hint",
    "make_chip_utility",
    "prepare_odds",
    "read_position",
    "review_turn",
    "solve_card",
]
