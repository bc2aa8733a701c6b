"""The errors of the client. Each is a `VigilError`."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type


class VigilError(Exception):
    """The base class of all errors of this client."""


class TransportError(VigilError):
    """No answer: the service could not be reached, or the connection broke."""


class RequestTimeout(TransportError):
    """No complete answer within the time limit of the client."""


class NoDataError(VigilError):
    """The list is empty because its data is missing, not because nothing matches."""

    def __init__(self, call: str, state: str) -> None:
        super().__init__(
            f"{call} has no rows because its data is {state}, so matching rows may exist; "
            "see /api/health for the reason, or use `.data` to read the answer anyway"
        )
        self.state = state


class SnapshotRequired(VigilError):
    """The log no longer reaches back to the cursor: list again and continue from the `pollCursor` of the list."""


class ApiError(VigilError):
    """An answer with an error status."""

    def __init__(self, call: str, status: int, headers: Mapping[str, str], body: Any) -> None:
        self.call = call
        self.status = status
        self.headers = headers
        #: The parsed body if it is JSON, otherwise the body as text.
        self.body = body
        members: Mapping[str, Any] = body if isinstance(body, dict) else {}
        #: The stable name of the failure, if it has one.
        self.code: Optional[str] = members.get("code")
        #: The rejected inputs, each with `field` and `description`.
        self.violations: List[Dict[str, str]] = members.get("violations") or []
        #: The id of the call in the log of the service.
        self.request_id: Optional[str] = headers.get("X-Request-Id")
        #: Seconds to wait before the call can succeed, if the service says so.
        self.retry_after: Optional[float] = _seconds(headers.get("Retry-After"))
        self.message = self._sentence(members)
        hint = f" (request {self.request_id})" if self.request_id else ""
        super().__init__(f"{call} answered {status}: {self.message}{hint}")

    def _sentence(self, members: Mapping[str, Any]) -> str:
        if self.violations:
            return "; ".join(f"{each.get('field')} {each.get('description')}" for each in self.violations)
        for name in ("message", "error", "_jmespath_error"):
            if isinstance(members.get(name), str):
                return str(members[name])
        return str(self.body)[:200]


class BadRequestError(ApiError):
    """400: a parameter or the body is missing or invalid; `violations` names each problem."""


class ProjectionError(BadRequestError):
    """400: the JMESPath expression is invalid or costs too much; `original_keys` are the members of the answer."""

    @property
    def original_keys(self) -> List[str]:
        return list(self.body.get("original_keys", []))


class UnauthorizedError(ApiError):
    """401: there is no valid credential, or a session called a Pro operation that its plan does not include."""


class ForbiddenError(ApiError):
    """403: the key lacks a scope, or its plan is not sufficient; `body` may have `requiredTier` and `currentTier`."""


class NotFoundError(ApiError):
    """404: no such path or resource."""


class ConflictError(ApiError):
    """409: the request conflicts with the current state."""


class GoneError(ApiError):
    """410: the log, the history or a generation is no longer kept; list again."""


class UnprocessableError(ApiError):
    """422: a limit of the account is reached, or an idempotency key was used with another body."""


class RateLimitError(ApiError):
    """429: a limit is used up; `retry_after` says how long to wait."""


class ServerError(ApiError):
    """500 and above: the service failed."""


class UnavailableError(ServerError):
    """503: the service cannot answer now; `retry_after` says how long to wait."""


_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    422: UnprocessableError,
    429: RateLimitError,
    503: UnavailableError,
}


def api_error(call: str, status: int, headers: Mapping[str, str], body: Any) -> ApiError:
    """Returns the error for an answer, according to its status."""
    if isinstance(body, dict) and "_jmespath_error" in body:
        return ProjectionError(call, status, headers, body)
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(call, status, headers, body)


def _seconds(value: Optional[str]) -> Optional[float]:
    return float(value) if value is not None and value.strip().isdigit() else None
