"""/highscore learn: three cards on fixed dice, and a game afterwards."""

import re

from bot.cogs.turn_buttons import DECISIONS
from bot.domain.learn import Lesson, lesson_position
from bot.ui.buttons import LessonPress, Verb
from highscore.events import Decision
from highscore.turn import Roll, SetAside
from tests.bot.databases import everything
from tests.bot.server import PrivatePage, Server, private, private_message

MOST_PRESSES = 17
MOST_WORDS = 320


def _decision(press: LessonPress) -> Decision | None:
    """Return the decision of a button of the lesson, if it has one."""
    return DECISIONS[press.verb](press) if press.verb in DECISIONS else None


async def test_somebody_new_learns_by_pressing_what_they_are_told_to(server: Server) -> None:
    image = everything(server.settings)
    ada = server.members[0]
    lesson = PrivatePage.of(server, ada, await server.slash(ada, "learn"))

    def offered() -> list[LessonPress]:
        return [LessonPress.parse(str(each.custom_id)) for each in lesson.buttons()]

    presses, words = 0, 0
    for at in map(lesson_position, range(len(Lesson))):
        page = lesson.page
        words += len(re.findall(r"\w+", str(page.embeds[0].description)))
        assert [bool(file.description) for file in page.attachments] == [True]
        for wrong in offered():
            if _decision(wrong) not in (None, at.expected):
                await lesson.send(wrong.custom_id)
                assert lesson.page.content.startswith("🎓")
                assert lesson.page.embeds[0].description == page.embeds[0].description
        right: list[LessonPress] = []
        while not right and not at.is_last:
            forward = at.expected is None
            right = [
                each for each in offered() if (each.verb is Verb.NEXT if forward else _decision(each) == at.expected)
            ]
            if not right:
                # A die that is to be picked, and is not yet.
                assert isinstance(at.expected, Roll | SetAside)
                picks = [each for each in offered() if each.verb is Verb.TOGGLE]
                wanted = set(at.expected.positions)
                right_picks = [each for each in picks if set(each.positions) <= wanted]
                await lesson.send(max(right_picks, key=lambda each: len(each.positions)).custom_id)
                presses += 1
        for each in right:
            await lesson.send(each.custom_id)
            presses += 1
    assert "Points in all: 8." in lesson.text
    assert presses <= MOST_PRESSES
    assert words <= MOST_WORDS
    print(presses, words)
    assert everything(server.settings) == image
    today = private_message(await lesson.send(LessonPress(Verb.PLAY, Lesson.BEYOND.value).custom_id))
    assert "High Score #1 · Card 1 of 7" in str(today.embeds[0].title)
    told = private(await lesson.send(LessonPress(Verb.NEW, Lesson.BEYOND.value).custom_id))
    assert "Your game has begun" in told
    await server.settle()
    table = await server.table()
    assert [seat.user_id is None for seat in table.seats] == [False, True, True]
    assert Verb.PLAY in server.verbs()


async def test_the_lesson_is_offered_to_whoever_is_new(server: Server) -> None:
    """In the note to whoever sits down, in the guide and in the help."""
    ada, ben = server.members[:2]
    notes = [await server.slash(ada, "new"), await server.press(ben, Verb.JOIN)]
    for result in (*notes, await server.slash(ada, "help"), await server.press(ben, Verb.RULES)):
        message = private_message(result)
        (offered,) = [
            child["custom_id"]
            for row in message.components
            for child in row["components"]
            if child["custom_id"].startswith("hl:")
        ]
        begun = private_message(await server.send(ben, offered, message.id))
        assert "card 1 of 3" in str(begun.embeds[0].title)


def test_the_hand_shows_all_that_a_game_has() -> None:
    hand = [lesson_position(lesson.value) for lesson in Lesson]
    assert [at.lesson for at in hand] == list(Lesson)
    ends = [at.game.finished[-1] for at in hand if at.expected is None]
    assert len({end.card.roll_type for end in ends}) == len({end.card.vortex.kind for end in ends}) == 3
    taken = [placed for end in ends for placed in end.placements if placed.position != placed.result]
    beyond = [placed for placed in ends[-1].placements if placed.markers]
    assert [placed.seat for placed in taken] == [2]
    assert [placed.seat for placed in beyond] == [2, 0]
    assert [end.chips[0].points for end in ends] == [3, 2, 3]
