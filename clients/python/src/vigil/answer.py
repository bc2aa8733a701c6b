"""Answers of the service."""

from __future__ import annotations

import time
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar, cast

from ._call import Call, at, rows_at
from ._frames import frame
from ._headers import generations_of
from .deltas import Deltas, Generation, ListChange, ListStep, changes_in
from .errors import NoDataError, SnapshotRequired

if TYPE_CHECKING:
    import pandas

Data = TypeVar("Data")
Row = TypeVar("Row")

#: States without data. In these, an empty list does not mean that nothing matches.
WITHOUT_DATA = frozenset({"absent", "unreadable"})


def generations_in(headers: Mapping[str, str]) -> Dict[str, int]:
    """Returns the generation of each dataset, by name, according to the headers of an answer."""
    return generations_of(headers.get("X-Vigil-Generation", ""))


class Answer(Generic[Data]):
    """An answer: its data, and the service's metadata about that data."""

    def __init__(self, call: Call[Any], status: int, headers: Mapping[str, str], data: Data, from_cache: bool) -> None:
        self._call = call
        self.status = status
        self.headers = headers
        #: The parsed JSON, or the answer as text if it has another format.
        self.data: Data = data
        #: True if `data` comes from an earlier answer, which the service has confirmed with a 304.
        self.from_cache = from_cache

    @property
    def state(self) -> Optional[str]:
        """
        `ok`, `partial` (data of a source is missing or too old), `stale` (older than its limit), `absent` (there is no
        data) or `unreadable` (the stored data is broken). None for an answer without a state, such as one about an
        account.
        """
        return self.headers.get("X-Vigil-State")

    @property
    def generation(self) -> Optional[str]:
        """The generation of each dataset, in the form that `since_generation` takes: `earthquakes=5`."""
        return self.headers.get("X-Vigil-Generation")

    @property
    def generations(self) -> Dict[str, int]:
        """The generation of each dataset, by name; 0 for a dataset without data."""
        return generations_in(self.headers)

    @property
    def last_modified(self) -> Optional[datetime]:
        """The time at which the content was produced."""
        value = self.headers.get("Last-Modified")
        return None if value is None else parsedate_to_datetime(value)

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("ETag")

    @property
    def notice(self) -> Optional[str]:
        """The parts of the request that the service ignored, such as unknown parameters."""
        return self.headers.get("X-Vigil-Notice")

    @property
    def simulated(self) -> bool:
        """True for the data of a demo."""
        return self.headers.get("X-Vigil-Data") == "simulated"

    @property
    def request_id(self) -> Optional[str]:
        """The id of the call in the log of the service."""
        return self.headers.get("X-Request-Id")

    @property
    def has_data(self) -> bool:
        """False in the states `absent` and `unreadable`: an empty list then does not mean that nothing matches."""
        return self.state not in WITHOUT_DATA

    def df(self, rows: Optional[str] = None) -> "pandas.DataFrame":
        """
        Returns a data frame of the list at a path in the data, such as `"results"` or `"monitoring.trend12m"`; without
        a path, of the data itself. Members of nested objects become columns such as `location.latitude`, and instants
        become UTC datetimes. Raises `NoDataError` if the list is empty because its data is missing. Needs pandas.
        """
        records = self.data if rows is None else rows_at(self.data, rows)
        if not isinstance(records, (list, dict)):
            raise TypeError(f"{self._call.name}: a data frame needs rows, got {type(records).__name__}")
        if not records:
            self._require_data()
        return self._frame(records if isinstance(records, list) else [records], rows or "")

    def _frame(self, records: List[Any], place: str) -> "pandas.DataFrame":
        start = f"{place}." if place else ""
        instants, absent_at_zero = (
            {name[len(start) :] for name in names if name.startswith(start)}
            for names in (self._call.instants, self._call.absent_at_zero)
        )
        return frame(records, instants, absent_at_zero)

    def _require_data(self) -> None:
        if not self.has_data:
            raise NoDataError(self._call.name, str(self.state))

    def __repr__(self) -> str:
        about = "".join(
            f" {name}={value!r}" for name, value in (("state", self.state), ("generation", self.generation)) if value
        )
        return f"<{type(self).__name__} {self._call.name} {self.status}{about}>"


class ListAnswer(Answer[Data], Generic[Data, Row]):
    """An answer with a list of rows, which may have further pages."""

    def __init__(
        self,
        call: Call[Any],
        status: int,
        headers: Mapping[str, str],
        data: Data,
        from_cache: bool,
        query: Mapping[str, Any],
        read: Callable[[Call[Any], Mapping[str, Any]], Any],
    ) -> None:
        super().__init__(call, status, headers, data, from_cache)
        self._query = query
        self._read = read
        self._place = str(call.rows)

    @property
    def next_cursor(self) -> str:
        """The cursor of the next page, or of the next poll; empty on the last page of a list."""
        return str(at(self.data, self._call.next_cursor) or "") if self._call.next_cursor else ""

    def pages(self) -> Iterator["ListAnswer[Data, Row]"]:
        """Yields this page and all further ones. All pages have the generation of the first."""
        page = self
        while True:
            yield page
            if page.next_cursor == "":
                return
            page = page._after(page.next_cursor)

    def rows(self, pages: Optional[int] = None) -> Iterator[Row]:
        """
        Yields the rows of this page and of all further ones, or of at most `pages` pages. Rows in groups have the name
        of their group as `group`. Raises `NoDataError` if there are no rows because the data is missing.
        """
        for page in islice(self.pages(), pages):
            rows = page._own_rows()
            if not rows:
                page._require_data()
            yield from rows

    def df(self, rows: Optional[str] = None, *, pages: Optional[int] = None) -> "pandas.DataFrame":
        """
        Returns a data frame of the rows of this page and of all further ones, or of at most `pages` pages. With a path,
        returns a data frame of another list on this page. In all other respects, works like `Answer.df`.
        """
        if rows is not None:
            return super().df(rows)
        return self._frame(list(self.rows(pages)), self._place)

    def _own_rows(self) -> List[Row]:
        return rows_at(self.data, self._place)

    def _after(self, cursor: str) -> Any:
        return self._read(self._call, {**self._query, "cursor": cursor})


#: Parameters of a single request, which the later requests of `deltas` omit.
_ONCE = ("cursor", "since_generation", "as_of", "explain", "signature")


class ChangingAnswer(ListAnswer[Data, Row]):
    """An answer of a list that can report its changes since an earlier generation."""

    def pages(self) -> Iterator["ChangingAnswer[Data, Row]"]:
        """Yields this page and all further ones. All pages have the generation of the first."""
        for page in super().pages():
            # Every page is read with the same call, so all pages have this type.
            yield cast("ChangingAnswer[Data, Row]", page)

    def changes(self) -> List[ListChange[Row]]:
        """Returns the changes on this page, for a call with `since_generation`. Removed rows come last."""
        return list(changes_in(self._call.name, self.data, self._own_rows()))

    def deltas(
        self,
        since_generation: Optional[Generation] = None,
        interval: float = 15.0,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> Iterator[ListStep[Row]]:
        """
        Follows the list without end: first its rows, then, every `interval` seconds, the rows that were added, changed
        or removed. If `since_generation` is given, here or in the call, begins with the changes since that
        generation. If the service no longer keeps it, starts over with the whole list. `rows_after` applies each
        yielded step to the caller's rows.
        """
        query = {name: value for name, value in self._query.items() if name not in _ONCE}
        own = self._query.get("since_generation")
        since = own if since_generation is None else since_generation
        # The first step needs a new request if this answer is a later page or is from the past, or if `since` differs
        # from the generation with which this answer was compared.
        is_first = since == own and all(self._query.get(name) is None for name in ("cursor", "as_of"))
        ask: Deltas[Row] = Deltas(lambda place: self._read(self._call, {**query, "since_generation": place}))
        return ask.steps(self if is_first else None, since, lambda: sleep(interval))


class PollAnswer(ListAnswer[Data, Row]):
    """The changes in a log after a cursor."""

    @property
    def snapshot_required(self) -> bool:
        """
        True if the caller must read the whole list again, because the scope of the log (such as the monitored
        companies) has changed, or because changes are missing from the log.
        """
        return str(at(self.data, "pollState") or "").endswith("SNAPSHOT_REQUIRED")

    def pages(self) -> Iterator["PollAnswer[Data, Row]"]:
        """Yields this and further pages until no change is left. Raises `SnapshotRequired` if changes are missing."""
        page = self
        while True:
            cursor = page._cursor()
            yield page
            page = page._after(cursor)
            if not page._own_rows() and (page._cursor() == cursor or not self._has_filter()):
                return

    def follow(self, interval: float = 30.0, *, sleep: Callable[[float], None] = time.sleep) -> Iterator[Row]:
        """
        Yields the rows of this page and of every later poll, without end. Once no changes are left, polls again every
        `interval` seconds. Raises `SnapshotRequired` as `pages()` does.
        """
        newest = self
        while True:
            for newest in newest.pages():
                yield from newest._own_rows()
            sleep(interval)
            newest = newest._after(newest._cursor())

    def _cursor(self) -> str:
        if self.next_cursor == "":
            raise SnapshotRequired(
                f"{self._call.name}: the log no longer reaches back to the cursor; list again and continue from the "
                "pollCursor of the list"
            )
        return self.next_cursor

    def _has_filter(self) -> bool:
        """True if the call has a filter: a page can then be empty although more changes follow."""
        return any(value is not None for name, value in self._query.items() if name not in ("cursor", "page_size"))
