"""A cache of answers for conditional requests."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Mapping, Optional


@dataclass(frozen=True)
class CachedAnswer:
    """A stored answer, which is current while the service answers 304 to its ETag."""

    etag: str
    headers: Mapping[str, str]
    body: bytes


class AnswerCache:
    """The most recently used answers, up to a number of bytes. Thread-safe."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._bytes = 0
        self._answers: "OrderedDict[str, CachedAnswer]" = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Optional[CachedAnswer]:
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: str, answer: CachedAnswer) -> None:
        with self._lock:
            self._remove(key)
            if _size(key, answer) > self._bytes_max:
                return
            self._answers[key] = answer
            self._bytes += _size(key, answer)
            while self._bytes > self._bytes_max:
                self._remove(next(iter(self._answers)))

    def _remove(self, key: str) -> None:
        answer = self._answers.pop(key, None)
        if answer is not None:
            self._bytes -= _size(key, answer)

    def __len__(self) -> int:
        return len(self._answers)


#: Estimated size of the headers of an answer.
_HEADER_BYTES = 2_000


def _size(key: str, answer: CachedAnswer) -> int:
    return len(key) + len(answer.body) + _HEADER_BYTES
