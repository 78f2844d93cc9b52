"""The private screen on which a decision of a finished game is tried again."""

from collections.abc import Collection
from dataclasses import replace

from bot.domain.practice import Exercise, Spot, pack_position
from bot.domain.table import Table
from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, PracticePress, Verb, button
from bot.ui.message import GOLD, QUIET, SEAT_COLOURS, Rendered, make_embed
from bot.ui.pictures.views import turn_view
from bot.ui.table import round_picture
from bot.ui.text import format_signed
from bot.ui.turn import track_sentence
from bot.ui.turn_parts import card_and_dice_lines, choice_buttons, scored_lines
from bot.ui.words import card_name
from highscore.odds.analysis import DecisionReview


def practice_button(table: Table, made: DecisionReview, number: int) -> ActionItem:
    start = pack_position(made.turn)
    press = PracticePress(Verb.TRY, table.id, Spot(made.round, made.seat, start), start)
    return button(press, number_words(number), emoji="🔁")


def number_words(number: int) -> str:
    """Return a number in words so short that three such buttons stand beside each other on a phone."""
    return _("No. {number}").format(number=number)


def render_practice(exercise: Exercise, selected: Collection[int] = (), *, asking: bool = False) -> Rendered:
    """Show the position as it was, or as it was played on; ``selected`` and ``asking`` as for ``choice_buttons``."""
    table, turn, seat = exercise.table, exercise.turn, exercise.spot.seat
    staked = table.turn_order.shared
    view = turn_view(turn.card, len(table.seats), exercise.before, turn, seat, selected, staked=staked)
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
            *card_and_dice_lines(turn.card, turn, "", known=True),
            colour=SEAT_COLOURS[seat],
        )
    buttons = _practice_buttons(exercise, selected, asking=asking)
    return Rendered([embed], buttons=buttons, picture=picture).adapt(pictures=table.options.pictures)


def _practice_buttons(exercise: Exercise, selected: Collection[int], *, asking: bool) -> list[ActionItem]:
    spot, turn = exercise.spot, exercise.turn

    def press(verb: Verb, argument: int = 0) -> PracticePress:
        return PracticePress(verb, exercise.table.id, spot, pack_position(turn), argument)

    retry = PracticePress(Verb.RETRY, exercise.table.id, spot, spot.start)
    if turn.over:
        return [button(retry, _("Restart"), emoji="🔁")]
    buttons = choice_buttons(turn, selected, press, asking=asking)
    if pack_position(turn) != spot.start:
        buttons.insert(-1, button(retry, _("Restart"), emoji="🔁", row=buttons[-1].item.row or 0))
    return buttons
