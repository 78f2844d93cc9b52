"""Interactions in flight at a stop: they land, and nothing new begins. With the bot in this process."""

import asyncio
import gc
from collections.abc import Callable

import pytest

import bot.app
from bot.observing.in_flight import run_to_the_end
from bot.ui.buttons import Verb
from bot.ui.lobby import WORD_FIELD
from tests.bot.decks import only
from tests.bot.server import Server, private
from tests.discord import Interaction, bots, shown_in
from tests.discord.calls import Call
from tests.simulation import delayed_answers

ANSWER = ("POST", "/interactions/*/*/callback")
NEW_MESSAGE = ("POST", "/channels/*/messages")
SLOW = 0.3
"""Seconds: longer than everything here takes that nobody slows down, shorter than a request's time."""
HASTE = 0.2
"""The phases of a stop take this part of their time."""
RESTARTED = "I'm restarting right now"


class Stop:
    """A stop that begins once, and what is slow meanwhile."""

    def __init__(self, tavern: bots.Tavern) -> None:
        self.tavern = tavern
        self.stopping: asyncio.Task[None] | None = None

    def begin(self) -> asyncio.Task[None]:
        self.stopping = self.stopping or asyncio.create_task(self.tavern.bot.close())
        return self.stopping

    def slow(self, call: tuple[str, str], then: Callable[[], object] = lambda: None) -> None:
        """Let Discord take its time for the next request like this; meanwhile something happens."""

        async def wait(_call: Call) -> None:
            then()
            await asyncio.sleep(SLOW)

        self.tavern.discord.before(*call, wait)


async def test_a_press_whose_answer_is_on_its_way_is_answered_and_what_follows_is_shown(tavern: bots.Tavern) -> None:
    tavern.bot.core.deck = only("total-frozen")
    stop = Stop(tavern)
    seen = await tavern.begin()
    player = await tavern.on_turn(seen)
    seen = await tavern.press(player, Verb.TAKE)
    stop.slow(ANSWER, then=stop.begin)
    stop.slow(NEW_MESSAGE)
    answer = await player.press(seen.message, seen.custom_id(Verb.STOP, Verb.SET_ASIDE))
    assert answer.acknowledged
    assert answer.refused == []
    await stop.begin()
    (shown,) = shown_in(tavern.channel)
    assert shown.version == seen.version + 1
    assert shown.message is not seen.message
    assert shown.press(Verb.TAKE) is not None


async def test_a_press_that_waits_for_the_database_is_committed_and_answered(tavern: bots.Tavern) -> None:
    stop = Stop(tavern)
    seen = await tavern.begin()
    player = await tavern.on_turn(seen)
    held, let_go = asyncio.Event(), asyncio.Event()

    async def pause() -> None:
        held.set()
        await let_go.wait()

    def hold(_connection: object) -> None:
        tavern.bot.core.database.await_within(pause())

    holding = asyncio.create_task(tavern.bot.core.database.write(hold))
    await held.wait()
    answer = player.begin_press(seen.message, seen.custom_id(Verb.TAKE))
    await tavern.discord.until(lambda: len(tavern.bot.in_flight._all) == 1)
    stopping = stop.begin()
    await asyncio.sleep(SLOW)
    assert not stopping.done()
    let_go.set()
    await holding
    assert await tavern.discord.until_answered(answer)
    await stopping
    assert shown_in(tavern.channel)[-1].version == seen.version + 1


async def test_what_comes_during_the_stop_is_told_so_kindly_and_not_done(tavern: bots.Tavern) -> None:
    stop = Stop(tavern)
    seen = await tavern.begin()
    player = await tavern.on_turn(seen)
    other = next(person for person in tavern.people if person is not player)
    late: list[asyncio.Task[Interaction]] = []

    def come_late() -> None:
        stop.begin()
        late.append(asyncio.create_task(other.press(seen.message, seen.custom_id(Verb.TAKE))))
        late.append(asyncio.create_task(other.slash(tavern.channel, "highscore table", action="cancel")))
        late.append(asyncio.create_task(other.slash(tavern.channel, "highscore daily")))

    stop.slow(ANSWER, then=come_late)
    await player.press(seen.message, seen.custom_id(Verb.TAKE))
    answers = await asyncio.gather(*late)
    await stop.begin()
    assert len(answers) == 3
    for answer in answers:
        assert answer.acknowledged
        assert RESTARTED in answer.private
    assert shown_in(tavern.channel)[-1].version == seen.version + 1
    counted = tavern.bot.metrics.registry.get_sample_value
    stopping = {"outcome": "stopping"}
    assert counted("highscore_interactions_total", {"asked": "button", **stopping}) == 1
    assert counted("highscore_interactions_total", {"asked": "command", **stopping}) == 2


async def test_a_stop_that_nobody_waits_for_any_more_goes_on(tavern: bots.Tavern) -> None:
    stop = Stop(tavern)
    seen = await tavern.begin()
    player = await tavern.on_turn(seen)
    stop.slow(ANSWER, then=lambda: stop.begin().cancel())
    answer = await player.press(seen.message, seen.custom_id(Verb.TAKE))
    assert answer.acknowledged
    await tavern.bot.close()
    assert tavern.bot.is_closed()


async def test_a_word_that_is_sent_during_the_stop_is_not_taken(server: Server) -> None:
    await server.seat(1)
    ada = server.members[0]
    popped_up = await server.press(ada, Verb.LUCKY_WORD)
    server.bot.in_flight.stop()
    result = await ada.submit_modal(popped_up, {WORD_FIELD: "clover"})
    assert RESTARTED in private(result)
    assert server.rows("select lucky_word from seats") == [("",)]


async def test_a_list_that_opens_while_typing_is_empty_during_the_stop(server: Server) -> None:
    server.bot.in_flight.stop()
    assert await server.members[0].autocomplete(server.channel, "highscore rules", "card", "") == []


async def test_an_answer_that_never_comes_is_broken_off_and_the_move_is_shown_without_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for phase in ("FINISHED_BY", "SHOWN_BY", "LEFT_BY", "CLOSED_BY"):
        monkeypatch.setattr(bot.app, phase, HASTE * getattr(bot.app, phase))
    table = await server.begin(2)
    take = str(server.buttons(Verb.TAKE)[0].custom_id)
    time = asyncio.get_running_loop().time
    with delayed_answers([40.0]):
        await server.on_turn(table).click(server.shown, custom_id=take)
        began = time()
        await server.bot.close()
        assert time() - began < 9
    (row,) = server.rows("select content_version, shown_content_version from games")
    assert row == (table.content_version + 1, table.content_version + 1)
    assert server.buttons(Verb.TAKE) == []
    await server.start_again()
    await server.settle()
    assert not (await server.table()).is_unshown
    assert server.buttons(Verb.TAKE) == []


async def test_what_goes_wrong_when_nobody_waits_any_more_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    gone, unhandled = asyncio.Event(), list[dict[str, object]]()
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: unhandled.append(context))

    async def fail() -> None:
        await gone.wait()
        raise ValueError("somebody's words")

    caplog.set_level("INFO", "bot.observing")
    waiting = asyncio.create_task(run_to_the_end(asyncio.create_task(fail()), "a write"))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    gone.set()
    for _turn in range(3):
        await asyncio.sleep(0)
    gc.collect()
    assert (waiting.cancelled(), unhandled) == (True, [])
    assert caplog.messages == ["a write failed after its caller had stopped waiting for it: ValueError"]
