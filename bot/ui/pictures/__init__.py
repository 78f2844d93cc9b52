"""The pictures: pure functions that draw a small value as a PNG. They can be called in any thread.

A picture has no words, only digits, symbols and names. Functions called ``..._sentences`` describe it in words.
"""
