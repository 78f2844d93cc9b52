import re

from bot.locales import languages
from bot.ui.buttons import HelpPress
from tests.bot.server import PrivatePage, Server
from tests.simulation import locales

LINK = re.compile(r"</highscore ([a-z]+):\d+>")


async def test_help_is_a_list_of_links_and_all_commands_are_one_press_away(server: Server) -> None:
    ada = server.members[0]
    commands = [name for name in ada.available_commands(server.channel) if name.startswith("highscore ")]
    assert len(commands) == 16
    for language in languages():
        with locales({ada.id: language}, "en-US"):
            page = PrivatePage.of(server, ada, await server.slash(ada, "help"))
            (embed,) = page.page.embeds
            lines = str(embed.description).splitlines()
            # Links work in all languages, although they show the English names.
            assert [LINK.match(line) is not None for line in lines] == [True] * len(lines), language
            short = LINK.findall(page.text)
            await page.send(HelpPress().custom_id)
            (embed,) = page.page.embeds
            listed = LINK.findall(page.text)
            assert sorted(f"highscore {name}" for name in listed) == sorted(commands)
            assert listed[: len(short)] == short
            assert all(text in page.text for text in ("docs/privacy.md", "docs/terms.md", "KOSMOS")), language
