"""The coach: hints during a turn, the report of a game, the review of an attempt, choices to try again, and the odds of
a card.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

import discord

from bot.domain.challenge import Attempt, Challenge
from bot.domain.dare import may_dare
from bot.domain.practice import Exercise, Spot, pack_position
from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.locales import _, decimal_mark, format_gain, format_number, labelled, ngettext
from bot.ui.buttons import ActionItem, PracticePress, ReviewPress, SharePress, Verb, button, page_buttons, table_press
from bot.ui.challenge import average_words, card_result_title, challenge_kind, text_button
from bot.ui.message import GOLD, QUIET, SEAT_COLOURS, Picture, Rendered, make_embed
from bot.ui.pictures.results import LuckTurn, luck_png, luck_sentences
from bot.ui.pictures.views import turn_view
from bot.ui.table import dare_button, game_text, round_picture
from bot.ui.text import CHIPS, TROPHY, footer_names, format_chance, format_signed, player_name
from bot.ui.turn import MakePress, card_and_dice_lines, choice_buttons, require_game, scored_lines, track_sentence
from bot.ui.words import card_name, dice_code, points_words, scoring_name
from highscore.cards import Card, RollType
from highscore.default_choice import find_default_choice
from highscore.game import Game
from highscore.odds.analysis import DecisionReview, PlayerReview, Report, TurnReview
from highscore.odds.facts import CardFacts
from highscore.odds.grades import ALONE, Scale, choose_scale
from highscore.odds.hint import Hint, Prospect
from highscore.odds.policy import RankedChoice
from highscore.standings import find_winners, rank_players
from highscore.turn import Choice, Roll, SetAside, Stop, Turn

OTHERS_SHOWN = 3
_TRIED_AGAIN = 3
_LEAST_SHOWN = 0.005
"""The smallest loss that is shown, in points or chip points. A smaller one would be rounded to 0.00."""


def render_hint(game: Game, advice: Hint, press: MakePress) -> Rendered:
    """Show the best choice, what it and stopping are worth, and what other choices cost.

    Without other players there are no chips, so only points are shown.
    """
    turn, alone = game.find_run(advice.seat).turn, game.players == 1
    assert turn is not None, "there is no advice without a turn"
    worth = _("Worth, in points: **{value}**").format(value=format_number(advice.best.value))
    stop = _("Stopping now: **{value}**").format(value=format_number(advice.stop.value))
    others = "\n".join(_cost_line(turn, option) for option in advice.ranked[1 : OTHERS_SHOWN + 1])
    embed = make_embed(
        "💡 " + _("Hint"),
        f"**{choice_words(turn, advice.best.choice)}**",
        *_why_lines(advice),
        "",
        worth,
        None if alone else _prospect_line(advice.prospect),
        None if advice.best.ends_turn else stop,
        None if alone or advice.best.ends_turn else _prospect_line(advice.stop_prospect),
        fields=[(_("Other choices"), others)] if others else (),
        footer=None
        if alone
        else _("The odds assume that the others play well, and use only what you can see. Your hints are counted."),
    )
    match advice.best.choice:
        case Stop():
            action = press(Verb.STOP)
        case Roll(positions):
            action = press(Verb.ROLL, positions)
        case SetAside(positions):
            action = press(Verb.SET_ASIDE, positions)
    return Rendered([embed], buttons=[button(action, _("Do this"), style=discord.ButtonStyle.primary)])


def _why_lines(advice: Hint) -> list[str]:
    why = advice.reason
    ends = _("If you roll again, your chance of ending above {now} is {above}; of ending below it, {below}.")
    lines = [ends.format(now=format_signed(why.now), above=format_chance(why.above), below=format_chance(why.below))]
    if why.aim is not None and not advice.best.ends_turn:
        dice = dice_code([why.aim.face] * why.aim.dice)
        adds = _("Another {dice} would bring +{points}. The chance of that in the next roll is {chance}.")
        lines.insert(0, adds.format(dice=dice, points=why.aim.points, chance=format_chance(why.aim.chance)))
    return lines


def _cost_line(turn: Turn, option: RankedChoice) -> str:
    cost = _("Just as good") if option.loss < _LEAST_SHOWN else "−" + format_number(option.loss)
    return f"{cost} · {choice_words(turn, option.choice)}"


def choice_words(turn: Turn, choice: Choice) -> str:
    match choice:
        case Stop():
            return _("Keep the dice as they are")
        case Roll(positions) if positions == turn.free and turn.card.roll_type is RollType.FOUR_FULL:
            return _("Roll all again")
        case Roll(positions):
            return _("Roll {dice} again").format(dice=_dice_words(turn, positions))
        case SetAside(()):
            return _("Set nothing aside and roll on")
        case SetAside(positions) if set(positions) == set(turn.free):
            return _("Set everything aside")
        case SetAside(positions):
            rest = len(turn.free) - len(positions)
            text = ngettext("Set {dice} aside and roll {number} die", "Set {dice} aside and roll {number} dice", rest)
            return text.format(dice=_dice_words(turn, positions), number=rest)


def _dice_words(turn: Turn, positions: tuple[int, ...]) -> str:
    faces = sorted(face for face in (turn.faces[at] for at in positions) if face is not None)
    return dice_code(reversed(faces))


def _prospect_line(prospect: Prospect) -> str:
    parts = [f"{CHIPS[chip]} {format_chance(chance)}" for chip, chance in prospect.chips.items() if chance > 0]
    average = _("Average result: {result}").format(result=format_number(prospect.result, 1))
    return f"{' · '.join(parts) or _('No chip')} · {average}"


def render_report(table: Table, report: Report, offered: Iterable[Shared] = (), reader: int | None = None) -> Rendered:
    """Show a line about each player, and three moments of the game. All figures are on a page of their own.

    There is a button for each of the ``offered`` posts, which the user may still share. ``reader`` is the user's seat,
    or None. A user with a seat can also try their costliest decision again, get their result as text, and dare others.
    """
    game = require_game(table)
    scale, winners = choose_scale(game), find_winners(game)
    lines = []
    for line in rank_players(game):
        review, trophy = report.players[line.seat], f"{TROPHY} " if line.seat in winners else ""
        grade = scale.grade(review)
        decided = _("no grade") if grade is None else _("grade {grade}").format(grade=f"**{grade}**")
        luck = f" · {_luck_words(scale, review)}" if review.decisions else ""
        lines.append(f"{trophy}{player_name(table, line.seat)}{luck} · {decided}")
    legend = _("Players with at least ten decisions get a grade from A (best) to E.")
    embed = make_embed(
        "📊 " + _("Match report"), *lines, f"-# {legend}", colour=GOLD, fields=_moment_fields(table, report, scale)
    )
    buttons = [button(table_press(table, Verb.FIGURES), _("All figures"), emoji="📊")]
    if own := _find_own_mistakes(report, reader):
        buttons.insert(0, practice_button(table, own[0], _("Try again")))
    if game_text(table, reader) is not None:
        buttons.append(text_button(table_press(table, Verb.TEXT), row=3))
    buttons += _share_buttons(table, list(offered))
    if may_dare(table, reader):
        buttons.append(dare_button(table, 3))
    return Rendered([embed], buttons=buttons)


def _luck_words(scale: Scale, review: PlayerReview) -> str:
    return {
        2: f"⏫ {_('very lucky')}",
        1: f"🔼 {_('lucky')}",
        0: f"➖ {_('average luck')}",
        -1: f"🔽 {_('unlucky')}",
        -2: f"⏬ {_('very unlucky')}",
    }[scale.rate_luck(review.own_luck)]


def _moment_fields(table: Table, report: Report, scale: Scale) -> list[tuple[str, str]]:
    """Return a heading and a sentence for the luckiest roll, the best decision and the costliest choice."""
    unit = _("{number} points") if scale is ALONE else _("{number} chip points")

    def heading(name: str, gain: float) -> str:
        return labelled(name, unit.format(number=format_gain(gain, 1)))

    fields = []
    if (rolled := report.luckiest) is not None:
        turn = next(turn for turn in report.turns if (turn.round, turn.seat) == (rolled.round, rolled.seat))
        finished = require_game(table).finished
        chip = finished[turn.round - 1].chips.get(turn.seat) if turn.round <= len(finished) else None
        text = _("{player} rolls {dice} and ends the turn with {result}.").format(
            player=player_name(table, turn.seat),
            dice=dice_code(rolled.faces),
            result=f"**{format_signed(turn.result)}**" + ("" if chip is None else f" {CHIPS[chip]}"),
        )
        fields.append(("🎲 " + heading(_("Luckiest roll"), rolled.luck), _moment_text(turn.round, turn.card, text)))
    if (best := report.best) is not None and round(best.margin, 1) > 0:
        text = _("{player} has {dice} and picks “{choice}”, not the highlighted “{other}”.")
        text = _decision_text(table, best, text, find_default_choice(best.turn).choice)
        fields.append(("🌟 " + heading(_("Best decision"), best.margin), text))
    else:
        fields.append(("🌟 " + _("Best decision"), _("No decision beat the highlighted choice.")))
    if (made := report.costliest) is not None and made.loss >= scale.mistake:
        text = _("{player} has {dice} and picks “{choice}”, but “{other}” was better.")
        text = _decision_text(table, made, text, made.best.choice)
        fields.append(("💸 " + heading(_("Costliest choice"), -made.loss), text))
    else:
        fields.append(("💸 " + _("Costliest choice"), _("No choice was a costly mistake.")))
    return fields


def _moment_text(number: int, card: Card, text: str) -> str:
    where = _("Round {number}, {card}").format(number=number, card=f"**{scoring_name(card.scoring)}**")
    return labelled(where, text)


def _decision_text(table: Table, made: DecisionReview, text: str, other: Choice) -> str:
    text = text.format(
        player=player_name(table, made.seat),
        dice=dice_code(made.turn.dice),
        choice=choice_words(made.turn, made.choice),
        other=choice_words(made.turn, other),
    )
    return _moment_text(made.round, made.turn.card, text)


def _find_own_mistakes(report: Report, reader: int | None) -> list[DecisionReview]:
    own = () if reader is None else report.find_costliest(reader, _TRIED_AGAIN)
    return [made for made in own if made.loss >= _LEAST_SHOWN]


def render_figures(table: Table, report: Report, reader: int | None) -> Rendered:
    """Show every player's luck and skill in figures and as a picture. ``reader`` is the user's seat, or None.

    A user with a seat also sees their costliest decisions, and can try them again.
    """
    text = _(
        "All figures are in chip points. **Luck** is what the dice gave beyond expectation. **Lost** is what"
        " decisions gave away."
    )
    own = _find_own_mistakes(report, reader)
    headings = [_("Try your costliest choices again: no. 1"), *(_number_words(at) for at in range(2, _TRIED_AGAIN + 1))]
    fields = [
        (player_name(table, review.seat), _review_line(review, table.seats[review.seat].hints))
        for review in report.players
    ]
    fields += [("🔁 " + heading, _mistake_text(table, made)) for heading, made in zip(headings, own, strict=False)]
    embed = make_embed("📊 " + _("Luck and skill"), text, colour=GOLD, fields=fields)
    buttons = [practice_button(table, made, _number_words(number)) for number, made in enumerate(own, 1)]
    return Rendered([embed], buttons=buttons, picture=_report_picture(table, report))


def _share_buttons(table: Table, offered: Sequence[Shared]) -> list[ActionItem]:
    is_last = len(offered) == 1
    report, final = (SharePress(verb, table.id, table.version, is_last) for verb in (Verb.SHARE, Verb.SHARE_FINAL))
    buttons = {
        Shared.REPORT: button(report, _("Share the report"), emoji="📣", row=1),
        Shared.STANDINGS: button(final, _("Share the standings"), emoji="📣", row=2),
    }
    return [each for what, each in buttons.items() if what in offered]


def _review_line(review: PlayerReview, hints: int) -> str:
    luck, used = format_gain(review.luck), f" · 💡×{hints}" if hints else ""
    text = _("Luck: {luck} · Lost: {loss} · Per decision: {each} · Best decisions: {best} of {all}")
    loss, each = format_number(review.loss), format_number(review.per_decision or 0, 3)
    return text.format(luck=luck, loss=loss, each=each, best=review.best_decisions, all=review.decisions) + used


def _costly_choice_words(made: DecisionReview) -> str:
    choice, best = choice_words(made.turn, made.choice), choice_words(made.turn, made.best.choice)
    return f"{choice} · −{format_number(made.loss)}\n{_('Better:')} {best}"


def _mistake_text(table: Table, made: DecisionReview) -> str:
    where = _("{player}, round {number}").format(player=player_name(table, made.seat), number=made.round)
    return f"{where} · {card_name(made.turn.card)}\n{dice_code(made.turn.dice)}\n{_costly_choice_words(made)}"


def facts_lines(card: CardFacts, players: int, chances: Prospect | None) -> str:
    """Return a card's exact odds. ``chances`` adds those of winning chips; it is None for a user who plays alone."""
    # Two chances can lead to the same result. The dictionary stores the greater one, which says more.
    best = {card.find_result(chance): chance for chance in (1 / 10, 1 / 3, 1 / 2, 3 / 4)}
    reach = [
        _("**{result}** or more: {chance}").format(result=result, chance=format_chance(chance))
        for result, chance in reversed(best.items())
        if result is not None
    ]
    average = _("Average with best play: **{average}** (from {lowest} to {highest})")
    lowest, highest = format_signed(card.lowest), format_signed(card.highest)
    lines = [average.format(average=format_number(card.average), lowest=lowest, highest=highest), " · ".join(reach)]
    if chances is not None:
        starting = ngettext(
            "If you start a round of {number} player:", "If you start a round of {number} players:", players
        )
        lines.append(f"{starting.format(number=players)} {_prospect_line(chances)}")
    return "\n".join(lines)


def _report_picture(table: Table, report: Report) -> Picture:
    turns = tuple(LuckTurn(turn.round, turn.seat, turn.luck, turn.loss) for turn in report.turns)
    names, mark = footer_names(table), decimal_mark()
    return Picture("luck.png", luck_sentences(turns, names, mark), luck_png, (turns, len(names), mark))


def practice_button(table: Table, made: DecisionReview, label: str) -> ActionItem:
    start = pack_position(made.turn)
    press = PracticePress(Verb.TRY, table.id, Spot(made.round, made.seat, start), start)
    return button(press, label, emoji="🔁")


def _number_words(number: int) -> str:
    """Return a label so short that three such buttons fit next to each other on a phone."""
    return _("No. {number}").format(number=number)


def render_practice(exercise: Exercise) -> Rendered:
    """Show a decision of a finished game that the user tries again, and the dice that they have rolled since."""
    table, turn, seat = exercise.table, exercise.turn, exercise.spot.seat
    staked = table.turn_order.shared
    view = turn_view(turn.card, len(table.seats), exercise.before, turn, seat, staked=staked)
    picture = round_picture(table, replace(view, round=exercise.spot.round))
    if turn.over:
        ended = _("In the game it was {result}.").format(result=format_signed(exercise.played.result))
        better = turn.score.total > exercise.played.result
        embed = make_embed(
            points_words(turn.score.total),
            card_name(turn.card),
            *scored_lines(turn.card, turn.dice),
            track_sentence(exercise.placed),
            ended,
            colour=GOLD if better else QUIET,
        )
    else:
        embed = make_embed(
            _("Try again: round {number}").format(number=exercise.spot.round),
            _("The dice are as they were then. New rolls are random, and nothing counts."),
            "",
            *card_and_dice_lines(turn.card, turn, known=True),
            colour=SEAT_COLOURS[seat],
        )
    shown = Rendered([embed], buttons=practice_buttons(exercise), picture=picture)
    return shown.adapt(pictures=table.options.pictures)


def practice_buttons(
    exercise: Exercise, kept: Collection[int] | None = None, *, asking: bool = False
) -> list[ActionItem]:
    spot, turn = exercise.spot, exercise.turn

    def press(verb: Verb, dice: tuple[int, ...] = ()) -> PracticePress:
        return PracticePress(verb, exercise.table.id, spot, pack_position(turn), dice)

    retry = PracticePress(Verb.RETRY, exercise.table.id, spot, spot.start)
    if turn.over:
        return [button(retry, _("Restart"), emoji="🔁")]
    buttons = choice_buttons(turn, kept, press, asking=asking)
    if pack_position(turn) != spot.start:
        buttons.append(button(retry, _("Restart"), emoji="🔁", row=buttons[-1].item.row or 0))
    return buttons


def render_review(
    title: str, attempt: Attempt[Challenge], report: Report, page: int, buttons: Sequence[ActionItem]
) -> Rendered:
    """Show what the decisions of an attempt cost. Page 1 lists all cards, each further page the decisions on one card.

    A number out of range gives the nearest page. ``buttons`` are shown on page 1, before the ones that turn pages.
    """
    page = min(max(page, 1), len(report.turns) + 1)  # The button that opens the review says 0.
    if page == 1:
        embed = _all_decisions_embed(title, report)
    else:
        embed, buttons = _decisions_embed(title, attempt, report.turns[page - 2]), ()
    to_page = partial(ReviewPress, challenge_kind(attempt.challenge), attempt.challenge.id, attempt.step)
    before = to_page(page - 1) if page > 1 else None
    following = to_page(page + 1) if page <= len(report.turns) else None
    return Rendered([embed], buttons=[*buttons, *page_buttons(before, following)])


def _all_decisions_embed(title: str, report: Report) -> discord.Embed:
    lines = []
    for turn in report.turns:
        cost = " ✅" if turn.loss < _LEAST_SHOWN else f" · −{format_number(turn.loss)}"
        lines.append(f"{turn.round}. " + labelled(card_name(turn.card), f"**{format_signed(turn.result)}**{cost}"))
    grade = ALONE.grade(report.players[0])
    graded = "" if grade is None else " · " + _("grade {grade}").format(grade=grade)
    return make_embed(
        f"📊 {title} · " + _("Par kept: {share}").format(share=format_chance(report.compute_kept(0))) + graded,
        _(
            "This is what your decisions cost in expected points, judged by what you could know at the time. Luck"
            " is left out."
        ),
        "",
        *lines,
        colour=GOLD,
    )


def _decisions_embed(title: str, attempt: Attempt[Challenge], played: TurnReview) -> discord.Embed:
    lines = []
    for made in played.decisions:
        lines.append(dice_code(made.turn.dice))
        fine = made.loss < _LEAST_SHOWN
        lines += ["✅ " + choice_words(made.turn, made.choice) if fine else "💸 " + _costly_choice_words(made), ""]
    return make_embed(
        f"{title} · {card_result_title(played.round, played.result)}",
        card_name(played.card),
        "",
        *lines,
        "-# " + average_words(attempt.challenge.averages[played.round - 1]),
    )
