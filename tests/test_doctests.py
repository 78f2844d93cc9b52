"""The examples in docstrings, of every module of the engine and of the domain."""

import doctest
import importlib
import pkgutil

import pytest

import bot.domain
import highscore

AT_LEAST = 80
"""Examples there are in all."""
MODULES = [
    package.__name__ if name == "" else name
    for package in (highscore, bot.domain)
    for name in ("", *(found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")))
]


def examples_of(name: str) -> list[doctest.DocTest]:
    return doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_enough_examples() -> None:
    assert sum(len(test.examples) for name in MODULES for test in examples_of(name)) >= AT_LEAST
