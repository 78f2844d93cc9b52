import pytest

from bot.locales import languages, pgettext, speaking_in
from bot.locales.commands import COMMAND
from bot.ui.text import GROUP, command_mention, link_commands


@pytest.mark.parametrize("language", languages())
def test_a_private_answer_names_a_command_as_its_reader_sees_it_and_links_it_where_that_is_its_name(
    language: str,
) -> None:
    link_commands({GROUP: 5})
    with speaking_in(language):
        shown = pgettext(COMMAND, "new")
        assert command_mention("new") == ("</highscore new:5>" if shown == "new" else f"`/highscore {shown}`")
        assert command_mention("new", linked=True) == "</highscore new:5>"
