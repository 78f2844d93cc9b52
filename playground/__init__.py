"""The playground: the unmodified bot on a Discord simulated in this process, played in a browser.

No account, no token and no network are needed, and nothing is fetched from or sent to anywhere: the page is
served on the loopback interface only. What happens there is kept in one file, so that a game goes on after
the playground was stopped.
"""

from playground.doors import Door, Pitch
from playground.errors import PlaygroundError
from playground.run import serve

__all__ = ["Door", "Pitch", "PlaygroundError", "serve"]
