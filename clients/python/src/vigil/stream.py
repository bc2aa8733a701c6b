"""Streams of changes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

from ._call import Call, query_text
from ._transport import OpenResponse
from .errors import TransportError, VigilError, api_error
from .retry import Retry, retry_after

Data = TypeVar("Data")

#: The longest silence on an open connection, in seconds; the service sends a comment every ten seconds.
SILENCE_SECONDS_MAX = 30.0
_RETRY_SECONDS = 3.0
_RETRY_SECONDS_MIN = 0.5
_RETRY_SECONDS_MAX = 30.0
_EVENT_CHARACTERS_MAX = 1_000_000
#: Statuses below 500 after which a later attempt may succeed.
_TEMPORARY = frozenset({408, 425, 429})


@dataclass(frozen=True)
class Event(Generic[Data]):
    """
    An event of a stream. `type` is the type of the change, such as `dataset.changed`, or `snapshot_required`. The type
    `snapshot_required` means that the scope of the log, such as the monitored companies of the account, has changed;
    list the scope again when you need it.
    """

    type: str
    #: The position in the log, in the form that `last_event_id` takes.
    id: str
    data: Data


class Stream(Generic[Data]):
    """
    The changes of a log as they happen, without end. A lost connection is reopened at the position of the last event,
    so that each change is delivered once. Raises an `ApiError` if another attempt would fail in the same way: for
    example, a `GoneError` if the log no longer reaches back to the position. Raises a `TransportError` if the service
    cannot be reached at the start.

    An event counts as handled when the loop asks for the next one. After `break`, `last_event_id` is therefore the id
    of the event before: keep the id of the last event that you handled instead.
    """

    def __init__(
        self,
        call: Call[Any],
        query: Mapping[str, Any],
        last_event_id: Optional[str],
        open_stream: Callable[[str, Mapping[str, str]], OpenResponse],
        retry: Retry,
    ) -> None:
        self._call = call
        self._query = dict(query)
        #: The id of the last event that was handled; a new stream opened with this id continues after that event. The
        #: event at which the loop was left, by `break` or by an exception, does not count as handled.
        self.last_event_id = last_event_id
        self._open = open_stream
        self._retry = retry
        self._retry_seconds = _RETRY_SECONDS
        self._response: Optional[OpenResponse] = None
        self._is_closed = False

    def __iter__(self) -> Iterator[Event[Data]]:
        failures = 0
        has_connected = False
        while not self._is_closed:
            asked = 0.0
            try:
                response = self._connect()
                has_connected = True
                for event in self._events(response):
                    failures = 0
                    if event.type != "ready":
                        yield event
                    elif event.data.get("pollState") == "SNAPSHOT_REQUIRED":
                        # The scope changed while no connection was open.
                        yield Event("snapshot_required", event.id, event.data)
                    # Only now has the caller handled the event.
                    self.last_event_id = event.id or self.last_event_id
                    if self._is_closed:
                        return
            except _Unavailable as error:
                asked = error.seconds
            except TransportError:
                if not has_connected and not self._is_closed:
                    raise
            finally:
                self._disconnect()
            if self._is_closed:
                return
            self._wait(failures, asked)
            failures += 1

    def close(self) -> None:
        """Ends the stream. May be called from another thread."""
        self._is_closed = True
        self._disconnect()

    def __enter__(self) -> "Stream[Data]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self) -> OpenResponse:
        # The id of the last event, if there is one, replaces the cursor, which is older.
        query = {name: value for name, value in self._query.items() if name != "cursor" or self.last_event_id is None}
        text = query_text(query)
        headers: Dict[str, str] = {"Accept": "text/event-stream"}
        if self.last_event_id is not None:
            headers["Last-Event-ID"] = self.last_event_id
        response = self._open(self._call.path + (f"?{text}" if text else ""), headers)
        self._response = response
        if response.status == 200 and response.headers.get("Content-Type", "").startswith("text/event-stream"):
            return response
        if response.status >= 500 or response.status in _TEMPORARY:
            raise _Unavailable(retry_after(response.headers) or 0.0)
        content = response.read_all()
        if response.status == 200:
            raise VigilError(f"{self._call.name} is not a stream; is this the address of a Vigil service?")
        raise api_error(self._call.name, response.status, response.headers, _parsed(content))

    def _events(self, response: OpenResponse) -> Iterator[Event[Data]]:
        parser = EventParser()
        while True:
            content = response.read_some()
            if content == b"":
                return
            yield from parser.push(content)
            if parser.retry_ms is not None:
                seconds = parser.retry_ms / 1000
                self._retry_seconds = min(max(seconds, _RETRY_SECONDS_MIN), _RETRY_SECONDS_MAX)

    def _wait(self, failures: int, asked: float) -> None:
        """
        Waits before the next connection: for the time that the stream asks for, doubled after each consecutive failure
        (30 s at most), or for the time in `Retry-After` if that is longer. Adds jitter.
        """
        longest = min(self._retry_seconds * 2 ** min(failures, 10), _RETRY_SECONDS_MAX)
        backoff = longest * (1 + self._retry.random() / 2)
        self._retry.sleep(max(backoff, asked + self._retry.random() if asked else 0.0))

    def _disconnect(self) -> None:
        response, self._response = self._response, None
        if response is not None:
            response.close()


class _Unavailable(Exception):
    """Raised when a later attempt may succeed. `seconds` is the wait that the service asks for, or 0."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"try again in {seconds} s")
        self.seconds = seconds


class EventParser:
    """Reads server-sent events from pieces of bytes, which may end anywhere, even within an event."""

    def __init__(self) -> None:
        self._rest = b""
        self._type = ""
        self._data: List[str] = []
        self._characters = 0
        #: The newest id so far; empty before the first.
        self.last_event_id = ""
        self.retry_ms: Optional[int] = None

    def push(self, content: bytes) -> Iterator[Event[Any]]:
        """Yields the events that these bytes complete. Parses each event only when the caller asks for it."""
        # A CR at the end of the bytes stays in `_rest`: the next bytes may begin with the LF of the same line end.
        *lines, self._rest = (self._rest + content).replace(b"\r\n", b"\n").split(b"\n")
        if len(self._rest) > _EVENT_CHARACTERS_MAX:
            raise VigilError(f"a line of the stream is longer than {_EVENT_CHARACTERS_MAX} bytes")
        for line in lines:
            event = self._line(line.rstrip(b"\r").decode("utf-8", "replace"))
            if event is not None:
                yield event

    def _line(self, line: str) -> Optional[Event[Any]]:
        if line == "":
            return self._complete()
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._type = value
        elif name == "data":
            self._characters += len(value)
            if self._characters > _EVENT_CHARACTERS_MAX:
                raise VigilError(f"an event of the stream is longer than {_EVENT_CHARACTERS_MAX} characters")
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self.last_event_id = value
        elif name == "retry" and value.isdigit():
            self.retry_ms = int(value)
        return None

    def _complete(self) -> Optional[Event[Any]]:
        data, self._data, self._characters = self._data, [], 0
        kind, self._type = self._type or "message", ""
        if not data:
            return None
        return Event(kind, self.last_event_id, json.loads("\n".join(data)))


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")
