"""highscore-bot odds: exact odds of a position, on the command line."""

import json

import click

from bot.cli.common import end, load_settings
from highscore.errors import HighScoreError
from highscore.odds.policy import POINTS, aim_at_least
from highscore.odds.question import answer_question


@click.command()
@click.argument("card")
@click.argument("dice", default="")
@click.option("--rolls-left", type=int, help="How many more rolls are possible. By default, this was the first roll.")
@click.option(
    "--set-aside", default="", metavar="DICE", help="Dice that were set aside in earlier rolls, if the card says so."
)
@click.option("--at-least", "target", type=int, help="Rank by the chance to reach this result, not by points.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
def odds(card: str, dice: str, rolls_left: int | None, set_aside: str, target: int | None, as_json: bool) -> None:
    """Compute the exact value of a position of a turn, and rank every choice.

    CARD is a card's id, DICE the rolled dice, for example: odds same-frozen "5 5 4 V 2 1 1" --rolls-left 1
    """
    try:
        utility = POINTS if target is None else aim_at_least(target)
        answer = answer_question(
            load_settings().load_deck().find_card(card),
            dice,
            rolls_left=rolls_left,
            set_aside=set_aside,
            utility=utility,
        )
    except (HighScoreError, ValueError) as error:
        end(f"{error}.")
    click.echo(json.dumps(answer.encode_json(), indent=1) if as_json else "\n".join(answer.format_lines()))
