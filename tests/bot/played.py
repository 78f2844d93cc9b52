"""Games that are played to their end, or partly, through the use cases: quicker than by clicks."""

from dataclasses import replace

from bot.domain.table import Status, Table
from bot.services import lobby
from bot.services.core import Change, Core, Person, change_table
from bot.services.turn import decide_turn
from highscore import Game, TurnOrder, play_event
from highscore.events import Decided, Decision, Event, TakeDice
from highscore.turn import Stop, list_choices
from tests.bot.cores import open_one
from tests.bot.server import Server


async def play_on(core: Core, table: Table, moves: int | None = None) -> Table:
    """Stop each turn as soon as possible, to the end of the game or for so many moves."""
    while table.status is Status.PLAYING and (moves is None or moves > 0):
        assert table.game is not None
        user_id = table.seats[table.game.may_act[0]].user_id
        assert user_id is not None
        table = await decide_turn(core, table.id, user_id, early(table.game), version=table.version)
        moves = None if moves is None else moves - 1
    return table


async def play_out(core: Core, table: Table, but: int = 0) -> Table:
    """Play in one transaction, by nobody, until so many players have not finished: where it only has to be over."""

    def work(current: Table) -> Change:
        game, events = current.game, list[Event]()
        assert game is not None
        while sum(not game.find_run(seat).complete for seat in range(game.players)) > but:
            game, happened = play_event(game, Decided(game.may_act[0], early(game)), current.source, current.deck)
            events += happened
        return Change(replace(current, game=game), events)

    return await change_table(core, table.id, work)


def early(game: Game) -> Decision:
    """Return the decision to stop, or one that leads there."""
    turn = game.find_run(game.may_act[0]).turn
    choices = () if turn is None else list_choices(turn)
    stop = next((choice for choice in choices if isinstance(choice, Stop)), choices[-1] if choices else None)
    return TakeDice() if stop is None else stop


async def finished(server: Server, players: int = 2, channel_id: int = 1) -> Table:
    return await play_out(server.bot.core, await begun(server, players, channel_id))


async def begun(server: Server, players: int = 2, channel_id: int = 1, guild_id: int | None = None) -> Table:
    core = server.bot.core
    people = [Person(member.id, member.name.capitalize()) for member in server.members[:players]]
    guild_id = server.guild.id if guild_id is None else guild_id
    table = await open_one(core, people[0], channel_id=channel_id, guild_id=guild_id, order=TurnOrder.CLOCKWISE)
    for person in people[1:]:
        await lobby.join_table(core, table.id, person)
    await lobby.start_game(core, table.id, people[0])
    return await lobby.begin_game(core, table.id, opening_id=1)
