"""Data frames made from rows."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Collection, Dict, List, Optional

if TYPE_CHECKING:
    import pandas

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def frame(rows: List[Any], instants: Collection[str], absent_at_zero: Collection[str]) -> "pandas.DataFrame":
    """
    Returns a data frame with a row for each record. The columns in `instants` become UTC datetimes. In the columns of
    `absent_at_zero`, 0 means that there is no time.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "df() needs pandas, which is not installed: run `pip install pandas`, or use rows() or `.data`"
        ) from error
    table = pandas.DataFrame([flat(row) for row in rows])
    for name in table.columns:
        if name in instants:
            # Each value is converted separately, because pandas may refuse a column in which only some times have
            # fractional seconds. This also keeps the milliseconds exact.
            times = [_time(value, name in absent_at_zero) for value in table[name]]
            table[name] = pandas.to_datetime(pandas.Series(times, index=table.index, dtype=object), utc=True)
    return table


def flat(row: Any, before: str = "") -> Dict[str, Any]:
    """Returns the members of a record. Members of nested objects have dotted names; lists stay as they are."""
    if not isinstance(row, dict):
        return {"value": row}
    members: Dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            members.update(flat(value, f"{before}{name}."))
        else:
            members[before + name] = value
    return members


def _time(value: Any, is_absent_at_zero: bool) -> Optional[datetime]:
    """Returns the datetime for epoch milliseconds or ISO 8601; None for an absent value."""
    if isinstance(value, str):
        # Python before 3.11 does not read `Z`.
        return datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)
    if value is None or value != value or (value == 0 and is_absent_at_zero):
        return None
    return _EPOCH + timedelta(milliseconds=int(value))
