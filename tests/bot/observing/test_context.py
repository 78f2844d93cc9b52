"""What the log says a line is about."""

import asyncio

from bot.observing.context import also, current, nobody, work_on


async def test_what_is_known_grows_and_is_forgotten_with_the_next_work() -> None:
    work_on(game="g", guild=1)
    also(channel=2, user=None)
    assert current() == {"game": "g", "guild": 1, "channel": 2}
    work_on(game="h")
    assert current() == {"game": "h"}


async def test_what_was_known_is_left_out_for_a_while_and_what_was_added_meanwhile_is_forgotten() -> None:
    work_on(game="g")
    with nobody():
        assert current() == {}
        also(user=3)
        assert current() == {"user": 3}
    assert current() == {"game": "g"}


async def test_a_task_begins_with_what_its_maker_knew_and_changes_only_its_own() -> None:
    work_on(game="g")

    async def other() -> dict[str, int | str]:
        inherited = dict(current())
        work_on(game="h")
        return inherited

    assert await asyncio.create_task(other()) == {"game": "g"}
    assert current() == {"game": "g"}
