"""The ids in a line of the log."""

import asyncio

from bot.observing.logs import add_log_fields, current_fields, set_log_fields, without_log_fields


async def test_what_is_known_grows_and_is_forgotten_with_the_next_work() -> None:
    set_log_fields(game="g", guild=1)
    add_log_fields(channel=2, user=None)
    assert current_fields() == {"game": "g", "guild": 1, "channel": 2}
    set_log_fields(game="h")
    assert current_fields() == {"game": "h"}


async def test_what_was_known_is_left_out_for_a_while_and_what_was_added_meanwhile_is_forgotten() -> None:
    set_log_fields(game="g")
    with without_log_fields():
        assert current_fields() == {}
        add_log_fields(user=3)
        assert current_fields() == {"user": 3}
    assert current_fields() == {"game": "g"}


async def test_a_task_begins_with_what_its_maker_knew_and_changes_only_its_own() -> None:
    set_log_fields(game="g")

    async def other() -> dict[str, int | str]:
        inherited = dict(current_fields())
        set_log_fields(game="h")
        return inherited

    assert await asyncio.create_task(other()) == {"game": "g"}
    assert current_fields() == {"game": "g"}
