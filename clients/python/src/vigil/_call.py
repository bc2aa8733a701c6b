"""The description of a call of the service, and the encoding of its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, FrozenSet, Generic, List, Mapping, Optional, Tuple, TypeVar, Union
from urllib.parse import urlencode

#: A point in time: a `datetime` with a time zone, epoch milliseconds, or a string that the parameter accepts.
Instant = Union[datetime, int, str]


Result = TypeVar("Result")


@dataclass(frozen=True)
class Call(Generic[Result]):
    """A call of the service, with the type of its results."""

    name: str
    method: str
    path: str
    #: The media type of an answer that is not a stream.
    accept: str = "application/json"
    #: True if the body of the call is a form; otherwise the body is JSON.
    is_form: bool = False
    #: True for a write that takes an `Idempotency-Key`.
    is_keyed: bool = False
    #: The path of the rows in an answer: `earthquakes`, or `categories.*.items` for rows in groups.
    rows: Optional[str] = None
    #: The path of the cursor of the next page in an answer.
    next_cursor: Optional[str] = None
    #: True for a poll of a log. The last page of a poll has the cursor of the next poll.
    is_poll: bool = False
    #: True for a list that takes `since_generation`.
    is_changing: bool = False
    #: The paths of the instants in an answer. Instants are epoch milliseconds or ISO 8601.
    instants: FrozenSet[str] = frozenset()
    #: The paths among `instants` at which 0 means that there is no time.
    absent_at_zero: FrozenSet[str] = frozenset()

    @property
    def is_repeatable(self) -> bool:
        """True if repeating the call has the same effect as one call."""
        return self.method == "GET" or self.is_keyed


def query_text(query: Mapping[str, Any]) -> str:
    """Returns the query string of parameters. Omits a parameter that is None. A list gives one parameter per item."""
    pairs: List[Tuple[str, str]] = []
    for name, value in query.items():
        values = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        pairs.extend((name, _text(name, each)) for each in values if each is not None)
    return urlencode(pairs)


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name} must have a time zone, such as datetime.timezone.utc, got {value!r}")
        return str(round(value.timestamp() * 1000))
    return str(value)


def at(data: Any, place: str) -> Any:
    """Returns the value at a path in an answer, such as `pagination.nextCursor`; None if the value is absent."""
    for name in place.split("."):
        data = data.get(name) if isinstance(data, dict) else None
    return data


def rows_at(data: Any, place: str) -> List[Any]:
    """Returns the rows at a path. `*` matches every group; each row in a group gets the group's name as `group`."""
    before, star, after = place.partition(".*.")
    if not star:
        return at(data, place) or []
    groups = at(data, before) or {}
    return [{"group": name, **row} for name, group in groups.items() for row in at(group, after) or []]
