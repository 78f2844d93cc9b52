import inspect

import highscore
from highscore import errors


def test_everything_offered_is_there_and_in_order() -> None:
    assert all(hasattr(highscore, name) for name in highscore.__all__)
    assert sorted(highscore.__all__) == sorted(set(highscore.__all__))


def test_every_refusal_is_a_high_score_error() -> None:
    named = [each for _, each in inspect.getmembers(errors, inspect.isclass)]
    assert len(named) > 5
    assert all(issubclass(each, highscore.HighScoreError) for each in named)
    assert issubclass(errors.NotYourTurn, highscore.IllegalChoice)
    assert issubclass(errors.GameOver, highscore.IllegalChoice)
