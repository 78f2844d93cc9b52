from bot.domain.daily import Finisher, make_ranking


def test_equal_scores_share_a_place() -> None:
    scores = [("Ada", 90), ("Ben", 120), ("Cem", 90), ("Dot", 80)]
    lines = make_ranking(Finisher(number, name, score, 1) for number, (name, score) in enumerate(scores))
    assert [(line.place, line.name) for line in lines] == [(1, "Ben"), (2, "Ada"), (2, "Cem"), (4, "Dot")]
    assert make_ranking([]) == ()
