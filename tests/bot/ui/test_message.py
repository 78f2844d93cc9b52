"""Messages and their pictures."""

import asyncio
import logging
import threading
import time

from bot.ui.message import Picture, Rendered, make_embed


async def test_pictures_are_drawn_one_after_the_other() -> None:
    busy = threading.Lock()

    def draw(number: int) -> bytes:
        assert busy.acquire(blocking=False), "two at once"
        time.sleep(0.01)
        busy.release()
        return bytes([number])

    pictures = [Picture("dice.png", "Dice.", draw, (number,)) for number in range(4)]
    files = await asyncio.gather(*(picture.attach() for picture in pictures))
    assert [file.fp.read() for file in files] == [b"\0", b"\1", b"\2", b"\3"]


async def test_a_quick_picture_is_drawn_without_going_to_a_thread() -> None:
    drawn_by: list[threading.Thread] = []

    def draw() -> bytes:
        drawn_by.append(threading.current_thread())
        return b""

    for quick in (True, False):
        await Picture("dice.png", "Dice.", draw, quick=quick).attach()
    assert drawn_by[0] is threading.current_thread()
    assert drawn_by[1] is not threading.current_thread()


async def test_a_message_goes_without_a_picture_that_cannot_be_drawn(error_log: list[logging.LogRecord]) -> None:
    def draw() -> bytes:
        raise ZeroDivisionError

    fields = await Rendered([make_embed("A turn")], picture=Picture("board.png", "A board.", draw)).editing()
    assert (fields["attachments"], fields["embeds"][0].title) == ([], "A turn")
    assert "board.png could not be drawn" in error_log.pop().getMessage()
    assert error_log == []


async def test_a_picture_stands_above_the_text() -> None:
    fields = await Rendered([make_embed("A turn")], picture=Picture("board.png", "A board.", lambda: b"")).sending()
    assert [file.filename for file in fields["files"]] == ["board.png"]
    # Discord shows an attachment above the embeds, unless one of them shows it: then it is the last thing in there.
    assert fields["embeds"][0].image.url is None
