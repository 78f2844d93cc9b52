"""Functions that draw a small value as a PNG. They can be called in any thread.

A picture has digits, symbols and names, but no words, so it serves all languages. Functions called ``..._sentences``
describe it in words.
"""
