"""The button for the proof that a game's dice were fair."""

from collections.abc import Iterable

from bot.cogs.common import Private, UserRequest
from bot.locales import _
from bot.services.proof import prove_table
from bot.ui.buttons import RecordPress, RunPress, TablePress
from bot.ui.message import Rendered
from bot.ui.proof import proof_lines


def make_proof_message(lines: Iterable[str], document: str, name: str) -> Rendered:
    """Make a message with the results of a check, and a file with which anybody can repeat the check."""
    checked = "".join(f"✅ {line}\n" for line in lines)
    text = checked + _("To check it yourself, download the file below and run `highscore-bot verify FILE`.")
    return Rendered(content=text, document=(f"highscore-{name}.json", document.encode()))


async def prove_game(request: UserRequest, press: TablePress | RecordPress | RunPress) -> Private:
    async with request.one_at_a_time():
        proof, document = await prove_table(request.core, press.table_id)
    return Private(make_proof_message(proof_lines(proof), document, press.table_id))
