"""Every screen of the bot, as what can be read on it. Made for the current language."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial

import discord

from bot.cogs.routes import HighScore
from bot.discord_api.permissions import PERMISSIONS, explain_absent, explain_forbidden, explain_locked, explain_missing
from bot.domain import calendar, cancelling, challenge, cup, cup_leg, cup_proof, learn, ledger, practice, screens
from bot.domain.badges import Badge
from bot.domain.cup import CupPost, CupView
from bot.domain.daily import Finisher, make_ranking
from bot.domain.dare import Dare, Dares
from bot.domain.history import DaysPlayed, FinishedGame, History, Player, Statistics
from bot.domain.leaderboard import Fame, HallOfFame, Leaderboard, Line, Order
from bot.domain.notify import Notify, Wishes
from bot.domain.server_settings import ServerSettings, Target
from bot.domain.table import Options, Seat, Status, Table
from bot.domain.timing import News, NewsKind, Pace, Timing
from bot.locales import current_language
from bot.ui import coaching, daily, history, leaderboard, message, reminders, run, setup
from bot.ui.buttons import ActionItem, Verb, Wish, turn_press
from bot.ui.cancelling import cancel_request_text, render_cancel_notice, render_cancel_question
from bot.ui.challenge import day_title, render_private
from bot.ui.cup import (
    direct_message_text,
    leg_page,
    make_cup_picture,
    not_posted_text,
    render_cup,
    render_cup_post,
    render_cup_question,
    render_cups,
    render_opened,
    render_results,
)
from bot.ui.daily import daily_page, past_day_name, render_podium, render_shared_score, share_buttons
from bot.ui.dare import dare_page, offered_text, render_dares
from bot.ui.guide import render_card, render_guide, render_help, render_whole_help
from bot.ui.learn import nudge_text, render_lesson
from bot.ui.lobby import WordModal, render_lobby_copy, render_options, render_seat_notice
from bot.ui.privacy import render_data, render_deletion_question, render_deletion_result
from bot.ui.proof import cup_proof_lines, proof_lines
from bot.ui.table import render_screen, render_table
from highscore import STANDARD_DECK, deck, fairness, proof, replaying, standings
from highscore.events import Decided, Event, LeftOut
from highscore.game import Game, apply_event, list_decisions
from highscore.house import Temperament
from highscore.odds import analysis, facts
from highscore.odds.hint import compute_typical_chances, find_hint
from highscore.turn_order import TurnOrder
from tests.bot.domain.cups import Chance
from tests.bot.services.days import make_day
from tests.bot.ui.cups import attempts, entry_of, final_of, moments, played_view
from tests.bot.ui.tables import table_of
from tests.highscore.exports import export_of
from tests.highscore.strategies import play_drawn

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
NAMES = ("Ägir", "Bödvar", "Þóra", "Øyvind", "Ýmir")
"""Names that are no words of any language the bot speaks."""


@dataclass
class Screen:
    """The texts of a message, or of a dialog."""

    name: str
    embeds: Sequence[discord.Embed] = ()
    buttons: Sequence[ActionItem] = ()
    texts: list[str] = field(default_factory=list)
    """Contents."""
    alts: list[str] = field(default_factory=list)
    """The descriptions of pictures."""

    @property
    def words(self) -> str:
        parts = [*self.texts, *self.alts]
        for embed in self.embeds:
            parts += [embed.title or "", embed.description or "", embed.footer.text or ""]
            parts += [f"{each.name}\n{each.value}" for each in embed.fields]
        for button in self.buttons:
            parts.append(getattr(button.item, "label", None) or getattr(button.item, "placeholder", None) or "")
            for option in getattr(button.item, "options", ()):
                parts += [option.label, option.description or ""]
        return "\n".join(parts)


def rendered(name: str, shown: message.Rendered) -> Screen:
    alts = [] if shown.picture is None else [shown.picture.alt]
    return Screen(name, shown.embeds, shown.buttons, [shown.content or ""], alts)


def lobby(players: int, order: TurnOrder, *, pictures: bool = True, names: Sequence[str] | None = None) -> Table:
    """Make a table in the current language, at which nobody has played before and the house sits last."""
    # NAMES is replaced in tests/bot/ui/test_names.py, so it is no default value.
    people = table_of(players - 1, order, tuple(names or NAMES), seed=bytes([players]) * 32)
    temperament = tuple(Temperament)[(players + 2) % len(Temperament)]
    house = Seat(None, temperament.person, house=temperament.value)
    playing = (
        replace(seat, lucky_word="Glåm", practised="ODD SAME FOUR_FULL" if seat.user_id in (1, 2) else "")
        for seat in people.seats
    )
    seats = (*playing, house)
    options = Options(list(Pace)[players % len(Pace)], 5400, 901, players % 2 == 0, pictures)
    table = replace(
        people, locale=current_language(), seats=seats, options=options, timing=Timing(deadline=NOW), opening_id=2**60
    )
    return replace(table, lock=table.make_lock())


@cache
def games(players: int, order: TurnOrder) -> tuple[tuple[Game, ...], tuple[Event, ...]]:
    table = lobby(players, order)
    chance = random.Random(f"{players} {order.value}")
    played = [*play_drawn(Game(players, order), chance, table.source, table.deck, by_house=0.1)]
    return tuple(game for game, _events in played), played[-1][1]


def with_game(table: Table, game: Game) -> Table:
    return replace(table, game=game, status=Status.FINISHED if game.complete else Status.PLAYING)


def tables() -> Iterator[Screen]:
    for players, order in ((2, TurnOrder.OPEN), (3, TurnOrder.CLOCKWISE), (4, TurnOrder.OPEN)):
        yield from _table_screens(lobby(players, order, pictures=players != 3))


def invitations() -> Iterator[Screen]:
    """Yield seats that are kept for people, and the call of a role: what everybody sees, and what is told of it."""
    table = lobby(4, TurnOrder.OPEN)
    kept = (replace(seat, invited=seat.user_id in (2, 3), lucky_word="") for seat in table.seats)
    called = replace(table, seats=tuple(kept), options=replace(table.options, may_call=True))
    until = replace(called, timing=Timing(deadline=NOW, seats_reserved_until=NOW))
    yield rendered("lobby with seats that are kept", render_table(until))
    yield Screen("invitation", texts=[reminders.ping_text(until, users) for users in ((), (2,), (2, 3))])
    for free in (1, 2):
        yield Screen("call of a role", texts=[reminders.players_wanted_text(replace(called, max_seats=4 + free), 7)])
    yield rendered(
        "who is not called", render_seat_notice(until, 1, reminders.not_pinged_line(until.with_seat(1, uncalled=True)))
    )
    for people in ([], [7], [5, 6, 7]):
        yield rendered("whom no seat is kept for", render_seat_notice(until, 1, reminders.not_invited_line(people)))


def _table_screens(table: Table) -> Iterator[Screen]:
    yield rendered("lobby", render_table(table))
    for user_id in (table.host_id, 2, 99):
        yield rendered("options", render_options(table, user_id, "x" if user_id == 99 else None))
    yield rendered("lobby with a seat free", render_table(replace(table, seats=table.seats[:1])))
    begun = with_game(table, Game(len(table.seats), table.turn_order))
    yield rendered("opening", render_table(replace(begun, opening_id=None)))
    yield rendered("closed lobby", render_table(replace(table, status=Status.ABANDONED)))
    full = replace(table, options=replace(table.options, starts_when_full=True))
    yield rendered("lobby that starts by itself", render_table(full))
    again = (replace(seat, invited=at > 0 and seat.user_id is not None) for at, seat in enumerate(table.seats))
    yield rendered("rematch", render_table(replace(table, seats=tuple(again))))
    for state in (table, replace(table, status=Status.ABANDONED), with_game(table, Game(2, table.turn_order))):
        yield rendered("way_in", render_lobby_copy(state))
    for number, game in enumerate(games(len(table.seats), table.turn_order)[0]):
        state = with_game(table, game)
        picked = () if game.turn is None or number % 2 else game.turn.free[:2]
        yield rendered("game", render_table(state, picked))
        if number % 10 == 0 or game.complete:
            yield from (rendered("earlier page", render_screen(state, screen)) for screen in range(state.screen + 1))
    for feat in facts.Feat:
        rare = replace(state, news=(News(NewsKind.RARE, 1, 1, f"{feat.value} 1300 24"),))
        yield rendered("rare turn", render_screen(rare, screens.record_of(game, 0)))


def endings() -> Iterator[Screen]:
    game = games(4, TurnOrder.OPEN)[0][-1]
    table = with_game(lobby(4, TurnOrder.OPEN), game)
    for kind in (NewsKind.FIRST_WIN, NewsKind.LAST_ROLL):
        yield rendered("standings", render_table(replace(table, news=(News(kind, standings.find_winners(game)[0]),))))
    cases: tuple[Callable[[int, int], bool], ...] = (
        lambda seat, number: seat != 1 or number > 0,
        lambda seat, number: seat != 2 or number < 3,
        lambda _seat, number: number == 0,
    )
    for is_own in cases:
        finished = tuple(
            replace(ended, turns=tuple(replace(turn, own=is_own(turn.seat, number)) for turn in ended.turns))
            for number, ended in enumerate(game.finished)
        )
        yield rendered("standings", render_table(with_game(table, replace(game, finished=finished))))


def own_pace() -> Iterator[Screen]:
    table = lobby(3, TurnOrder.OWN_PACE)
    timed = replace(table, timing=Timing(deadline=NOW))
    yield from _table_screens(replace(timed, options=replace(table.options, pace=Pace.RELAXED)))
    for number, game in enumerate(games(3, TurnOrder.OWN_PACE)[0]):
        for seat in range(3):
            seen = with_game(timed, game).seen_by(seat)
            yield rendered("own page", render_private(run.run_page(seen, seat, NOW)))
            if number % 20 == 3 and game.find_run(seat).turn is not None:
                yield rendered(
                    "hint in own pace", coaching.render_hint(game, find_hint(game, seat), partial(turn_press, seen))
                )
    alone = with_game(lobby(2, TurnOrder.OWN_PACE), _alone())
    yield rendered("nobody else began", render_table(alone))
    yield from _agreements(replace(timed, status=Status.PLAYING))


def _agreements(table: Table) -> Iterator[Screen]:
    people = replace(
        table, seats=tuple(replace(seat, user_id=at, house=None) for at, seat in enumerate(table.seats, 1))
    )
    done = next(game for game in games(3, TurnOrder.OWN_PACE)[0] if game.finished)
    waiting = replace(people, game=_done(people, 0))
    for moment in (None, NOW):
        yield rendered("early", render_table(replace(waiting, timing=replace(table.timing, early_end_at=moment))))
    yield rendered("end early", run.render_end_question(waiting))
    yield Screen("reminder of the others", texts=[reminders.reminder_text(waiting, (3,))])
    asked = replace(people, game=done, host_id=1).with_seat(0, gives_up=True)
    for state in (asked, asked.with_seat(1, gives_up=False), replace(asked, game=_done(people, 0))):
        yield rendered("cancelling", render_table(state))
        for asks in (cancelling.seats_yet_to_agree(state), ()):
            yield rendered("the question", render_cancel_question((state, asks)))
        yield Screen("the call", texts=[cancel_request_text(state, (2, 3))])
    yield rendered("the questions", render_cancel_question((replace(table, game=None), ()), (asked, (1,))))
    for agrees in (True, False):
        yield rendered("answered", render_cancel_notice(agrees=agrees))
    news = (News(NewsKind.CANCELLED, 0),)
    yield rendered("cancelled", render_table(replace(asked, status=Status.ABANDONED, news=news)))
    assert waiting.game is not None
    out = replace(waiting, game=apply_event(waiting.game, LeftOut(2)))
    for kind in (NewsKind.LEFT, NewsKind.KICKED, NewsKind.GONE, NewsKind.ENDED):
        yield rendered("left out", render_table(replace(out, news=(News(kind, 2),))))
    yield rendered(
        "standings without some", render_table(with_game(people, apply_event(_done(people, 0, 1), LeftOut(2))))
    )


def _done(table: Table, *seats: int) -> Game:
    """Play a game in which these seats have played all cards, and the others none."""
    game, _ = fairness.play_event(Game(len(table.seats), TurnOrder.OWN_PACE), None, table.source, table.deck)
    for seat in seats:
        while game.count_finished(seat) < deck.ROUNDS:
            game, _ = fairness.play_event(game, Decided(seat, list_decisions(game, seat)[0]), table.source, table.deck)
    return game


def away() -> Iterator[Screen]:
    for until in (None, NOW):
        yield rendered("away", reminders.render_away_notice(until))
    for order in (TurnOrder.CLOCKWISE, TurnOrder.OWN_PACE):
        table = lobby(3, order)
        gone = tuple(replace(seat, away_until=NOW if seat.user_id else None) for seat in table.seats)
        states = games(3, order)[0]
        for game in (*states[::20], states[-1]):
            state = with_game(replace(table, seats=gone), game)
            yield rendered("table of people who are away", render_table(state))


def _alone() -> Game:
    """Play a game of two to its end, of whom one has finished nothing."""
    return apply_event(_done(lobby(2, TurnOrder.OWN_PACE), 0), LeftOut(1))


def _with_absent(game: Game, own: int) -> Game:
    """Let the house have played all but ``own`` turns of seat 2 in a finished game, and none of the other seats."""
    ended = tuple(
        replace(one, turns=tuple(replace(turn, own=turn.seat != 2 or at < own) for turn in one.turns))
        for at, one in enumerate(game.finished)
    )
    return replace(game, finished=ended)


def waiting() -> Iterator[Screen]:
    """Show the effects of time on a table: news, deadlines, sleep, reminders; and the rated people of a game."""
    for own in (0, 1):
        last = _with_absent(games(4, TurnOrder.OPEN)[0][-1], own)
        earned = *(News(NewsKind.BADGE, 0, detail=badge.value) for badge in Badge), News(NewsKind.LAST_ROLL, 0)
        back = [News(NewsKind.COMEBACK, 1, detail=f"{points} 4") for points in (1, 5)]
        ended = with_game(lobby(4, TurnOrder.OPEN), last)
        yield rendered("standings", render_table(replace(ended, news=(*earned, *back))))
    table = with_game(lobby(3, TurnOrder.OPEN), games(3, TurnOrder.OPEN)[0][3])
    yield rendered("asleep", render_table(replace(table, timing=Timing(asleep_until=NOW))))
    told = [*(News(kind, 0) for kind in NewsKind), *(News(kind, 1) for kind in NewsKind)]
    for timing in (Timing(deadline=NOW), Timing(hold_deadline=NOW), Timing(paused_at=NOW), Timing()):
        yield rendered("news", render_table(replace(table, news=tuple(told[:8]), timing=timing)))
        yield rendered("news", render_table(replace(table, news=tuple(told[8:]), timing=timing)))
    away = table.with_seat(0, house=Temperament.STEADY.value, misses=2)
    yield rendered("away", render_table(away))
    later = with_game(lobby(3, TurnOrder.OPEN), games(3, TurnOrder.OPEN)[0][40])
    for kind in reminders.LEFT_FOR_GOOD:
        yield rendered("gone before", render_table(replace(later, news=(News(kind, 1, 1),))))
    for users in ((), (1,), (1, 2)):
        yield Screen("reminder", texts=[reminders.reminder_text(table, users)])
        for each in (lobby(3, TurnOrder.OPEN), table, *_last_turns(), replace(table, status=Status.FINISHED)):
            yield Screen("call", texts=[reminders.ping_text(each, users, begun=begun) for begun in (False, True)])
    yield Screen("warning", texts=[reminders.paused_text(replace(table, timing=replace(table.timing, paused_at=NOW)))])


def _last_turns() -> Iterator[Table]:
    """Yield tables at which one person is still to play in a round, and one in the rulebook's order."""
    for order in (TurnOrder.OPEN, TurnOrder.CLOCKWISE):
        states = games(3, order)[0]
        game = next(game for game in states if not game.over and len(game.played) == 2)
        table = with_game(lobby(3, order), game)
        yield table
        yield replace(
            table, seats=tuple(replace(seat, user_id=at + 1, house=None) for at, seat in enumerate(table.seats))
        )


def coach() -> Iterator[Screen]:
    states, events = games(3, TurnOrder.CLOCKWISE)
    table = lobby(3, TurnOrder.CLOCKWISE)
    over = with_game(table.with_seat(0, hints=3), states[-1])
    yield rendered("report", coaching.render_report(over, _report(3), screens.Shared, reader=0))
    for luck in (-9.0, -2.0, 0.0, 2.0, 9.0):
        lucky = tuple(replace(each, own_luck=luck, decisions=9 + each.seat) for each in _report(3).players)
        best = replace(_report(3).turns[0].decisions[0], margin=1.0)
        spotless = replace(_report(3), players=lucky, costliest=None, best=best)
        yield rendered("report without a mistake", coaching.render_report(over, spotless))
    yield rendered("figures", coaching.render_figures(over, _report(3), 0))
    for made in _report(3).find_costliest(0, 3):
        spot = practice.Spot(made.round, made.seat, practice.pack_position(made.turn))
        for turn in (made.turn, replace(made.turn, stopped=True)):
            yield rendered(
                "practice",
                coaching.render_practice(practice.Exercise(over, spot, states[-1].finished[made.round - 1], turn)),
            )
    words = [seat.lucky_word for seat in table.seats]
    document = export_of(table.source, table.turn_order, (*NAMES[:2], "Abacus"), events, table.deck, words)
    deleted = replace(document, ids=(None,) * 3, lucky_words=("",) * 3)
    yield Screen("proof after a deletion", texts=list(proof_lines(proof.verify_export(deleted))))


@cache
def _report(players: int) -> analysis.Report:
    return analysis.analyse_game(players, TurnOrder.CLOCKWISE, games(players, TurnOrder.CLOCKWISE)[1])


def guide() -> Iterator[Screen]:
    for number in range(7):
        yield rendered("page of the guide", render_guide(number, STANDARD_DECK))
    for card in STANDARD_DECK:
        yield rendered(
            "card", render_card(card, coaching.facts_lines(facts.compute_facts(card), 4, compute_typical_chances(card)))
        )
    yield rendered("help", render_help())
    described = {each.name: each.description for each in HighScore.__cog_app_commands__}
    yield rendered("all commands", render_whole_help(described))
    for lesson in learn.Lesson:
        yield rendered("lesson", render_lesson(learn.lesson_position(lesson.value), sentence=nudge_text()))


def administration() -> Iterator[Screen]:
    everything = ServerSettings("de", Pace.LIVE, "Asia/Tokyo", time(23), time(8), (1, 2), 3, 4, 5, 75, pictures=False)
    for settings in (ServerSettings(), everything, ServerSettings(remind_percent=0)):
        for length in calendar.SeasonLength:
            steps = setup.setup_steps(replace(settings, season=length), 2, calendar.likely_zones("de"))
            yield from (rendered("setup", setup.render_setup(steps, number)) for number in range(len(steps)))
            yield rendered("end of the setup", setup.render_setup_done(steps))
    left = {Target.TABLES: {1}, Target.ROLE: set[int](), Target.POSTS: set[int]()}
    steps = setup.setup_steps(replace(everything, daily_channel=1), 2, (), left)
    yield from (rendered("setup", setup.render_setup(steps, number)) for number in range(len(steps)))
    yield rendered("offer of the setup", setup.render_setup_offer())
    choices = [setting for step in setup.setup_steps(everything, 2, ()) for setting in step.settings]
    modals = [WordModal("0123456789ab", ""), *(setup.SetupModal(setting) for setting in choices if setting.typed)]
    for modal in modals:
        labels = [str(modal.title)]
        for child in modal.children:
            shown = child.to_component_dict()
            labels += [shown["label"], shown["component"]["placeholder"]]
        yield Screen("dialog", texts=labels)
    names = [name for name, wanted in PERMISSIONS if wanted]
    explained = [explain_missing(1, [*names, "create_public_threads", "mention_everyone"])]
    explained += [explain_absent(1, None), explain_locked(1), explain_forbidden(1)]
    yield Screen("permissions", texts=[*explained, daily.not_posted_text()])


def dailies() -> Iterator[Screen]:
    averages = (20.5, 12.25, 18.0, 7.75, 30.0, 11.5, 16.125)
    source = fairness.Source(b"\x07" * 32, "0123456789ab")
    day = make_day(source, date(2026, 3, 9), averages, ends_at=NOW)
    games = play_drawn(Game(1, TurnOrder.OWN_PACE), random.Random(7), day.source, day.deck)
    begun, *later = (challenge.Attempt(day, 1, NAMES[0], 2, events, game, streak=3) for game, events in games)
    for attempt in (begun, *later):
        yield rendered("daily", render_private(daily_page(attempt, NOW - timedelta(days=1))))
    finishers = [Finisher(number, NAMES[number % 5], number * 7, number % 3) for number in range(1, 20)]
    places = make_ranking(finishers)
    places = (replace(places[0], badge=Badge.MONTH), *(replace(line, badge=Badge.WEEK) for line in places[1:]))
    in_time = replace(attempt, finished_at=NOW - timedelta(hours=1), ranked=True)
    yield rendered("daily finished", render_private(daily_page(in_time, NOW - timedelta(minutes=1), places, places)))
    late = replace(attempt, finished_at=NOW + timedelta(hours=1), shared_at=NOW + timedelta(hours=2))
    yield rendered("daily finished late", render_private(daily_page(late, NOW + timedelta(hours=3), places, places)))
    press, with_turn = daily_page(begun, NOW).press, later[0].game
    yield rendered("hint alone", coaching.render_hint(with_turn, find_hint(with_turn, 0), press))
    yield rendered("shared", render_shared_score(in_time, place=2))
    yield rendered("shared late", render_shared_score(late, 0.93))
    tomorrow = make_day(source, day.day + timedelta(days=1), averages, ends_at=NOW)
    yield rendered("sunday", render_podium(replace(day, day=date(2026, 3, 8)), places, places, tomorrow))
    report = analysis.analyse_game(1, TurnOrder.OWN_PACE, attempt.events)
    review, share = partial(coaching.render_review, day_title(day), in_time), share_buttons(in_time, NOW)
    for page in range(1, deck.ROUNDS + 2):
        yield rendered("review", review(report, page, share))
    yield Screen(
        "past days", texts=[past_day_name(day.day, None), past_day_name(day.day, 1), past_day_name(day.day, 150)]
    )
    yield rendered("empty podium", render_podium(day, ()))
    export = export_of(day.source, TurnOrder.OWN_PACE, NAMES[:1], attempt.events, day.deck)
    yield Screen("daily proof", texts=list(proof_lines(proof.verify_export(export))))


def dares() -> Iterator[Screen]:
    states, _events = games(3, TurnOrder.CLOCKWISE)
    table = with_game(lobby(3, TurnOrder.CLOCKWISE), states[-1])
    people = tuple(replace(seat, user_id=at, house=None) for at, seat in enumerate(table.seats, 1))
    table = replace(table, seats=people, status=Status.FINISHED, lock="A" * 32, opening_id=7)
    sealed = table.deck, (20.0,) * deck.ROUNDS, table.seed, table.seal
    offered = [Dare("0" * 12, 1, "", NOW, NOW, "en", *sealed, table, at, at + 1) for at in range(3)]
    for game, events in play_drawn(Game(1, TurnOrder.OWN_PACE), random.Random(8), offered[0].source, table.deck):
        attempt = challenge.Attempt(offered[0], 9, NAMES[0], 2, events, game)
        yield rendered("dare", render_private(dare_page(attempt, pictures=True)))
    for number in (0, 1, 15):
        newest = (replace(attempt, name=NAMES[1]),) * number
        yield rendered("dares", render_dares(Dares(table, tuple(offered), newest, number * 20)))
    yield Screen("dare offered", texts=[offered_text(table, 7)])
    export = export_of(offered[0].source, TurnOrder.OWN_PACE, NAMES[:1], events, table.deck)
    checked = proof.verify_export(replace(export, ids=(None,), seat=0))
    yield Screen("dare proof", texts=list(proof_lines(checked)))


def cups() -> Iterator[Screen]:
    for form in cup_leg.Format:
        for view in moments(7, form, NAMES, 2):
            for what in CupPost:
                if what in (CupPost.LEG, CupPost.REMINDER, CupPost.PROLONGED) and view.open_leg is None:
                    continue
                if what is CupPost.OVER and view.cup.status is not cup.Status.OVER:
                    continue
                shown = render_cup_post(view, what, view.cup.leg, 1, [1, 2])
                yield rendered(f"cup {what.value}", shown)
            yield Screen("cup call", texts=[direct_message_text(view, CupPost.REMINDER, view.cup.leg)])
            if view.cup.status is cup.Status.OVER:
                draws = cup_proof.record_cup(view)
                yield Screen("cup draws", texts=[*cup_proof_lines(draws)])
                deleted = replace(
                    draws, entrants=tuple(replace(each, user_id=None, won=False) for each in draws.entrants)
                )
                yield Screen("cup draws after a deletion", texts=[*cup_proof_lines(deleted)])
            for user_id in (*range(7), 99):
                yield rendered("cup", render_cup(view, user_id, moderates=True))
                if view.closed:
                    shown = render_results(view, len(view.closed), user_id, "0" * 12)
                    yield rendered("cup results", shown)
        entry = CupView(entry_of(NAMES, form), ())
        waiting = CupView(replace(entry.cup, status=cup.Status.STARTING), ())
        withdrawn = CupView(entry.cup.with_entrant(1, left=0), ())
        for why in cup.Ending:
            yield rendered("cup ended", render_cup_post(entry, CupPost.ENDED, 0, why))
        for view in (entry, waiting, withdrawn):
            yield rendered("cup entry", render_cup_post(view, CupPost.ENTRY, 0, 0))
            yield rendered("cup", render_cup(view, 1, moderates=True))
        yield rendered("cup opened", render_opened(entry.cup))
        yield Screen("cup not posted", texts=[not_posted_text(entry.cup)])
        for verb in (Verb.LEAVE, Verb.REMOVE, Verb.END):
            yield rendered("cup question", render_cup_question(entry.cup, verb, 1))
        running, over = moments(7, form, NAMES, 2)[1], moments(5, form, NAMES)[-1].cup
        yield rendered("cups", render_cups([entry, running], [over], 0))
    for ended in ((None, None), (cup_leg.Played((7,) * 7), cup_leg.Played((7,) * 7)), (cup_leg.Played((7,)), None)):
        shown = render_cup_post(final_of(*ended), CupPost.OVER, 1, 0)
        yield rendered("final of a cup", shown)
    yield rendered("no cups", render_cups([], [], 0))
    yield rendered("large cup", render_cup_post(played_view(40, legs=0), CupPost.LEG, 1, 0))
    for alone in (True, False):
        for attempt in attempts(NAMES[0], alone=alone)[::7] + attempts(NAMES[0], alone=alone)[-1:]:
            yield rendered("cup leg", render_private(leg_page(attempt)))
    nobody = final_of(None, None)
    level = final_of(cup_leg.Played((7,) * 7), cup_leg.Played((7,) * 7))
    gone = played_view(12, cup_leg.Format.LEAGUE, 6, chance=Chance(random.Random(3), 1.0, 0.1, 30, 1.0))
    unopposed = final_of(cup_leg.Played(()), None)
    views = [nobody, level, unopposed, gone, *(played_view(7, legs=legs) for legs in range(3))]
    for picture in (make_cup_picture(view, 2) for view in views):
        assert picture is not None
        yield Screen(picture.name, alts=[picture.alt])


def boards() -> Iterator[Screen]:
    lines = [Line(place, _standing(place)) for place in range(1, 6)] + [
        Line(None, ledger.PlayerStanding(1, "all", 9, "Ægir"))
    ]
    periods = ("all", "2026", "2026-H1", "2026-H2", "2026-Q3", "2026-03")
    for order in Order:
        for page, period in enumerate(periods):
            found = lines if page % 2 == 0 else []
            own, ahead = (None, *lines[::-1])[page], lines[page - 1] if 1 < page < 5 else None
            board = Leaderboard(period, order, page, found, page < 3, own, ahead)
            yield rendered("leaderboard", leaderboard.render_leaderboard(board, 1, NAMES[0]))
        yield rendered("counting", leaderboard.render_counting(order))
    yield Screen("podium of a season", [leaderboard.podium_embed("2026-Q3", lines[:3])])
    record = ledger.Record(1, "", 41, 1, "0123456789ab", 0, 3, NOW)
    held = [Fame(card, record, name) for card, name in zip(STANDARD_DECK, (*NAMES, None), strict=False)]
    for hall in (HallOfFame(0, held, True), HallOfFame(1, (), False)):
        yield rendered(
            "hall of fame", leaderboard.render_hall_of_fame(hall, 1, [moments(5, cup_leg.Format.LEAGUE, NAMES)[-1].cup])
        )


def archive() -> Iterator[Screen]:
    results = [_result(seat) for seat in range(3)]
    players = tuple(Player(result, NAMES[result.seat]) for result in results)
    game = FinishedGame("0123456789ab", NOW, players)
    for user_id, name in ((None, None), (1, NAMES[1])):
        found = History(user_id, (game,) * 8, has_newer=True, has_older=True)
        yield rendered("history", history.render_history(found, name))
    empty = History(None, (), has_newer=False, has_older=False)
    yield rendered("empty history", history.render_history(empty, None))
    states, events = games(3, TurnOrder.CLOCKWISE)
    moments = replaying.list_positions(3, TurnOrder.CLOCKWISE, events)
    for number in range(len(moments)):
        table = with_game(lobby(3, TurnOrder.CLOCKWISE, pictures=number % 2 == 0), states[-1])
        yield rendered("replay", history.render_replay(table, moments, number))
    cards = [
        ledger.CardStanding(1, 1, str(card), 30 - at, -at, 1 + at, 9 * at) for at, card in enumerate(STANDARD_DECK)
    ]
    lucky = replace(_standing(3), streak=2, longest=4, luck=1_500_000, loss=2_250_000)
    unlucky = replace(_standing(1), rated=0, rating=None, reviewed=0)
    idle = replace(_standing(2), streak=-2, longest=1, decisions=0, luck=-500_000)
    for standing, recent in ((lucky, results), (unlucky, []), (idle, results[:1])):
        statistics = Statistics(standing, cards, recent, tuple(Badge), DaysPlayed(standing.name, 12, 7), cups=["Óðinn"])
        yield rendered("statistics", history.render_stats(statistics))
    yield rendered("days alone", history.render_stats(Statistics(None, [], [], tuple(Badge), DaysPlayed("Ada", 1, 1))))


def privacy() -> Iterator[Screen]:
    rows = (
        *("seats", "results", "standings", "card_standings", "records", "badges"),
        *("attempts", "dares", "cup_entrants", "cup_results", "reminders", "player_settings", "absences", "marks"),
    )
    for number, notify in enumerate(Notify):
        for link in (None, "https://example.invalid"):
            yield rendered("stored data", render_data(1, Wishes(notify, number > 0), dict.fromkeys(rows, number), link))
    for wish in (Wish.DELETE, Wish.SURE):
        yield rendered("deletion", render_deletion_question(wish, 1))
    for deleted in (True, False):
        yield rendered("deleted", render_deletion_result(deleted=deleted))


def _result(seat: int) -> ledger.Result:
    rating = (25.5 + seat, 7.5)
    chips = (9 - seat, 2, 1, 1)
    return ledger.Result("0123456789ab", seat, 1, seat, None, seat + 1, *chips, 31, 1, 0, NOW, *rating, 10, 20, 30)


def _standing(games: int) -> ledger.PlayerStanding:
    known = ledger.PlayerStanding(1, "all", games, NAMES[games - 1], games, games, games, games, 0, games)
    known.best, known.rated, known.rating, known.reviewed = 30 + games, games, 20.0 - games, games
    known.decisions, known.win_rate, known.loss_rate = games * 20, 0.5, 0.031
    return known


def all_screens() -> Iterator[Screen]:
    playing, around = (tables, invitations, endings, own_pace, away, waiting, coach), (boards, archive, privacy)
    for source in (*playing, guide, administration, dailies, dares, cups, *around):
        yield from source()
