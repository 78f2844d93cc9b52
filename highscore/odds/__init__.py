"""Exact odds: the value of every position of a turn, for any goal, and the best choice in that position.

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

from highscore.odds.policy import POINTS, aim_at_least, solve_card
from highscore.odds.question import answer_question

__all__ = ["POINTS", "aim_at_least", "answer_question", "solve_card"]
