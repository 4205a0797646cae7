"""Words as whole numbers."""


def popcount(word):
    return bin(word).count("1")


def multiply_high(a, b):
    return a * b >> 64
