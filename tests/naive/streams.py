"""Philox, with whole numbers of any size; and test sets from the order of words, by sorting."""

MASK = 2**64 - 1


def block(key, counter):
    """Return the four words of one block (Salmon et al., 2011: Philox-4x64 with ten rounds)."""
    low_key, high_key = key & MASK, key >> 64
    a, b, c, d = counter & MASK, counter >> 64 & MASK, counter >> 128 & MASK, counter >> 192
    for _ in range(10):
        one, two = 0xD2E7470EE14C6C93 * a, 0xCA5A826395121157 * c
        a, b, c, d = two >> 64 ^ b ^ low_key, two & MASK, one >> 64 ^ d ^ high_key, one & MASK
        low_key, high_key = low_key + 0x9E3779B97F4A7C15 & MASK, high_key + 0xBB67AE8584CAA73B & MASK
    return [a, b, c, d]


def words(key, n):
    """Return the first n words of a stream; its counter starts at one."""
    found = []
    while len(found) < n:
        found += block(key, len(found) // 4 + 1)
    return found[:n]


def order(words):
    return sorted(range(len(words)), key=lambda i: words[i])


def positions(words, y):
    """Return where each instance stands in an order by class, then by word."""
    by_class = sorted(range(len(words)), key=lambda i: (y[i], words[i]))
    return [by_class.index(i) for i in range(len(words))]
