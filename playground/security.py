"""Refuses every request that does not come from the playground's own page.

Any web site that is open in a browser on this machine can send requests to the playground's port. It could act in the
playground (a cross-origin request), or read everything after it has pointed its own name at this machine (DNS
rebinding). So a request must name the playground as its host, and a request from a page must come from the
playground's page. If the port is forwarded, the page has another address, which the user has to state. The headers of
a proxy are not trusted.
"""

import logging
import re
from collections.abc import Iterable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from yarl import URL

from playground.errors import PlaygroundError, RefusedError

log = logging.getLogger(__name__)

#: Discord's largest file, 10 MB, takes up almost 14 MB as base64 in JSON.
LARGEST_BODY = 14 * 1024 * 1024


_ORIGIN = re.compile(r"https?://(\[[0-9a-f:]+\]|[0-9a-z.-]+)(:[0-9]+)?")


def own_origins(port: int, forwarded: Iterable[str] = ()) -> frozenset[str]:
    """Return the origins of the playground's page: on this machine, and those of forwarded ports.

    Raise PlaygroundError for an address that has more than ``http`` or ``https``, a host and perhaps a port.
    """
    addresses = (f"http://127.0.0.1:{port}", f"http://localhost:{port}", *forwarded)
    return frozenset(map(_origin_of, addresses))


def _origin_of(address: str) -> str:
    try:
        url = URL(address)
        origin = f"{url.scheme}://{url.host_port_subcomponent}"
        # An address with a user name or a path is not the origin of the page.
        if _ORIGIN.fullmatch(origin) and url == url.origin():
            return origin
    except ValueError:
        pass
    raise PlaygroundError(
        f"{address!r} is not the address of a forwarded port. Write it like https://name-8765.example, without a path."
    )


def guard(origins: frozenset[str]) -> Middleware:
    """Make a middleware that refuses requests for another host and requests from other pages, and adds security headers
    to responses. A link from another page to ``/`` may be followed.

    Refusals, the usual HTTP errors and unexpected errors are answered with a message for the user. Lost connections and
    all other HTTP errors are raised again.
    """

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            _check_origin(request, origins)
            response = await handler(request)
        except RefusedError as error:
            response = _error_response(error)
        except web.HTTPRequestEntityTooLarge:
            response = _error_response(RefusedError("That is too large. The limit is 10 MB.", status=413))
        except web.HTTPMethodNotAllowed as error:
            allowed = ", ".join(sorted(error.allowed_methods))
            response = _error_response(
                RefusedError("This address only accepts {methods}.", status=405, methods=allowed)
            )
        except web.HTTPNotFound:
            response = _error_response(
                RefusedError("There is nothing at this address. The playground is at /.", status=404)
            )
        except (ConnectionError, web.HTTPException):
            raise
        except Exception:
            log.exception("The playground failed at %s %s", request.method, request.path)
            wrong = RefusedError("Something went wrong in the playground. The terminal shows the error.", status=500)
            response = _error_response(wrong)
        if not response.prepared:
            _add_headers(response, origins)
        return response

    return guarded


def _check_origin(request: web.Request, origins: frozenset[str]) -> None:
    if request.host not in {origin.partition("://")[2] for origin in origins}:
        raise RefusedError("This playground can only be reached at {address}.", status=421, address=min(origins))
    origin = request.headers.get("Origin")
    if origin is not None and origin not in origins:
        raise RefusedError("Only the playground's own page may do that.", status=403)
    site = request.headers.get("Sec-Fetch-Site", "none")
    arriving = request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    if site not in ("none", "same-origin") and not arriving:
        raise RefusedError("Only the playground's own page may do that.", status=403)


def _error_response(error: RefusedError) -> web.Response:
    answer = {"error": str(error), "said": error.said, "values": error.values}
    return web.json_response(answer, status=error.status)


def _add_headers(response: web.StreamResponse, origins: frozenset[str]) -> None:
    # In Safari, 'self' does not include WebSockets of the same host.
    sockets = " ".join(sorted(f"ws{origin.removeprefix('http')}" for origin in origins))
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
        f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; "
        # Only the playground's own page with several seats may show the page in a frame.
        "frame-src 'self'; frame-ancestors 'self'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "no-store")
