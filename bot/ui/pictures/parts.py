"""The parts of pictures: drawn once and kept, then copied to where they belong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Tones = npt.NDArray[np.uint8]
"""A picture: rows of indices in the palette."""

Corner = tuple[int, int]
"""An upper left corner, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part that may be kept, so nobody may change its tones. It equals only itself: no pixels are compared."""

    tones: Tones
    mask: npt.NDArray[np.bool_] | None = None
    """True where the part covers what is below; None is everywhere."""


Placed = tuple[Part, int, int]
"""A part, and its left and upper edge."""


def move_parts(parts: Iterable[Placed], corner: Corner) -> Iterator[Placed]:
    left, top = corner
    for part, x, y in parts:
        yield part, left + x, top + y


def paste(picture: Tones, part: Part, corner: Corner) -> None:
    """Copy a part into a picture, without the rows above or below of the picture."""
    left, top = corner
    first, last = max(-top, 0), len(picture) - top
    tones = part.tones[first:last]
    height, width = tones.shape
    into = picture[top + first : top + first + height, left : left + width]
    if part.mask is None:
        into[:] = tones
    else:
        np.copyto(into, tones, where=part.mask[first:last])
