"""The picture of luck and skill."""

from bot.ui.pictures.results import LuckView, luck_sentences

VIEW = LuckView(
    luck=((1.5, -0.8, 0.1, 0.0, 2.9, -2.2, None), (0.3, 0.3, -0.5, 1.0, -1.0, 0.2, 0.4)),
    loss=((0.0, 0.4, 0.0, 0.0, 0.1, 1.2, None), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
)


def test_the_picture_is_told_in_words() -> None:
    _what, ada, bruno = luck_sentences(VIEW, ("Ada", "Bruno"))
    assert ada == "Ada: luck +1.5, given away −1.7."
    assert bruno == "Bruno: luck +0.7, given away 0.0."
