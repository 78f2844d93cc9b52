"""Names of people on screens: no screen formats them, mentions anybody by them, or is turned around by them.

A screen with such names has to be the same screen with ordinary ones, in which each name was replaced by what
``escape_name`` makes of it, or ``clean_name`` where Discord formats nothing, see tests/bot/ui/test_text.py.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, product

import discord
import pytest

from bot.locales import languages, speaking_in
from bot.services.lobby import MAX_NAME
from bot.ui.lobby import render_lobby
from bot.ui.text import DOTS, HOUSE, PIECES, clean_name, escape_name
from highscore.house import Temperament
from highscore.turn_order import TurnOrder
from tests import hostile
from tests.bot.locales import screens
from tests.bot.locales.screens import Screen
from tests.bot.ui.limits import check_embeds, length
from tests.bot.ui.tables import ORDERS

NAMED = ("Anna", "Bert", "Cleo", "Dora", "Emil")
"""Names in which nothing is special, and which no screen has in another word."""
SOME = 5
LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
MOST_OF_ALT = 1024


def groups() -> list[tuple[str, ...]]:
    """Return five tables that have something of everything; with HIGHSCORE_LARGE all names."""
    if LARGE:
        names = tuple(name[:MAX_NAME] for name in hostile.NAMES)
        return [names[at : at + 5] for at in range(0, len(names) - 4, 5)] + [names[-5:]]
    return [
        ("*" * 100, "`~_|" * 25, "[click](https://example.invalid)", "back\\", "1. first"),
        ("@everyone @here", "<@123456789012345678>", "</cmd:123456789012345678>", "<t:0:R>", "discord.gg/invite"),
        ("\u202e" + "مرحبا" * 19, "evil\u2067", "\u2069\u2069\u202c\u202c", "Ada שלום 7", "\u200b\u200c\u2060"),
        (hostile.MARKS[0], hostile.MARKS[1], "👩\u200d👩\u200d👧\u200d👦" * 14, "ﷺ" * 100, "𒐫" * 100),
        ("🤖 Abacus", "Ada · Host", "🔴 Ada 12 · 🔷 Ben", "🥇 Ada, ⭐\ufe0f Ben", "🤖"),
        ("{0} {player} {} {{", "%s %d %(name)s %", "line\nbreak\r\nand\ttab", "half \ud800 a", "null\x00byte"),
    ]


CASES = [*product(groups(), languages() if LARGE else ["en"])]


def named_screens() -> Iterator[Screen]:
    """Yield the screens on which there are names; of two games, one without pictures, some states or (LARGE) all."""
    for order in ORDERS:
        tables = screens._table_screens(screens.lobby(4, order, pictures=order is TurnOrder.OPEN))
        yield from islice(tables, 0, None, 1 if LARGE else SOME)
    others = screens.waiting, screens.coach, screens.dailies, screens.boards, screens.archive
    for source in (screens.invitations, *others):
        yield from source()


def screens_with(names: Sequence[str], language: str, monkeypatch: pytest.MonkeyPatch) -> list[Screen]:
    monkeypatch.setattr(screens, "NAMES", names)
    with speaking_in(language):
        return list(named_screens())


@cache
def ordinary(language: str) -> list[Screen]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return screens_with(NAMED, language, monkeypatch)


def without_lists(text: str | None) -> str | None:
    """Return a text without what keeps a name from beginning a list: within a sentence a name has none of it."""
    return text and re.sub(r"\\([-+.])", r"\1", text)


def renamed(text: str | None, names: Sequence[str], shown: Callable[[str], str]) -> str | None:
    """Return a text of an ordinary screen, with other names."""
    if text is None:
        return None
    for before, after in zip(NAMED, names, strict=True):
        text = text.replace(before, shown(after))
    return text


def texts(embed: discord.Embed) -> list[str | None]:
    return [embed.title, embed.description, *(part for each in embed.fields for part in (each.name, each.value))]


def test_the_screens_have_all_names_in_all_places() -> None:
    """Check that the next test has something to compare."""
    found = ordinary("en")
    for name in NAMED[:3]:
        assert any(name in str(text) for screen in found for embed in screen.embeds for text in texts(embed))
        assert any(name in alt for screen in found for alt in screen.alts)
    assert any(NAMED[0] in text for screen in found for text in screen.texts)
    assert any(NAMED[0] in str(embed.footer.text) for screen in found for embed in screen.embeds)


@pytest.mark.parametrize(("names", "language"), CASES)
def test_every_screen_shows_a_name_harmless_and_fits_into_discord(
    names: tuple[str, ...], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for before, after in zip(ordinary(language), screens_with(names, language, monkeypatch), strict=True):
        assert after.name == before.name
        if after.embeds:
            check_embeds(after.embeds)
        assert all(length(text) <= 2000 for text in after.texts)
        assert all(0 < length(text) <= MOST_OF_ALT for text in after.alts)
        for plainly, shown in zip(before.embeds, after.embeds, strict=True):
            wanted_texts = [without_lists(renamed(text, names, escape_name)) for text in texts(plainly)]
            assert [without_lists(text) for text in texts(shown)] == wanted_texts
            assert shown.footer.text == renamed(plainly.footer.text, names, clean_name)
        assert after.texts == [renamed(text, names, escape_name) for text in before.texts]
        for plain_alt, alt in zip(before.alts, after.alts, strict=True):
            wanted = renamed(plain_alt, names, clean_name)
            assert wanted is not None
            assert alt == wanted or (len(wanted) > MOST_OF_ALT and alt[:-1] == wanted[: len(alt) - 1].rstrip())
        labels = [[getattr(button.item, "label", None) for button in each.buttons] for each in (before, after)]
        assert labels[1] == [renamed(label, names, clean_name) for label in labels[0]]


@pytest.mark.parametrize("name", ["{house}", "{house} · Host", "Ada · Host", "Ada 🤖", "Ada • 🍀 Host", "🤖 {house}"])
def test_nobody_passes_for_a_house_player_or_for_the_host(name: str) -> None:
    person = Temperament.STEADY.person
    table = screens.lobby(3, TurnOrder.CLOCKWISE, names=("Cleo", name.format(house=person)))
    seats = [replace(seat, lucky_word="") for seat in table.seats]
    seats[2] = replace(seats[2], name=person, house=Temperament.STEADY.value)
    in_words = render_lobby(replace(table, seats=tuple(seats))).adapt(pictures=False).embeds[0]
    host, somebody, house = str(in_words.description).splitlines()[:3]
    assert house == f"{PIECES[2]} {HOUSE} {person}."
    assert host == f"{PIECES[0]} Cleo {DOTS[0]} Host."
    assert not set(somebody) & {HOUSE, *DOTS}
    assert [piece for piece in PIECES if piece in somebody] == [PIECES[1]]
