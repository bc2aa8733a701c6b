"""Headers of an answer."""

from __future__ import annotations

import re
from typing import Dict, Iterable, Iterator, Mapping, Tuple


class Headers(Mapping[str, str]):
    """Headers by case-insensitive name. The values of a repeated header are joined by commas."""

    def __init__(self, pairs: Iterable[Tuple[str, str]]) -> None:
        self._values: Dict[str, str] = {}
        self._names: Dict[str, str] = {}
        for name, value in pairs:
            key = name.lower()
            self._names.setdefault(key, name)
            self._values[key] = f"{self._values[key]}, {value}" if key in self._values else value

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.values())

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"


def generations_of(text: str) -> Dict[str, int]:
    """Returns the generation of each dataset, by name, from a string such as `co2=12, ice=4`."""
    return {name: int(number) for name, number in re.findall(r"([\w-]+)=(\d+)", text)}
