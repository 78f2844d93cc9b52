"""/highscore learn: three cards on fixed dice, and a game afterwards."""

from bot.cogs.turn import DECISION_OF
from bot.domain.learn import Lesson, lesson_position
from bot.ui.buttons import LessonPress, Verb
from highscore import events, turn
from tests.bot.databases import everything
from tests.bot.server import PrivatePage, Server, private, private_message


def _decision(press: LessonPress) -> events.Decision | None:
    return DECISION_OF[press.verb](press) if press.verb in DECISION_OF else None


async def test_somebody_new_learns_by_pressing_what_they_are_told_to(server: Server) -> None:
    image = everything(server.settings)
    ada = server.members[0]
    lesson = PrivatePage.of(server, ada, await server.slash(ada, "learn"))

    def offered() -> list[LessonPress]:
        return [LessonPress.parse(str(each.custom_id)) for each in lesson.buttons()]

    for at in map(lesson_position, range(len(Lesson))):
        page = lesson.page
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
                assert isinstance(at.expected, turn.Roll | turn.SetAside)
                picks = [each for each in offered() if each.verb is Verb.TOGGLE]
                wanted = set(at.expected.positions)
                right_picks = [each for each in picks if set(each.dice) <= wanted]
                await lesson.send(max(right_picks, key=lambda each: len(each.dice)).custom_id)
        for each in right:
            await lesson.send(each.custom_id)
    assert "Points in all: 8." in lesson.text
    assert everything(server.settings) == image
    today = private_message(await lesson.send(LessonPress(Verb.PLAY, Lesson.BEYOND.value).custom_id))
    assert "High Score #1 · Card 1 of 7" in str(today.embeds[0].title)
    told = private(await lesson.send(LessonPress(Verb.NEW, Lesson.BEYOND.value).custom_id))
    assert "Your game has started" in told
    await server.settle()
    table = await server.table()
    assert [seat.user_id is None for seat in table.seats] == [False, True, True]
    assert Verb.PLAY in server.verbs()
