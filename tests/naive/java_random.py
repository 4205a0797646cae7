"""java.util.Random as its documentation describes it, with Python's own integers."""


class JavaRandom:
    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def next(self, bits):
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state // 2 ** (48 - bits)

    def next_int(self, bound):
        if bound in {2**i for i in range(31)}:
            return bound * self.next(31) // 2**31
        while True:
            bits = self.next(31)
            value = bits % bound
            if bits - value + (bound - 1) < 2**31:
                return value


def shuffled(n, seed):
    random, items = JavaRandom(seed), list(range(n))
    for j in range(n - 1, 0, -1):
        k = random.next_int(j + 1)
        items[j], items[k] = items[k], items[j]
    return items
