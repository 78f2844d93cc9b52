"""Dice as text: one line that shows at a glance what lies where."""

from __future__ import annotations

from collections.abc import Iterable

from bot.locales import _
from bot.ui.symbols import die
from highscore.dice import Face
from highscore.turn import DieState, Turn

FROZEN = "🧊"


def dice_line(faces: Iterable[Face | None]) -> str:
    """Dice in their places, large."""
    return "# " + " ".join(die(face) for face in faces)


def turn_lines(turn: Turn) -> str:
    """The dice of a turn: all in their places, and below which are set aside or frozen."""
    lines = [dice_line(turn.faces)]
    for label, positions in (
        (_("Set aside"), _with_state(turn, DieState.SET_ASIDE)),
        (FROZEN + " " + _("Frozen"), _with_state(turn, DieState.FROZEN)),
    ):
        if positions:
            lines.append(f"{label}: {_small(turn, positions)}")
    return "\n".join(lines)


def _with_state(turn: Turn, state: DieState) -> list[int]:
    return [at for at, now in enumerate(turn.states) if now is state]


def _small(turn: Turn, positions: Iterable[int]) -> str:
    return " ".join(die(turn.faces[at], turn.states[at]) for at in positions)
