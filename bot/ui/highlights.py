"""The sentences about what was remarkable in a round or a game: rare turns, records, comebacks, new badges.

All of this is known when the game ends, so the standings can be sent at once and are never edited. Luck and skill are
known only after an analysis of the game, so they are in the report (``bot.ui.coaching``).
"""

from collections.abc import Iterable
from dataclasses import replace

from bot.domain.badges import Badge
from bot.domain.highlights import find_lead_start, find_rarest
from bot.domain.table import Table
from bot.domain.timing import NewsKind
from bot.locales import _, format_list, format_number, labelled, ngettext
from bot.ui.message import GOLD, Picture, Rendered, make_embed
from bot.ui.pictures.results import rare_png
from bot.ui.pictures.views import DieView, dice_sentence
from bot.ui.text import BADGE, clean_name, escape_sentence, format_signed, picture_name, player_name
from bot.ui.turn import require_game
from bot.ui.words import card_name, points_words, scoring_name
from highscore.deck import ROUNDS
from highscore.game import Game
from highscore.odds.facts import Feat, RareTurn
from highscore.runs import FinishedRound, Run
from highscore.standings import find_winners, rank_players
from highscore.track import Chip, rank_placements


def round_headline(table: Table, ended: FinishedRound) -> str:
    """Return which player won gold in a round and by how many spaces, or that nobody did."""
    if Chip.GOLD not in ended.chips.values():
        return _("No gold in this round")
    first, *others = rank_placements(ended.placements)
    text, ahead = _("{player} takes gold, alone on the track"), 0
    if others:
        # A piece that waits below space 1 counts as standing on space 0.
        ahead = (first.position or 0) - (others[0].position or 0)
        text = ngettext("{player} takes gold by one space", "{player} takes gold by {number} spaces", ahead)
    return text.format(player=player_name(table, first.seat, marked=False), number=ahead)


def record_fields(table: Table, number: int | None = None) -> list[tuple[str, str]]:
    """Return a field with the records of round ``number``, counted from 1, or of the whole game; empty without any."""
    lines: list[str] = []
    for at, ended in enumerate(require_game(table).finished, 1):
        results = {turn.seat: turn.result for turn in ended.turns}
        for news in table.news:
            if news.kind is NewsKind.RECORD and news.round == at and number in (None, at):
                name = player_name(table, news.seat, marked=False)
                lines.append(labelled(card_name(ended.card), f"{name} **{format_signed(results[news.seat])}**"))
    heading = ngettext("A new record on this server", "New records on this server", len(lines))
    return [("🏅 " + heading, "\n".join(lines))] if lines else []


def add_rare_turn(rendered: Rendered, table: Table, number: int | None = None, last: int | None = None) -> Rendered:
    """Add the rare turn of round ``number``, counted from 1, or the rarest turn of the game, above a page.

    If seat ``last`` is given, add only a turn of this seat. Without such a turn, return the page unchanged.
    """
    rare = find_rarest(table.news, number)
    if rare is None or last not in (None, rare.seat):
        return rendered
    seat, run = rare.seat, require_game(table).find_run(rare.seat)
    return show_rare_turn(
        rendered, rare, run, player_name(table, seat, clean_name, marked=False), picture_name(table, seat)
    )


def show_rare_turn(rendered: Rendered, rare: RareTurn, run: Run, name: str, drawn_name: str) -> Rendered:
    """Add the embed and the picture of a rare turn above a page. ``name`` comes from ``clean_name``."""
    sentence = {
        Feat.ALIKE: _("{player} has seven dice alike."),
        Feat.THIRTY: _("{player} has exactly 30 points."),
        Feat.VORTICES: _("{player} wins gold. At least four vortices are on the dice."),
        Feat.REACHED: _("{player} sets a new record for this server."),
        Feat.BUST: _("{player} rolls on from {stood} and ends at 0 or less."),
    }[rare.feat]
    sentence += " " + ngettext(
        "With best play, this happens once in {number} such turn.",
        "With best play, this happens once in {number} such turns.",
        rare.one_in,
    )
    turn = run.finished[rare.round - 1].turn
    title = labelled(name, points_words(turn.result))
    number = format_number(rare.one_in, 0)
    sentence = sentence.format(player=name, number=number, stood=rare.stood)
    embeds = [make_embed(escape_sentence(title), escape_sentence(sentence), colour=GOLD), *rendered.embeds]
    view = (rare.seat, turn.dice, turn.result, number, drawn_name)
    sentences = f"{title}.", dice_sentence(map(DieView, turn.dice)), sentence
    picture = Picture("rare.png", sentences, rare_png, view)
    return replace(rendered, embeds=embeds, inset=picture)


def story_lines(table: Table, game: Game) -> list[str]:
    return [_story_sentence(table, game), *_best_result_lines(table, game)]


def _story_sentence(table: Table, game: Game) -> str:
    """Return how the game was won: with the last roll, by a comeback, or else by points or chips."""
    first, second, *rest = rank_players(game)
    won = [player_name(table, seat, marked=False) for seat in find_winners(game)]
    if len(won) > 1:
        return _("Tied after seven rounds: {players}").format(players=format_list(won))
    stories = {news.kind: news for news in table.news if news.seat == first.seat}
    if NewsKind.LAST_ROLL in stories:
        return _("{player} wins the game with its very last roll!").format(player=won[0])
    if NewsKind.COMEBACK in stories:
        points, rounds = map(int, stories[NewsKind.COMEBACK].detail.split())
        text = ngettext(
            "{player} wins from {number} point behind after round {round}.",
            "{player} wins from {number} points behind after round {round}.",
            points,
        )
        return text.format(player=won[0], number=points, round=rounds)
    since, ahead = find_lead_start(game), first.points - second.points
    if since is None:
        level = [player_name(table, line.seat, marked=False) for line in (second, *rest) if line.points == first.points]
        text = _("{player} wins with the better chips. Tied on points: {others}")
        return text.format(player=won[0], others=format_list(level))
    if since == 1:
        text = ngettext(
            "{player} leads from the first round to the last and wins by {number} point.",
            "{player} leads from the first round to the last and wins by {number} points.",
            ahead,
        )
    elif since == ROUNDS:
        text = ngettext(
            "{player} takes the lead in the very last round and wins by {number} point.",
            "{player} takes the lead in the very last round and wins by {number} points.",
            ahead,
        )
    else:
        text = ngettext(
            "{player} takes the lead in round {round}, keeps it and wins by {number} point.",
            "{player} takes the lead in round {round}, keeps it and wins by {number} points.",
            ahead,
        )
    return text.format(player=won[0], round=since, number=ahead)


def _best_result_lines(table: Table, game: Game) -> list[str]:
    """Return a line about the best turn of the only person at a table, preferably of a turn that won gold.

    Empty if several people play, if the person won, or if no turn of their own has more than 0 points.
    """
    people = [seat for seat in game.seats if table.seats[seat].user_id is not None]
    if len(people) != 1 or people[0] in find_winners(game):
        return []
    turns = [(ended, turn) for ended in game.finished for turn in ended.turns if turn.seat == people[0] and turn.own]
    scored = [(ended.chips.get(turn.seat) is Chip.GOLD, turn.result, ended.card) for ended, turn in turns]
    won, result, card = max(scored, key=lambda each: each[:2], default=(False, 0, None))
    if card is None or result <= 0:
        return []
    best, gold = _("Your best result was {result} on {card}."), _("Your {result} on {card} was the best of that round.")
    return [(gold if won else best).format(result=result, card=f"**{scoring_name(card.scoring)}**")]


MOST_BADGES_SHOWN = 2
"""The most new badges shown at the end of a game or a day. ``/highscore stats`` shows all badges."""


def _name_and_rule(badge: Badge) -> tuple[str, str]:
    return {
        Badge.LAP_OF_HONOUR: (_("Lap of honour"), _("More than 30 on one card.")),
        Badge.HIGH_FLYER: (_("High flyer"), _("45 or more on one card.")),
        Badge.SEVEN_ALIKE: (_("Seven alike"), _("Seven equal dice at the end of a turn.")),
        Badge.FIRST_TRY: (_("First try"), _("Gold with the very first roll.")),
        Badge.EYE_OF_THE_STORM: (_("Eye of the storm"), _("Gold with four or more vortices.")),
        Badge.GOLD_RUSH: (_("Gold rush"), _("Gold four rounds in a row.")),
        Badge.FULL_SET: (_("Full set"), _("Gold, silver and bronze in three rounds in a row.")),
        Badge.STEADY_HAND: (_("Steady hand"), _("At least 15 on each of the seven cards.")),
        Badge.ON_THE_DOT: (_("On the dot"), _("Exactly 30 on one card.")),
        Badge.START_TO_FINISH: (_("Start to finish"), _("A win after leading alone from the first round on.")),
        Badge.COMEBACK: (_("Comeback"), _("A win from four or more points behind with three rounds to go.")),
        Badge.RUNAWAY: (_("Runaway win"), _("A win by eight points or more.")),
        Badge.PHOTO_FINISH: (_("Photo finish"), _("A tie on points won by the better chips.")),
        Badge.HAT_TRICK: (_("Hat-trick"), _("Three rated games won in a row.")),
        Badge.REGULAR: (_("Part of the furniture"), _("50 rated games on this server.")),
        Badge.WEEK: (_("Seven days running"), _("The daily challenge seven days in a row.")),
        Badge.MONTH: (_("Thirty days running"), _("The daily challenge thirty days in a row.")),
    }[badge]


def badge_name(badge: Badge) -> str:
    name, _rule = _name_and_rule(badge)
    return name


def new_badge_lines(earned: Iterable[tuple[str, Badge]]) -> list[str]:
    """Return a line for each of the rarest badges that players earned in a game or on a day, rarest first."""
    rarest_first = sorted(earned, key=lambda each: list(Badge).index(each[1]))
    return [labelled(name, f"**{badge_name(badge)}**") for name, badge in rarest_first[:MOST_BADGES_SHOWN]]


def badge_lines(badges: Iterable[Badge]) -> list[str]:
    return [f"{BADGE} **{name}** · {rule}" for name, rule in map(_name_and_rule, badges)]
