from collections.abc import Sequence
from dataclasses import replace

from bot.ui.message import MAX_ALT
from bot.ui.pictures import views
from highscore import STANDARD_DECK
from highscore.track import Chip, award_chips, place_pieces
from highscore.turn import parse_turn
from tests.bot.ui.pictures.samples import CARDS, busy_board, dice, ended_board, full_results

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")


def told(view: views.BoardView, names: Sequence[str] = NAMES) -> str:
    return " ".join(views.board_sentences(view, names))


def standings(view: views.ResultsView, names: Sequence[str] = NAMES) -> str:
    return " ".join(views.results_sentences(view, names))


def test_a_turn_is_told_in_full() -> None:
    assert told(busy_board()) == (
        "Round 1 of 7. Challenge card: Total. All seven dice count. A vortex freezes: it is worth 0 and never rolled"
        " again. Set aside after each roll. At least one die stays for good; the others are rolled again."
        " 3 rolls left. It is Dan's turn."
        " Dice: 5 (set aside), Vortex (frozen), 4 (set aside), Vortex (frozen), 2, 1, 3."
        " Worth now: 15 (5+4+2+1+3)."
        " Ada: on space 37. Eve: on space 26. Ben: on space 7. Cleo: −5, not on the track."
    )


def test_a_round_that_is_over_tells_the_chips() -> None:
    text = told(ended_board())
    assert "Eve: 30, on space 29." in text
    assert "Dan: 1 gold chip. Ada: 1 silver chip. Cleo: 1 bronze chip. Challenge card: " in text
    assert "Dice:" not in text


def with_chips(view: views.BoardView) -> views.BoardView:
    """Return a board in round 3, on which the first has won gold and bronze and the second silver."""
    chips = ((Chip.GOLD, Chip.BRONZE), (None, Chip.SILVER))
    seats = [replace(seat, chips=won) for seat, won in zip(view.seats, chips, strict=False)]
    return replace(view, seats=(*seats, *view.seats[2:]), round=3)


def test_the_round_and_the_points_so_far_are_told() -> None:
    text = told(with_chips(busy_board()))
    assert text.startswith("Round 3 of 7. Challenge card")
    assert text.endswith("Points so far: Ada 4, Ben 2, Cleo 0, Dan 0, Eve 0.")


def test_somebody_alone_is_told_the_average_and_the_par_so_far() -> None:
    view = replace(busy_board(), seats=views.seat_views(4, ()), measure=views.Measure(20.66))
    assert told(view).endswith("Average with best play on this card: 20.7.")
    later = replace(view, measure=views.Measure(20.66, ((25, 18.44), (0, 16.0))))
    assert told(later).endswith("on this card: 20.7. Points so far: 25, par 34.4.")
    best = replace(view, measure=views.Measure(20.66, best=31))
    assert told(best).endswith("Your best result on this card: 31.")


def test_a_taken_space_is_told_before_it_matters() -> None:
    card = STANDARD_DECK.find_card("same-minus-zero")
    view = views.BoardView(
        views.seat_views(3, place_pieces({0: 20})), card, dice(card, "5554421"), on_turn=1, worth=20, aim=19
    )
    assert "20 is taken, so the piece would stand on 19." in told(view)


def test_the_standings_are_told_in_their_order() -> None:
    text = standings(full_results())
    assert text.startswith(
        "Standings. Cleo wins by 2 points. The lead changed 4 times."
        " 1. Cleo: 11 points (2 gold chips, 2 silver chips and 1 bronze chip). 2. Ben"
    )
    short = views.ResultsView(
        ((views.RoundResult(26, 25, Chip.BRONZE),), (views.RoundResult(-3),)), ((1, 0), (2, 1)), NAMES
    )
    assert standings(short) == (
        "Standings. 1. Ada: 1 point (1 bronze chip). 2. Ben: 0 points. Ada, results: 26 on 25. Ben, results: −3."
    )
    shared = views.ResultsView(((views.RoundResult(20, 20, Chip.GOLD),) * 7,) * 2, ((1, 0), (1, 1)), NAMES)
    assert standings(shared).startswith("Standings. Ada and Ben win. 1. Ada: 21 points (7 gold chips).")
    given_up = views.ResultsView(shared.results, shared.order, NAMES, won=False)
    assert "win" not in standings(given_up)
    alone = views.ResultsView(((views.RoundResult(20, 20),) * 7,), ((1, 0),), NAMES)
    assert standings(alone).startswith("Standings. 1. Ada: 140 points. Ada, results: 20,")


def test_the_longest_names_fit_on_every_card() -> None:
    names = ["W" * 32] * 5
    placements = place_pieces(dict.fromkeys(range(5), 3))
    for card in CARDS:
        assert views.card_words(card).startswith("Challenge card: ")
        turn = replace(with_chips(busy_board()), card=card, dice=dice(card, "VVVVVVV", "sssssss"))
        ended = with_chips(views.BoardView(views.seat_views(5, placements, award_chips(placements, 5)), card, dice=()))
        for view in (turn, ended):
            assert len(told(view, names)) <= MAX_ALT
    assert len(standings(full_results(), names)) <= MAX_ALT


def test_the_worth_is_said_tray_by_tray() -> None:
    turn = parse_turn("same-minus-zero | 4 5 2 4 5 5 V | 2", STANDARD_DECK)
    assert "Worth now: 21 (5+5+5, 4+4, −2). That would win 1 gold chip now." in told(
        views.turn_view(turn.card, 2, place_pieces({1: 20}), turn, on_turn=0)
    )
    turn = parse_turn("same-frozen | 5 4 [V] 2 1 1 5 | 1 froze", STANDARD_DECK)
    text = told(views.turn_view(turn.card, 2, (), turn, on_turn=0))
    assert "Dice: 5, 4, Vortex (frozen), 2" in text
    turn = parse_turn("odd-frozen | 4 4 [V] 2 2 4 2 | 1 froze", STANDARD_DECK)
    assert "Worth now: 0." in told(views.turn_view(turn.card, 2, (), turn, on_turn=0))
