"""The newest generations that a client has seen."""

from __future__ import annotations

from threading import Lock
from typing import Dict, Mapping, Optional

#: Maximum length of the header `X-Vigil-Min-Generation`. The service refuses more than 8,192 characters.
_CHARACTERS_MAX = 8_000


class SeenGenerations:
    """
    Keeps the newest generation of each dataset that the client has seen. Requests send these generations in the header
    `X-Vigil-Min-Generation`, so that no later answer is from an older generation. If the header would become too long,
    the datasets that were read longest ago are forgotten. Thread-safe.
    """

    def __init__(self) -> None:
        self._newest: Dict[str, int] = {}
        self._lock = Lock()

    def text(self) -> Optional[str]:
        """Returns the generations in the form of `X-Vigil-Min-Generation`; None if there are none yet."""
        with self._lock:
            return self._text() or None

    def add(self, generations: Mapping[str, int]) -> None:
        """Remembers the generations of an answer. Ignores generation 0, which means that a dataset has no data."""
        with self._lock:
            for name, generation in generations.items():
                if generation > 0:
                    # Inserted again at the end of the dictionary, so that the first entry is the one seen longest ago.
                    self._newest[name] = max(self._newest.pop(name, 0), generation)
            while len(self._text()) > _CHARACTERS_MAX:
                del self._newest[next(iter(self._newest))]

    def _text(self) -> str:
        return ", ".join(f"{name}={generation}" for name, generation in self._newest.items())
