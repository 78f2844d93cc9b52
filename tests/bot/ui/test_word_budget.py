"""The words that people have to read on each screen, in English; in other languages a third more.

The first four, one after the other, are what somebody reads before their first roll: 130 words.
Counted are runs of letters in all that is read: content, embeds, labels, placeholders, chosen options. Names, mentions,
times, dice, and what stands behind bars are free.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice

import pytest

from bot.domain.challenge import Attempt
from bot.domain.cup import CupPost, CupView
from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Leg
from bot.domain.pages import RecordPage, read_page
from bot.domain.practised import note_cards
from bot.domain.table import Status, Table
from bot.locales import _, languages, speaking_in
from bot.ui.cup import render_cup_post
from bot.ui.cup_words import match_lines
from bot.ui.daily import daily_page
from bot.ui.lobby import render_seat_notice
from bot.ui.message import Rendered
from bot.ui.private_page import render_private
from bot.ui.results import final_buttons, final_embeds
from bot.ui.run import run_page
from bot.ui.table import render_page, render_table
from highscore import STANDARD_DECK
from highscore.dealer import play_event
from highscore.deck import ROUNDS
from highscore.events import Decided, TakeDice
from highscore.fairness import Source
from highscore.turn_order import TurnOrder
from tests.bot.cores import NOW, game_of
from tests.bot.decks import only
from tests.bot.locales.rules_of_languages import TIMES
from tests.bot.services.days import make_day
from tests.bot.ui.cups import entry_of, moments
from tests.bot.ui.tables import start, states, table_of

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
FREE = (
    r"\|\|.*?\|\|",  # behind bars
    r"<(?:@[!&]?|#|a?:\w+:|t:|/[\w ]+:)[-\w:]*>",  # mentions, moments, emoji
    r"\]\([^)]*\)",  # where a link leads
    rf"\d+ ?(?:h|min|s|days?|{'|'.join(TIMES.values())})(?!\w)",  # times
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
    render: Callable[[Table], Iterable[Rendered]]
    """Renders the screen, in all its looks, from a lobby, which may have more people."""


def lobby(table: Table) -> Iterator[Rendered]:
    yield render_table(table)


def joined(table: Table) -> Iterator[Rendered]:
    yield render_seat_notice(table, 2)


def opening(table: Table) -> Iterator[Rendered]:
    yield render_table(replace(start(table), opening_id=None))


def turn(*, known: bool, rolled: bool) -> Callable[[Table], Iterator[Rendered]]:
    """Make the function that renders turns on all cards: at a table, alone in own pace, and of the daily challenge."""

    def render(table: Table) -> Iterator[Rendered]:
        for begun in _begun(table, known=known):
            seat = game_of(begun).may_act[0]
            shown = _rolled(begun, seat) if rolled else begun
            if table.turn_order.shared:
                yield render_table(shown, asking=True)
            else:
                yield render_private(run_page(shown.seen_by(seat), seat, NOW))

    return render


def own_pace(table: Table) -> Iterator[Rendered]:
    for state in islice(states(_timed(table), random.Random(1)), 0, None, 9):
        if not table.turn_order.shared and state.status is Status.PLAYING:
            yield render_table(state)


def records(table: Table) -> Iterator[Rendered]:
    *_others, ended = states(_timed(table), random.Random(2))
    for page in range(2, ended.page if table.turn_order.shared else 0):
        if isinstance(read_page(game_of(ended), page), RecordPage):
            yield render_page(ended, page)


def standings(table: Table) -> Iterator[Rendered]:
    *_others, ended = states(_timed(table), random.Random(3))
    yield Rendered(
        final_embeds(ended)[-1:], _("{people}, the game is over.").format(people="<@1>"), final_buttons(ended)
    )


def day(*, known: bool, rolled: bool) -> Callable[[Table], Iterator[Rendered]]:
    """Make the function that renders first pages of a daily challenge, which say the most, or the page after them."""

    def render(table: Table) -> Iterator[Rendered]:
        alone = replace(table.without(range(1, len(table.seats))), turn_order=TurnOrder.OWN_PACE)
        for begun in _begun(alone, known=known):
            game, ends_at = game_of(_rolled(begun, 0) if rolled else begun), NOW + timedelta(hours=5)
            daily = make_day(Source(begun.seed, begun.id), date(2026, 3, 9), (9.5,) * ROUNDS, ends_at=ends_at)
            attempt = Attempt(daily, 1, "Ada", 2, (), game, practised=begun.seats[0].practised)
            yield render_private(daily_page(attempt, NOW))

    return render


def _timed(table: Table) -> Table:
    return replace(table, timing=replace(table.timing, deadline=NOW + timedelta(hours=2)))


def _begun(table: Table, *, known: bool) -> Iterator[Table]:
    """Yield the table after its start on each card, with people who know all cards, or none."""
    practised = note_cards(STANDARD_DECK) if known else ""
    seats = tuple(replace(seat, practised=practised) for seat in table.seats)
    for card in STANDARD_DECK:
        yield start(replace(_timed(table), seats=seats, deck=only(card.id)))


def _rolled(table: Table, seat: int) -> Table:
    game, _events = play_event(game_of(table), Decided(seat, TakeDice()), table.source, table.deck)
    return replace(table, game=game)


BUDGETS = (
    Budget("lobby", 45, lobby),
    Budget("joining", 10, joined),
    Budget("opening", 15, opening),
    Budget("turn on a new card, before the roll", 60, turn(known=False, rolled=False)),
    Budget("turn on a new card, after the roll", 50, turn(known=False, rolled=True)),
    Budget("turn on a known card, before the roll", 35, turn(known=True, rolled=False)),
    Budget("turn on a known card, after the roll", 35, turn(known=True, rolled=True)),
    Budget("own pace", 25, own_pace),
    Budget("record of a round", 42, records),
    Budget("standings", 32, standings),
    Budget("first page of a first day", 75, day(known=False, rolled=False)),
    Budget("daily on a new card, after the roll", 50, day(known=False, rolled=True)),
    Budget("daily on a known card, after the roll", 35, day(known=True, rolled=True)),
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
                most = budget.most + MORE_PEOPLE * max(players - 2, 0)
                most = most if language == "en" else most * 4 // 3
                with speaking_in(language):
                    for shown in budget.render(replace(table, max_seats=max_seats)):
                        found = words_of(shown)
                        assert len(found) <= most, (order, players, " ".join(found))


CUP_POSTS = {CupPost.ENTRY: 40, CupPost.WAITS: 40, CupPost.LEG: 60, CupPost.REMINDER: 20, CupPost.PROLONGED: 30}
"""The words of a cup's posts. What came of matches is free, line by line, as is who meets whom."""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("form", Format)
def test_a_post_of_a_cup_has_no_more_words_than_it_may(form: Format, language: str) -> None:
    with speaking_in(language):
        entry = CupView(entry_of(NAMES, form), ())
        for view in (entry, *moments(12, form, NAMES)[:-1]):
            for what, most in CUP_POSTS.items():
                if (what in (CupPost.ENTRY, CupPost.WAITS)) is not (view is entry):
                    continue
                shown = render_cup_post(view, what, view.cup.leg, 12, [1, 2], pictures=True)
                matches = {line for at, leg in enumerate(view.closed, 1) for line in _matches(view, at, leg)}
                for embed in shown.embeds:
                    lines = (embed.description or "").splitlines()
                    embed.description = "\n".join(line for line in lines if line not in matches)
                found = words_of(shown)
                assert 5 < len(found) <= (most if language == "en" else most * 4 // 3), " ".join(found)


def _matches(view: CupView, number: int, leg: Leg) -> Iterator[str]:
    for at in range(len(leg.groups)):
        yield from match_lines(view, number, at)


def test_words_are_counted_as_people_read_them() -> None:
    shown = Rendered(content="<@1> <t:5:R> has 3 free seats. ||Seal: abc|| [Go on](https://x.test/a) 2 h, Ada's `/a b`")
    assert words_of(shown, "Round 1") == ["has", "free", "seats", "Go", "on", "s", "a", "b", "Round"]
