import doctest
import importlib
import pkgutil

import pytest

import bot.domain
import bot.locales
import bot.store
import bot.ui
import highscore

MODULES = [
    package.__name__ if name == "" else name
    for package in (highscore, bot.domain, bot.locales, bot.store, bot.ui)
    for name in ("", *(found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")))
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
