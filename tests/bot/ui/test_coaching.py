"""The sentence before the figures of a finished game."""

from dataclasses import replace

import pytest

from bot.domain.table import Status
from bot.ui.coaching import story_text
from highscore.deck import STANDARD_DECK
from highscore.odds.analysis import DecisionReview, PlayerReview, Report
from highscore.odds.policy import RankedChoice
from highscore.turn import Stop, parse_turn
from tests.bot.games import scored, tied, wins
from tests.bot.ui.tables import table_of

ADA, BEN = "🔴 Ada", "🔷 \\*Ben\\*"
BOTH = f"{ADA} and {BEN} share the victory."


def told(*luck: float, winner: int | None = 0, loss: float = 0.0) -> str:
    """Return the story of a game with so much luck a seat, in which Ben made one choice that cost so much.

    Without a ``winner``, Ada and Ben share the victory.
    """
    table = table_of(len(luck), names=("Ada", "*Ben*", "Cem")[: len(luck)])
    game = scored(*(tied(len(luck)) if winner is None else wins(winner, len(luck))))
    reviews = tuple(PlayerReview(seat, each, each, 1, 1, 0.0) for seat, each in enumerate(luck))
    turn = parse_turn("total-minus5 | 1 1 1 1 1 1 1 | 1", STANDARD_DECK)
    best = RankedChoice(Stop(), (), ends_turn=True, value=0.0, loss=0.0)
    made = DecisionReview(3, 1, turn, Stop(), 0.0, best, loss, 0.0, by_house=False)
    report = Report((), reviews, None, made if loss else None)
    return story_text(replace(table, game=game, status=Status.FINISHED), report)


@pytest.mark.parametrize(
    ("luck", "winner", "sentence"),
    [
        ((1.0, 0.0), 0, f"{ADA} wins and has the most luck. Next: {BEN}. The difference is worth a bronze chip."),
        ((1.0, -1.0), 0, f"{ADA} wins and has the most luck. Next: {BEN}. The difference is worth a silver chip."),
        ((3.0, 0.0, -5.0), 0, f"{ADA} wins and has the most luck. Next: {BEN}. The difference is worth a gold chip."),
        ((9.0, 0.0), 1, f"{BEN} wins. More luck: {ADA}. The difference is great."),
        ((0.3, 0.0), 0, f"{ADA} wins, with even luck."),
        ((0.3, 0.0), 1, f"{BEN} wins, with even luck."),
        ((0.3, 0.0, -0.1), 1, f"{BEN} wins, with even luck."),
        ((0.3, 0.0, -2.0), 0, f"{ADA} wins. About as much luck: {BEN}."),
        ((0.3, 0.0, -2.0), 1, f"{BEN} wins. About as much luck: {ADA}."),
        ((0.3, 0.0), None, BOTH),
        ((1.0, 0.0), None, f"{BOTH} Most luck: {ADA}. The difference is worth a bronze chip."),
        ((0.0, 2.0, 9.0), None, f"{BOTH} Most luck: 🟩 Cem. The difference is great."),
    ],
)
def test_luck_is_told_in_chips(luck: tuple[float, ...], winner: int | None, sentence: str) -> None:
    assert told(*luck, winner=winner) == f"{sentence} No choice was a costly mistake."


def test_the_costliest_choice_is_named_where_it_cost_something() -> None:
    assert told(0.0, 0.0, loss=0.5).endswith(f"Costliest choice: {BEN}, in round 3.")
    assert told(0.0, 0.0, loss=0.1).endswith("No choice was a costly mistake.")
