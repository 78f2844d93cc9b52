"""The words that a new player reads between ``/highscore new`` and the first roll, on four screens."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.ui import challenge, message, run
from bot.ui.lobby import render_seat_notice
from bot.ui.table import render_table
from highscore import STANDARD_DECK, TurnOrder
from tests.bot import cores, decks
from tests.bot.ui.tables import start, table_of

MOST_WORDS = 130
NAMES = ("Ada", "Ben")
NOT_READ = (
    r"\|\|.*?\|\|",  # spoilers
    r"<(?:@[!&]?|#|a?:\w+:|t:|/[\w ]+:)[-\w:]*>",  # mentions, timestamps, emoji
    r"\]\([^)]*\)",  # addresses of links
    r"\d+ ?(?:h|min|s|days?)(?!\w)",  # times
    rf"\b(?:{'|'.join(NAMES)})\b",
)
WORD = re.compile(r"[^\W\d_]+")


def count_words(shown: message.Rendered) -> int:
    return len(WORD.findall(re.sub("|".join(NOT_READ), " ", "\n".join(texts_of(shown)))))


def texts_of(shown: message.Rendered) -> Iterator[str]:
    yield shown.content or ""
    for embed in shown.embeds:
        yield from (embed.title or "", embed.description or "", embed.footer.text or "", embed.author.name or "")
        for field in embed.fields:
            yield from (field.name or "", field.value or "")
    for item in shown.buttons:
        yield from (str(getattr(item.item, name, None) or "") for name in ("label", "placeholder"))
        yield from (option.label for option in getattr(item.item, "options", ()) if option.default)


@pytest.mark.parametrize("order", TurnOrder)
def test_a_new_player_reads_few_words_before_the_first_roll(order: TurnOrder) -> None:
    lobby = table_of(2, order, NAMES)
    lobby = replace(lobby, timing=replace(lobby.timing, deadline=cores.NOW + timedelta(hours=2)))
    for card in STANDARD_DECK:
        begun = start(replace(lobby, deck=decks.only(card.id)))
        seat = cores.game_of(begun).may_act[0]
        if order.shared:
            first_turn = render_table(begun, asking=True)
        else:
            first_turn = challenge.render_private(run.run_page(begun.seen_by(seat), seat, cores.NOW))
        screens = [render_table(lobby), render_seat_notice(lobby, 2), render_table(replace(begun, opening_id=None))]
        counted = [count_words(shown) for shown in (*screens, first_turn)]
        assert all(counted), "every screen says something"
        assert sum(counted) <= MOST_WORDS, (card.id, counted)
