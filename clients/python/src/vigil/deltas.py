"""The changes of a list since a generation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Iterator, List, Literal, Optional, Sequence, TypeVar, Union

from ._headers import generations_of
from .errors import BadRequestError, GoneError, VigilError

if TYPE_CHECKING:
    from .answer import ChangingAnswer

Row = TypeVar("Row")
Generation = Union[str, int]
Reason = Literal["start", "gone", "unknown"]


@dataclass(frozen=True)
class IdentifiedRow(Generic[Row]):
    """A row with its identity in the list."""

    id: str
    row: Row


@dataclass(frozen=True)
class ListChange(Generic[Row]):
    """An added or changed row with its position in the whole list, or the identity of a removed row."""

    kind: Literal["added", "changed", "removed"]
    id: str
    #: None for a removed row, whose `index` is None as well.
    row: Optional[Row] = None
    index: Optional[int] = None


@dataclass(frozen=True)
class ListReset(Generic[Row]):
    """
    The whole list, which replaces the caller's copy. `reason` is `start` (the iteration begins), `gone` (the generation
    to compare with is no longer kept) or `unknown` (that generation is newer than any that the service has, for example
    after a backup was restored).
    """

    reason: Reason
    rows: List[IdentifiedRow[Row]]
    #: The `since_generation` from which another iteration continues.
    generation: str
    state: Optional[str]


@dataclass(frozen=True)
class ListChanges(Generic[Row]):
    """The changes of a list since the previous step; in the first step, since the given generation."""

    changes: List[ListChange[Row]]
    #: The number of rows in the list after the changes.
    row_count: int
    #: The `since_generation` from which another iteration continues.
    generation: str
    state: Optional[str]


@dataclass(frozen=True)
class ListOutage:
    """No data is available. The rows that the caller holds are the last known ones."""

    state: Optional[str]


#: A step in following a list: the whole list, its changes, or an outage.
ListStep = Union[ListReset[Row], ListChanges[Row], ListOutage]


def rows_after(rows: Sequence[IdentifiedRow[Row]], step: ListStep[Row]) -> List[IdentifiedRow[Row]]:
    """Applies a step to the caller's rows and returns the result. An outage leaves the rows as they were."""
    if isinstance(step, ListOutage):
        return list(rows)
    if isinstance(step, ListReset):
        return step.rows
    touched = {change.id for change in step.changes}
    kept = [row for row in rows if row.id not in touched]
    placed = sorted((each for each in step.changes if each.index is not None), key=lambda each: each.index or 0)
    after: List[IdentifiedRow[Row]] = []
    taken = 0
    for change in placed:
        missing = max(0, (change.index or 0) - len(after))
        after.extend(kept[taken : taken + missing])
        taken = min(len(kept), taken + missing)
        after.append(IdentifiedRow(change.id, change.row))  # type: ignore[arg-type]
    return after + kept[taken:]


class Deltas(Generic[Row]):
    """Follows a list. `ask` repeats the call of the list with a different `since_generation`, or without one."""

    def __init__(self, ask: "Callable[[Optional[Generation]], ChangingAnswer[Any, Row]]") -> None:
        self._ask = ask

    def steps(
        self,
        first: "Optional[ChangingAnswer[Any, Row]]",
        since: Optional[Generation],
        wait: Callable[[], None],
    ) -> Iterator[ListStep[Row]]:
        """
        Follows the list without end: from the generation `since` or, if it is None, from the whole list. Yields a step
        when something has changed, and a single step for an outage, however long it lasts. If an answer of the list
        has already been read, it is passed as `first`.
        """
        reason: Reason = "start"
        is_out = False
        while True:
            step: ListStep[Row]
            try:
                step = self._whole(first, reason) if since is None else self._changes(first or self._ask(since))
            except (GoneError, BadRequestError) as error:
                lost = _reason_of_loss(error)
                if since is None or lost is None:
                    raise
                reason, since, first = lost, None, None
                continue
            first = None
            if isinstance(step, ListOutage):
                is_repeated, is_out = is_out, True
            else:
                is_repeated = _is_unchanged(step, since)
                is_out, since = False, step.generation
            if not is_repeated:
                yield step
            wait()

    def _whole(self, first: "Optional[ChangingAnswer[Any, Row]]", reason: Reason) -> ListStep[Row]:
        """Reads the whole list as changes since generation 0, because only answers with changes have the rows' ids."""
        answer = first or self._ask(None)
        if not answer.has_data:
            return ListOutage(answer.state)
        beginning = ", ".join(f"{dataset}=0" for dataset in answer.generations)
        step = self._changes(self._ask(beginning))
        if isinstance(step, ListOutage):
            return step
        rows = [IdentifiedRow(each.id, each.row) for each in step.changes if each.kind != "removed"]
        return ListReset(reason, rows, step.generation, step.state)  # type: ignore[arg-type]

    def _changes(self, answer: "ChangingAnswer[Any, Row]") -> "Union[ListChanges[Row], ListOutage]":
        changes: List[ListChange[Row]] = []
        delta: Dict[str, Any] = {}
        state = answer.state
        for page in answer.pages():
            if not page.has_data:
                return ListOutage(page.state)
            changes.extend(page.changes())
            delta, state = page.data["delta"], page.state
        return ListChanges(changes, int(delta["rowCount"]), str(delta["to"]), state)


def changes_in(call: str, data: Any, rows: List[Row]) -> Iterator[ListChange[Row]]:
    """Yields the changes on a page, with their rows. Added and changed rows come first, in the order of `rows`."""
    delta = data.get("delta") if isinstance(data, dict) else None
    changes = delta.get("changes") if isinstance(delta, dict) else None
    if not isinstance(changes, list):
        raise VigilError(f"{call} does not report changes; pass since_generation")
    for number, change in enumerate(changes):
        if change["kind"] == "removed":
            yield ListChange("removed", change["id"])
        else:
            yield ListChange(change["kind"], change["id"], rows[number], change["index"])


def _is_unchanged(step: Union[ListReset[Any], ListChanges[Any]], since: Optional[Generation]) -> bool:
    """True if neither a row nor the generation has changed."""
    if isinstance(step, ListReset) or step.changes:
        return False
    return generations_of(step.generation) == generations_of(str(since))


def _reason_of_loss(error: Union[GoneError, BadRequestError]) -> Optional[Reason]:
    """Returns the reason why the service cannot compare with a generation; None for any other failure."""
    if isinstance(error, GoneError):
        return "gone"
    is_newer = error.violations and all(
        each.get("field") == "sinceGeneration" and str(each.get("description")).startswith("must not be newer")
        for each in error.violations
    )
    return "unknown" if is_newer else None
