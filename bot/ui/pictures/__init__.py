"""The pictures: pure functions, a small value in, a PNG out. Safe to call from any thread.

They have no words, only digits, so they need no language; the functions called ``..._alt`` describe them in words.
"""
