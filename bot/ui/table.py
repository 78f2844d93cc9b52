"""The messages that show a table: its current screen or an earlier one.

The screens of a table (``domain.screens``) are the lobby, the opening, its turns, a record of each round, and the end.
Only the current screen has buttons. The opening, the records and the end stay in the channel.
"""

from collections.abc import Collection
from dataclasses import replace

import discord

from bot.domain.badges import Badge
from bot.domain.notify import does_screen_call, users_called
from bot.domain.outcome import MIN_PEOPLE, find_compared, seat_outcomes
from bot.domain.screens import OPENING, RecordScreen, TurnScreen, read_screen
from bot.domain.table import Status, Table
from bot.domain.timing import NewsKind
from bot.locales import _, format_list, format_number, labelled, speaking_in
from bot.ui.buttons import ActionItem, Verb, button, table_press
from bot.ui.highlights import add_rare_turn, new_badge_lines, record_fields, round_headline, story_lines
from bot.ui.lobby import lobby_buttons, render_lobby, render_opening, uncounted_lines
from bot.ui.message import GOLD, QUIET, Picture, Rendered, change_buttons, make_embed
from bot.ui.pictures.results import results_png
from bot.ui.pictures.views import BoardView, game_view, results_sentences, results_view, round_view
from bot.ui.reminders import CANCELLED, LEFT_FOR_GOOD, news_lines
from bot.ui.run import has_results, progress_buttons, progress_embed
from bot.ui.text import BADGE, CHIPS, NOT_REACHED, footer_names, mention_words, picture_name, place_number, player_name
from bot.ui.turn import (
    board_picture,
    equal_results_lines,
    finished_turn_embed,
    played_lines,
    require_game,
    round_title,
    turn_buttons,
    turn_embed,
    whose_turn_line,
)
from bot.ui.words import card_name, chip_counts, points_words, tie_reason
from highscore.game import Game
from highscore.odds.facts import compute_par
from highscore.runs import FinishedRound
from highscore.standings import Decider, find_winners, rank_players


def render_table(
    table: Table, kept: Collection[int] | None = None, language: str | None = None, *, asking: bool = False
) -> Rendered:
    """Show the current screen of a table, by default in the table's language.

    ``choice_buttons`` explains ``kept`` and ``asking``.
    """
    with speaking_in(language or table.locale):
        return _render_current(table, kept, asking=asking).adapt(pictures=table.options.pictures)


def render_tap(table: Table, kept: Collection[int], *, asking: bool) -> Rendered:
    with speaking_in(table.locale):
        return change_buttons(turn_buttons(table, kept, asking=asking))


def _render_current(table: Table, kept: Collection[int] | None, *, asking: bool) -> Rendered:
    people = users_called(table)
    mentions = mention_words(people)
    if table.game is None:
        call = _("{people}, there's a rematch! Press **Join** to take your reserved seat.").format(people=mentions)
        content = call if people and does_screen_call(table) else None
        return replace(render_lobby(table, buttons=lobby_buttons(table)), content=content, notify=people)
    if table.awaits_opening:
        return render_opening(table, people)
    if table.status is not Status.PLAYING:
        return Rendered(
            final_embeds(table),
            _("{people}, the game is over.").format(people=mentions) if people else None,
            final_buttons(table),
            notify=people,
            picture=results_picture(table, table.game),
        )
    if not table.turn_order.shared:
        public = table.seen_by(None)
        progress = Rendered(
            [progress_embed(public)],
            _("{people}, the game has started.").format(people=mentions) if people else None,
            progress_buttons(public),
            notify=people,
            picture=results_picture(public, require_game(public)),
        )
        return add_rare_turn(progress, public)
    turn = Rendered(
        [turn_embed(table)],
        whose_turn_line(table),
        turn_buttons(table, kept, asking=asking),
        notify=people,
        picture=round_picture(table, game_view(table.game)),
    )
    # A rare turn is shown until the next player takes the dice. After that, only the record of the round shows it.
    game = table.game
    return turn if game.turn or not game.played else add_rare_turn(turn, table, game.round, game.played[-1].seat)


def render_standings(table: Table) -> Rendered:
    with speaking_in(table.locale):
        rendered = Rendered(final_embeds(table)[-1:], picture=results_picture(table, require_game(table)))
        return rendered.adapt(pictures=table.options.pictures)


def render_screen(table: Table, screen: int) -> Rendered:
    """Show a screen of a table. An earlier screen has no buttons. A record looks the same whenever it is shown."""
    if screen == table.screen:
        return render_table(table)
    with speaking_in(table.locale):
        return _render_earlier(table, screen).adapt(pictures=table.options.pictures)


def _render_earlier(table: Table, screen: int) -> Rendered:
    game = table.game
    if screen <= 0 or game is None:
        return render_lobby(table)
    if screen == OPENING:
        return render_opening(table)
    if not game.turn_order.shared:
        public = table.seen_by(None)
        return add_rare_turn(Rendered([progress_embed(public)]), public)
    match read_screen(game, screen):
        case RecordScreen(number):
            picture = round_picture(table, round_view(game, number + 1))
            record = Rendered([round_embed(table, game.finished[number])], picture=picture)
            return add_rare_turn(record, table, number + 1)
        case TurnScreen(turn=number):
            return Rendered([finished_turn_embed(table, number)])
        case None:
            raise ValueError(f"table {table.id} has no screen {screen}")


def round_picture(table: Table, view: BoardView) -> Picture:
    return board_picture(view, footer_names(table))


def results_picture(table: Table, game: Game) -> Picture | None:
    """Return the standings as a picture; None before the first round is over."""
    if not game.finished:
        return None
    view = results_view(game, [picture_name(table, seat) for seat in range(len(table.seats))])
    return Picture("results.png", results_sentences(view, footer_names(table)), results_png, (view,))


def round_embed(table: Table, ended: FinishedRound) -> discord.Embed:
    """Show the record of a round. It stays in the channel, so it says only what was true when the round ended."""
    game = require_game(table)
    number = game.finished.index(ended) + 1
    return make_embed(
        round_headline(table, ended),
        f"{round_title(number)} · {card_name(ended.card)}",
        *played_lines(table, ended),
        *equal_results_lines(table, ended),
        *(news_lines(table, *LEFT_FOR_GOOD, of=number) if game.turn_order.shared else ()),
        colour=GOLD,
        fields=record_fields(table, number),
    )


def final_embeds(table: Table) -> list[discord.Embed]:
    """Show the final standings, or that the game ended early. In own pace, the record of the last round is first."""
    game = require_game(table)
    lines = _standing_lines(table, game)
    if table.status is Status.ABANDONED:
        text = _("There is no winner.")
        fields = [(_("Standings"), lines)] if game.finished else []
        cancelled = news_lines(table, *CANCELLED)
        early = _("The game has ended early") if has_results(game) else _("Nobody played")
        title = _("The game was cancelled") if cancelled else early
        return [make_embed(title, *cancelled, text, colour=QUIET, fields=fields)]
    fields = []
    if reasons := [
        tie_reason(line.decider) for line in rank_players(game) if line.decider not in (None, Decider.POINTS)
    ]:
        fields.append((_("Ties"), "\n".join(dict.fromkeys(reasons))))
    earned = [news for news in table.news if news.kind is NewsKind.BADGE]
    if badges := new_badge_lines((player_name(table, news.seat), Badge(news.detail)) for news in earned):
        fields.append((f"{BADGE} " + _("New badges"), "\n".join(badges)))
    if rating := _rating_lines(table, game):
        fields.append((_("Rating"), "\n".join(rating)))
    ended = news_lines(table, NewsKind.ENDED)
    if len(game.seats) == 1:
        return [make_embed(_("The game is over"), *ended, _alone_sentence(table, game), colour=GOLD)]
    paragraphs = *ended, *story_lines(table, game), lines, _left_out_line(table, game)
    final = make_embed(_victory_title(table, game), *paragraphs, colour=GOLD, fields=fields)
    # In own pace the last round has no record of its own.
    return [final] if game.turn_order.shared else [round_embed(table, game.finished[-1]), final]


def _left_out_line(table: Table, game: Game) -> str | None:
    """Return the line that names players who are left out because they did not begin (R9.5); None without any."""
    if not game.left_out:
        return None
    names = format_list(player_name(table, seat, marked=False) for seat in game.left_out)
    return "-# " + _("Left out because they did not start: {players}").format(players=names)


def _alone_sentence(table: Table, game: Game) -> str:
    """Return the score and the par of the only player who began. Without others there are no chips (R9.5)."""
    run = game.find_run(game.seats[0])
    par = _("Par {par}").format(par=format_number(compute_par(card for card, _turn in run.finished), 1))
    score = labelled(player_name(table, run.seat), points_words(run.total))
    return _("Nobody else started in time, so there are no chips.") + f" {score} · {par}"


def final_buttons(table: Table) -> list[ActionItem]:
    report = button(table_press(table, Verb.REPORT), _("Report"), emoji="📊", row=1)
    return [
        button(table_press(table, Verb.REMATCH), _("Rematch"), emoji="🔁", style=discord.ButtonStyle.primary),
        *([dare_button(table, 0)] if table.status is Status.FINISHED else []),
        *([report] if has_results(require_game(table)) else []),
        button(table_press(table, Verb.PROOF), _("Proof"), emoji="🔏", row=1),
    ]


def dare_button(table: Table, row: int) -> ActionItem:
    return button(table_press(table, Verb.DARE), _("Dare others"), emoji="🎲", row=row)


def game_text(table: Table, seat: int | None) -> Rendered | None:
    """Show a player's points in a finished game, and their chip in each round, as a text to copy (``attempt_text``).

    None for a user without a seat in the game, and in a game of one player, which has no chips (R9.5).
    """
    game = table.game
    if game is None or table.status is not Status.FINISHED or seat not in game.seats or len(game.seats) == 1:
        return None
    ranking = rank_players(game)
    own = next(line for line in ranking if line.seat == seat)
    title = _("High Score: place {place} of {players}").format(place=own.place, players=len(ranking))
    chips = (ended.chips.get(seat) for ended in game.finished)
    signs = "".join(NOT_REACHED if chip is None else CHIPS[chip] for chip in chips)
    return Rendered(content=f"{title} · {own.points}\n{signs}")


def _standing_lines(table: Table, game: Game) -> str:
    return "\n".join(
        f"{place_number(line.place)} {player_name(table, line.seat)} **{line.points}**" + chip_counts(line.chips)
        for line in rank_players(game)
    )


def _rating_lines(table: Table, game: Game) -> list[str]:
    """Return which players are not rated or ranked last (R9.6); empty without any, or if only one person had a seat."""
    people = [seat for seat in seat_outcomes(table.seats, game) if seat.user_id is not None]
    if sum(seat.user_id is not None for seat in table.seats) < MIN_PEOPLE:
        return []
    if not (compared := find_compared(people)):
        text = _(
            "This game is not rated. At least two people must take the dice in round one, and one of them must"
            " play four turns themselves."
        )
        return [*uncounted_lines(table), *([text] if any(seat.player.counts for seat in people) else [])]
    late = [player_name(table, seat.seat) for seat in people if seat.player.counts and not seat.began]
    few = [player_name(table, seat.seat) for seat in compared if not seat.played]
    lines = {
        _("Not rated because the house played their first turn: {players}."): late,
        _("Ranked last because they played fewer than four turns themselves: {players}."): few,
    }
    sentences = (text.format(players=format_list(names)) for text, names in lines.items() if names)
    return [*uncounted_lines(table), *sentences]


def _victory_title(table: Table, game: Game) -> str:
    winner, *others = find_winners(game)
    if others:
        return "🏆 " + _("A shared victory")
    first = any(news.kind is NewsKind.FIRST_WIN and news.seat == winner for news in table.news)
    text = _("{player} wins for the first time") if first else _("{player} wins")
    return "🏆 " + text.format(player=player_name(table, winner))
