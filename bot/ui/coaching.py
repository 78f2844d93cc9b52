"""The coach: the hint in a turn, the report after the game, choices to try again, and the odds of a card."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

import discord

from bot.domain.challenge import Attempt, Challenge
from bot.domain.dare import may_dare
from bot.domain.practice import Exercise, Spot, pack_position
from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.locales import _, decimal_mark, format_gain, format_list, format_number, labelled, ngettext
from bot.ui.buttons import ActionItem, PracticePress, ReviewPress, SharePress, Verb, button, page_buttons, table_press
from bot.ui.challenge import average_words, card_result_title, challenge_kind
from bot.ui.message import GOLD, QUIET, SEAT_COLOURS, Picture, Rendered, make_embed
from bot.ui.pictures.results import LuckTurn, luck_png, luck_sentences
from bot.ui.pictures.views import turn_view
from bot.ui.sharing import game_text, text_button
from bot.ui.table import dare_button, round_picture
from bot.ui.text import CHIPS, footer_names, format_chance, format_signed, player_name
from bot.ui.turn import MakePress, card_and_dice_lines, choice_buttons, scored_lines, track_sentence
from bot.ui.words import card_name, dice_code
from highscore.cards import RollType
from highscore.game import Game
from highscore.odds.analysis import DecisionReview, PlayerReview, Report, TurnReview
from highscore.odds.facts import CardFacts
from highscore.odds.hint import Hint, Prospect
from highscore.odds.policy import RankedChoice
from highscore.standings import find_winners
from highscore.turn import Choice, Roll, SetAside, Stop, Turn

OTHERS_SHOWN = 3
_TRIED_AGAIN = 3
_LEAST_SHOWN = 0.005
"""The least difference in chip points that is shown. A smaller one would be rounded to 0.00."""


def render_hint(game: Game, advice: Hint, press: MakePress) -> Rendered:
    """Show the best choice, its worth and that of stopping, and the cost of others. A run played alone has no chips."""
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
        footer=None if alone else _("Odds if the others play well, by what you can see. Hints are counted."),
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
    ends = _("Rolling on ends above {now} with a chance of {above}, below it with {below}.")
    lines = [ends.format(now=format_signed(why.now), above=format_chance(why.above), below=format_chance(why.below))]
    if why.aim is not None and not advice.best.ends_turn:
        dice = dice_code([why.aim.face] * why.aim.dice)
        adds = _("{dice} on top would bring +{points}; the chance of that in the next roll is {chance}.")
        lines.insert(0, adds.format(dice=dice, points=why.aim.points, chance=format_chance(why.aim.chance)))
    return lines


def _cost_line(turn: Turn, option: RankedChoice) -> str:
    cost = _("As good") if option.loss < _LEAST_SHOWN else "−" + format_number(option.loss)
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
    """Show every player's luck and skill, and the best and the costliest decision, as text and as a picture.

    ``offered`` are the posts that the user may still share: each gets a button. ``reader`` is the user's seat; None for
    users without one. With a seat, they can try their own costliest decisions again.
    """
    text = _("In chip points. **Luck**: what the dice gave beyond expectation. **Lost**: what decisions gave away.")
    fields = [
        (player_name(table, review.seat), _review_line(review, table.seats[review.seat].hints))
        for review in report.players
    ]
    if (best := report.best) is not None:
        praise = _("The next best costs {cost}.").format(cost=format_number(best.margin))
        praise = f"{choice_words(best.turn, best.choice)} · {praise}"
        fields.append(("🌟 " + _("Best decision"), _decision_text(table, best, praise)))
    own = () if reader is None else report.find_costliest(reader, _TRIED_AGAIN)
    own = tuple(made for made in own if made.loss >= _LEAST_SHOWN)
    if report.costliest is not None and report.costliest not in own:
        costliest = report.costliest
        fields.append(
            ("💸 " + _("Costliest decision"), _decision_text(table, costliest, _costly_choice_words(costliest)))
        )
    headings = [_("Try your costliest choices again: no. 1"), *(_number_words(at) for at in range(2, _TRIED_AGAIN + 1))]
    fields += [
        ("🔁 " + heading, _decision_text(table, made, _costly_choice_words(made)))
        for heading, made in zip(headings, own, strict=False)
    ]
    embed = make_embed("📊 " + _("Luck and skill"), story_text(table, report), text, colour=GOLD, fields=fields)
    buttons = [practice_button(table, made, number) for number, made in enumerate(own, 1)]
    if game_text(table, reader) is not None:
        buttons.append(text_button(table_press(table, Verb.TEXT), row=3))
    buttons += _share_buttons(table, list(offered))
    if may_dare(table, reader):
        buttons.append(dare_button(table, 3))
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


def _decision_text(table: Table, made: DecisionReview, text: str) -> str:
    where = _("{player}, round {number}").format(player=player_name(table, made.seat), number=made.round)
    return f"{where} · {card_name(made.turn.card)}\n{dice_code(made.turn.dice)}\n{text}"


def facts_lines(card: CardFacts, players: int, chances: Prospect | None) -> str:
    """Return a card's exact odds. ``chances`` is None if the user plays alone and can win no chips."""
    # Two chances can lead to the same result. The dictionary stores the greater one, which says more.
    best = {card.find_result(chance): chance for chance in (1 / 10, 1 / 3, 1 / 2, 3 / 4)}
    reach = [
        _("**{result}** or more: {chance}").format(result=result, chance=format_chance(chance))
        for result, chance in reversed(best.items())
        if result is not None
    ]
    average = _("Average under best play: **{average}** (from {lowest} to {highest})")
    lowest, highest = format_signed(card.lowest), format_signed(card.highest)
    lines = [
        average.format(average=format_number(card.average), lowest=lowest, highest=highest),
        " · ".join(reach),
    ]
    if chances is not None:
        starting = ngettext("Starting a round of {number} player:", "Starting a round of {number} players:", players)
        lines.append(f"{starting.format(number=players)} {_prospect_line(chances)}")
    return "\n".join(lines)


def _report_picture(table: Table, report: Report) -> Picture:
    turns = tuple(LuckTurn(turn.round, turn.seat, turn.luck, turn.loss) for turn in report.turns)
    names, mark = footer_names(table), decimal_mark()
    return Picture("luck.png", luck_sentences(turns, names, mark), luck_png, (turns, len(names), mark))


_EVEN, WORTH_BRONZE, WORTH_SILVER, WORTH_GOLD = 0.5, 1.5, 2.5, 4.0
"""Up to these differences, in chip points, luck is even, or worth a bronze, a silver or a gold chip."""
WORTH_NAMING = 0.25
"""A choice that cost fewer chip points than this is not named as a mistake."""


def story_text(table: Table, report: Report) -> str:
    return " ".join(part for part in (_luck_sentence(table, report), _costliest_sentence(table, report)) if part)


def _luck_sentence(table: Table, report: Report) -> str | None:
    played = [review for review in report.players if table.game is None or review.seat in table.game.seats]
    won = () if table.game is None else find_winners(table.game)
    if len(played) < 2 or not won:
        return None
    luckiest, second, *_rest = sorted(played, key=lambda review: -review.luck)
    if len(won) > 1:
        names = format_list(player_name(table, seat) for seat in won)
        shared, ahead = _("{players} share the victory.").format(players=names), luckiest.luck - second.luck
        if ahead < _EVEN:
            return shared
        most = _("Most luck: {player}.").format(player=player_name(table, luckiest.seat))
        return f"{shared} {most} {_worth_sentence(ahead)}"
    winner = next(review for review in played if review.seat in won)
    other = second if winner is luckiest else luckiest
    ahead = abs(winner.luck - other.luck)
    if ahead < _EVEN:
        # With more than two players, luck is even only if nobody had much less than the others.
        even = luckiest.luck - min(review.luck for review in played) < _EVEN
        text = _("{winner} wins, with even luck.") if even else _("{winner} wins. About as much luck: {other}.")
    elif winner is luckiest:
        text = _("{winner} wins and has the most luck. Next: {other}.") + " " + _worth_sentence(ahead)
    else:
        text = _("{winner} wins. More luck: {other}.") + " " + _worth_sentence(ahead)
    return text.format(winner=player_name(table, winner.seat), other=player_name(table, other.seat))


def _worth_sentence(ahead: float) -> str:
    if ahead < WORTH_BRONZE:
        return _("The difference is worth a bronze chip.")
    if ahead < WORTH_SILVER:
        return _("The difference is worth a silver chip.")
    if ahead < WORTH_GOLD:
        return _("The difference is worth a gold chip.")
    return _("The difference is great.")


def _costliest_sentence(table: Table, report: Report) -> str | None:
    made = report.costliest
    if made is None or made.loss < WORTH_NAMING:
        return _("No choice was a costly mistake.")
    text = _("Costliest choice: {player}, in round {round}.")
    return text.format(player=player_name(table, made.seat), round=made.round)


def practice_button(table: Table, made: DecisionReview, number: int) -> ActionItem:
    start = pack_position(made.turn)
    press = PracticePress(Verb.TRY, table.id, Spot(made.round, made.seat, start), start)
    return button(press, _number_words(number), emoji="🔁")


def _number_words(number: int) -> str:
    """Return a label so short that three such buttons fit next to each other on a phone."""
    return _("No. {number}").format(number=number)


def render_practice(exercise: Exercise) -> Rendered:
    """Show a decision of a finished game that the user tries again, with what they have rolled since."""
    table, turn, seat = exercise.table, exercise.turn, exercise.spot.seat
    staked = table.turn_order.shared
    view = turn_view(turn.card, len(table.seats), exercise.before, turn, seat, staked=staked)
    picture = round_picture(table, replace(view, round=exercise.spot.round))
    if turn.over:
        title = ngettext("{result} point", "{result} points", turn.score.total)
        ended = _("In the game it was {result}.").format(result=format_signed(exercise.played.result))
        better = turn.score.total > exercise.played.result
        embed = make_embed(
            title.format(result=format_signed(turn.score.total)),
            card_name(turn.card),
            *scored_lines(turn.card, turn.dice),
            track_sentence(exercise.placed),
            ended,
            colour=GOLD if better else QUIET,
        )
    else:
        embed = make_embed(
            _("Try again: round {number}").format(number=exercise.spot.round),
            _("The dice lie as they did then. Those you roll now are fresh, and nothing counts."),
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
    title: str,
    attempt: Attempt[Challenge],
    report: Report,
    page: int,
    buttons: Sequence[ActionItem],
) -> Rendered:
    """Show what the decisions of an attempt cost. Page 1 lists all cards, each further page the decisions on one card.

    A number out of range gives the nearest page. ``buttons`` are those of page 1, apart from the ones that turn pages.
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
    return make_embed(
        f"📊 {title} · " + _("Par kept: {share}").format(share=format_chance(report.compute_kept(0))),
        _("What your decisions cost in expected points, by what could be known at that moment. Luck is not in it."),
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
