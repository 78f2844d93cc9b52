"""Exporting a game with its seed, so that anybody can check its dice."""

from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import Core, get_table
from bot.store.table import load_events
from bot.ui.proof import lock_line, opening_line, seal_line
from highscore.events import Remarked
from highscore.fairness import EARLIER
from highscore.notation import format_results
from highscore.proof import Export, Proof, format_export, verify_export


class Sealed(Refused):
    """The seed is still secret. The message shows the published codes, and says how to check them afterwards."""

    def __init__(self, *lines: str) -> None:
        text = _(
            "The seed stays sealed until the end. Then **Proof** gives you a file with it. `highscore-bot verify"
            " FILE --seal … --lock … --opening …` checks that the file matches what was fixed before the first"
            " roll:"
        )
        super().__init__("\n".join((text, *lines)))


async def export_finished(core: Core, table_id: str) -> Export:
    """Return a game that is over, with its seed. Raise Sealed if it is not over, because its seed is still secret, and
    Refused if there is no such game or if nobody played it.
    """
    table = await get_table(core, table_id)
    if table.status.open:
        lines = [seal_line(table.seal), *([] if table.lock is None else [lock_line(table.lock)])]
        if table.opening_id is not None:
            lines.append(opening_line(table.guild_id, table.channel_id, table.opening_id))
        raise Sealed(*lines)
    events = await core.database.read(load_events, table_id)
    if all(isinstance(event, Remarked) for event in events):
        raise Refused(_("Nobody played at this table."))
    source, is_deleted = table.source, any(seat.former for seat in table.seats)
    # The lock contains the ids and lucky words of all players. If one of them was deleted, nobody can compute the lock,
    # so the ids and words of the others cannot be checked, and are left out.
    whole = not is_deleted or table.make_lock() == table.lock
    nothing = [None] * len(table.seats)
    return Export(
        version=source.version,
        game=table.id,
        seal=table.seal,
        seed=table.seed,
        turn_order=table.turn_order,
        names=tuple(seat.name for seat in table.seats),
        ids=tuple(table.ids if whole and source.version != EARLIER else nothing),
        lucky_words=tuple(seat.lucky_word if whole else "" for seat in table.seats),
        deck=table.deck,
        events=events,
        lock=source.lock,
        opening=source.opening,
        # These results are from the stored state, so they are what people saw. The check compares them with the log.
        results=None if table.game is None else format_results(table.game),
    )


async def prove_table(core: Core, table_id: str) -> tuple[Proof, str]:
    """Check a game that is over. Return the proof and the exported document. Raise ProofError if the check fails, and
    what ``export_finished`` raises.
    """
    return await check_document(core, await export_finished(core, table_id))


async def check_document(core: Core, document: Export) -> tuple[Proof, str]:
    """Check an exported game in the helper process. Return the proof and the document's text. Raise ProofError."""
    return await core.helper.run(verify_export, document), format_export(document)
