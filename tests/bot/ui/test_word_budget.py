"""The words that people have to read on each screen, in English; in other languages a third more.

Counted are runs of letters in all that is read: content, embeds, labels, placeholders, chosen options. Names, mentions,
times, dice, and what stands behind bars are free.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from bot.domain.table import Table
from bot.locales import languages, speaking_in
from bot.ui.lobby import render_seat_notice
from bot.ui.message import Rendered
from bot.ui.table import render_table
from highscore.turn_order import TurnOrder
from tests.bot.ui.tables import start, table_of

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
FREE = (
    r"\|\|.*?\|\|",  # behind bars
    r"<(?:@[!&]?|#|a?:\w+:|t:|/[\w ]+:)[-\w:]*>",  # mentions, moments, emoji
    r"\]\([^)]*\)",  # where a link leads
    r"\d+ ?(?:h|min|s|days?|Std\.|Min\.|Sek\.|Tage?n?)(?!\w)",  # times
    rf"\b(?:{'|'.join(NAMES)})\b",
)
WORD = re.compile(r"[^\W\d_]+")
MORE_PEOPLE = 8
"""The words that each further person may add."""


def words_of(shown: Rendered, lettering: str = "") -> list[str]:
    """Return the words of a message; ``lettering`` is that of its picture."""
    return WORD.findall(re.sub("|".join(FREE), " ", "\n".join([*_texts(shown), lettering])))


def _texts(shown: Rendered) -> Iterator[str]:
    yield shown.content or ""
    for embed in shown.embeds:
        yield from (embed.title or "", embed.description or "", embed.footer.text or "", embed.author.name or "")
        for field in embed.fields:
            yield from (field.name or "", field.value or "")
    for item in shown.buttons:
        yield from (str(getattr(item.item, name, None) or "") for name in ("label", "placeholder"))
        yield from (option.label for option in getattr(item.item, "options", ()) if option.default)


@dataclass(frozen=True)
class Budget:
    """A screen, by its name in the issue of a failing test, and the words it may have for two people."""

    name: str
    most: int
    render: Callable[[Table], Rendered]
    """Renders the screen from a lobby, which may have more people."""


def joined(table: Table) -> Rendered:
    return render_seat_notice(table, 2)


def opening(table: Table) -> Rendered:
    return render_table(replace(start(table), opening_id=None))


BUDGETS = (
    Budget("lobby", 45, render_table),
    Budget("joining", 10, joined),
    Budget("opening", 15, opening),
)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.name)
def test_a_screen_has_no_more_words_than_it_may(budget: Budget, language: str) -> None:
    for order in TurnOrder:
        for players in range(1, len(NAMES) + 1):
            table = replace(table_of(players, order, NAMES), locale=language)
            table = replace(table, seats=tuple(replace(seat, lucky_word="") for seat in table.seats))
            if players == 1 and budget.name != "lobby":
                continue
            for max_seats in {players, 5} - {1}:
                with speaking_in(language):
                    found = words_of(budget.render(replace(table, max_seats=max_seats)))
                most = budget.most + MORE_PEOPLE * max(players - 2, 0)
                most = most if language == "en" else most * 4 // 3
                assert len(found) <= most, (order, players, " ".join(found))


def test_words_are_counted_as_people_read_them() -> None:
    shown = Rendered(content="<@1> <t:5:R> has 3 free seats. ||Seal: abc|| [Go on](https://x.test/a) 2 h, Ada's `/a b`")
    assert words_of(shown, "Round 1") == ["has", "free", "seats", "Go", "on", "s", "a", "b", "Round"]
