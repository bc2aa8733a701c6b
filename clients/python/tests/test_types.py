"""Tests of the generated modules and of the Python version that they require."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import unittest
from pathlib import Path
from typing import Any, get_type_hints

import vigil
from vigil import _generated, types

SOURCES = Path(vigil.__file__).parent


class Types(unittest.TestCase):
    def test_every_annotation_names_a_type(self) -> None:
        for module in self.modules():
            classes = [each for _, each in inspect.getmembers(module, inspect.isclass) if each.__module__ == module.__name__]
            for each in classes:
                get_type_hints(each)
                for _, method in inspect.getmembers(each, inspect.isfunction):
                    if method.__module__ == module.__name__:
                        self.assertIn("return", get_type_hints(method), method.__qualname__)

    def test_members_that_are_always_present_are_required(self) -> None:
        self.assertEqual(types.Earthquake.__required_keys__, frozenset({"id", "magnitude", "occurredAt", "source"}))
        self.assertIn("depthKm", types.Earthquake.__optional_keys__)

    def test_every_method_has_a_docstring(self) -> None:
        for module in self.modules():
            for _, service in inspect.getmembers(module, inspect.isclass):
                for name, method in inspect.getmembers(service, inspect.isfunction):
                    if not name.startswith("_") and method.__module__ == module.__name__:
                        self.assertTrue(method.__doc__, name)

    def test_the_sources_parse_as_python_3_9(self) -> None:
        for path in SOURCES.rglob("*.py"):
            ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 9))

    def modules(self) -> "list[Any]":
        names = [each.name for each in pkgutil.iter_modules(_generated.__path__)]
        return [importlib.import_module(f"{_generated.__name__}.{name}") for name in names]
