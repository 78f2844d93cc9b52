"""Tests of the rules engine; they name the rules by their numbers and write dice as the rulebook's text would."""
