"""Running the application: at an address until it is told to end, or in a thread for as long as a block of code takes."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final

import uvicorn
from starlette.applications import Starlette

from kg.server.app import app
from kg.server.dataset import served
from kg.server.pages import PLAIN, Pages
from kg.server.room import Load, Room
from kg.server.settings import Settings
from loader.errors import EngineError, GuiguError, InputError

_LONGEST_HEAD: Final = 2**18
"""Bytes of the head of a request, its address included."""
_START: Final = 300.0
"""Seconds in which a server of a block of code has loaded."""
_BACKLOG: Final = 256
"""Connections that may wait to be taken."""


def serve(settings: Settings, *, pages: Pages = PLAIN, load: Load = served, listening: Callable[[str], None] = lambda _url: None) -> None:
    """Serve until a signal comes.

    Args:
        settings: how to serve.
        pages: what pages are put in.
        load: what makes the dataset.
        listening: told the address once it is listened at.

    Raises:
        InputError: the address cannot be listened at, or the data are not in order.
        GuiguError: the data cannot be loaded.
    """
    failed: list[GuiguError] = []
    with _bound(settings) as listener:
        settings = replace(settings, port=listener.getsockname()[1])

        def opened(room: Room) -> None:
            if room.failed:
                failed.append(room.failed)
                server.should_exit = True

        server = _server(app(settings, pages=pages, load=load, opened=opened), settings)
        listening(_url(listener))
        with suppress(KeyboardInterrupt):  # how a person ends it
            server.run([listener])
    if failed:
        raise failed[0]


@contextmanager
def running(settings: Settings | None = None, *, pages: Pages = PLAIN, load: Load = served) -> Iterator[str]:
    """Serve in a thread, at a free port unless the settings say otherwise; gives the address when all is loaded.

    Raises:
        GuiguError: it does not start.

    >>> from kg.server.dataset import Dataset
    >>> from urllib.request import urlopen
    >>> with running(load=lambda _settings: Dataset(b"")) as url:
    ...     urlopen(f"{url}/sparql?query=ASK%7B%7D&format=csv").read()
    b'true'
    """
    settings = settings or Settings(port=0)
    rooms: list[Room] = []
    known = threading.Event()

    def opened(room: Room) -> None:
        rooms.append(room)
        known.set()

    with _bound(settings) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        server = _server(app(settings, pages=pages, load=load, opened=opened), settings)
        thread = threading.Thread(target=_run, args=(server, listener, known), name="guigu-server", daemon=True)
        thread.start()
        try:
            known.wait(_START)
            if not rooms:
                raise EngineError("the server does not start")
            if rooms[0].failed:
                raise rooms[0].failed
            yield _url(listener)
        finally:
            server.should_exit = True
            thread.join()


def _run(server: uvicorn.Server, listener: socket.socket, known: threading.Event) -> None:
    try:
        asyncio.run(server.serve([listener]))
    finally:
        known.set()


def _server(application: Starlette, settings: Settings) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            application,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,  # faults of ours go to stderr as Python logs them; how others log is theirs to say
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=True,
            limit_concurrency=settings.connections,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=_LONGEST_HEAD,
        )
    )


def _bound(settings: Settings) -> socket.socket:
    """A socket that listens at the address of the settings.

    Raises:
        InputError: it cannot.
    """
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        # The protocol is named, for asyncio sends without delay (TCP_NODELAY) only where it is.
        listener = socket.socket(family, kind, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(_BACKLOG)
        except OSError:
            listener.close()
            raise
        return listener
    except (OSError, ValueError, OverflowError) as error:  # a name that cannot be encoded is a ValueError
        what = f"cannot listen at {settings.host} port {settings.port}: {getattr(error, 'strerror', None) or error}"
        raise InputError(what, where="--port", todo="Choose another; 0 takes a free one") from error


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"
