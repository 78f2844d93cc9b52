"""The pictures: pure functions that make a PNG of a small value. Any thread may call them.

A picture has no words, only digits and, in the standings, names. Functions called ``..._sentences`` put it into words.
"""
