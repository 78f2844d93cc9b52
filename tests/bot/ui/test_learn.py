from bot.domain.learn import lesson_position
from bot.ui.learn import CARDS, render_lesson
from bot.ui.pictures.views import BoardView
from highscore.odds.facts import compute_averages


def test_a_turn_of_the_lesson_has_the_flag_of_its_card_and_as_many_rounds_as_cards() -> None:
    for step in range(12):
        at = lesson_position(step)
        picture = render_lesson(at).picture
        assert picture is not None
        view, *_names = picture.view
        assert isinstance(view, BoardView)
        assert view.rounds == CARDS
        average = None if at.expected is None else compute_averages([view.card])[0]
        assert average == (None if view.measure is None else view.measure.average)
