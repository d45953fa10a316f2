"""One HTTP request and its answer, within bounds of time and size, from one server and no other, whatever that server does.

The opener of urllib follows a redirect anywhere, waits anew for every single byte, and keeps credentials for the whole process; so the
handlers are chosen here, and the exchange runs on a thread that is left behind when its time is up.
"""

import re
import time
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection, IncompleteRead
from queue import Empty, SimpleQueue
from socket import SHUT_RDWR, socket
from ssl import create_default_context
from threading import Thread
from typing import IO, Any, Final
from urllib import request as http
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from loader.errors import EndpointError, InputError, quoted

LARGEST_ANSWER: Final = 64 * 2**20
"""Bytes that an answer may have."""
_PAUSES: Final = (0.2, 0.6)  # Seconds before the second and the third try.
_PASSING: Final = frozenset({"GUIGU.ENDPOINT.SERVER", "GUIGU.ENDPOINT.CLOSED"})  # Faults that another try may mend.


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered.

    Attributes:
        status: 200 to 299.
        kind: media type without its parameters, in lower case.
        headers: all of them.
        body: the whole of it.
    """

    status: int
    kind: str
    headers: HTTPMessage
    body: bytes


@dataclass(frozen=True, slots=True)
class Server:
    """Where requests go and how long they may take.

    Attributes:
        url: address, as faults show it.
        timeout: seconds for the whole of an exchange, further tries and all.
        user: given where the server asks for it (digest or basic), never unasked.
        password: the same.
    """

    url: str
    timeout: float
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    def answer(self, make: Callable[[], http.Request]) -> Answer:
        """Send a request until it is answered: again, after a pause, where the server fails or the connection breaks.

        Args:
            make: gives the request, anew for each try.

        Raises:
            EndpointError: with a code that says why: TIMEOUT, SIZE, UNREACHABLE, CLOSED, SERVER, REFUSED, LOGIN, REDIRECT, ANSWER.
        """
        deadline = time.monotonic() + self.timeout
        for pause in _PAUSES:
            try:
                return self._once(make(), deadline)
            except EndpointError as fault:
                if fault.code not in _PASSING or time.monotonic() + pause >= deadline:
                    raise
                time.sleep(pause)
        return self._once(make(), deadline)

    def fault(self, code: str, what: str, todo: str) -> EndpointError:
        """A fault of this server."""
        return EndpointError(what, where=self.url, todo=todo, code=f"GUIGU.ENDPOINT.{code}")

    def _once(self, request: http.Request, deadline: float) -> Answer:
        """Send once, on another thread: neither a name server nor a peer that sends a byte a minute holds up the caller."""
        outcome: SimpleQueue[Answer | EndpointError] = SimpleQueue()
        sockets: list[socket] = []

        def work() -> None:
            try:
                outcome.put(self._exchange(request, sockets, deadline))
            except EndpointError as fault:
                outcome.put(fault)

        Thread(target=work, daemon=True).start()
        try:
            found = outcome.get(timeout=max(0.001, deadline - time.monotonic()))
        except Empty:
            found = self._slow()
            for left in sockets:  # so that the thread ends too
                try:
                    left.shutdown(SHUT_RDWR)
                except OSError:  # it has ended already
                    continue
        if isinstance(found, EndpointError):
            raise found
        return found

    def _exchange(self, request: http.Request, sockets: list[socket], deadline: float) -> Answer:
        opener = http.OpenerDirector()
        login = _Login(self.user, self.password)
        for handler in (http.ProxyHandler(), _Http(sockets), _Https(sockets), http.HTTPDefaultErrorHandler(), _SameServer(), login, http.HTTPErrorProcessor()):
            opener.add_handler(handler)
        try:
            with opener.open(request, timeout=max(0.001, deadline - time.monotonic())) as response:
                return Answer(response.status, response.headers.get_content_type(), response.headers, self._body(response))
        except HTTPError as error:
            with error:
                raise self._status(error) from None
        except EndpointError:
            raise
        except Exception as error:  # urllib raises many kinds on a hostile answer, ValueError and KeyError among them
            raise self._broken(error.reason if isinstance(error, URLError) else error) from error

    def _body(self, response: HTTPResponse) -> bytes:
        if (coding := response.headers.get("Content-Encoding", "identity").lower()) != "identity":
            raise self.fault("ANSWER", f"its answer is packed as {quoted(coding)}, which was not asked for", "See that nothing between packs answers")
        pieces, size = [], 0
        too_large = self.fault("SIZE", f"the answer is larger than {LARGEST_ANSWER // 2**20} MiB", "Ask for less, with LIMIT")
        if (response.length or 0) > LARGEST_ANSWER:
            raise too_large
        while piece := response.read(2**16):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST_ANSWER:
                raise too_large
        if response.length:  # bytes announced that did not come
            raise IncompleteRead(b"", response.length)
        return b"".join(pieces)

    def _status(self, error: HTTPError) -> EndpointError:
        code = error.code
        if 300 <= code < 400:
            return self.fault("REDIRECT", f"it redirects without end, or to what is no web address (status {code})", "Give the address of the service itself")
        if code in (401, 403):
            known = "refuses this user and password" if self.user else "asks for a user and a password"
            return self.fault("LOGIN", f"it {known} (status {code})", "Give them as the endpoint knows them")
        try:
            said = plain(error.read(2_000).decode("utf-8", "replace"))
        except (OSError, HTTPException, ValueError):  # the status says enough
            said = ""
        said = f": {said}" if said and not said.startswith("<") else ""  # a web page says nothing in one line
        if code >= 500:
            return self.fault("SERVER", f"the server fails (status {code}){said}", "Try again later, or ask something simpler")
        todo = "See that the address is that of the SPARQL service" if code in (404, 405, 410) else "See that the query is SPARQL 1.1"
        return self.fault("REFUSED", f"it refuses the request (status {code}){said}", todo)

    def _broken(self, error: object) -> EndpointError:
        if isinstance(error, TimeoutError):
            return self._slow()
        if isinstance(error, ConnectionRefusedError):
            return self.fault("CLOSED", "nothing listens there", "See that the server runs and the port is right")
        if isinstance(error, ConnectionError | IncompleteRead):
            return self.fault("CLOSED", "the connection was closed before the answer was whole", "Try again later")
        if isinstance(error, str | HTTPException | ValueError | LookupError) and not isinstance(error, OSError):
            return self.fault("ANSWER", f"what it answers is no HTTP: {plain(str(error))}", "See that the address is that of a web server")
        reason = getattr(error, "strerror", None) or error
        return self.fault("UNREACHABLE", f"it cannot be reached: {plain(str(reason))}", "See that the address is right")

    def _slow(self) -> EndpointError:
        return self.fault("TIMEOUT", f"no whole answer within {self.timeout:g} s", "Raise --timeout, or ask for less")


class _SameServer(http.HTTPRedirectHandler):
    """Follows a redirect of a GET on the same server only."""

    def redirect_request(self, req: http.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str) -> http.Request | None:
        if req.get_method() != "GET" or _origin(newurl) != _origin(req.full_url):
            what, todo = f"it redirects to {plain(newurl)}, which is not followed", "Give that address, if you trust it"
            raise EndpointError(what, where=req.full_url.partition("?")[0], todo=todo, code="GUIGU.ENDPOINT.REDIRECT")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Login(http.HTTPDigestAuthHandler):
    """Gives user and password once the server asks for them; there is one server, so they suit whatever it asks."""

    def __init__(self, user: str | None, password: str | None) -> None:
        self.known = http.HTTPPasswordMgrWithDefaultRealm()
        super().__init__(self.known)
        self.user, self.word = user, password or ""

    def http_error_401(self, req: http.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage) -> Any:
        scheme = headers.get("WWW-Authenticate", "").partition(" ")[0].lower()
        if self.user is None or scheme not in ("basic", "digest"):
            return None
        if scheme == "digest":
            self.known.add_password(None, req.full_url, self.user, self.word)
            return super().http_error_401(req, fp, code, msg, headers)
        if req.has_header("Authorization"):
            return None
        req.add_unredirected_header("Authorization", "Basic " + b64encode(f"{self.user}:{self.word}".encode()).decode())
        return self.parent.open(req, timeout=req.timeout)


class _Http(http.HTTPHandler):
    """Keeps the sockets that it opens, so that they can be closed from without."""

    def __init__(self, sockets: list[socket]) -> None:
        super().__init__()
        self.sockets = sockets

    def http_open(self, req: http.Request) -> HTTPResponse:
        return self.do_open(_kept(HTTPConnection, self.sockets), req)


class _Https(http.HTTPSHandler):
    def __init__(self, sockets: list[socket]) -> None:
        super().__init__()
        self.sockets = sockets

    def https_open(self, req: http.Request) -> HTTPResponse:
        return self.do_open(_kept(HTTPSConnection, self.sockets), req, context=create_default_context())


def _kept(kind: type[HTTPConnection], sockets: list[socket]) -> Any:
    class Kept(kind):  # type: ignore[valid-type, misc]
        def connect(self) -> None:
            super().connect()
            sockets.append(self.sock)

    return Kept


def check_url(url: str) -> None:
    """See that a user's address is one of a web server.

    Raises:
        InputError: it is not, or holds more than an address.
    """
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) > 0 and re.fullmatch(r"[!-~]+", url)
    except ValueError:
        sound = False
    if not sound:
        raise InputError(f"{quoted(url)} is no address of an endpoint", where="--endpoint", todo="Write http://HOST:PORT/PATH or https://HOST/PATH")
    if parts.username is not None or parts.query or parts.fragment:
        todo = "Give the graph with --graph, and a user apart from the address"
        raise InputError("the address of an endpoint holds a user, '?' or '#'", where="--endpoint", todo=todo)


def plain(text: str) -> str:
    r"""The first line of what a stranger wrote, without control characters, not too long.

    >>> plain("\x1b[31mSyntax error\nat line 1")
    '[31mSyntax error'
    """
    line = next(iter(text.strip().splitlines()), "")
    return "".join(c for c in line if unicodedata.category(c)[0] != "C")[:200]


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
