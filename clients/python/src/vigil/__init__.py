"""Typed client of the Vigil intelligence data service."""

from . import errors, types
from ._call import Instant
from ._version import __version__
from .answer import Answer, ChangingAnswer, ListAnswer, PollAnswer
from .client import Client
from .deltas import IdentifiedRow, ListChange, ListChanges, ListOutage, ListReset, ListStep, rows_after
from .errors import ApiError, NoDataError, SnapshotRequired, TransportError, VigilError
from .retry import Retry
from .stream import Event, Stream

__all__ = [
    "Answer",
    "ApiError",
    "ChangingAnswer",
    "Client",
    "Event",
    "IdentifiedRow",
    "Instant",
    "ListAnswer",
    "ListChange",
    "ListChanges",
    "ListOutage",
    "ListReset",
    "ListStep",
    "NoDataError",
    "PollAnswer",
    "Retry",
    "SnapshotRequired",
    "Stream",
    "TransportError",
    "VigilError",
    "__version__",
    "errors",
    "rows_after",
    "types",
]
