"""The story of a finished game, in a sentence before any figure: who was luckier, and which choice cost most."""

from bot.domain.table import Table
from bot.locales import _, format_list
from bot.ui.names import player_name
from highscore.odds.analysis import Report
from highscore.standings import find_winners

EVEN, BRONZE, SILVER, GOLD = 0.5, 1.5, 2.5, 4.0
"""The chip points up to which luck was even, or as much as that chip is worth; more is a great deal."""
WORTH_NAMING = 0.25
"""The least chip points that a choice has to have cost to be named."""


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
        if ahead < EVEN:
            return shared
        most = _("Most luck: {player}.").format(player=player_name(table, luckiest.seat))
        return f"{shared} {most} {_worth_sentence(ahead)}"
    winner = next(review for review in played if review.seat in won)
    other = second if winner is luckiest else luckiest
    ahead = abs(winner.luck - other.luck)
    if ahead < EVEN:
        # With more than two players, somebody else may have had little luck.
        even = luckiest.luck - min(review.luck for review in played) < EVEN
        text = _("{winner} wins, with even luck.") if even else _("{winner} wins. About as much luck: {other}.")
    elif winner is luckiest:
        text = _("{winner} wins and has the most luck. Next: {other}.") + " " + _worth_sentence(ahead)
    else:
        text = _("{winner} wins. More luck: {other}.") + " " + _worth_sentence(ahead)
    return text.format(winner=player_name(table, winner.seat), other=player_name(table, other.seat))


def _worth_sentence(ahead: float) -> str:
    if ahead < BRONZE:
        return _("The difference is worth a bronze chip.")
    if ahead < SILVER:
        return _("The difference is worth a silver chip.")
    if ahead < GOLD:
        return _("The difference is worth a gold chip.")
    return _("The difference is great.")


def _costliest_sentence(table: Table, report: Report) -> str | None:
    made = report.costliest
    if made is None or made.loss < WORTH_NAMING:
        return _("No choice was a costly mistake.")
    text = _("Costliest choice: {player}, in round {round}.")
    return text.format(player=player_name(table, made.seat), round=made.round)
