"""The rules for repeating a call, and the waits between attempts."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Callable, Mapping, Optional


@dataclass(frozen=True)
class Retry:
    """
    The rules for repeating a call. A call is repeated after a failed or broken connection, after a timeout, after 429,
    502, 503 and 504, and after a 409 that says that an earlier call with the same idempotency key is still running.
    Only reads, and writes with an idempotency key, are repeated.
    """

    #: Maximum number of attempts, including the first; with 1, a call is never repeated.
    attempts: int = 4
    #: The longest wait, in seconds. If the service asks for a longer wait, the error is raised immediately.
    wait_max: float = 60.0
    #: Without `Retry-After`: the upper bound of the first wait, in seconds. The bound doubles with every attempt, up to
    #: `wait_max`.
    backoff: float = 0.5
    #: The function that waits for a number of seconds.
    sleep: Callable[[float], None] = time.sleep
    #: The function that returns a random number from 0 to 1, for the jitter.
    random: Callable[[], float] = random.random

    def wait(self, attempt: int, headers: Optional[Mapping[str, str]] = None) -> Optional[float]:
        """
        Returns the seconds to wait after attempt number `attempt`, where the first attempt is 1. Returns None if that
        was the last attempt, or if the service asks for a wait longer than `wait_max`.
        """
        if attempt >= self.attempts:
            return None
        asked = retry_after(headers) if headers is not None else None
        if asked is not None:
            # Up to a tenth longer, but at most a second longer, so that clients do not all come back at the same time.
            return None if asked > self.wait_max else asked + self.random() * min(1.0, 0.1 * asked)
        longest = min(self.backoff * 2.0 ** (attempt - 1), self.wait_max)
        return longest * (0.5 + self.random() / 2)


#: Statuses after which a later attempt may succeed.
TEMPORARY = frozenset({429, 502, 503, 504})


def is_temporary(status: int, body: object) -> bool:
    """True for a failure after which a later attempt may succeed."""
    # This 409 means that the first call with the same idempotency key is still running.
    is_running = status == 409 and isinstance(body, dict) and body.get("error") == "idempotency_conflict"
    return status in TEMPORARY or is_running


def retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Returns the seconds to wait according to `Retry-After`, which is a number or a date."""
    value = headers.get("Retry-After")
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
