"""The playground: the unmodified bot on a simulated Discord in the same process, used in a browser.

It needs no account, no token and no network. The page is served on the loopback interface only, and fetches nothing
from other servers. Everything that happens is stored in one file, so games continue after a restart.
"""

from playground.errors import PlaygroundError
from playground.run import playground
from playground.world import Introduction, Shortcut

__all__ = ["Introduction", "PlaygroundError", "Shortcut", "playground"]
