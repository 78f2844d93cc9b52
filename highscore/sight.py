"""The part of a game that a seat may see when everybody plays at their own pace (R9.5)."""

from __future__ import annotations

from dataclasses import replace

from highscore.game import Game
from highscore.runs import FinishedTurn


def hide_unseen(game: Game, viewer: int | None) -> Game:
    """Return the game without anything that a viewing seat may not see now (R9.5).

    Of the other seats there are only the turns on cards that the viewer has finished; ``count_finished`` still counts
    all their cards, and ``begun`` still says who has begun. The viewer None, who has no seat, sees finished rounds and
    the card that everybody can play.
    """
    if game.turn_order.shared or game.over:
        return game
    scored = len(game.finished)
    done = game.count_finished(viewer) if viewer is not None and viewer in game.seats else scored
    kept: list[FinishedTurn] = []
    hidden = [0] * game.players
    number = dict.fromkeys(range(game.players), scored)
    for turn in game.played:
        number[turn.seat] += 1
        if turn.seat == viewer or number[turn.seat] <= done:
            kept.append(turn)
        else:
            hidden[turn.seat] += 1
    return replace(
        game,
        cards=game.cards[: done + 1 - scored],
        # In seat order: the order in which turns were finished is nobody's business, and decides nothing.
        played=tuple(sorted(kept, key=lambda turn: turn.seat)),
        hands=tuple(hand for hand in game.hands if hand.seat == viewer),
        hidden=tuple(hidden),
        hidden_begun=tuple(sorted(game.begun)),
    )
