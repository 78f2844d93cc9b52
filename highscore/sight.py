"""What a seat may see of a game that everybody plays at their own pace (R9.5)."""

from __future__ import annotations

from dataclasses import replace

from highscore.game import Game
from highscore.runs import FinishedTurn


def hide_unseen(game: Game, viewer: int | None) -> Game:
    """The game with nothing in it that a seat may not see now (R9.5); None is anybody else.

    Of others there is only what they did on cards that the viewer has finished; ``count_finished`` still knows how far
    they are. Whoever looks on sees what is public: finished rounds, and the card that everybody can play.
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
        # As they sit: who finished when is nobody's business, and decides nothing.
        played=tuple(sorted(kept, key=lambda turn: turn.seat)),
        hands=tuple(hand for hand in game.hands if hand.seat == viewer),
        hidden=tuple(hidden),
    )
