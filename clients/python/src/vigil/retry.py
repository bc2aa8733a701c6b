"""When a call is sent again, and after which wait."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Callable, Mapping, Optional


@dataclass(frozen=True)
class Retry:
    """
    Repeats calls that a later attempt may answer: after a broken connection or a time-out, and after 429, 502, 503 and
    504. Only reads and writes with an idempotency key are repeated.
    """

    #: Attempts in all; 1 never repeats.
    attempts: int = 4
    #: The longest wait in seconds. If the service asks for more, its error is raised at once.
    wait_max: float = 60.0
    #: The first wait in seconds without `Retry-After`; it doubles with every attempt.
    backoff: float = 0.5
    #: Waits that many seconds.
    sleep: Callable[[float], None] = time.sleep
    #: A random number from 0 to 1, for the jitter.
    random: Callable[[], float] = random.random

    def wait(self, attempt: int, headers: Optional[Mapping[str, str]] = None) -> Optional[float]:
        """Seconds to wait after an attempt, counted from 1; None if it was the last one."""
        if attempt >= self.attempts:
            return None
        asked = retry_after(headers) if headers is not None else None
        if asked is not None:
            # Up to a tenth and a second more, so that clients do not all come back at once.
            return None if asked > self.wait_max else asked + self.random() * min(1.0, 0.1 * asked)
        longest = min(self.backoff * 2.0 ** (attempt - 1), self.wait_max)
        return longest * (0.5 + self.random() / 2)


#: Statuses that a later attempt may not meet.
TEMPORARY = frozenset({429, 502, 503, 504})


def is_temporary(status: int, body: object) -> bool:
    """True for an answer that a repeat may not get."""
    # The first call with the same idempotency key is still running.
    is_running = status == 409 and isinstance(body, dict) and body.get("error") == "idempotency_conflict"
    return status in TEMPORARY or is_running


def retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """The seconds that `Retry-After` asks for, as a number or a date."""
    value = headers.get("Retry-After")
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
