"""The shapes of answers and requests, as typed dictionaries."""

from ._generated.types import *  # noqa: F403
