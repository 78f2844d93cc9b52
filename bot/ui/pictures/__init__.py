"""The pictures: pure functions that make a PNG of a small value. Any thread may call them.

A picture has no words, only digits and, in the standings, names: it needs no language. The functions called ``..._alt``
describe the pictures in words.
"""
