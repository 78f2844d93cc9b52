"""Exporting a game with its seed, so that anybody can check the dice."""

from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import Core, get_table
from bot.store.table import load_events
from highscore.events import Remarked
from highscore.notation import format_results
from highscore.proof import Export, Proof, are_words_deleted, format_export, verify_export


class Sealed(Refused):
    """The game is not over yet. The message says what is sealed, where the seal is, and how to check it afterwards."""

    def __init__(self) -> None:
        text = _(
            "The seed of all dice stays sealed until the end. Its seal stands behind bars: in the message that opened"
            " the game, with the digest of the lucky words, or for a daily challenge in the morning's post and on your"
            " first page. In the end **Proof** opens the seed and hands out a file, and `highscore-bot verify FILE"
            " --seal … --digest … --opening …` says whether it agrees with your copies."
        )
        super().__init__(text)


async def export_finished(core: Core, table_id: str) -> Export:
    """Return a closed game with its seed. Raise Sealed while it is open, because its seed is still secret, and Refused
    if there is no such game.
    """
    table = await get_table(core, table_id)
    if table.status.open:
        raise Sealed
    events = await core.database.read(load_events, table_id)
    words, source = tuple(seat.lucky_word for seat in table.seats), table.source
    return Export(
        game=table.id,
        seal=table.seal,
        seed=table.seed,
        turn_order=table.turn_order,
        names=tuple(seat.name for seat in table.seats),
        # If a lucky word was deleted, the others cannot be checked, so they are left out.
        lucky_words=("",) * len(words) if are_words_deleted(words, source.words_digest) else words,
        deck=table.deck,
        events=events,
        words_digest=source.words_digest,
        opening=source.opening,
        # The results that were shown, from the stored state. The check compares them with the log.
        results=None if table.game is None else format_results(table.game),
    )


async def prove_table(core: Core, table_id: str) -> tuple[Proof, str]:
    """Check a finished game. Return the proof and the exported document. Raise Refused if it is open or was not played,
    ProofError if the check fails.
    """
    document = await export_finished(core, table_id)
    if all(isinstance(event, Remarked) for event in document.events):
        raise Refused(_("Nobody played at this table."))
    return await check_document(core, document)


async def check_document(core: Core, document: Export) -> tuple[Proof, str]:
    """Check an exported game in the helper process. Return the proof and the document's text. Raise ProofError."""
    return await core.helper.run(verify_export, document), format_export(document)
