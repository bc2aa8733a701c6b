"""Typed client of the Vigil intelligence data service."""

from . import errors, types
from ._call import Instant
from ._version import __version__
from .answer import Answer, ListAnswer, PollAnswer
from .client import Client
from .errors import ApiError, NoDataError, SnapshotRequired, TransportError, VigilError
from .retry import Retry
from .stream import Event, Stream

__all__ = [
    "Answer",
    "ApiError",
    "Client",
    "Event",
    "Instant",
    "ListAnswer",
    "NoDataError",
    "PollAnswer",
    "Retry",
    "SnapshotRequired",
    "Stream",
    "TransportError",
    "VigilError",
    "__version__",
    "errors",
    "types",
]
