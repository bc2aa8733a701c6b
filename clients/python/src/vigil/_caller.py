"""The part of the client that the service groups use."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Protocol, Union

from ._call import Call, Result


class Caller(Protocol):
    """Sends calls."""

    def read(self, call: Call[Result], query: Mapping[str, Any]) -> Result: ...

    def write(
        self,
        call: Call[Result],
        body: Union[Mapping[str, Any], bytes],
        idempotency_key: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Result: ...

    def stream(self, call: Call[Result], query: Mapping[str, Any], last_event_id: Optional[str]) -> Result: ...
