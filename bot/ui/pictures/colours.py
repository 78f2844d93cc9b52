"""The colours of the pictures, and the palette of at most 256 tones in which all pictures are drawn."""

from itertools import chain

from highscore.track import Chip

INK = "#131A2C"
"""The darkest colour: writing on light ground, pips, edges."""
BOARD = "#1D2842"
"""The panel below all other parts."""
RIM = "#47598A"
"""The edge of the panel. It shows where the panel ends on a dark page."""
CELL = "#273556"
"""A space of the track."""
CELL_TEN = "#293A5E"
"""Every tenth space."""
WELL = "#151D32"
"""The seats' boxes, for pieces that are not on the track, and the tray of the dice."""
MUTED = "#9FB0D4"
"""Less important writing on the board."""
DIM = "#B7C4E2"
"""The numbers of the spaces, less prominent than the pieces."""
PALE = "#E6EDFA"
"""Writing on the board."""
AMBER = "#FFB938"
"""For what needs attention, such as the seat whose turn it is."""
MINT = "#6FDDA8"
"""Points won, on the board."""
ROSE = "#FF9AA2"
"""Points lost, on the board."""

CARD = "#F5EEDD"
CARD_EDGE = "#CFC3A6"
CARD_LINE = "#DACFB5"
GREY = "#6F6957"
"""On a card: dice that do not count, and other details that matter little."""
GOOD = "#1D845B"
"""The ground of what counts or helps. It is lighter than ``BAD``, to be distinguished without red and green."""
BAD = "#8A1A2C"
"""The ground of what is subtracted or hurts."""

IVORY = "#FFFBF0"
IVORY_EDGE = "#C9BC9E"
SWIRL = "#226699"
SET_BODY = "#33436F"
SET_EDGE = "#8FA2CF"
ICE = "#CFEBFF"
ICE_EDGE = "#6DB5EA"
ICE_INK = "#175A99"
HONEY = "#FFE7AE"
"""The body of a die in the guide that is picked to be rolled again."""
FADED = "#8E9ABA"
"""The body of a die that adds nothing."""
FADED_EDGE = "#59678C"

GOLD = "#F2B632"
LIGHT = "#FFD267"
"""The rays of light around a winner."""
GLOW = "#9A7430"
"""The glow of the leader's line in the race."""
CHIP_COLOURS = {
    Chip.GOLD: (GOLD, "#A66F0A"),
    Chip.SILVER: ("#CBD3DE", "#77849A"),
    Chip.BRONZE: ("#C87941", "#8A4A1D"),
}
"""The face and the edge of each chip."""

PIECES = ("#FF6B64", "#3A8BFC", "#45E59C", "#FFE05E", "#D992E8")
"""The pieces of seats 0 to 4: red, blue, green, yellow, purple. They differ in lightness as well as in hue."""

EDGE_STEPS = 7
"""The number of half-transparent tones of the rim, for the round corners of the panel."""

_TONES = (
    INK, BOARD, RIM, CELL, CELL_TEN, WELL, MUTED, DIM, PALE, AMBER, MINT, ROSE,
    CARD, CARD_EDGE, CARD_LINE, GREY, GOOD, BAD,
    IVORY, IVORY_EDGE, SWIRL, SET_BODY, SET_EDGE, ICE, ICE_EDGE, ICE_INK, HONEY, FADED, FADED_EDGE, LIGHT, GLOW,
    *chain.from_iterable(CHIP_COLOURS.values()), *PIECES,
)  # fmt: skip

_MEETINGS = (
    *((BOARD, other) for other in (CELL, CELL_TEN, WELL, PALE, MUTED, AMBER, MINT, ROSE, CARD_EDGE, IVORY, RIM)),
    *((CELL, other) for other in (DIM, PALE, *PIECES)),
    *((CELL_TEN, other) for other in (PALE, *PIECES)),
    *((WELL, other) for other in (PALE, AMBER, ROSE, IVORY, SET_EDGE, *PIECES)),
    *((INK, other) for other in PIECES),
    *((IVORY, other) for other in (INK, SWIRL, GOOD, BAD, SET_BODY)),
    *((CARD, other) for other in (INK, GREY, GOOD, BAD)),
    (ICE, ICE_INK),
    (HONEY, INK),
    (FADED, INK),
    (GOOD, MINT),
    (BAD, ROSE),
    *CHIP_COLOURS.values(),
    (GOLD, INK),
)
"""Pairs of colours that touch each other. The tone between the two makes their edges smooth."""


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the three channels, 0 to 255, of ``#RRGGBB``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """Return the colour with a share (0 to 1) of another in it."""
    mixed = (round(a + (b - a) * share) for a, b in zip(rgb(colour), rgb(other), strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def _make_palette() -> list[tuple[int, int, int]]:
    clear = [rgb(RIM)] * (1 + EDGE_STEPS)
    between = (mix(a, b, 0.5) for a, b in _MEETINGS)
    solid = dict.fromkeys(chain(map(rgb, _TONES), map(rgb, between)))
    return clear + list(solid)


PALETTE = _make_palette()
