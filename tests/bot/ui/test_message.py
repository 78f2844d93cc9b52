import asyncio
import logging
import threading
import time

from bot.ui.message import MAX_ALT, Picture, Rendered, make_embed


async def test_pictures_are_drawn_one_after_the_other() -> None:
    busy = threading.Lock()

    def draw(number: int) -> bytes:
        assert busy.acquire(blocking=False), "two at once"
        time.sleep(0.01)
        busy.release()
        return bytes([number])

    pictures = [Picture("dice.png", ("Dice.",), draw, (number,)) for number in range(4)]
    files = await asyncio.gather(*(picture.attach() for picture in pictures))
    assert [file.fp.read() for file in files] == [b"\0", b"\1", b"\2", b"\3"]


async def test_a_message_goes_without_a_picture_that_cannot_be_drawn(error_log: list[logging.LogRecord]) -> None:
    def draw() -> bytes:
        raise ZeroDivisionError

    board, dice = Picture("board.png", ("A *board*.",), lambda: b""), Picture("dice.png", ("Dice:", "A *5*."), draw)
    told = Rendered([make_embed("A rare turn"), make_embed("A turn")], picture=board, inset=dice)
    fields = await told.prepare_edit()
    assert fields["attachments"] == []
    shown = [(embed.title, embed.description, embed.image.url) for embed in fields["embeds"]]
    assert shown == [(None, r"A \*board\*.", None), (None, "Dice\\:\nA \\*5\\*.", None), ("A turn", None, None)]
    assert "dice.png could not be drawn" in error_log.pop().getMessage()
    assert error_log == []


def test_a_description_is_cut_and_a_message_without_the_picture_has_every_sentence() -> None:
    picture = Picture("board.png", tuple(f"Sentence {number}." for number in range(200)), bytes)
    assert len(picture.alt) == MAX_ALT - 1
    assert picture.alt.startswith("Sentence 0. Sentence 1. ")
    told = Rendered(content="A turn", picture=picture)
    assert told.adapt(pictures=True) is told
    plain = told.adapt(pictures=False)
    assert str(plain.embeds[0].description).split("\n") == list(picture.sentences)
    assert (plain.content, plain.picture) == ("A turn", None)
