"""What a running server holds: its settings, the workers, and the library, which are there some time after it has started."""

import asyncio
import logging
import re
from collections.abc import Callable

from starlette.requests import HTTPConnection

from kg.server.dataset import Dataset, served
from kg.server.library import Library
from kg.server.settings import Settings
from kg.server.workers import LOADING, Workers
from loader.errors import EngineError, GuiguError

Load = Callable[[Settings], Dataset]
"""What makes the dataset; it runs in a thread."""
_LOG = logging.getLogger(__name__)
_HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


class Room:
    """The state of a server; pages reach it as `request.app.state.room`.

    Attributes:
        settings: as it was started.
        workers: they evaluate the queries of strangers: `async with room.workers.answer(job) as answer`.
        failed: the fault for which the data cannot be served, or None.
    """

    def __init__(self, settings: Settings, load: Load = served, warm: Callable[[], object] | None = None) -> None:
        self.settings = settings
        self.workers = Workers(settings)
        self.failed: GuiguError | None = None
        self._load = load
        self._warm = warm
        self._library: Library | None = None
        self._opening: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """Whether everything can be answered."""
        return self._library is not None and self.workers.ready

    @property
    def library(self) -> Library:
        """The dataset in this process, for what we ask ourselves. Plain functions as endpoints run in threads and may use it.

        Raises:
            EngineError: it is still being loaded, or cannot be.
        """
        if self._library is None:
            raise self.failed or EngineError("the data are being loaded", todo="Ask again in a moment", code=LOADING)
        return self._library

    def open(self, opened: "Callable[[Room], None] | None" = None) -> None:
        """Begin to load; the server answers meanwhile. `opened` is called when all is loaded, or cannot be."""
        self._opening = asyncio.create_task(self._open(opened))

    async def close(self) -> None:
        """End all that was begun."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        await self.workers.stop()

    async def _open(self, opened: "Callable[[Room], None] | None") -> None:
        try:
            dataset = await asyncio.to_thread(self._load, self.settings)
            async with asyncio.TaskGroup() as both:
                both.create_task(self.workers.start(dataset.graphs))
                reading = both.create_task(asyncio.to_thread(Library, dataset))
                if self._warm is not None:
                    both.create_task(asyncio.to_thread(self._warm))
            self._library = reading.result()
        except* GuiguError as errors:
            self.failed = next(e for e in errors.exceptions if isinstance(e, GuiguError))
        except* Exception:
            _LOG.exception("the data cannot be loaded")
            self.failed = EngineError("the data cannot be loaded")
        if opened is not None:
            opened(self)


def room(connection: HTTPConnection) -> Room:
    """The room of the server that got a request."""
    found = connection.app.state.room
    assert isinstance(found, Room)  # noqa: S101 - the types end at the state of Starlette
    return found


def origin(connection: HTTPConnection) -> str:
    """Scheme and host under which the client reached us; ours, where it claims what cannot be a host.

    It stands in RDF that we write, so a header must not bring anything else into it.
    """
    host = connection.headers.get("host", "")
    if not _HOST.fullmatch(host):
        s = room(connection).settings
        host = f"[{s.host}]:{s.port}" if ":" in s.host else f"{s.host}:{s.port}"
    scheme = "https" if connection.url.scheme == "https" else "http"
    return f"{scheme}://{host}"
