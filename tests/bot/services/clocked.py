"""A table whose clock the test turns, played through the use cases."""

import json
import random
from datetime import datetime, timedelta

from bot.domain.table import Table
from bot.services import away, deadlines, proof, run
from bot.services.core import Core, Person, get_table
from bot.services.turn import decide_turn
from bot.store.table import load_events
from highscore import TurnOrder, list_decisions, replay_events
from highscore.events import Decision, Remarked, TakeDice
from highscore.proof import format_export, read_export, verify_export
from highscore.turn import Stop, list_choices
from tests.bot.cores import NOW, begun, game_of, seated
from tests.highscore.referee import check


class Clocked:
    """One table of the first people, and the time."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.now = NOW
        self.table_id = ""
        core.now = lambda: self.now

    async def seat(self, players: int = 2, order: TurnOrder = TurnOrder.CLOCKWISE, house: int = 0) -> Table:
        table = await seated(self.core, players, order, house=house)
        self.table_id = table.id
        return table

    async def begin(self, players: int = 2, order: TurnOrder = TurnOrder.CLOCKWISE, house: int = 0) -> Table:
        await self.seat(players, order, house)
        return await begun(self.core, self.table_id)

    async def table(self) -> Table:
        return await get_table(self.core, self.table_id)

    async def decide(self, seat: int, decision: Decision) -> Table:
        table = await self.table()
        user_id = table.seats[seat].user_id
        assert user_id is not None
        return await decide_turn(self.core, self.table_id, user_id, decision, version=table.version)

    async def decide_alone(self, person: Person, decision: Decision, step: int) -> Table:
        await run.decide_run(self.core, self.table_id, person, decision, step=step)
        return await self.table()

    async def cards(self, person: Person, number: int = 1, chance: random.Random | None = None) -> Table:
        """Play so many cards of somebody's own run; without ``chance`` always by the first legal decision."""
        table = await self.table()
        seat = table.seat_of(person.user_id)
        assert seat is not None
        until = game_of(table).count_finished(seat) + number
        while (game := game_of(table)).count_finished(seat) < until:
            legal = list_decisions(game, seat)
            decision = legal[0] if chance is None else chance.choice(legal)
            table = await self.decide_alone(person, decision, game.find_run(seat).step.number)
        return table

    async def press(self, seat: int) -> Table:
        """Press something that changes nothing but that its player waits for the others."""
        return await away.wake_table(
            self.core, self.table_id, Person((await self.table()).seats[seat].user_id or 0, "")
        )

    async def turn(self, seat: int) -> Table:
        table = await self.table()
        if game_of(table).turn is None:
            table = await self.decide(seat, TakeDice())
        turn = game_of(table).turn
        assert turn is not None
        choices = list_choices(turn)
        return await self.decide(seat, next((choice for choice in choices if isinstance(choice, Stop)), choices[-1]))

    async def wait_until(self, moment: datetime | None) -> Table:
        """Turn the clock to a moment; on the way everything is done when it is due."""
        assert moment is not None
        table = await self.table()
        while (due := table.timing.wake_at) is not None and due <= moment:
            self.now = max(self.now, due)
            table = await deadlines.act_on_due(self.core, table)
        self.now = moment
        return table

    async def wait(self, **time: float) -> Table:
        return await self.wait_until(self.now + timedelta(**time))

    async def miss(self) -> Table:
        """Let the time of somebody's turn, or of the round, pass."""
        return await self.wait_until((await self.table()).timing.deadline)

    async def remarks(self) -> list[str]:
        events = await self.core.database.read(load_events, self.table_id)
        texts = [event.text for event in events if isinstance(event, Remarked)]
        return [text for text in texts if text != "the game was started"]

    async def check_replay(self) -> None:
        """Check that the stored events lead to the stored state, and that the dice follow from an open seed."""
        table = await self.table()
        events = await self.core.database.read(load_events, self.table_id)
        assert replay_events(len(table.seats), table.turn_order, events) == table.game
        if not table.status.open:
            file = format_export(await proof.export_finished(self.core, table.id))
            assert verify_export(read_export(file)).state == table.game
            check(json.loads(file))
