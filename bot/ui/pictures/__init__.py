"""The pictures: pure functions, a small value in, a PNG out. Safe to call from any thread.

They have no words, only digits and in the standings names, so they need no language; the functions called ``..._alt``
describe them in words.
"""
