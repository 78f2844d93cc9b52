"""Checks of every request: only pages that the playground served itself, on this machine, are answered.

Everything that runs in a browser on this machine can reach a port of it. Without these checks any web site
could play (a request across origins), or read everything by giving itself this machine's address (DNS
rebinding): so a request must name us as its host, and if it comes from a page, that page must be ours. Where the port
is forwarded, the page has another address as well, which has to be given: a proxy's headers are not believed.
"""

import logging
import re
from collections.abc import Callable, Iterable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from yarl import URL

from playground.errors import PlaygroundError, RefusedError

log = logging.getLogger(__name__)

#: One upload of Discord's own size, as base64 inside JSON.
LARGEST_BODY = 14 * 1024 * 1024


_ORIGIN = re.compile(r"https?://(\[[0-9a-f:]+\]|[0-9a-z.-]+)(:[0-9]+)?")


def own_origins(port: int, forwarded: Iterable[str] = ()) -> frozenset[str]:
    """Return the origins of our own pages, as a browser writes them: on this machine, and where the port is forwarded.

    Raise PlaygroundError for an address that is not just ``http`` or ``https``, a host and perhaps a port.
    """
    addresses = (f"http://127.0.0.1:{port}", f"http://localhost:{port}", *forwarded)
    return frozenset(map(_origin_of, addresses))


def _origin_of(address: str) -> str:
    try:
        url = URL(address)
        origin = f"{url.scheme}://{url.host_port_subcomponent}"
        # Nothing may be lost: with a user name or a path the page would be somewhere else.
        if _ORIGIN.fullmatch(origin) and url == url.origin():
            return origin
    except ValueError:
        pass
    raise PlaygroundError(
        f"{address!r} is not the address of a forwarded port. Write it like https://name-8765.example, without a path."
    )


def guard(origins: Callable[[], frozenset[str]]) -> Middleware:
    """Make a middleware that lets our own pages in, and answers every failure with a sentence."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            _check_origin(request, origins())
            response = await handler(request)
        except RefusedError as error:
            response = _sentence(error)
        except web.HTTPRequestEntityTooLarge:
            response = _sentence(RefusedError("That is too much at once: 10 MB is the most.", status=413))
        except web.HTTPMethodNotAllowed as error:
            allowed = ", ".join(sorted(error.allowed_methods))
            response = _sentence(RefusedError("This address takes {methods} only.", status=405, methods=allowed))
        except web.HTTPNotFound:
            response = _sentence(RefusedError("There is nothing at this address. The playground is at /.", status=404))
        except (ConnectionError, web.HTTPException):
            raise
        except Exception:
            log.exception("The playground failed at %s %s", request.method, request.path)
            wrong = RefusedError("Something went wrong in the playground; the terminal says what.", status=500)
            response = _sentence(wrong)
        if not response.prepared:
            _harden(response, origins())
        return response

    return guarded


def _check_origin(request: web.Request, origins: frozenset[str]) -> None:
    if request.host not in {origin.partition("://")[2] for origin in origins}:
        raise RefusedError("This playground is at {address} only.", status=421, address=min(origins))
    origin = request.headers.get("Origin")
    if origin is not None and origin not in origins:
        raise RefusedError("Only the playground's own page may do that.", status=403)
    site = request.headers.get("Sec-Fetch-Site", "none")
    arriving = request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    if site not in ("none", "same-origin") and not arriving:
        raise RefusedError("Only the playground's own page may do that.", status=403)


def _sentence(error: RefusedError) -> web.Response:
    answer = {"error": str(error), "said": error.said, "values": error.values}
    return web.json_response(answer, status=error.status)


def _harden(response: web.StreamResponse, origins: frozenset[str]) -> None:
    # Safari does not take 'self' to mean the WebSocket of the same host.
    sockets = " ".join(sorted(f"ws{origin.removeprefix('http')}" for origin in origins))
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
        f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; "
        # Its own page of several people side by side may frame the page, nobody else's may.
        "frame-src 'self'; frame-ancestors 'self'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "no-store")
