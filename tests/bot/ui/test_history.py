"""Every page of a replay: what it shows is known at its position, with all that a game can have to tell at its end."""

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import product

import pytest

from bot.domain import badges, highlights, screens
from bot.domain.outcome import Finish, outcome_of
from bot.domain.table import Seat, Status, Table
from bot.domain.timing import News, NewsKind
from bot.ui import history, message
from bot.ui.buttons import ReplayPress, Step
from bot.ui.table import render_screen, render_table
from bot.ui.text import player_name
from highscore import STANDARD_DECK, Card, Game, TurnOrder, apply_event, find_winners, house
from highscore.events import Abandoned, Event, LeftOut
from highscore.replaying import Moment, find_next_turn, list_positions
from tests.bot.cores import game_of
from tests.bot.ui.limits import check_message
from tests.bot.ui.tables import HOSTILE, table_of
from tests.bot.ui.test_button_rows import look
from tests.highscore.strategies import CHANCE, dealt, decided

FEW, MANY = 3, 200
"""The games of each turn order by default, and where long tests run."""
EACH = [*product(TurnOrder, [FEW]), *(pytest.param(order, MANY, marks=pytest.mark.long) for order in TurnOrder)]
NAMES = ("Ada", "*Ben*", "Cem", "Dot", "Eve")


@dataclass(frozen=True)
class Played:
    """A game that is over, with its log, and its people as they sat down."""

    table: Table
    events: tuple[Event, ...]
    seats: tuple[Seat, ...]


class Player:
    """Plays games at random, with the news that they bring."""

    def __init__(self, order: TurnOrder) -> None:
        self.order, self.chance = order, random.Random(order.value)
        self.best: dict[Card, int] = {}
        """The best result on each card in the games so far."""

    def play(self) -> Played:
        """Play a game to its end; in some of them the first player leaves, and some are cancelled."""
        lobby = table_of(self.chance.choice((2, 2, 2, 3, 5)), self.order, self.chance.choice((NAMES, HOSTILE)))
        if self.chance.random() < 0.2:
            lobby = lobby.with_seat(1, user_id=None, house=house.Temperament.STEADY.value)
        table = replace(lobby, status=Status.PLAYING, game=Game(len(lobby.seats), self.order))
        deal, events = dealt(self.chance, STANDARD_DECK), list[Event]()
        event: Event
        leaves, cancels = self.chance.randint(0, 500), self.chance.randint(0, 1000)
        while table.status is Status.PLAYING:
            game = game_of(table)
            if game.awaiting in CHANCE:
                event = deal(game)
            elif cancels < len(events):
                event = Abandoned("Ada")
            elif leaves < len(events) and not table.seats[0].left:
                table = table.with_seat(0, left=True, house=house.Temperament.STEADY.value)
                table = replace(table, news=(*table.news, News(NewsKind.LEFT, 0, game.round)))
                out = not self.order.shared and game.count_finished(0) == 0 and len(game.seats) > 2
                event = LeftOut(0) if out else decided(game, self.chance)
            else:
                event = decided(game, self.chance)
            table = self._after(table, event, events)
            events.append(event)
        return Played(table, tuple(events), lobby.seats)

    def _after(self, table: Table, event: Event, before: list[Event]) -> Table:
        """Return the table after an event, with its news as services make it."""
        was, now = game_of(table), apply_event(game_of(table), event)
        news = list(table.news)
        for number, ended in enumerate(now.finished[len(was.finished) :], len(was.finished) + 1):
            best = max(ended.turns, key=lambda turn: turn.result)
            if best.result > self.best.setdefault(ended.card, best.result):
                news.append(News(NewsKind.RECORD, best.seat, number))
                self.best[ended.card] = best.result
        news += highlights.rare_news(was, now, news, [event])
        if isinstance(event, Abandoned):
            return replace(table, game=now, news=(*news, News(NewsKind.CANCELLED, 0)), status=Status.ABANDONED)
        if now.complete:
            last = highlights.find_last_roll_winner(was, now, lambda: before)
            news += [] if last is None else [News(NewsKind.LAST_ROLL, last)]
            outcome = outcome_of(Finish(table.id, 1, datetime(2026, 1, 1, tzinfo=UTC), "", ""), table.seats, now)
            for seat in outcome.seats:
                if badges.has_come_back(seat, outcome):
                    detail = f"{badges.points_behind(seat, outcome, badges.HALFWAY)} {badges.HALFWAY}"
                    news.append(News(NewsKind.COMEBACK, seat.seat, detail=detail))
            news += [News(NewsKind.FIRST_WIN, seat) for seat in find_winners(now)[-1:]]
        status = Status.FINISHED if now.complete else Status.PLAYING
        return replace(table, game=now, news=tuple(news), status=status)


@cache
def games(order: TurnOrder, number: int) -> tuple[Played, ...]:
    player = Player(order)
    return tuple(player.play() for _ in range(number))


def shown(page: message.Rendered) -> tuple[object, ...]:
    picture = None if page.picture is None else (page.picture.sentences, page.picture.view)
    return page.content, [embed.to_dict() for embed in page.embeds], [each.custom_id for each in page.buttons], picture


def find_button(page: message.Rendered, step: Step) -> ReplayPress | None:
    (found,) = (each for each in page.buttons if each.custom_id.startswith(f"ha:{step.value}:"))
    return None if look(found).disabled else ReplayPress.parse(found.custom_id)


def records_in(page: message.Rendered) -> list[str]:
    return [
        line for field in page.embeds[-1].fields if "🏅" in str(field.name) for line in str(field.value).splitlines()
    ]


@pytest.mark.parametrize(("order", "number"), EACH)
def test_every_page_can_be_shown_and_says_only_what_was_known_then(order: TurnOrder, number: int) -> None:
    for game in games(order, number):
        table, positions = game.table, list_positions(len(game.seats), order, game.events)
        records = {news.round: news.seat for news in table.news if news.kind is NewsKind.RECORD}
        at: int | None = 0
        seen = 0
        while at is not None:
            assert at == seen, "the button leads to the next page"
            page, position = history.render_replay(table, positions, at), positions[at]
            check_message(page)
            rounds = len(position.game.finished)
            known = tuple(news for news in table.news if news.round is not None and news.round <= rounds)
            if position.starts_section and position.moment is not Moment.GAME_END:
                then = replace(table, news=known, seats=game.seats, game=position.game)
                assert shown(page) == shown(history.render_replay(then, positions, at)), "nothing of what came later"
            broken = position.moment is Moment.ROUND_END and rounds in records
            assert len(records_in(page)) == broken
            if broken:
                assert player_name(table, records[rounds], marked=False) in records_in(page)[0]
            following, turn = find_button(page, Step.NEXT), find_button(page, Step.TURN)
            assert (turn is None) == (following is None)
            assert turn is None or turn.position == find_next_turn(positions, at)
            at, seen = None if following is None else following.position, seen + 1
        assert seen == len(positions)


@pytest.mark.parametrize(("order", "number"), EACH)
def test_the_records_that_stay_in_the_channel_tell_of_their_own_rounds(order: TurnOrder, number: int) -> None:
    for game in games(order, number):
        over = game_of(game.table)
        records = [news.round for news in game.table.news if news.kind is NewsKind.RECORD]
        for page in screens.records_after(over, 0):
            shown_in_channel, read = render_screen(game.table, page), screens.read_screen(over, page)
            check_message(shown_in_channel)
            assert isinstance(read, screens.RecordScreen)
            told = records.count(read.round + 1) if order.shared else len(records)
            assert len(records_in(shown_in_channel)) == told


@pytest.mark.long
@pytest.mark.parametrize(("order", "number"), [*product(TurnOrder, [MANY])])
def test_the_games_have_all_that_there_is_to_tell(order: TurnOrder, number: int) -> None:
    told = {news.kind for game in games(order, number) for news in game.table.news}
    stories = {NewsKind.RECORD, NewsKind.RARE, NewsKind.COMEBACK, NewsKind.FIRST_WIN, NewsKind.LEFT, NewsKind.CANCELLED}
    assert stories <= told
    assert order is not TurnOrder.CLOCKWISE or NewsKind.LAST_ROLL in told
    assert {len(find_winners(game_of(game.table))) for game in games(order, number)} >= {0, 1, 2}


@pytest.mark.parametrize(("order", "number"), EACH)
def test_nobody_alone_is_said_to_have_won_what_several_share(order: TurnOrder, number: int) -> None:
    for game in games(order, number):
        if game.table.status is not Status.FINISHED:
            continue
        won = [player_name(game.table, seat) for seat in find_winners(game_of(game.table))]
        for embed in (
            render_table(game.table).embeds[-1],
            history.render_replay(game.table, list_positions(len(game.seats), order, game.events), 9999).embeds[-1],
        ):
            title, story = str(embed.title), str(embed.description).splitlines()[0]
            if not won:
                assert title == "The game is over"
            elif len(won) == 1:
                assert won[0] in title
                assert story.startswith(player_name(game.table, find_winners(game_of(game.table))[0], marked=False))
            else:
                assert title == "🏆 A shared victory"
                assert story.startswith("Tied after seven rounds: ")
